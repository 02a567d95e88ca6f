/** Each hosted cluster's catalogue: that which its RenderConfig names, or else the usual one. */
import type { Words } from "../../krm/finding.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { readCatalogue } from "../../karpenter/catalogue/read-catalogue.ts";
import { besideConfig } from "../../model/beside-config.ts";
import { oncePer } from "../../model/once.ts";
import type { CatalogueFor } from "./explain.ts";

interface CatalogueFiles {
  readonly usual: () => Catalogue;
  /** The text of a file; it throws where that cannot be read. */
  readonly textOf: (path: string) => string;
  /** The error of a file that holds no catalogue. */
  readonly refusal: (path: string, words: Words) => Error;
}

/** A file is read when it is first asked for, and kept. Out comes what throws where it cannot be read. */
export function configuredCatalogues({ usual, textOf, refusal }: CatalogueFiles): CatalogueFor {
  const own = oncePer((path: string): Catalogue => {
    const read = readCatalogue(textOf(path), path);
    if ("catalogue" in read) return read.catalogue;
    throw refusal(path, NO_CATALOGUE);
  });
  return (settings) => {
    const path = settings?.config.catalogue;
    if (path === undefined || settings?.resource === undefined) return usual();
    return own(besideConfig(settings.resource, path));
  };
}

/** Whoever writes a RenderConfig may name any file, of which no word is told. */
const NO_CATALOGUE: Words = {
  message: "is no catalogue of instance types",
  hint: "a RenderConfig names it in spec.catalogue; anp catalogue --catalogue FILE says what is wrong with it",
};
