/** Adds reserved capacity to a catalogue for every place that offers a type. */
import type { Catalogue, LabelColumn, Offering } from "./catalogue.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { identityOf, type TypeFilter, typeFilter } from "./type-filter.ts";

/**
 * EC2's lists do not contain reservations, so reserved capacity is assumed for any type in any zone that offers it. A
 * catalogue that lists reserved capacity, or is of a provider without reservations, is returned unchanged.
 */
function addReserved(catalogue: Catalogue): Catalogue {
  const { offerings, labels, wellKnown } = catalogue;
  const lists = offerings.sets.some((set) => set.some((offering) => capacityOf(offering)?.values.has("reserved")));
  const own = Object.values(RESERVATION_LABELS).find((keys) => keys.every((key) => wellKnown.has(key)));
  if (lists || own === undefined) return catalogue;
  const column = labels.get(CAPACITY_TYPE);
  return {
    ...catalogue,
    labels: column === undefined ? labels : new Map([...labels, [CAPACITY_TYPE, reservable(column)]]),
    offerings: { ...offerings, sets: offerings.sets.map((set) => [...unreserved(set, own), ...reserved(set)]) },
  };
}

/** Computed once for each catalogue. */
export const withReservedCapacity = memoizeByObject(addReserved);

/** Filters all types that may be offered. The filter memoizes by requirement, so each caller gets its own. */
export function offeredTypes(catalogue: Catalogue): TypeFilter {
  return typeFilter(withReservedCapacity(catalogue));
}

function capacityOf({ requirements }: Offering) {
  return requirements.get(CAPACITY_TYPE);
}

const RESERVED = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["reserved"] });

/** One for each place. An offering without a capacity type is of any. */
function reserved(set: readonly Offering[]): Offering[] {
  const places = new Map(
    set
      .filter((offering) => capacityOf(offering) !== undefined)
      .map(({ requirements }): [string, Offering] => {
        const place = [...requirements.values()].filter(({ key }) => key !== CAPACITY_TYPE);
        const all = new Map([...place, RESERVED].map((requirement) => [requirement.key, requirement]));
        return [place.map(identityOf).toSorted().join(" "), { requirements: all, available: true }];
      }),
  );
  return [...places.values()];
}

/**
 * Only nodes in a reservation have its labels; all other offerings have DoesNotExist
 * (docs/upstream/karpenter.md#labels-of-aws).
 */
function unreserved(set: readonly Offering[], labels: readonly string[]): Offering[] {
  const without = labels.map((key) => [key, requirementOf({ key, operator: "DoesNotExist" })] as const);
  return set.map((offering) =>
    capacityOf(offering) === undefined
      ? offering
      : { ...offering, requirements: new Map([...without, ...offering.requirements]) },
  );
}

function reservable({ sets, of }: LabelColumn): LabelColumn {
  return {
    of,
    sets: sets.map((set) => (set.complement ? set : { ...set, values: new Set([...set.values, "reserved"]) })),
  };
}
