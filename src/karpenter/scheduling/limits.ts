/** The instance types that the limits of a NodePool allow, as Karpenter compares their capacity. */
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { memoryCapacity } from "../catalogue/instance-type-resources.ts";
import { valuesOf } from "../catalogue/type-filter.ts";
import { both, maskOf, type TypeMask } from "../catalogue/type-mask.ts";
import { allocatableTypes } from "./resources.ts";

/** Quantities by resource name, as in `spec.limits` and `status.resources` of a NodePool. */
export type Quantities = Readonly<Record<string, string | number>>;

/**
 * A type with more capacity than a limit leaves is not launched (docs/upstream/karpenter.md#no-nodes). A limit on
 * `ephemeral-storage` is compared only if the catalogue has the capacities of a node class.
 *
 * @param used what the nodes of the pool use of the limits
 */
export function typesWithinLimits(limits: Quantities, catalogue: Catalogue, used: Quantities = {}): TypeMask {
  const { names } = catalogue;
  return Object.entries(limits).reduce(
    (left, [resource, limit]) => {
      if (resource === STORAGE && catalogue.capacity?.has(STORAGE) !== true) return left;
      const remaining = nanoOf(limit) - nanoOf(used[resource] ?? 0);
      if (resource === "nodes") return remaining > 0n ? left : maskOf(names.length, () => false);
      return both(left, typesAtMost(catalogue)(resource)(remaining));
    },
    maskOf(names.length, () => true),
  );
}

/**
 * The types with at most an amount of a resource. Thousands of pools have other limits, and types few amounts: each mask is
 * made once.
 */
export const typesAtMost = memoizeByObject((catalogue: Catalogue) =>
  memoizeByKey((resource: string) => {
    const amounts = catalogue.names.map((_name, type) => capacityOf(catalogue, resource, type));
    const levels = [...new Set(amounts)].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const masks: TypeMask[] = [];
    return (amount: bigint): TypeMask => {
      // How many levels are within the amount.
      let [low, high] = [0, levels.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (levels[middle]! > amount) high = middle;
        else low = middle + 1;
      }
      const largest = levels[low - 1];
      return (masks[low] ??= maskOf(amounts.length, (type) => largest !== undefined && amounts[type]! <= largest));
    };
  }),
);

/**
 * In units of 10⁻⁹. A catalogue has allocatable amounts; those of processors and memory are less than the capacity, so
 * both are computed from the labels of EC2's types. A type of another provider counts with its allocatable amounts.
 */
export function capacityOf(catalogue: Catalogue, resource: string, type: number): bigint {
  const ofClass = catalogue.capacity?.get(resource)?.[type];
  if (ofClass !== undefined) return nanoOf(ofClass);
  const ofLabels = capacityOfLabels(catalogue).get(resource)?.[type];
  return ofLabels ?? allocatableTypes(catalogue).of(resource, type);
}

/** Depends on the volumes of the node class. */
const STORAGE = "ephemeral-storage";

const capacityOfLabels = memoizeByObject((catalogue: Catalogue) => {
  const column = (label: string, amountOf: (count: number, type: number) => bigint) =>
    catalogue.names.map((_name, type) => {
      const count = Number(valuesOf(catalogue, type, `karpenter.k8s.aws/instance-${label}`)[0]);
      return Number.isSafeInteger(count) ? amountOf(count, type) : undefined;
    });
  const archOf = (type: number): string | undefined => valuesOf(catalogue, type, "kubernetes.io/arch")[0];
  return new Map([
    ["cpu", column("cpu", (vcpus) => BigInt(vcpus) * UNIT)],
    ["memory", column("memory", (mebibytes, type) => BigInt(memoryCapacity(mebibytes, archOf(type))) * MEBIBYTE)],
  ]);
});

const UNIT = 10n ** 9n;
const MEBIBYTE = 2n ** 20n * UNIT;

/** In units of 10⁻⁹; 0 if it cannot be read. */
export function nanoOf(quantity: string | number): bigint {
  return parseQuantity(String(quantity))?.nano ?? 0n;
}
