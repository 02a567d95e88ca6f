/** Catalogues that may be unreadable: the reason is told, and pools go without a verdict. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { PerhapsCatalogueFor } from "../tell/pool-judge.ts";

/** @param unread told with each pass */
export function perhapsCatalogue(catalogue: CatalogueFor, unread: (reason: string) => void): PerhapsCatalogueFor {
  return (settings) => {
    try {
      return catalogue(settings);
    } catch (error) {
      unread((error as Error).message);
      return undefined;
    }
  };
}
