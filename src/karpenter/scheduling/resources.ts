/** Finds the instance types with enough allocatable resources. */
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { both, maskOf, type TypeMask } from "../catalogue/type-mask.ts";

/** By resource name, in units of 10⁻⁹. */
export type Amounts = ReadonlyMap<string, bigint>;

export interface AllocatableTypes {
  /** The amount of a resource that an instance type has; 0 if it lacks the resource. */
  readonly of: (resource: string, type: number) => bigint;
  /** The instance types with enough of one resource. */
  readonly atLeast: (resource: string, amount: bigint) => TypeMask;
  /** The instance types with enough of every resource. Types with a negative amount fit no pod. */
  readonly fitting: (requests: Amounts) => TypeMask;
}

const known = new WeakMap<Catalogue, AllocatableTypes>();

/** Pods request the same amounts repeatedly, so results are memoized. */
export function allocatableTypes(catalogue: Catalogue): AllocatableTypes {
  const kept = known.get(catalogue);
  if (kept !== undefined) return kept;
  const made = makeAllocatableTypes(catalogue);
  known.set(catalogue, made);
  return made;
}

function makeAllocatableTypes({ allocatable, names }: Catalogue): AllocatableTypes {
  const columns = new Map<string, readonly bigint[]>();
  const columnOf = (resource: string): readonly bigint[] => {
    const parsed = columns.get(resource);
    if (parsed !== undefined) return parsed;
    const read = reader();
    const column = names.map((_name, type) => read(allocatable.get(resource)?.[type]));
    columns.set(resource, column);
    return column;
  };
  const masks = new Map<string, TypeMask>();
  const atLeast = (resource: string, amount: bigint): TypeMask => {
    const key = `${resource}|${amount}`;
    const seen = masks.get(key);
    if (seen !== undefined) return seen;
    const column = columnOf(resource);
    const mask = maskOf(names.length, (type) => column[type]! >= amount);
    masks.set(key, mask);
    return mask;
  };
  let sound: TypeMask | undefined;
  const all = (): TypeMask =>
    (sound ??= [...allocatable.keys()].reduce(
      (left, resource) => both(left, atLeast(resource, 0n)),
      maskOf(names.length, () => true),
    ));
  return {
    of: (resource, type) => columnOf(resource)[type] ?? 0n,
    atLeast,
    fitting: (requests) =>
      [...requests].reduce((left, [resource, amount]) => both(left, atLeast(resource, amount)), all()),
  };
}

/** Memoized, because few different amounts occur. */
function reader(): (text: string | undefined) => bigint {
  const seen = new Map<string, bigint>();
  return (text) => {
    if (text === undefined) return 0n;
    let amount = seen.get(text);
    if (amount === undefined) {
      amount = parseQuantity(text)?.nano ?? 0n;
      seen.set(text, amount);
    }
    return amount;
  };
}

export function sumOf(lists: readonly Amounts[]): Map<string, bigint> {
  const sum = new Map<string, bigint>();
  for (const list of lists) for (const [name, amount] of list) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

/** The larger of both for each resource. */
export function largestOf(a: Amounts, b: Amounts): Amounts {
  const largest = new Map(a);
  for (const [name, amount] of b) if (amount > (largest.get(name) ?? -1n)) largest.set(name, amount);
  return largest;
}
