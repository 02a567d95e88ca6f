/** Catalogues that may be unreadable: the reason is told, and pools go without a verdict. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { OptionalCatalogueFor } from "../status/pool-verdicts.ts";

/** @param unread told with each pass */
export function optionalCatalogue(catalogue: CatalogueFor, unread: (reason: string) => void): OptionalCatalogueFor {
  return (settings) => {
    try {
      return catalogue(settings);
    } catch (error) {
      unread((error as Error).message);
      return undefined;
    }
  };
}
