/** Reads the catalogue that the package ships: the instance types of Amazon EC2. */
import type { CompactCatalogue } from "../../model/compact-catalogue.ts";
import type { Catalogue } from "./catalogue.ts";
import { catalogueOfCompact } from "./catalogue-of-compact.ts";

/** Written by our own build. Validation would take longer than parsing. */
export function parseShippedCatalogue(text: string): Catalogue {
  return { ...catalogueOfCompact(JSON.parse(text) as CompactCatalogue), shipped: true };
}
