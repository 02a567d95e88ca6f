/** Instance types that a pool may mean and a catalogue does not have. */
import { type Catalogue, INSTANCE_TYPE, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import type { KnownLabels } from "../../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../../karpenter/requirements/requirement.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { BLOCKER } from "../../resolve/guarded-list.ts";
import type { PoolExplanation } from "./explanation.ts";
import { type KnownValues, knownValues, unknownValues } from "./lone-entries.ts";
import { hasClosedValues } from "./label-of-nodes.ts";
import type { InstanceTypes } from "./remaining-types.ts";

/**
 * If the pool names an instance type, family, GPU or the like that the catalogue lacks: a single type that represents
 * all newer ones. Only the name of such a type is known. Undefined if the pool can only get known types.
 */
export function unknownInstanceTypes(
  { requirements }: PoolExplanation,
  knownTypes: InstanceTypes,
): InstanceTypes | undefined {
  const { catalogue } = knownTypes.filter;
  const known = knownValues(catalogue);
  const named = requirements.filter(({ effective }) => namesUnknown(effective, known));
  const types = requirements.find(({ key }) => key === INSTANCE_TYPE);
  const onlyKnownTypes = types !== undefined && !types.effective.complement && !named.includes(types);
  if (named.length === 0 || onlyKnownTypes) return undefined;
  return newerInstanceType(knownTypes);
}

/** A single type that represents all types newer than the catalogue. */
export function newerInstanceType(knownTypes: InstanceTypes): InstanceTypes {
  return { ...knownTypes, prices: undefined, filter: typeFilter(oneUnknownType(knownTypes.filter.catalogue)) };
}

function namesUnknown(requirement: Requirement, known: KnownValues): boolean {
  return newerValues(requirement, known).length > 0;
}

/** The listed values that only types outside the catalogue can have. */
export function valuesBeyond(requirement: Requirement, catalogue: Catalogue): string[] {
  return newerValues(requirement, knownValues(catalogue));
}

function newerValues(requirement: Requirement, known: KnownValues): string[] {
  if (requirement.complement || hasClosedValues(requirement.key)) return [];
  // The value that rendering adds to block a bypass is not the name of a type.
  return unknownValues(requirement, known).filter((value) => !BLOCKER.values?.includes(value));
}

/** A catalogue with one type without labels, for a provider with unknown types. */
export function unknownTypes(labels: KnownLabels): Catalogue {
  return {
    source: "",
    date: "",
    names: [""],
    labels: new Map(),
    offerings: { sets: [[{ requirements: new Map(), available: true }]], of: Uint16Array.of(0) },
    allocatable: new Map(),
    ...labels,
  };
}

/** The single type has all offerings of the catalogue. */
function oneUnknownType(catalogue: Catalogue): Catalogue {
  const of = Uint16Array.of(UNKNOWN);
  return {
    ...catalogue,
    names: [""],
    namesOnly: undefined,
    labels: new Map([...catalogue.labels.keys()].map((key) => [key, { sets: [], of }])),
    offerings: { sets: [catalogue.offerings.sets.flat()], of: Uint16Array.of(0) },
    allocatable: new Map(),
  };
}
