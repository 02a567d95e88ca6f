/** A node that one policy lets come and another does not, and the wrapper that gets it. */
import { type Catalogue, INSTANCE_TYPE, UNKNOWN } from "../../../karpenter/catalogue/catalogue.ts";
import { indexesOf, isNone, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { newerMarket } from "../../explain/unknown-types.ts";
import { anySamples, knownSamples, newerSamples } from "./label-samples.ts";
import {
  admits,
  type Asked,
  getsNode,
  type LabelValue,
  letsNodesCome,
  type PolicyTerms,
  typesAdmitted,
  typesLaunched,
} from "./policy-terms.ts";

export interface Witness {
  /** Undefined: one that the catalogue does not know. */
  readonly instanceType: string | undefined;
  /** The label on which the two policies differ; undefined where one of them lets no node come at all. */
  readonly label: { readonly key: string; readonly value: LabelValue } | undefined;
  /** Where it is not the node that is kept out, but a wrapper that leaves so few values of the label. */
  readonly fewerThan: number | undefined;
  /** What a wrapper asks for that gets the node. */
  readonly asked: readonly Asked[];
}

/** Of a node that comes under `admitting` and not under `refusing`, among the types of the catalogue. */
export function findWitness(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  if (!letsNodesCome(admitting)) return undefined;
  if (!letsNodesCome(refusing)) return witnessOf(admitting, refusing, typesLaunched(admitting, []), undefined);
  return differingLabel(admitting, refusing) ?? newerName(admitting, refusing) ?? fewerValues(admitting, refusing);
}

/** Whether one admits what the other does not, whatever instance types there are. */
export function mayDiffer(admitting: PolicyTerms, refusing: PolicyTerms): boolean {
  return labelsApart(admitting, refusing).next().done !== true || asksForFewer(admitting, refusing);
}

/** Of a node that comes under `admitting` and not under `refusing`, of a type that the catalogue does not know. */
export function findNewerWitness(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  return labelsApart(admitting, refusing)
    .map((label) => newerWitness(label, admitting, refusing))
    .find((witness) => witness !== undefined);
}

/** Labels that one admits and the other does not, key by key. */
function* labelsApart(admitting: PolicyTerms, refusing: PolicyTerms): Generator<NonNullable<Witness["label"]>> {
  const { catalogue } = admitting.market.filter;
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
  const market = newerMarket(admitting.market);
  if (isNone(typesLaunched({ ...admitting, market }, asked))) return undefined;
  if (!isNone(typesLaunched({ ...refusing, market }, asked))) return undefined;
  return { instanceType: undefined, label, fewerThan: undefined, asked };
}

/** Nodes with such a label are none of the refusing policy's, whatever else they are. */
function differingLabel(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.market.filter;
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

/** A value that the admitting policy lists and nothing in the catalogue has: it is meant for a type that is newer. */
function newerName(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.market.filter;
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

/** A wrapper that leaves fewer values of a label than the refusing policy's minValues, and enough for the other's. */
function fewerValues(admitting: PolicyTerms, refusing: PolicyTerms): Witness | undefined {
  const { catalogue } = admitting.market.filter;
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

/** Of two minima on several labels each may need many; what the most instance types have is tried first. */
const MOST_CHOICES = 500;

function choicesOf(key: string, size: number, admitting: PolicyTerms, refusing: PolicyTerms): string[][] {
  const { catalogue } = admitting.market.filter;
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

/** The first so many choices of `size` values, in their order. */
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

/** The narrowest wrapper that gets one of the types: minValues may keep it from naming just that. */
function witnessOf(
  admitting: PolicyTerms,
  refusing: PolicyTerms,
  types: TypeMask,
  label: Witness["label"],
): Witness | undefined {
  const { catalogue } = admitting.market.filter;
  for (const type of indexesOf(types)) {
    const name = catalogue.names[type]!;
    const named = [{ key: INSTANCE_TYPE, values: [name] }];
    const labelled = label === undefined ? [] : [{ key: label.key, values: listOf(label.value) }];
    const narrowest = label === undefined || isTold(catalogue, type, label) ? named : [...named, ...labelled];
    const asked = [narrowest, named, labelled, []].find(
      (one) => getsNode(admitting, one, { type, ...label }) && !getsNode(refusing, one, { type, ...label }),
    );
    if (asked !== undefined) return { instanceType: name, label, fewerThan: undefined, asked };
  }
  return undefined;
}

/** Whether the name of the type says it already. */
function isTold(catalogue: Catalogue, type: number, { key, value }: NonNullable<Witness["label"]>): boolean {
  if ((catalogue.labels.get(key)?.of[type] ?? UNKNOWN) === UNKNOWN) return false;
  const values = valuesOf(catalogue, type, key);
  return value === undefined ? values.length === 0 : values.length === 1 && values[0] === value;
}

/** Whether fewer different values are enough for it, of any label. */
function asksForFewer({ merged }: PolicyTerms, than: PolicyTerms): boolean {
  return [...than.merged].some(([key, { minValues = 0 }]) => minValues > (merged.get(key)?.minValues ?? 0));
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
