/** Karpenter's filter over a catalogue: which instance types a set of requirements leaves. */
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";
import type { Catalogue, LabelColumn } from "./catalogue.ts";
import { UNKNOWN } from "./catalogue.ts";
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import { labelPresence } from "../requirements/label-presence.ts";
import { has, isEmpty, type Requirement, sortedValues } from "../requirements/requirement.ts";
import { addRequirements, compatible, goTogether, type Requirements } from "../requirements/requirements.ts";
import { both, haveCommon, maskOf, type TypeMask, without } from "./type-mask.ts";

export interface TypeFilter {
  readonly catalogue: Catalogue;
  /** Every instance type of the catalogue. */
  readonly all: TypeMask;
  /** The instance types in both masks. */
  readonly meet: (a: TypeMask, b: TypeMask) => TypeMask;
  /** The instance types that meet all requirements and have an available offering that meets them. */
  readonly compatible: (requirements: Requirements) => TypeMask;
}

/**
 * Pools ask for the same things repeatedly, so the mask of each requirement is memoized, and that of all together. Karpenter's rules are those
 * of docs/upstream/karpenter.md#instance-types.
 */
export function typeFilter(catalogue: Catalogue): TypeFilter {
  const size = catalogue.names.length;
  const all = maskOf(size, () => true);
  const none = maskOf(size, () => false);
  const offered = offeringKeys(catalogue);
  const seen = new Map<string, TypeMask>();
  const remembered = (key: string, make: () => TypeMask): TypeMask => {
    const known = seen.get(key);
    if (known !== undefined) return known;
    const made = make();
    seen.set(key, made);
    return made;
  };
  const byLabel = (requirement: Requirement): TypeMask => {
    const column = catalogue.labels.get(requirement.key);
    if (column === undefined) return offered.has(requirement.key) || canBeMet(requirement) ? all : none;
    return remembered(identityOf(requirement), () => labelMask(column, requirement, size));
  };
  const byOffering = (requirements: Requirements): TypeMask => {
    const asked = new Map([...requirements].filter(([key]) => offered.has(key)));
    // Other keys make no difference to an offering that has only well-known ones.
    const relevant = offered.size === asked.size || offersOnlyWellKnown(offered, catalogue) ? asked : requirements;
    if (relevant.size === 0 && everyOfferingAvailable(catalogue)) return all;
    return remembered(`offering ${[...relevant.values()].map(identityOf).toSorted().join(" ")}`, () =>
      offeringMask(catalogue, relevant),
    );
  };
  // Most requirements exclude nothing; their mask is `all` itself.
  const meet = (a: TypeMask, b: TypeMask): TypeMask => {
    if (b === all) return a;
    return a === all ? b : both(a, b);
  };
  return {
    catalogue,
    all,
    meet,
    compatible: (requirements) => {
      const asked = [...requirements.values()];
      // Every type has such a label, even if its values are unknown.
      if (asked.some((one) => isEmpty(one) && labelPresence(one.key, catalogue) === "always")) return none;
      return remembered(`all ${asked.map(identityOf).join("\n")}`, () =>
        asked.reduce((left, requirement) => meet(left, byLabel(requirement)), byOffering(requirements)),
      );
    },
  };
}

/** Labels of every offering; without offerings their values are unknown. */
const OF_EVERY_OFFERING: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "karpenter.sh/capacity-type",
]);

/** Unknown values exclude nothing, but a label that is always present has some value, and names are not numbers. */
function canBeMet(requirement: Requirement): boolean {
  const { key, complement, gte, lte } = requirement;
  if (!OF_EVERY_OFFERING.has(key)) return true;
  const known = KNOWN_VALUES[key];
  if (known !== undefined) return known.some((value) => has(requirement, value));
  return complement ? gte === undefined && lte === undefined : !isEmpty(requirement);
}

/**
 * The values that Karpenter counts of an instance type for minValues; undefined if unknown. The offerings determine
 * where and how a type is offered (provider: instancetype/types.go, computeRequirements).
 */
export function advertisedValues(catalogue: Catalogue, type: number, key: string): readonly string[] | undefined {
  const { labels, offerings, wellKnown } = catalogue;
  if ((labels.get(key)?.of[type] ?? UNKNOWN) !== UNKNOWN) return valuesOf(catalogue, type, key);
  const offered = offerings.sets[offerings.of[type]!]!.map(({ requirements }) => requirements.get(key));
  const known = offered.filter((requirement) => requirement !== undefined);
  const isOpen = known.length < offered.length || known.some(({ complement }) => complement);
  if (known.length > 0) return isOpen ? undefined : [...new Set(known.flatMap(({ values }) => [...values]))];
  return wellKnown.has(key) || labels.has(key) ? undefined : [];
}

/** The node class narrows the requirements of the pool. A pool cannot ask for a label that nodes of the class lack. */
export function typesOf(requirements: Requirements, ofClass: Requirements, filter: TypeFilter): TypeMask {
  const contradict = [...ofClass].some(([key, needed]) => {
    const asked = requirements.get(key);
    return asked !== undefined && !goTogether(needed, asked);
  });
  return contradict ? without(filter.all, filter.all) : filter.compatible(addRequirements(requirements, ofClass));
}

/** The values of a label on an instance type; none if it lacks the label or they are unknown. */
export function valuesOf(catalogue: Catalogue, type: number, key: string): readonly string[] {
  const column = catalogue.labels.get(key);
  const at = column?.of[type] ?? UNKNOWN;
  return at === UNKNOWN ? [] : [...column!.sets[at]!.values];
}

/** The values of a label on any of some instance types. For a label with few values: each has a mask. */
export function valuesAmong({ labels, names }: Catalogue, types: TypeMask, key: string): string[] {
  const column = labels.get(key);
  if (column === undefined) return [];
  const masks = masksOf(column)(names.length);
  const found = column.sets.filter((_, set) => haveCommon(types, masks[set]!));
  return [...new Set(found.flatMap(({ values }) => [...values]))];
}

const masksOf = memoizeByObject(({ sets, of }: LabelColumn) =>
  memoizeByKey((size: number) => sets.map((_, set) => maskOf(size, (type) => of[type] === set))),
);

function labelMask({ sets, of }: LabelColumn, requirement: Requirement, size: number): TypeMask {
  const passes = sets.map((set) => goTogether(set, requirement));
  const ofUnknown = requirement.key !== ARCHITECTURE || ARCHITECTURES.some((value) => has(requirement, value));
  return maskOf(size, (type) => (of[type] === UNKNOWN ? ofUnknown : passes[of[type]!] === true));
}

const ARCHITECTURE = "kubernetes.io/arch";
/** Karpenter requests these two from EC2, so every type has one of them, even if it is unknown which. */
const ARCHITECTURES = ["amd64", "arm64"];

function offeringMask({ offerings, names, wellKnown }: Catalogue, requirements: Requirements): TypeMask {
  const passes = offerings.sets.map((set) =>
    set.some(
      (offering) => offering.available && compatible(requirements, offering.requirements, wellKnown) === undefined,
    ),
  );
  return maskOf(names.length, (type) => passes[offerings.of[type]!] === true);
}

function offeringKeys({ offerings }: Catalogue): ReadonlySet<string> {
  return new Set(offerings.sets.flatMap((set) => set.flatMap((offering) => [...offering.requirements.keys()])));
}

function offersOnlyWellKnown(keys: ReadonlySet<string>, { wellKnown }: Catalogue): boolean {
  return keys.isSubsetOf(wellKnown);
}

function everyOfferingAvailable({ offerings }: Catalogue): boolean {
  return offerings.sets.every((set) => set.some((offering) => offering.available));
}

/** A key that is equal for equal requirements, without minValues, which excludes no single type. */
export function identityOf(requirement: Requirement): string {
  return identity(requirement).text;
}

/** Requirements are looked up several times, and sorting the values takes longest. */
const identity = memoizeByObject((requirement: Requirement) => {
  const { key, complement, gte, lte } = requirement;
  // An empty list differs from one with the empty value.
  const values = sortedValues(requirement).map((value) => `,${value}`);
  return { text: `${key}|${complement}|${gte ?? ""}|${lte ?? ""}|${values.join("")}` };
});
