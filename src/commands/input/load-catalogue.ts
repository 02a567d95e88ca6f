/** The catalogue of `--catalogue`, or that which a RenderConfig names, or else the shipped one. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { parseShippedCatalogue } from "../../karpenter/catalogue/parse-shipped-catalogue.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { Context } from "../cli/context.ts";
import { once, oncePer } from "../../model/once.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";
import { besideConfig } from "./beside-config.ts";

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

/**
 * Each hosted cluster's own, read when it is first asked for and kept. What the command line names goes before it.
 *
 * @throws UnreadableError for a file that holds no catalogue
 */
export function catalogues(named: string | undefined, context: Context): CatalogueFor {
  const usual = once(() => loadCatalogue(named, context));
  const own = oncePer((path: string) => loadConfigured(path, context));
  return (settings) => {
    const path = named === undefined && settings !== undefined ? configured(settings) : undefined;
    return path === undefined ? usual() : own(path);
  };
}

/** Whoever writes a RenderConfig may name any file, of which no word is told. */
function loadConfigured(path: string, context: Context): Catalogue {
  const read = readCatalogue(readText(path, context), path);
  if ("catalogue" in read) return read.catalogue;
  throw new UnreadableError(
    path,
    "is no catalogue of instance types",
    `a RenderConfig names it in spec.catalogue; anp catalogue --catalogue FILE says what is wrong with it`,
  );
}

function configured({ config, resource }: Pick<Settings, "config" | "resource">): string | undefined {
  if (config.catalogue === undefined || resource === undefined) return undefined;
  return besideConfig(resource, config.catalogue);
}
