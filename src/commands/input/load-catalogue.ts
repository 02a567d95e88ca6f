/** The catalogue of `--catalogue FILE`, or else the one that the package ships. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { catalogueOfCompact } from "../../karpenter/catalogue/catalogue-of-compact.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import type { CompactCatalogue } from "../../model/compact-catalogue.ts";
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
  // Our own build wrote it: checking it again would take longer than reading it.
  if (path === undefined)
    return catalogueOfCompact(JSON.parse(context.files.readShipped("catalogue.json")) as CompactCatalogue);
  const read = readCatalogue(readText(path, context), path);
  if ("problem" in read) throw new UnreadableError(path, read.problem.message, read.problem.hint);
  return read.catalogue;
}

/** The one that the package ships, for those who run for long: read when it is first asked for. */
export function keptCatalogue(context: Context): () => Catalogue {
  return once(() => loadCatalogue(undefined, context));
}
