/** Loads the catalogue that `--catalogue` or a RenderConfig names, or else the built-in one. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import { parseShippedCatalogue } from "../../karpenter/catalogue/catalogue-of-compact.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError } from "../cli/exit-codes.ts";
import { configPath, readText } from "../cli/read-text.ts";

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
  const own = memoizeByKey((path: string): Catalogue => {
    const read = readCatalogue(readText(path, context), path);
    if ("catalogue" in read) return read.catalogue;
    throw new UnreadableError(path, NO_CATALOGUE.message, NO_CATALOGUE.hint);
  });
  return (settings) => {
    const path = settings?.config.catalogue;
    if (path === undefined || settings?.resource === undefined) return usual();
    return own(configPath(settings.resource, path));
  };
}

/** Shows nothing of the content, because the author of a RenderConfig may name any file. */
const NO_CATALOGUE = {
  message: "is not a catalogue of instance types",
  hint: "a RenderConfig names it in spec.catalogue; anp catalogue --catalogue FILE shows what is wrong with it",
};
