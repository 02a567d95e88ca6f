/** Instance types that a catalogue does not know and a pool may mean. */
import { type Catalogue, INSTANCE_TYPE, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import type { KnownLabels } from "../../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../../karpenter/requirements/requirement.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { oncePerObject } from "../../model/once.ts";
import { BLOCKER } from "../../resolve/resolve-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { type KnownValues, knownValues } from "./known-values.ts";
import { hasClosedValues } from "./label-of-nodes.ts";
import { unknownValues } from "./lone-entries.ts";
import type { Market } from "./remaining-types.ts";

/**
 * Of an instance type that is newer than the catalogue nothing is known but its name, or that of its family, its GPU and
 * so on. A market of one such type, where the pool names one; undefined where it can only have types that are known.
 */
export function marketOfUnknown({ requirements }: PoolExplanation, market: Market): Market | undefined {
  const { catalogue } = market.filter;
  const known = knownOf(catalogue);
  const named = requirements.filter(({ effective }) => namesUnknown(effective, known));
  const types = requirements.find(({ key }) => key === INSTANCE_TYPE);
  const onlyKnownTypes = types !== undefined && !types.effective.complement && !named.includes(types);
  if (named.length === 0 || onlyKnownTypes) return undefined;
  return newerMarket(market);
}

/** A market of one type that is newer than the catalogue. */
export function newerMarket(market: Market): Market {
  return { ...market, prices: undefined, filter: typeFilter(oneUnknownType(market.filter.catalogue)) };
}

const knownOf = oncePerObject((catalogue: Catalogue) => knownValues(catalogue));

function namesUnknown(requirement: Requirement, known: KnownValues): boolean {
  return newerValues(requirement, known).length > 0;
}

/** The values that it lists for types which the catalogue does not know. */
export function valuesBeyond(requirement: Requirement, catalogue: Catalogue): string[] {
  return newerValues(requirement, knownOf(catalogue));
}

function newerValues(requirement: Requirement, known: KnownValues): string[] {
  if (requirement.complement || hasClosedValues(requirement.key)) return [];
  // What rendering writes into a pool that would get round the policy is the name of no type.
  return unknownValues(requirement, known).filter((value) => !BLOCKER.values?.includes(value));
}

/** Of a provider whose types nobody here knows. */
export function unknownTypes({ wellKnown, optional }: KnownLabels): Catalogue {
  return {
    source: "",
    date: "",
    names: [""],
    labels: new Map(),
    offerings: { sets: [[{ requirements: new Map(), available: true }]], of: Uint16Array.of(0) },
    allocatable: new Map(),
    wellKnown,
    optional,
  };
}

/** Offered wherever any is. */
function oneUnknownType(catalogue: Catalogue): Catalogue {
  const of = Uint16Array.of(UNKNOWN);
  return {
    ...catalogue,
    names: [""],
    labels: new Map([...catalogue.labels.keys()].map((key) => [key, { sets: [], of }])),
    offerings: { sets: [catalogue.offerings.sets.flat()], of: Uint16Array.of(0) },
    allocatable: new Map(),
  };
}
