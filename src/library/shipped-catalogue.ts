/** The catalogue of instance types that the package ships, read when first asked for. */
import { FILES } from "../commands/cli/context.ts";
import type { Catalogue } from "../karpenter/catalogue/catalogue.ts";
import { parseShippedCatalogue } from "../karpenter/catalogue/parse-shipped-catalogue.ts";

let catalogue: Catalogue | undefined;

export function shippedCatalogue(): Catalogue {
  catalogue ??= parseShippedCatalogue(FILES.readShipped("catalogue.json"));
  return catalogue;
}
