/** The catalogue of each hosted cluster: the one named by its RenderConfig, or the usual one. */
import type { Words } from "../../krm/findings/finding.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import { configPath } from "../../model/inputs/config-path.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import type { CatalogueFor } from "./explain.ts";

interface CatalogueFiles {
  readonly usual: () => Catalogue;
  /** Reads a file; throws if that fails. */
  readonly textOf: (path: string) => string;
  /** The error for a file that is not a catalogue. */
  readonly refusal: (path: string, words: Words) => Error;
}

/** Reads each file once, when it is first needed. The result throws if a file cannot be read. */
export function configuredCatalogues({ usual, textOf, refusal }: CatalogueFiles): CatalogueFor {
  const own = memoizeByKey((path: string): Catalogue => {
    const read = readCatalogue(textOf(path), path);
    if ("catalogue" in read) return read.catalogue;
    throw refusal(path, NO_CATALOGUE);
  });
  return (settings) => {
    const path = settings?.config.catalogue;
    if (path === undefined || settings?.resource === undefined) return usual();
    return own(configPath(settings.resource, path));
  };
}

/** Shows nothing of the content, because the author of a RenderConfig may name any file. */
const NO_CATALOGUE: Words = {
  message: "is not a catalogue of instance types",
  hint: "a RenderConfig names it in spec.catalogue; anp catalogue --catalogue FILE shows what is wrong with it",
};
