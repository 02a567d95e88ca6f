/** What instance types cost where requirements let a pool have them. */
import type { Catalogue, CataloguePrices, PriceOrigin } from "./catalogue.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";
import { identityOf, valuesOf } from "./type-filter.ts";
import { includesType, type TypeMask } from "./type-mask.ts";

interface Price {
  readonly type: string;
  readonly perHour: number;
  /** Undefined where the catalogue does not know how many vCPUs the type has. */
  readonly perVcpu: number | undefined;
  /** Undefined where an offering does not say it. */
  readonly capacityType: string | undefined;
}

type PriceOrder = "perHour" | "perVcpu";

export interface PriceIndex {
  readonly origin: PriceOrigin;
  /** Each type that has a price once, with the lowest that the requirements let it have, from the lowest. */
  readonly prices: (types: TypeMask, requirements: Requirements, order: PriceOrder) => Price[];
  /** The first of `prices` an hour. */
  readonly cheapest: (types: TypeMask, requirements: Requirements) => Price | undefined;
}

interface Offer extends Price {
  /** In the catalogue. */
  readonly index: number;
  readonly place: number;
}

const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const VCPUS = "karpenter.k8s.aws/instance-cpu";

const ON_DEMAND: Requirements = new Map([
  [CAPACITY_TYPE, requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["on-demand"] })],
]);

/** Pools ask for few combinations of places and capacity types, so what each leaves is remembered. */
export function priceIndex(catalogue: Catalogue, prices: CataloguePrices): PriceIndex {
  const { offers, places } = offersOf(catalogue, prices);
  const keys = new Set(places.flatMap((place) => [...place.keys()]));
  const ordered = {
    perHour: offers.toSorted((a, b) => a.perHour - b.perHour || byName(a, b)),
    perVcpu: offers
      .filter(({ perVcpu }) => perVcpu !== undefined)
      .toSorted((a, b) => a.perVcpu! - b.perVcpu! || a.perHour - b.perHour || byName(a, b)),
  };
  const seen = new Map<string, readonly boolean[]>();
  const openPlaces = (requirements: Requirements): readonly boolean[] => {
    const asked = new Map([...requirements].filter(([key]) => keys.has(key)));
    const identity = [...asked.values()].map(identityOf).toSorted().join(" ");
    const known = seen.get(identity);
    if (known !== undefined) return known;
    const open = places.map((place) => compatible(asked, place, catalogue.wellKnown) === undefined);
    seen.set(identity, open);
    return open;
  };
  return {
    origin: prices,
    prices: (types, requirements, order) => {
      const open = openPlaces(requirements);
      const told = new Uint8Array(catalogue.names.length);
      return ordered[order].filter(({ index, place }) => {
        if (told[index] === 1 || open[place] !== true || !includesType(types, index)) return false;
        told[index] = 1;
        return true;
      });
    },
    cheapest: (types, requirements) => {
      const open = openPlaces(requirements);
      return ordered.perHour.find(({ index, place }) => open[place] === true && includesType(types, index));
    },
  };
}

/** Each with a price, and where it is; few different places occur, so each is kept once. */
function offersOf(catalogue: Catalogue, { onDemand }: CataloguePrices): { offers: Offer[]; places: Requirements[] } {
  const { names, offerings } = catalogue;
  const places: Requirements[] = [];
  const placeOf = new Map<string, number>();
  const place = (requirements: Requirements): number => {
    const identity = [...requirements.values()].map(identityOf).toSorted().join(" ");
    const known = placeOf.get(identity);
    if (known !== undefined) return known;
    placeOf.set(identity, places.length);
    return places.push(requirements) - 1;
  };
  const sets = offerings.sets.map((set) =>
    set.flatMap(({ requirements, available, price }) =>
      available && price !== undefined ? [{ perHour: price, requirements, place: place(requirements) }] : [],
    ),
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

function byName(a: Price, b: Price): number {
  return a.type < b.type ? -1 : 1;
}
