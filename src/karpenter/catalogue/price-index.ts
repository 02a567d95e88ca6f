/** Finds the prices of instance types that requirements allow. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import type { Catalogue, CataloguePrices, Offering, PriceOrigin } from "./catalogue.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { has, requirementOf } from "../requirements/requirement.ts";
import { compatible, type Requirements, requirementsOf } from "../requirements/requirements.ts";
import { identityOf, valuesOf } from "./type-filter.ts";
import { includesType, maskOf, type TypeMask } from "./type-mask.ts";

export interface Price {
  readonly type: string;
  readonly perHour: number;
  /** Undefined if the number of vCPUs is unknown. */
  readonly perVcpu: number | undefined;
  /** Undefined if the offering has no capacity type. */
  readonly capacityType: string | undefined;
}

export type PriceOrder = "perHour" | "perVcpu";

/** Sorted by each of the two. */
type SortedPrices = Readonly<Record<PriceOrder, readonly Price[]>>;

export interface PriceIndex {
  readonly origin: PriceOrigin;
  /** Each type with a price, once, with the lowest price that the requirements allow, cheapest first. */
  readonly prices: (types: TypeMask, requirements: Requirements) => SortedPrices;
  /** The most that a node of these types costs: the dearest that Karpenter asks for, on demand if it may be Spot. */
  readonly dearest: (types: TypeMask, requirements: Requirements) => Price | undefined;
  /** The first of `prices` per hour. */
  readonly cheapest: (types: TypeMask, requirements: Requirements) => Price | undefined;
  /** The types with an offering that costs less per hour. */
  readonly below: (perHour: number) => TypeMask;
}

interface Offer extends Price {
  /** In the catalogue. */
  readonly index: number;
  readonly place: number;
}

const VCPUS = "karpenter.k8s.aws/instance-cpu";

/** AWS charges more for Windows, and price lists have Linux only. */
const ON_DEMAND = requirementsOf([
  { key: CAPACITY_TYPE, operator: "In", values: ["on-demand"] },
  { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
]);

/** Of more types than these Karpenter asks for the cheapest (`MaxInstanceTypes`). */
export const MOST_TYPES = 600;

const ONLY_ON_DEMAND = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["on-demand"] });

/** The same requirements for capacity on demand. */
export function onDemandOnly(requirements: Requirements): Requirements {
  return new Map([...requirements, [CAPACITY_TYPE, ONLY_ON_DEMAND]]);
}

/** Whether the requirements admit Spot. */
export function admitsSpot(requirements: Requirements): boolean {
  const capacity = requirements.get(CAPACITY_TYPE);
  return capacity === undefined || has(capacity, "spot");
}

/** Pools ask for the same things repeatedly, so results are memoized. */
export function priceIndex(catalogue: Catalogue, prices: CataloguePrices): PriceIndex {
  const { offers, places } = offersOf(catalogue, prices);
  const size = catalogue.names.length;
  const keys = new Set(places.flatMap((place) => [...place.keys()]));
  const byHour = offers.toSorted((a, b) => a.perHour - b.perHour || byName(a, b));
  const byVcpu = byHour.filter(({ perVcpu }) => perVcpu !== undefined).toSorted((a, b) => a.perVcpu! - b.perVcpu!);
  const opened = new Map<string, Open>();
  const sorted = new Map<string, SortedPrices>();
  const openTo = (requirements: Requirements): Open => {
    const asked = new Map([...requirements].filter(([key]) => keys.has(key)));
    const identity = identitiesOf(asked);
    return remember(opened, identity, () => ({
      identity,
      open: places.map((place) => compatible(asked, place, catalogue.wellKnown) === undefined),
    }));
  };
  const pricesOf = (types: TypeMask, requirements: Requirements): SortedPrices => {
    const { identity, open } = openTo(requirements);
    return remember(sorted, `${identity} ${types.join()}`, () => ({
      perHour: firstOfEach(byHour, open, types, size),
      perVcpu: firstOfEach(byVcpu, open, types, size),
    }));
  };
  const lastLaunched = (types: TypeMask, requirements: Requirements): Price | undefined =>
    pricesOf(types, requirements).perHour.slice(0, MOST_TYPES).at(-1);
  return {
    origin: prices,
    prices: pricesOf,
    // EC2 launches no Spot above the price on demand (docs/upstream/karpenter.md#prices).
    dearest: (types, requirements) =>
      (admitsSpot(requirements) ? lastLaunched(types, onDemandOnly(requirements)) : undefined) ??
      lastLaunched(types, requirements),
    cheapest: (types, requirements) => {
      const { open } = openTo(requirements);
      return byHour.find(({ index, place }) => open[place] === true && includesType(types, index));
    },
    below: memoizeByKey((perHour: number): TypeMask => {
      const cheaper = new Set(offers.filter((offer) => offer.perHour < perHour).map(({ index }) => index));
      return maskOf(size, (index) => cheaper.has(index));
    }),
  };
}

/** The places that requirements allow. */
interface Open {
  readonly identity: string;
  readonly open: readonly boolean[];
}

function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** @param sorted the first offer of a type counts */
function firstOfEach(sorted: readonly Offer[], open: Open["open"], types: TypeMask, size: number): Price[] {
  const seen = new Uint8Array(size);
  return sorted.filter(({ index, place }) => {
    if (seen[index] === 1 || open[place] !== true || !includesType(types, index)) return false;
    seen[index] = 1;
    return true;
  });
}

function identitiesOf(requirements: Requirements): string {
  return [...requirements.values()].map(identityOf).toSorted().join(" ");
}

/** Offers with a price and their place; few different places occur, so each is stored once. */
function offersOf(catalogue: Catalogue, { onDemand }: CataloguePrices): { offers: Offer[]; places: Requirements[] } {
  const { names, offerings } = catalogue;
  const places: Requirements[] = [];
  const placeOf = new Map<string, number>();
  const place = (requirements: Requirements): number => {
    const identity = identitiesOf(requirements);
    const known = placeOf.get(identity);
    if (known !== undefined) return known;
    placeOf.set(identity, places.length);
    return places.push(requirements) - 1;
  };
  const sets = offerings.sets.map((set) =>
    set.flatMap((offering) => {
      const { requirements, price } = offering;
      return isLaunchable(offering) && price !== undefined
        ? [{ perHour: price, requirements, place: place(requirements) }]
        : [];
    }),
  );
  const anywhere = place(ON_DEMAND);
  const offers = names.flatMap((type, index) => {
    const listed = onDemand.get(type);
    const list = listed === undefined ? [] : [{ perHour: listed, requirements: ON_DEMAND, place: anywhere }];
    const vcpus = Number(valuesOf(catalogue, index, VCPUS)[0]);
    return [...list, ...sets[offerings.of[index]!]!].map(({ perHour, requirements, place: at }): Offer => ({
      index,
      type,
      perHour,
      perVcpu: vcpus > 0 ? perHour / vcpus : undefined,
      capacityType: [...(requirements.get(CAPACITY_TYPE)?.values ?? [])].join(",") || undefined,
      place: at,
    }));
  });
  return { offers, places };
}

/** `Launchable` (pkg/cloudprovider/types.go): a reservation without instances left launches none. */
function isLaunchable({ available, reservationCapacity, requirements }: Offering): boolean {
  return available && (reservationCapacity !== 0 || requirements.get(CAPACITY_TYPE)?.values.has("reserved") !== true);
}

function byName(a: Price, b: Price): number {
  return a.type < b.type ? -1 : 1;
}
