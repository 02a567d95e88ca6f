/** The effect of changed requirements on existing nodes, over the types of a catalogue. */
import { type Catalogue, INSTANCE_TYPE, type Offering, UNKNOWN } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, isNone, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { intersection, isEmpty, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { addRequirements, labelRequirements, type Requirements } from "../../../karpenter/requirements/requirements.ts";
import { sameValue } from "../../../krm/values/canonical.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import { type AskedLabels, labelOfNodes } from "../../explain/label-of-nodes.ts";
import { typesOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import { valuesBeyond } from "../../explain/unknown-types.ts";
import { type Effect, worstEffect } from "../change-effect.ts";
import { isSameLabel, requirementEffects, type RequirementEffects, type Stays } from "../change-requirements.ts";
import { judge, type KindsStay, kindsThatStay, Tally } from "./node-kinds.ts";
import { isOpenTo, offeringsOf, type PoolOffer } from "./pool-offer.ts";

interface SideLabels {
  readonly asked: AskedLabels;
  readonly offer: PoolOffer;
}

/**
 * Types outside the catalogue are included if the pool names one. The scope shows that others are not. If the pool can
 * launch no type of the catalogue, the result is that of the requirements alone.
 */
export function requirementDrift(from: SideLabels, to: SideLabels, { filter }: InstanceTypes): RequirementEffects {
  const { catalogue } = filter;
  const byText = requirementEffects(from.asked, to.asked);
  const { requirements, labels, ofClass = new Map() } = from.asked;
  const launchedFor = addRequirements(requirements, labelRequirements(Object.fromEntries(labels)));
  const types = typesOf(launchedFor, ofClass, filter);
  const now = to.asked.requirements;
  const known = kindsThatStay(from.asked, types, addRequirements(launchedFor, ofClass), now, catalogue);
  const newer = newerKinds(from.asked, now, catalogue);
  if (!known.exist) return byText;
  const same = isSameOffer(from, to, catalogue);
  const effectOf = (key: string, text: Effect): Effect => {
    const drift = driftOf([known, newer].map(({ exist, byKey }) => (exist ? byKey.get(key) : undefined)));
    return drift ?? (same || text === "none" ? "none" : "new-nodes");
  };
  const byKey = new Map([...byText.byKey].map(([key, text]) => [key, effectOf(key, text)]));
  const together = driftOf([known, newer].map(({ exist, together: stays }) => (exist ? stays : undefined))) ?? "none";
  const isByText = worstEffect([...byKey.values(), together]) === worstEffect([...byText.byKey.values()]);
  return { byKey, together, scope: isByText ? "always" : "catalogue" };
}

/** Undefined if every node stays. */
function driftOf(kinds: readonly (Stays | undefined)[]): Effect | undefined {
  const there = kinds.filter((stays) => stays !== undefined);
  if (there.every(({ all }) => all)) return undefined;
  return there.some(({ some }) => some) ? "replaces-some" : "replaces-all";
}

/** Nodes of types that the pool names and the catalogue lacks. They may have any label that the pool admits. */
function newerKinds(from: AskedLabels, now: Requirements, catalogue: Catalogue): KindsStay {
  const keys = [...now.keys()];
  const tally = new Tally(keys);
  const named = valuesOfNewer(from, catalogue);
  if (named.size === 0) return tally;
  const labelOf = (key: string) => {
    const label = labelOfNodes(key, from);
    const values = key === INSTANCE_TYPE || named.size === 1 ? named.get(key) : undefined;
    if (values !== undefined) return { values: requirementOf({ key, operator: "In", values }), absent: false };
    return key === INSTANCE_TYPE ? { ...label, values: intersection(label.values, otherTypes(catalogue)) } : label;
  };
  const isThere = [...from.requirements.keys()].every((key) => {
    const { values, absent } = labelOf(key);
    return absent || !isEmpty(values);
  });
  if (isThere) tally.add(keys.map((key) => judge(labelOf(key), now.get(key))));
  return tally;
}

/** Named values, by key, that only types have which the catalogue lacks. None if the pool lists types, and only known ones. */
function valuesOfNewer({ requirements }: AskedLabels, catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const named = new Map(
    [...requirements.values()]
      .map((requirement) => [requirement.key, valuesBeyond(requirement, catalogue)] as const)
      .filter(([, values]) => values.length > 0),
  );
  const type = requirements.get(INSTANCE_TYPE);
  const onlyKnown = type !== undefined && !type.complement && !named.has(INSTANCE_TYPE);
  return onlyKnown ? new Map() : named;
}

/** Any type that the catalogue lacks. */
const otherTypes = memoizeByObject(({ names }: Catalogue) =>
  requirementOf({ key: INSTANCE_TYPE, operator: "NotIn", values: names }),
);

/** Whether new nodes have the same types, offerings and labels as before. */
function isSameOffer(from: SideLabels, to: SideLabels, catalogue: Catalogue): boolean {
  const keys = [...new Set([...from.asked.requirements.keys(), ...to.asked.requirements.keys()])];
  const names = ({ asked }: SideLabels) => valuesOfNewer(asked, catalogue).size > 0;
  if (names(from) || names(to) || !sameValue([...from.offer.types], [...to.offer.types])) return false;
  const { types } = from.offer;
  const minimum = (side: SideLabels, key: string) => side.asked.requirements.get(key)?.minValues;
  return (
    keys.every((key) => minimum(from, key) === minimum(to, key)) &&
    isSameInOfferings(from.offer.wanted, to.offer.wanted, types, catalogue) &&
    keys.every((key) => isDetermined(key, types, catalogue) || isSameLabel(key, from.asked, to.asked))
  );
}

function isSameInOfferings(from: Requirements, to: Requirements, types: TypeMask, catalogue: Catalogue): boolean {
  return offeringsOf(types, catalogue).every((one) => isOpenTo(from, one, catalogue) === isOpenTo(to, one, catalogue));
}

/** Whether type or offering determines the label. */
function isDetermined(key: string, types: TypeMask, catalogue: Catalogue): boolean {
  if (isNone(types)) return true;
  const column = catalogue.labels.get(key);
  const isOfTypes = indexesOf(types).every((type) => {
    const set = column?.of[type] ?? UNKNOWN;
    return set !== UNKNOWN && column!.sets[set]!.values.size < 2;
  });
  const isOne = ({ requirements }: Offering): boolean => {
    const offered = requirements.get(key);
    return offered !== undefined && !offered.complement && offered.values.size < 2;
  };
  return isOfTypes || offeringsOf(types, catalogue).every(isOne);
}
