/** Adds reserved capacity to a catalogue, wherever a type is offered. */
import type { Catalogue, LabelColumn, Offering } from "./catalogue.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { EKS_AUTO_GROUP, KARPENTER_AWS_GROUP } from "../../krm/known-kinds.ts";
import { oncePerObject } from "../../model/once.ts";
import { identityOf, type TypeFilter, typeFilter } from "./type-filter.ts";

const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/** Labels of nodes in a capacity reservation, by the API group of the provider that has reservations. */
export const RESERVATION_LABELS: Readonly<Record<"aws" | "eksAuto", readonly string[]>> = {
  aws: reservationLabels(KARPENTER_AWS_GROUP),
  eksAuto: reservationLabels(EKS_AUTO_GROUP),
};

function reservationLabels(group: string): string[] {
  return ["id", "type", "interruptible"].map((name) => `${group}/capacity-reservation-${name}`);
}

/**
 * What is unknown excludes nothing: a node class may select reservations of any type in any zone where it is offered. A
 * catalogue that lists reserved capacity, or is of a provider without reservations, stays as it is. EC2's lists do not
 * say who has reserved what.
 */
function withReservedCapacity(catalogue: Catalogue): Catalogue {
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

/** One for all who ask about the same catalogue. */
const offered = oncePerObject(withReservedCapacity);

/** Over all that may be offered. It remembers what each requirement leaves, so each question has its own. */
export function offeredTypes(catalogue: Catalogue): TypeFilter {
  return typeFilter(offered(catalogue));
}

function capacityOf({ requirements }: Offering) {
  return requirements.get(CAPACITY_TYPE);
}

const RESERVED = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["reserved"] });

/** One for each place; an offering that does not say its capacity type is of any. */
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

/** Only nodes in a reservation have its labels: all other offerings say so (docs/upstream/karpenter.md#labels-of-aws). */
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
