/** The catalogue of `--catalogue FILE`, or else the one that the package ships. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { parseShippedCatalogue } from "../../karpenter/catalogue/parse-shipped-catalogue.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import type { Context } from "../cli/context.ts";
import { once } from "../../model/once.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";

/**
 * Read only by commands that ask for it.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function loadCatalogue(path: string | undefined, context: Context): Catalogue {
  if (path === undefined) return parseShippedCatalogue(context.files.readShipped("catalogue.json"));
  const read = readCatalogue(readText(path, context), path);
  if ("problem" in read) throw new UnreadableError(path, read.problem.message, read.problem.hint);
  return read.catalogue;
}

/** The one that the package ships, for those who run for long: read when it is first asked for. */
export function keptCatalogue(context: Context): () => Catalogue {
  return once(() => loadCatalogue(undefined, context));
}
