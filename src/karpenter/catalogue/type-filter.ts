/** Karpenter's filter over a catalogue: which instance types a set of requirements leaves. */
import { KNOWN_VALUES } from "../../model/labels.ts";
import type { Catalogue, LabelColumn } from "./catalogue.ts";
import { UNKNOWN } from "./catalogue.ts";
import { oncePerObject } from "../../model/once.ts";
import { labelPresence } from "../requirements/label-presence.ts";
import { has, isEmpty, type Requirement, sortedValues } from "../requirements/requirement.ts";
import { compatible, goTogether, type Requirements } from "../requirements/requirements.ts";
import { both, maskOf, type TypeMask } from "./type-mask.ts";

export interface TypeFilter {
  readonly catalogue: Catalogue;
  /** Every instance type of the catalogue. */
  readonly all: TypeMask;
  /** What both have. */
  readonly meet: (a: TypeMask, b: TypeMask) => TypeMask;
  /** The instance types that all of the requirements leave, each with an available offering among them. */
  readonly compatible: (requirements: Requirements) => TypeMask;
}

/**
 * Pools ask for the same things over and over, so what one requirement leaves is remembered. Karpenter's rules are
 * those of docs/upstream/karpenter.md#instance-types.
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
    // What pools say of other keys makes no difference to an offering that has only well-known ones.
    const relevant = offered.size === asked.size || offersOnlyWellKnown(offered, catalogue) ? asked : requirements;
    if (relevant.size === 0 && everyOfferingAvailable(catalogue)) return all;
    return remembered(`offering ${[...relevant.values()].map(identityOf).toSorted().join(" ")}`, () =>
      offeringMask(catalogue, relevant),
    );
  };
  // Most of what pools ask for rules out nothing: the masks of that are `all` itself.
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
      // Nothing lacks such a label, also where its values are unknown.
      if (asked.some((one) => isEmpty(one) && labelPresence(one.key, catalogue) === "always")) return none;
      return asked.reduce((left, requirement) => meet(left, byLabel(requirement)), byOffering(requirements));
    },
  };
}

/** What every offering has; a catalogue without offerings knows no values of them. */
const OF_EVERY_OFFERING: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "karpenter.sh/capacity-type",
]);

/** Values that nobody knows exclude nothing, but a label that is always there has some value, and names are no numbers. */
function canBeMet(requirement: Requirement): boolean {
  const { key, complement, gte, lte } = requirement;
  if (!OF_EVERY_OFFERING.has(key)) return true;
  const known = KNOWN_VALUES[key];
  if (known !== undefined) return known.some((value) => has(requirement, value));
  return complement ? gte === undefined && lte === undefined : !isEmpty(requirement);
}

/**
 * The values that Karpenter counts of an instance type for minValues; undefined where the catalogue does not know them.
 * A type is offered in what its offerings say (provider: instancetype/types.go, computeRequirements).
 */
export function advertisedValues(catalogue: Catalogue, type: number, key: string): readonly string[] | undefined {
  const { labels, offerings, wellKnown } = catalogue;
  if ((labels.get(key)?.of[type] ?? UNKNOWN) !== UNKNOWN) return valuesOf(catalogue, type, key);
  const offered = offerings.sets[offerings.of[type]!]!.map(({ requirements }) => requirements.get(key));
  const known = offered.filter((requirement) => requirement !== undefined);
  if (known.length > 0)
    return known.length < offered.length ? undefined : [...new Set(known.flatMap(({ values }) => [...values]))];
  return wellKnown.has(key) || labels.has(key) ? undefined : [];
}

/** The values that an instance type has for a label; none where it lacks the label or nothing is known. */
export function valuesOf(catalogue: Catalogue, type: number, key: string): readonly string[] {
  const column = catalogue.labels.get(key);
  const at = column?.of[type] ?? UNKNOWN;
  return at === UNKNOWN ? [] : [...column!.sets[at]!.values];
}

function labelMask({ sets, of }: LabelColumn, requirement: Requirement, size: number): TypeMask {
  const passes = sets.map((set) => goTogether(set, requirement));
  const ofUnknown = requirement.key !== ARCHITECTURE || ARCHITECTURES.some((value) => has(requirement, value));
  return maskOf(size, (type) => (of[type] === UNKNOWN ? ofUnknown : passes[of[type]!] === true));
}

const ARCHITECTURE = "kubernetes.io/arch";
/** Karpenter asks EC2 for these two, so that a type is of one of them, also where nobody knows of which. */
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

/** Everything that tells requirements apart; minValues excludes no single type. */
export function identityOf(requirement: Requirement): string {
  return identity(requirement).text;
}

/** One requirement is asked about several times, and sorting its values takes longest. */
const identity = oncePerObject((requirement: Requirement) => {
  const { key, complement, gte, lte } = requirement;
  // No value at all is not the empty one.
  const values = sortedValues(requirement).map((value) => `,${value}`);
  return { text: `${key}|${complement}|${gte ?? ""}|${lte ?? ""}|${values.join("")}` };
});
