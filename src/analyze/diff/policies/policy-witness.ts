/** Finds a node that one policy admits and another does not, and a wrapper that gets it. */
import { type Catalogue, INSTANCE_TYPE, UNKNOWN } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, isNone, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { newerInstanceType } from "../../explain/unknown-types.ts";
import { anySamples, knownSamples, newerSamples } from "./label-samples.ts";
import {
  admits,
  type Asked,
  getsNode,
  type LabelValue,
  admitsAnyNode,
  type PolicyTerms,
  typesAdmitted,
  typesLaunched,
} from "./policy-terms.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../../krm/findings/known-kinds.ts";
import type { NodeSelectorRequirement } from "../../../model/requirements/requirement.ts";

export interface Witness {
  /** Undefined: a type that the catalogue lacks. */
  readonly instanceType: string | undefined;
  /** The label on which the two policies differ; undefined if one of them admits no node at all. */
  readonly label: { readonly key: string; readonly value: LabelValue } | undefined;
  /** Present if not the node is refused, but a wrapper with fewer values of the label than this. */
  readonly fewerThan: number | undefined;
  /** The requirements of a wrapper that gets the node. */
  readonly asked: readonly Asked[];
}

/** Finds a node that only `admitting` admits, among the types of the catalogue. */
export function findWitness(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  if (!admitsAnyNode(admitting)) return undefined;
  if (!admitsAnyNode(refusing)) return witnessOf(admitting, refusing, typesLaunched(admitting, []), undefined);
  return differingLabel(admitting, refusing) ?? newerName(admitting, refusing) ?? fewerValues(admitting, refusing);
}

/** Whether `admitting` may admit something that `refusing` does not, for any instance types. */
export function mayDiffer(admitting: PolicyTerms, refusing: PolicyTerms): boolean {
  return labelsApart(admitting, refusing).next().done !== true || asksForFewer(admitting, refusing);
}

/** Finds a node that only `admitting` admits, of a type that the catalogue lacks. */
export function findNewerWitness(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  return labelsApart(admitting, refusing)
    .map((label) => newerWitness(label, admitting, refusing))
    .find((witness) => witness !== undefined);
}

/** Labels that only `admitting` admits, key by key. */
function* labelsApart(admitting: PolicyTerms, refusing: PolicyTerms): Generator<NonNullable<Witness["label"]>> {
  const { catalogue } = admitting.knownTypes.filter;
  const isAlways = (key: string): boolean => labelPresence(key, catalogue) === "always";
  if ([...admitting.merged.values()].some((one) => isEmpty(one) && isAlways(one.key))) return;
  for (const [key, requirement] of refusing.merged) {
    const own = admitting.merged.get(key);
    const samples = [...(isAlways(key) ? [] : [undefined]), ...anySamples(key, [requirement, ...listOf(own)])];
    for (const value of samples) if (admits(own, value) && !admits(requirement, value)) yield { key, value };
  }
}

/** A node of a type that is newer than the catalogue. */
function newerWitness(
  label: NonNullable<Witness["label"]>,
  admitting: PolicyTerms,
  refusing: PolicyTerms,
): Witness | undefined {
  const asked = [{ key: label.key, values: listOf(label.value) }];
  const knownTypes = newerInstanceType(admitting.knownTypes);
  if (isNone(typesLaunched({ ...admitting, knownTypes }, asked))) return undefined;
  if (!isNone(typesLaunched({ ...refusing, knownTypes }, asked))) return undefined;
  return { instanceType: undefined, label, fewerThan: undefined, asked };
}

/** Finds a label value that excludes a node under the refusing policy on its own. */
function differingLabel(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.knownTypes.filter;
  for (const [key, requirement] of refusing.merged) {
    const own = admitting.merged.get(key);
    for (const value of knownSamples(key, [requirement, ...listOf(own)], catalogue)) {
      if (!admits(own, value) || admits(requirement, value)) continue;
      const types = typesAdmitted(admitting, [{ key, values: listOf(value) }]);
      if (!isNone(types)) return witnessOf(admitting, refusing, types, { key, value });
    }
  }
  return undefined;
}

/** Finds a listed value that the catalogue lacks, so it is meant for a newer type. */
function newerName(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.knownTypes.filter;
  const names = admitting.merged.get(INSTANCE_TYPE);
  const namesNone = names !== undefined && !names.complement && newerSamples(names, catalogue).length === 0;
  if (namesNone) return undefined;
  for (const own of admitting.merged.values()) {
    const requirement = refusing.merged.get(own.key);
    for (const value of newerSamples(own, catalogue)) {
      const found = admits(requirement, value) ? undefined : newerWitness({ key: own.key, value }, admitting, refusing);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Finds a wrapper with fewer values of a label than the refusing policy's minValues, and enough for the other's. */
function fewerValues(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.knownTypes.filter;
  for (const [key, { minValues = 0 }] of refusing.merged) {
    if (minValues <= (admitting.merged.get(key)?.minValues ?? 0)) continue;
    for (const values of choicesOf(key, minValues - 1, admitting, refusing)) {
      const asked = [{ key, values }];
      const [type] = indexesOf(typesLaunched(admitting, asked));
      if (type === undefined || !isNone(typesLaunched(refusing, asked))) continue;
      const label = { key, value: values[0] };
      return { instanceType: catalogue.names[type], label, fewerThan: minValues, asked };
    }
  }
  return undefined;
}

/**
 * The limit of choices to try. Values of many instance types come first, because minValues on other labels need many.
 */
const MOST_CHOICES = 500;

function choicesOf(key: string, size: number, admitting: PolicyTerms, refusing: PolicyTerms): string[][] {
  const { catalogue } = admitting.knownTypes.filter;
  const requirements = [admitting, refusing].flatMap(({ merged }) => listOf(merged.get(key)));
  const count = (value: string): number => indexesOf(typesAdmitted(admitting, [{ key, values: [value] }])).length;
  const values = knownSamples(key, requirements, catalogue)
    .flatMap((value) => (value === undefined ? [] : [{ value, types: count(value) }]))
    .filter(({ types }) => types > 0)
    .toSorted((a, b) => b.types - a.types)
    .map(({ value }) => value);
  const absent = labelPresence(key, catalogue) === "always" ? [] : [[]];
  return [...absent, ...combinations(values, Math.min(size, values.length), MOST_CHOICES)];
}

/** The first choices of `size` values in their order, at most `most`. */
function combinations(values: readonly string[], size: number, most: number): string[][] {
  if (size === 0 || values.length < size) return [];
  if (size === 1) return values.slice(0, most).map((value) => [value]);
  const found: string[][] = [];
  for (const [index, first] of values.entries()) {
    if (found.length >= most) break;
    const rest = combinations(values.slice(index + 1), size - 1, most - found.length);
    for (const others of rest) found.push([first, ...others]);
  }
  return found;
}

/** The narrowest wrapper that gets one of the types. With minValues, it may have to name more than that type. */
function witnessOf(
  admitting: PolicyTerms,
  refusing: PolicyTerms,
  types: TypeMask,
  label: Witness["label"],
): Witness | undefined {
  const { catalogue } = admitting.knownTypes.filter;
  for (const type of indexesOf(types)) {
    const name = catalogue.names[type]!;
    const named = [{ key: INSTANCE_TYPE, values: [name] }];
    const labelled = label === undefined ? [] : [{ key: label.key, values: listOf(label.value) }];
    const narrowest = label === undefined || isImpliedByType(catalogue, type, label) ? named : [...named, ...labelled];
    const asked = [narrowest, named, labelled, []].find(
      (one) => getsNode(admitting, one, { type, ...label }) && !getsNode(refusing, one, { type, ...label }),
    );
    if (asked !== undefined) return { instanceType: name, label, fewerThan: undefined, asked };
  }
  return undefined;
}

/** Whether the type alone implies the label. */
function isImpliedByType(catalogue: Catalogue, type: number, { key, value }: NonNullable<Witness["label"]>): boolean {
  if ((catalogue.labels.get(key)?.of[type] ?? UNKNOWN) === UNKNOWN) return false;
  const values = valuesOf(catalogue, type, key);
  return value === undefined ? values.length === 0 : values.length === 1 && values[0] === value;
}

/** Whether the policy has a smaller minValues for any label. */
function asksForFewer({ merged }: PolicyTerms, than: PolicyTerms): boolean {
  return [...than.merged].some(([key, { minValues = 0 }]) => minValues > (merged.get(key)?.minValues ?? 0));
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Can be pasted as it is. It has only the fields that the enhancement requires of an OpenshiftNodePool. */
export function witnessWrapper(asked: readonly Asked[]): Record<string, unknown> {
  const [ofTemplate, ofTypes] = [asked.filter(isTemplateLabel), asked.filter((one) => !isTemplateLabel(one))];
  const labels = Object.fromEntries(ofTemplate.map(({ key, values }) => [key, values[0]]));
  const requirements = ofTypes.map(({ key, values }): NodeSelectorRequirement =>
    values.length === 0 ? { key, operator: "DoesNotExist" } : { key, operator: "In", values: [...values] },
  );
  return {
    apiVersion: `${HYPERSHIFT_KARPENTER_GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name: "witness" },
    spec: {
      template: { ...(ofTemplate.length === 0 ? {} : { metadata: { labels } }), spec: { requirements } },
    },
  };
}

/** No instance type has a custom label, so the template has to set it. */
function isTemplateLabel({ key, values }: Asked): boolean {
  return values.length > 0 && labelPresence(key) === "custom";
}
