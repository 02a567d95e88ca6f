/** Generates random policies, and pools with the same label keys. */
import fc from "fast-check";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { ALWAYS, CUSTOM, entryOf, type Key, OPTIONAL } from "../oracle/label-pools.ts";

export interface PolicyWithPools {
  readonly policy: readonly NodeSelectorRequirement[];
  readonly pools: readonly PoolPart[];
}

interface PoolPart {
  readonly own: readonly NodeSelectorRequirement[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Numbers at the limits of Go's and CEL's integers, and strings that look like numbers. */
const HARD = [
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "-1",
  "+4",
  "004",
  "0000000000000000000000005",
  "9223372036854775806",
  "10000000000000000000",
  "4.0",
  "4x",
];

function harder(key: Key): Key {
  return key.numbers ? { ...key, values: [...key.values, ...HARD] } : key;
}

function partOf(keys: readonly Key[], lethal: boolean): fc.Arbitrary<PoolPart> {
  const entries = fc
    .tuple(...keys.map((key) => fc.array(entryOf(key, lethal), { maxLength: 2 })))
    .map((all) => all.flat());
  const labels = fc.tuple(
    ...keys.map((key) =>
      fc.option(fc.tuple(fc.constantFrom(...key.names), fc.constantFrom(...key.values)), { freq: 1 }),
    ),
  );
  return fc.tuple(entries, labels).map(([own, chosen]) => ({
    own,
    labels: Object.fromEntries(chosen.filter((one) => one !== null)),
  }));
}

const AWS_KEYS: fc.Arbitrary<readonly Key[]> = fc.tuple(
  fc.constantFrom(...CUSTOM),
  fc.constantFrom(...OPTIONAL),
  fc.constantFrom(...CUSTOM, ...ALWAYS),
);

interface Kinds {
  /** Whether values include numbers at integer limits; not all are valid label values. */
  readonly hard?: boolean;
  /** Whether to include bounds that crash Karpenter. */
  readonly lethal?: boolean;
  readonly of?: fc.Arbitrary<readonly Key[]>;
}

export function policiesWithPools(
  pools: number,
  { hard = false, lethal = true, of = AWS_KEYS }: Kinds,
): fc.Arbitrary<PolicyWithPools> {
  return of.chain((chosen) => {
    const keys = [...new Set(chosen)].map((key) => (hard ? harder(key) : key));
    const policy = fc
      .tuple(...keys.map((key) => fc.array(entryOf(key, false), { minLength: 1, maxLength: 2 })))
      .map((all) => all.flat());
    const parts = fc.array(partOf(keys, lethal), { minLength: pools, maxLength: pools, size: "max" });
    return fc.tuple(policy, parts).map(([entries, some]) => ({ policy: entries, pools: some }));
  });
}
