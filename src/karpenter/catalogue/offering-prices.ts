/** Prices of offerings as Karpenter's disruption compares them. */
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import { has } from "../requirements/requirement.ts";
import { identityOf } from "./type-filter.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";
import type { Catalogue, CataloguePrices, Offering } from "./catalogue.ts";

export interface OfferingPrices {
  /** Capacity types that some offering has, and none with a price. */
  readonly unpriced: ReadonlySet<string>;
  /** `OfferingPrice`: per hour, of capacity that may be gone, too. Undefined without such an offering or its price. */
  readonly ofNode: (type: number, zone: string, capacityType: string) => number | undefined;
  /** The cheapest with these labels, available or not; undefined without one. */
  readonly ofLabels: (type: number, labels: Requirements) => number | undefined;
  /** The cheapest that can be launched; undefined without one. */
  readonly cheapest: (type: number, requirements: Requirements) => number | undefined;
  /** `WorstLaunchPrice`: the dearest zone of the capacity type that is launched first; Infinity without one. */
  readonly worst: (type: number, requirements: Requirements) => number;
}

interface Offer {
  readonly place: number;
  readonly perHour: number;
  readonly zone: ReadonlySet<string> | undefined;
  /** Undefined if it may be any. */
  readonly capacityTypes: ReadonlySet<string> | undefined;
  readonly canLaunch: boolean;
}

/** In the order in which Karpenter launches them. */
const CAPACITY_TYPES = ["reserved", "spot", "on-demand"] as const;

export function offeringPrices(catalogue: Catalogue, prices: CataloguePrices | undefined): OfferingPrices {
  const { names, offerings, wellKnown } = catalogue;
  const places: Requirements[] = [];
  const placeOf = new Map<string, number>();
  const placeIn = (requirements: Requirements): number => {
    const identity = [...requirements.values()].map(identityOf).toSorted().join(" ");
    const known = placeOf.get(identity);
    if (known !== undefined) return known;
    placeOf.set(identity, places.length);
    return places.push(requirements) - 1;
  };
  const offersOf = (type: number): Offer[] => {
    const listed = prices?.onDemand.get(names[type]!);
    return offerings.sets[offerings.of[type]!]!.flatMap((offering): Offer[] => {
      const { requirements, available, reservationCapacity, price = listedPrice(offering, listed) } = offering;
      if (price === undefined) return [];
      return [
        {
          place: placeIn(requirements),
          perHour: price,
          zone: requirements.get(ZONE)?.values,
          capacityTypes: offering.price === undefined ? ON_DEMAND : requirements.get(CAPACITY_TYPE)?.values,
          canLaunch: available && reservationCapacity !== 0,
        },
      ];
    });
  };
  const all = new Map<number, readonly Offer[]>();
  const of = (type: number): readonly Offer[] => {
    const known = all.get(type) ?? offersOf(type);
    all.set(type, known);
    return known;
  };
  const openTo = new WeakMap<Requirements, (boolean | undefined)[]>();
  const isOpen = (requirements: Requirements, place: number): boolean => {
    const known = openTo.get(requirements) ?? [];
    openTo.set(requirements, known);
    return (known[place] ??= compatible(requirements, places[place]!, wellKnown) === undefined);
  };
  const least = (some: readonly Offer[]): number | undefined =>
    some.length === 0 ? undefined : Math.min(...some.map(({ perHour }) => perHour));
  return {
    unpriced: new Set(
      CAPACITY_TYPES.filter((capacityType) => {
        const own = [...names.keys()].filter((type) =>
          offerings.sets[offerings.of[type]!]!.some(({ requirements }) => {
            const asked = requirements.get(CAPACITY_TYPE);
            return asked === undefined || has(asked, capacityType);
          }),
        );
        return (
          own.length > 0 && !own.some((type) => of(type).some((one) => one.capacityTypes?.has(capacityType) !== false))
        );
      }),
    ),
    ofNode: (type, zone, capacityType) =>
      of(type).find((one) => one.zone?.has(zone) !== false && one.capacityTypes?.has(capacityType) !== false)?.perHour,
    ofLabels: (type, labels) => least(of(type).filter(({ place }) => isOpen(labels, place))),
    cheapest: (type, requirements) =>
      least(of(type).filter(({ canLaunch, place }) => canLaunch && isOpen(requirements, place))),
    worst: (type, requirements) => {
      const open = of(type).filter(({ canLaunch, place }) => canLaunch && isOpen(requirements, place));
      for (const capacityType of CAPACITY_TYPES) {
        const own = open.filter(({ capacityTypes }) => capacityTypes?.has(capacityType) !== false);
        if (own.length > 0) return Math.max(...own.map(({ perHour }) => perHour));
      }
      return Infinity;
    },
  };
}

/** Lists have the prices of Linux on demand. */
const ON_DEMAND: ReadonlySet<string> = new Set(["on-demand"]);

function listedPrice({ requirements }: Offering, listed: number | undefined): number | undefined {
  const capacityType = requirements.get(CAPACITY_TYPE);
  return capacityType === undefined || has(capacityType, "on-demand") ? listed : undefined;
}
