/** Loads the catalogue that `--catalogue` or a RenderConfig names, or else the built-in one. */
import { configuredCatalogues } from "../../analyze/explain/configured-catalogues.ts";
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { parseShippedCatalogue } from "../../karpenter/catalogue/catalogue-of-compact.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import type { Context } from "../cli/context.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";

/**
 * Read only by commands that need it.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function loadCatalogue(path: string | undefined, context: Context): Catalogue {
  if (path === undefined) return parseShippedCatalogue(context.files.readShipped("catalogue.json"));
  const read = readCatalogue(readText(path, context), path);
  if ("problem" in read) throw new UnreadableError(path, read.problem.message, read.problem.hint);
  return read.catalogue;
}

/**
 * Reads each hosted cluster's catalogue on first use. A catalogue that the command line names takes precedence.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function catalogues(named: string | undefined, context: Context): CatalogueFor {
  const usual = memoize(() => loadCatalogue(named, context));
  if (named !== undefined) return usual;
  return configuredCatalogues({
    usual,
    textOf: (path) => readText(path, context),
    refusal: (path, { message, hint }) => new UnreadableError(path, message, hint),
  });
}
