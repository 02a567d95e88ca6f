/** The title of a page: the command, and what it was asked about. */
import { someOf } from "../../krm/values/counted.ts";
import { shortened } from "../../report/terminal/printable.ts";

interface AskedAbout {
  readonly against?: string | undefined;
  readonly hostedCluster?: string | undefined;
  readonly live?: boolean | undefined;
  readonly nodeData?: string | undefined;
}

const MOST_PATHS = 3;
const MOST_CHARACTERS = 200;

/** `anp diff clusters/shop against main`: the same words for the same command line. */
export function pageTitle(
  command: string,
  paths: readonly string[],
  { against, hostedCluster, live = false, nodeData }: AskedAbout,
): string {
  const parts = [
    command,
    ...(paths.length === 0 ? [] : [someOf(paths, MOST_PATHS)]),
    ...(against === undefined ? [] : [`against ${against}`]),
    ...(hostedCluster === undefined ? [] : [`of ${hostedCluster}`]),
    ...(nodeData === undefined ? [] : [`with ${nodeData}`]),
    ...(live ? ["live"] : []),
  ];
  return shortened(parts.join(" "), MOST_CHARACTERS);
}
