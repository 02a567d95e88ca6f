/** A dump of a cluster in a file that an option names: what kubectl prints in, its objects out. */
import { parseSources } from "../../krm/parse.ts";
import type { Resource } from "../../krm/resource.ts";
import type { Context } from "../cli/context.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";

interface WantedDump {
  /** Objects beside those are nobody's here; a dump without any is the wrong file. */
  readonly isWanted: (resource: Resource) => boolean;
  /** What is missing then. */
  readonly wanted: string;
  /** The command that writes the file. */
  readonly kubectl: string;
}

/** Empty for an empty list: there is nothing in the cluster. @throws UnreadableError for a file that is not what kubectl writes */
export function readDump(path: string, { isWanted, wanted, kubectl }: WantedDump, context: Context): Resource[] {
  const text = readText(path, context);
  const source = { file: path, folder: "", text, explicit: true, trusted: false, config: false };
  const { value, findings } = parseSources([source]);
  const [problem] = findings;
  const hint = `write it with ${kubectl}`;
  if (problem !== undefined) {
    const where = problem.line === undefined ? "" : ` (line ${problem.line})`;
    throw new UnreadableError(path, `${problem.message}${where}`, hint);
  }
  if (value.length > 0 && !value.some(isWanted)) throw new UnreadableError(path, `holds ${wanted}`, hint);
  return value;
}
