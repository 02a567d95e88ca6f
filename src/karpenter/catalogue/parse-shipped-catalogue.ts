/** The catalogue that the package ships: the instance types of Amazon EC2. */
import type { CompactCatalogue } from "../../model/compact-catalogue.ts";
import type { Catalogue } from "./catalogue.ts";
import { catalogueOfCompact } from "./catalogue-of-compact.ts";

/** Our own build wrote it: checking it again would take longer than reading it. */
export function parseShippedCatalogue(text: string): Catalogue {
  return { ...catalogueOfCompact(JSON.parse(text) as CompactCatalogue), shipped: true };
}
