/** Which instance types of a catalogue a cluster can be asked about. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { once, oncePer } from "../../model/once.ts";
import type { Market } from "./remaining-types.ts";
import { unknownTypes } from "./unknown-types.ts";

export type MarketTypes = Omit<Market, "profile">;

/** One for all clusters that ask about the same catalogue. Of a hosted cluster there is no other provider's pool. */
export function marketTypes(
  catalogue: Catalogue,
): (asked: { readonly mode: InputMode; readonly provider: Provider }) => MarketTypes {
  const hosted = once(() => ({ filter: offeredTypes(catalogue) }));
  const raw = oncePer((provider: Provider): MarketTypes => {
    const types = provider.typesOf(catalogue);
    if (types !== undefined) return { filter: offeredTypes(types) };
    // Where nobody knows them, one of which nothing is known.
    return { filter: typeFilter(unknownTypes(provider.labels)), typesUnknown: true };
  });
  return ({ mode, provider }) => (mode === "hosted" ? hosted() : raw(provider));
}
