/** The instance types that a list of demands leaves, as Karpenter merges them by key: demands in, types and shortfalls out. */
import { minValuesOf } from "../karpenter/min-values.ts";
import { mergedByKey, type Requirements } from "../karpenter/requirements.ts";
import { type TypeFilter, valuesOf } from "../karpenter/type-filter.ts";
import { both, indexesOf, isNone, type TypeMask } from "../karpenter/type-mask.ts";
import type { Profile } from "../model/profile.ts";
import { refusedKeys } from "./refused-claim.ts";
import type { Demand } from "../render/demands.ts";

export interface Remaining {
  readonly requirements: Requirements;
  readonly types: TypeMask;
  /** Keys whose minValues is out of reach, with the number of values that are there. */
  readonly shortfall: ReadonlyMap<string, number>;
}

/** The instance types that can be asked about, and the Karpenter that asks. */
export interface Market {
  readonly filter: TypeFilter;
  readonly profile: Profile;
}

export function remainingTypes(demands: readonly Demand[], { filter, profile }: Market): Remaining {
  const requirements = requirementsOfPool(demands);
  const ofClass = demands.filter(({ from }) => from === "class");
  const types = ofClass.reduce(
    (left, { requirement }) => both(left, filter.compatible(new Map([[requirement.key, requirement]]))),
    filter.compatible(requirements),
  );
  return { requirements, types, shortfall: shortfallOf(types, requirements, { filter, profile }) };
}

/** Whether a pool with these demands gets any node; minValues counts as under Karpenter's default policy, Strict. */
export function getsNodes({ types, shortfall }: Remaining): boolean {
  return !isNone(types) && shortfall.size === 0;
}

/** What the NodePool itself asks for: the node class has its say only when a node is launched. */
function requirementsOfPool(demands: readonly Demand[]): Requirements {
  return mergedByKey(demands.filter(({ from }) => from !== "class").map(({ requirement }) => requirement));
}

function shortfallOf(types: TypeMask, requirements: Requirements, { filter, profile }: Market): Remaining["shortfall"] {
  if (![...requirements.values()].some(({ minValues }) => minValues !== undefined)) return new Map();
  const advertised = indexesOf(types).map((type) => (key: string) => valuesOf(filter.catalogue, type, key));
  const { shortfall } = minValuesOf(advertised, requirements, profile === "karpenter-1.15");
  return new Map([...refusedKeys(types, requirements, filter.catalogue), ...shortfall]);
}
