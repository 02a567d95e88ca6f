/** Evaluates NodeOverlays: the prices and the resources that they give instance types. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import * as z from "zod/mini";
import type { Resource } from "../../krm/places/resource.ts";
import { ENTRY_RULES, MAX_REQUIREMENTS, OPERATORS } from "../../model/requirements/requirement.ts";
import { memoize, memoizeByObject } from "../../model/schema/memoize.ts";
import { withRules } from "../../model/schema/rule.ts";
import { byBytes } from "../../model/values/by-bytes.ts";
import { quantitySchema } from "../../model/values/quantity.ts";
import {
  addRequirements,
  compatible,
  formatRequirements,
  labelRequirements,
  type Requirements,
  requirementsOf,
} from "../requirements/requirements.ts";
import { type Requirement, requirementOf } from "../requirements/requirement.ts";
import { type Catalogue, type CataloguePrices, type Offering, UNKNOWN } from "./catalogue.ts";

/** The CRD's rules (docs/upstream/karpenter.md#node-overlays). */
const specSchema = memoize(() => {
  const entry = z.object({ key: z.string(), operator: z.enum(OPERATORS), values: z.optional(z.array(z.string())) });
  return z
    .object({
      requirements: z.array(withRules(entry, ENTRY_RULES)).check(z.maxLength(MAX_REQUIREMENTS)),
      price: z.optional(z.string().check(z.regex(/^\d+(\.\d+)?$/))),
      priceAdjustment: z.optional(
        z.string().check(z.regex(/^([+-](\d+\.)?\d+|[+-]\.\d+|\+(\d+\.)?\d+%|\+\.\d+%|-\d{1,2}(\.\d+)?%|-100%)$/)),
      ),
      capacity: z.optional(z.record(z.string(), quantitySchema)),
      weight: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    })
    .check(
      z.refine(({ price, priceAdjustment }) => price === undefined || priceAdjustment === undefined),
      z.refine(({ capacity = {} }) => !STANDARD.some((resource) => Object.hasOwn(capacity, resource))),
    );
});

const STANDARD = ["cpu", "memory", "ephemeral-storage", "pods"];

export interface NodeOverlay {
  readonly name: string;
  readonly requirements: Requirements;
  /** A price, or an adjustment such as `-10%`. */
  readonly price: string | undefined;
  readonly capacity: Readonly<Record<string, string>> | undefined;
  readonly weight: number;
}

/** Undefined if Karpenter would refuse it. */
export function readOverlay({ name, value }: Resource): NodeOverlay | undefined {
  const { success, data } = specSchema().safeParse((value as { spec?: unknown }).spec);
  if (!success) return undefined;
  const { requirements, price, priceAdjustment, capacity, weight = 0 } = data;
  const amounts = capacity && Object.fromEntries(Object.entries(capacity).map(([key, one]) => [key, String(one)]));
  return {
    name,
    requirements: requirementsOf(requirements),
    price: price ?? priceAdjustment,
    capacity: amounts,
    weight,
  };
}

export interface OverlaidPool {
  readonly name: string;
  /** Of its template. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface OverlaidType {
  readonly name: string;
  readonly requirements: Requirements;
  readonly offerings: readonly Requirements[];
}

/** Overlays × kinds of pools that are compared at most, because hostile inputs could have any number. */
const MOST_PAIRS = 500;

/** The valid overlays, or none of them if they are too many for the pools. */
export function comparableOverlays(
  resources: readonly Resource[],
  pools: readonly OverlaidPool[],
): ReadonlyMap<Resource, NodeOverlay> {
  if (resources.length > MOST_PAIRS) return new Map();
  const valid = resources.flatMap((resource) => {
    const overlay = readOverlay(resource);
    return overlay === undefined ? [] : [[resource, overlay] as const];
  });
  const overlays = new Map(valid);
  const kinds = new Set(kindsOf([...overlays.values()], pools).values());
  return overlays.size * kinds.size > MOST_PAIRS ? new Map() : overlays;
}

/** By the name of a pool, a text that is equal for pools which the overlays treat alike. */
function kindsOf(overlays: readonly NodeOverlay[], pools: readonly OverlaidPool[]): ReadonlyMap<string, string> {
  const asked = new Set(overlays.flatMap(({ requirements }) => [...requirements.keys()]));
  return new Map(
    pools.map(({ name, labels }) => {
      const own = Object.entries(labels).filter(([key]) => asked.has(key));
      const sorted = own.toSorted(([a], [b]) => byBytes(a, b));
      return [name, JSON.stringify([asked.has(NODE_POOL) ? name : "", sorted])];
    }),
  );
}

/** What overlays change on one instance type of a pool. */
interface TypeUpdate {
  readonly capacity: Map<string, string>;
  /** The price or adjustment of offerings, by their requirements. */
  readonly prices: Map<string, { readonly change: string; lowest: number }>;
  lowest: number;
  /** The resources of the overlay that came last. */
  ofLowest: readonly string[];
}

export interface EvaluatedOverlays {
  /** Equal for pools that the overlays treat alike. */
  readonly kindOf: (pool: string) => string;
  /** They change nothing: another overlay of the same weight changes the same. */
  readonly conflicting: readonly string[];
  readonly updateOf: (pool: string, type: string) => Pick<TypeUpdate, "capacity" | "prices"> | undefined;
}

/** As the controller of Karpenter does (docs/upstream/karpenter.md#node-overlays). */
export function evaluateOverlays(
  overlays: readonly NodeOverlay[],
  pools: readonly OverlaidPool[],
  types: readonly OverlaidType[],
  wellKnown: ReadonlySet<string>,
): EvaluatedOverlays {
  const updates = new Map<string, TypeUpdate>();
  const conflicting: string[] = [];
  const kinds = kindsOf(overlays, pools);
  const kindOf = (pool: string): string => kinds.get(pool) ?? "";
  const firsts = [...Map.groupBy(pools, ({ name }) => kindOf(name)).values()].map(([first]) => first!);
  const ordered = overlays.toSorted((a, b) => b.weight - a.weight || byBytes(b.name, a.name));
  for (const overlay of ordered) {
    const matches = firsts.flatMap((pool) => matchesOf(overlay, pool, kindOf(pool.name), { types, wellKnown }));
    if (matches.some(({ id, keys }) => conflicts(updates.get(id), overlay, keys))) conflicting.push(overlay.name);
    else for (const { id, keys } of matches) update(updates, id, overlay, keys);
  }
  return { kindOf, conflicting, updateOf: (pool, type) => updates.get(idOf(kindOf(pool), type)) };
}

function idOf(kind: string, type: string): string {
  return `${kind}/${type}`;
}

interface Match {
  readonly id: string;
  /** Of the offerings that the overlay selects. */
  readonly keys: readonly string[];
}

/** Each instance type of a pool with an offering that the overlay selects. */
function matchesOf(
  { requirements }: NodeOverlay,
  { name, labels }: OverlaidPool,
  kind: string,
  { types, wellKnown }: { readonly types: readonly OverlaidType[]; readonly wellKnown: ReadonlySet<string> },
): Match[] {
  const ofPool = addRequirements(
    requirementsOf([{ key: NODE_POOL, operator: "In", values: [name] }]),
    labelRequirements(labels),
  );
  const asked = new Set(requirements.keys());
  // Keys that the overlay does not name make no difference, and types have dozens.
  const only = (all: Requirements): Requirements => new Map([...all].filter(([key]) => asked.has(key)));
  const shared = only(ofPool);
  return types.flatMap((type): Match[] => {
    if (compatible(addRequirements(shared, only(type.requirements)), requirements, NONE) !== undefined) return [];
    const selected = type.offerings.filter((one) => compatible(requirements, one, wellKnown) === undefined);
    return selected.length === 0 ? [] : [{ id: idOf(kind, type.name), keys: selected.map((one) => keyOf(one).text) }];
  });
}

const NONE: ReadonlySet<string> = new Set();

/** Types share their offerings. */
const keyOf = memoizeByObject((offering: Requirements) => ({ text: formatRequirements(offering) }));

function conflicts(
  known: TypeUpdate | undefined,
  { weight, price, capacity }: NodeOverlay,
  keys: Match["keys"],
): boolean {
  if (known === undefined) return false;
  const onPrice = price !== undefined && keys.some((key) => known.prices.get(key)?.lowest === weight);
  const resources = Object.keys(capacity ?? {});
  return onPrice || (known.lowest === weight && resources.some((resource) => known.ofLowest.includes(resource)));
}

function update(
  updates: Map<string, TypeUpdate>,
  id: string,
  { weight, price, capacity }: NodeOverlay,
  keys: Match["keys"],
): void {
  if (price === undefined && capacity === undefined) return;
  const known = updates.get(id) ?? { capacity: new Map(), prices: new Map(), lowest: 0, ofLowest: [] };
  updates.set(id, known);
  if (price !== undefined)
    for (const key of keys) {
      const earlier = known.prices.get(key);
      if (earlier === undefined) known.prices.set(key, { change: price, lowest: weight });
      else earlier.lowest = weight;
    }
  if (capacity === undefined) return;
  for (const [resource, amount] of Object.entries(capacity))
    if (!known.capacity.has(resource)) known.capacity.set(resource, amount);
  known.lowest = weight;
  known.ofLowest = Object.keys(capacity);
}

/** Karpenter computes with the same floating-point numbers (AdjustedPrice, pkg/cloudprovider/types.go). */
export function adjustedPrice(price: number, change: string): number {
  if (!/^[+-]/.test(change)) return Number(change);
  const adjusted = change.endsWith("%") ? price * (1 + Number(change.slice(0, -1)) / 100) : price + Number(change);
  return adjusted >= 0 ? adjusted : 0;
}

const CAPACITY_TYPES: readonly Requirement[] = ["spot", "on-demand"].map((value) =>
  requirementOf({ key: CAPACITY_TYPE, operator: "In", values: [value] }),
);

/** The instance types as Karpenter compares them with overlays. Without a capacity type, an offering counts as both. */
const comparableTypes = memoizeByObject(({ names, labels, offerings }: Catalogue): readonly OverlaidType[] => {
  const sets = offerings.sets.map((set) => set.flatMap(({ requirements }) => withCapacityType(requirements)));
  return names.map((name, type) => {
    const own = [...labels].flatMap(([key, { sets: values, of }]) =>
      of[type] === UNKNOWN ? [] : [[key, values[of[type]!]!] as const],
    );
    const offered = sets[offerings.of[type]!]!;
    const ofOfferings = offered.reduce<Map<string, Requirement>>((all, one) => {
      for (const [key, requirement] of one) all.set(key, unionOf(all.get(key), requirement));
      return all;
    }, new Map());
    return { name, requirements: new Map([...ofOfferings, ...own]), offerings: offered };
  });
});

function withCapacityType(requirements: Requirements): Requirements[] {
  if (requirements.has(CAPACITY_TYPE)) return [requirements];
  return CAPACITY_TYPES.map((one) => new Map([...requirements, [CAPACITY_TYPE, one]]));
}

function unionOf(known: Requirement | undefined, more: Requirement): Requirement {
  if (known === undefined || known.complement || more.complement) return more;
  return { ...known, values: known.values.union(more.values) };
}

/** The overlays that change instance types of a cluster. */
export interface ClusterOverlays extends EvaluatedOverlays {
  readonly compared: ReadonlyMap<Resource, NodeOverlay>;
  /** The catalogue with the resources that they give the types of a pool. */
  readonly withCapacity: (pool: string, catalogue: Catalogue) => Catalogue;
  /** The same with prices. */
  readonly withPrices: (
    pool: string,
    catalogue: Catalogue,
  ) => (prices: CataloguePrices) => readonly [Catalogue, CataloguePrices];
}

/** An entry on a label that the catalogue does not know, such as a zone, counts as met. */
export function overlaysOn(
  catalogue: Catalogue,
  compared: ReadonlyMap<Resource, NodeOverlay>,
  pools: readonly OverlaidPool[],
): ClusterOverlays {
  const types = comparableTypes(catalogue);
  const byName = new Map(types.map((type) => [type.name, type]));
  const known = new Set(types.flatMap(({ requirements }) => [...requirements.keys()]));
  const isKnown = (key: string): boolean => known.has(key) || !catalogue.wellKnown.has(key) || key === NODE_POOL;
  const overlays = [...compared.values()].map((overlay) => ({
    ...overlay,
    requirements: new Map([...overlay.requirements].filter(([key]) => isKnown(key))),
  }));
  const evaluated = evaluateOverlays(overlays, pools, types, catalogue.wellKnown);
  const { updateOf } = evaluated;
  return {
    ...evaluated,
    compared,
    withCapacity: memoizeByKind(evaluated, (pool, asked) => {
      const changed = new Map<string, (string | undefined)[]>();
      for (const [type, name] of asked.names.entries())
        for (const [resource, amount] of updateOf(pool, name)?.capacity ?? []) {
          const column = changed.get(resource) ?? asked.names.map((_, at) => asked.allocatable.get(resource)?.[at]);
          column[type] = amount;
          changed.set(resource, column);
        }
      return { ...asked, allocatable: new Map([...asked.allocatable, ...changed]) };
    }),
    withPrices: memoizeByKind(evaluated, (pool, asked) => {
      const changeOf = (name: string, requirements: Requirements): string | undefined =>
        updateOf(pool, name)?.prices.get(keyOf(requirements).text)?.change;
      const sets = asked.names.map((name, type) =>
        asked.offerings.sets[asked.offerings.of[type]!]!.map((offering): Offering => {
          const change = changeOf(name, offering.requirements);
          const { price } = offering;
          return change === undefined || price === undefined
            ? offering
            : { ...offering, price: adjustedPrice(price, change) };
        }),
      );
      const overlaid = { ...asked, offerings: { sets, of: Uint16Array.from(asked.names.keys()) } };
      return memoizeByObject((prices: CataloguePrices) => {
        const onDemand = [...prices.onDemand].map(([name, price]): [string, number] => {
          const change = (byName.get(name)?.offerings ?? [])
            .filter((one) => one.get(CAPACITY_TYPE)?.values.has("on-demand") === true)
            .map((one) => changeOf(name, one))
            .find((one) => one !== undefined);
          return [name, change === undefined ? price : adjustedPrice(price, change)];
        });
        return [overlaid, { ...prices, onDemand: new Map(onDemand) }] as const;
      });
    }),
  };
}

const NODE_POOL = "karpenter.sh/nodepool";

/** The change that overlays make to on-demand prices of a type, unless they make it to its Spot prices too. */
export function onDemandChange(overlays: ClusterOverlays, pool: string, type: string): string | undefined {
  const prices = [...(overlays.updateOf(pool, type)?.prices ?? [])];
  const changesOf = (capacityType: string) =>
    prices.filter(([key]) => key.includes(`${CAPACITY_TYPE} In [${capacityType}]`)).map(([, { change }]) => change);
  const [change] = changesOf("on-demand");
  return change === undefined || changesOf("spot").includes(change) ? undefined : change;
}

/** Answers ask for the types of a pool several times, and pools of one kind have the same. */
function memoizeByKind<T>(
  { kindOf }: EvaluatedOverlays,
  make: (pool: string, catalogue: Catalogue) => T,
): (pool: string, catalogue: Catalogue) => T {
  const ofCatalogues = memoizeByObject((_catalogue: Catalogue) => new Map<string, T>());
  return (pool, catalogue) => {
    const made = ofCatalogues(catalogue);
    const known = made.get(kindOf(pool)) ?? make(pool, catalogue);
    made.set(kindOf(pool), known);
    return known;
  };
}
