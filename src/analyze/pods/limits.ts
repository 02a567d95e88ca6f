/** The instance types that the limits of a pool allow while it has no nodes. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { allocatableTypes } from "../../karpenter/scheduling/resources.ts";
import { type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { locationOf } from "../../krm/location.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { and } from "./words.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

/**
 * Karpenter excludes a type with more capacity than the limit allows. A catalogue has only allocatable amounts, so a
 * type is excluded here only if even those exceed the limit.
 */
export function withinLimits({ spec: { limits = {} } }: ResolvedPool, types: TypeMask, catalogue: Catalogue): TypeMask {
  return Object.entries(limits).reduce((left, [name, value]) => {
    const limit = parseQuantity(String(value))?.nano ?? 0n;
    if (name === "nodes") return limit > 0n ? left : without(left, left);
    // The amount depends on the node class.
    if (name === "ephemeral-storage") return left;
    return without(left, allocatableTypes(catalogue).atLeast(name, limit + 1n));
  }, types);
}

export function limitsText({ wrapper, spec: { limits = {} } }: ResolvedPool): string {
  const texts = Object.entries(limits).map(
    ([name, value]) => `${name} ${String(value)} (${locationOf(wrapper, ["spec", "limits", name])})`,
  );
  return and(texts);
}
