/** The catalogue of instance types that the package ships, read when first asked for. */
import { FILES } from "../commands/cli/context.ts";
import type { Catalogue } from "../karpenter/catalogue/catalogue.ts";
import { catalogueOfCompact } from "../karpenter/catalogue/catalogue-of-compact.ts";
import type { CompactCatalogue } from "../model/compact-catalogue.ts";

let catalogue: Catalogue | undefined;

export function shippedCatalogue(): Catalogue {
  catalogue ??= catalogueOfCompact(JSON.parse(FILES.readShipped("catalogue.json")) as CompactCatalogue);
  return catalogue;
}
