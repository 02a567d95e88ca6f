/** The instance types of a catalogue that apply to a cluster and its provider. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { memoize, memoizeByKey } from "../../model/schema/memoize.ts";
import type { InstanceTypes } from "./remaining-types.ts";
import { unknownTypes } from "./unknown-types.ts";

export type KnownInstanceTypes = Omit<InstanceTypes, "profile">;

/** Shared by all clusters with the same catalogue. The pools of a hosted cluster are all of one provider. */
export function knownInstanceTypes(
  catalogue: Catalogue,
): (asked: { readonly mode: InputMode; readonly provider: Provider }) => KnownInstanceTypes {
  const hosted = memoize(() => ({ filter: offeredTypes(catalogue) }));
  const raw = memoizeByKey((provider: Provider): KnownInstanceTypes => {
    const types = provider.typesOf(catalogue);
    if (types !== undefined) return { filter: offeredTypes(types) };
    // The types of this provider are unknown: one type without labels represents all.
    return { filter: typeFilter(unknownTypes(provider.labels)), typesUnknown: true };
  });
  return ({ mode, provider }) => (mode === "hosted" ? hosted() : raw(provider));
}
