/** A pool as the scheduler uses it: types by requirements and room, DaemonSets, limits. */
import { advertisedValues, type TypeFilter, typesOf } from "../catalogue/type-filter.ts";
import { both, indexesOf, type TypeMask } from "../catalogue/type-mask.ts";
import { minValuesOf } from "../requirements/min-values.ts";
import { has } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { Units, Vector } from "./amounts.ts";
import type { PodShape } from "./pod-shape.ts";
import { type TypeTable, typeTable } from "./type-table.ts";
import type { SolverPool, SolverWorld } from "./world.ts";

interface PlanGroup {
  /** Undefined for all types of the pool. */
  readonly types: TypeMask | undefined;
  /** Undefined without DaemonSets. */
  readonly requests: Vector | undefined;
  readonly ports: PodShape["ports"];
}

export interface NodePlan {
  readonly pool: SolverPool;
  readonly place: number;
  readonly table: TypeTable;
  readonly groups: readonly PlanGroup[];
  /** The types that requirements leave, by labels and offerings. */
  readonly matching: (requirements: Requirements) => TypeMask;
  /** Keys with a minValues that the types do not reach, and the number of values that they have. */
  readonly shortfall: (types: TypeMask, requirements: Requirements) => ReadonlyMap<string, number>;
  /** What is left of its limits. */
  readonly left: Map<string, bigint>;
}

const STORAGE = "ephemeral-storage";

export function nodePlan(pool: SolverPool, place: number, units: Units, world: SolverWorld): NodePlan {
  const { filter, countsOnlyAllowed } = world;
  const isKnown = pool.nodes.capacity?.has(STORAGE) === true;
  const asks = [...pool.requirements.values()].some(({ minValues }) => minValues !== undefined);
  const matching = memoizeByObject((requirements: Requirements) => typesOf(requirements, pool.ofClass, filter));
  return {
    pool,
    place,
    table: typeTable(pool.nodes, units, (resource) => resource !== STORAGE || isKnown),
    groups: pool.daemons.map(({ types, requests, ports, daemonSets }) => ({
      types: pool.daemons.length === 1 ? undefined : types,
      requests: daemonSets.length === 0 ? undefined : units.vectorOf(requests),
      ports: ports.map(({ port }) => port),
    })),
    matching,
    shortfall: (types, requirements) =>
      asks ? shortfallOf(types, requirements, pool, filter, countsOnlyAllowed) : NOTHING,
    left: new Map(pool.left),
  };
}

const NOTHING: ReadonlyMap<string, number> = new Map();

function shortfallOf(
  types: TypeMask,
  requirements: Requirements,
  { ofClass }: SolverPool,
  { catalogue }: TypeFilter,
  onlyAllowed: boolean,
): ReadonlyMap<string, number> {
  const advertised = indexesOf(types).map((type) => (key: string) => {
    const needed = ofClass.get(key);
    const values = advertisedValues(catalogue, type, key);
    return needed === undefined ? values : (values ?? [...needed.values]).filter((value) => has(needed, value));
  });
  return minValuesOf(advertised, requirements, onlyAllowed).shortfall;
}

/** The types that the limits still allow (`filterByRemainingResources`); a text if there are none. */
export function withinLimits({ pool, table, left }: NodePlan): TypeMask | "node-limit" {
  let types = pool.types;
  for (const [resource, amount] of left) {
    if (resource === NODES) {
      if (amount === 0n) return "node-limit";
      if (amount < 0n) types = both(types, table.within(resource, -1n));
    } else types = both(types, table.within(resource, amount));
  }
  return types;
}

/** `subtractMax`: the largest of the types might be launched. The number of nodes stays, as in Karpenter. */
export function subtractLargest({ table, left }: NodePlan, types: TypeMask): void {
  const indexes = left.size === 0 ? [] : indexesOf(types);
  for (const [resource, amount] of left) {
    if (resource === NODES || indexes.length === 0) continue;
    const largest = indexes.reduce((most, type) => {
      const capacity = table.capacity(resource, type);
      return capacity > most ? capacity : most;
    }, 0n);
    left.set(resource, amount - largest);
  }
}

const NODES = "nodes";
