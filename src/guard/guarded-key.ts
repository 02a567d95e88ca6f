/** The test of one label key as CEL: whether a pool gets round the policy on it. */
import { MAX_INT64 } from "../model/int64.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { type KnownLabels, labelPresence } from "../karpenter/requirements/label-presence.ts";
import { policyMisfit, SHOWS_ITSELF } from "../karpenter/requirements/merged-key.ts";
import { excludedNumbers, NODES_EVER } from "../karpenter/requirements/node-label.ts";
import { admitsAbsence, type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../karpenter/requirements/requirements.ts";
import { celString, celStrings, isInteger } from "./cel.ts";

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface GuardedKey {
  readonly key: string;
  readonly policy: Requirement;
  readonly variables: readonly Variable[];
  /** True where the pool's entries have no more values than `MAX_VALUES`; else none of them is looked at. */
  readonly few: string;
  /** True where nothing gets round the policy on this key. */
  readonly holds: string;
}

/**
 * Those that a node may lack: on every other key a contradiction blocks (docs/design.md#bypass). What is tested is
 * `mergeKey`'s `bypassed`, over the variables `own`, the pool's entries, and `labels`, those of its template.
 */
export function guardedKeys(policy: readonly NodeSelectorRequirement[], known: KnownLabels): GuardedKey[] {
  const merged = [...mergedByKey(policy.map(requirementOf)).values()];
  return merged
    .filter(({ key }) => labelPresence(key, known) !== "always")
    .map((requirement, index) => guardedKey(requirement, index, known));
}

function guardedKey(policy: Requirement, index: number, known: KnownLabels): GuardedKey {
  const { key } = policy;
  const name = (of: string): string => `${of}${index}`;
  const of = (what: string): string => `variables.${name(what)}`;
  const text = celString(key);
  const label = `variables.labels[${text}]`;
  const labelled = `${text} in variables.labels`;
  const variables: Variable[] = [
    { name: name("of"), expression: `variables.own.filter(r, r.?key.orValue('') == ${text})` },
    { name: name("shaped"), expression: shaped(of("of")) },
  ];
  const isCustom = labelPresence(key, known) === "custom";
  // The template's label of an instance type's stands for nothing: it is one more entry.
  const asks = isCustom ? of("of") : of("asks");
  if (!isCustom)
    variables.push({
      name: name("asks"),
      expression: `${of("of")} + (${labelled} ? [{"key": dyn(${text}), "operator": dyn('In'), "values": dyn([${label}])}] : [])`,
    });
  const side = {
    policy,
    asks,
    isCustom,
    ofPolicyAlone: isCustom && policyMisfit(policy, known, SHOWS_ITSELF) !== undefined,
  };
  const { more, holds } = merge(side, name);
  const template = `${labelled} ? ${admitsValue(policy, label)}`;
  const whole = isCustom ? `${template} : ${holds}` : `(${template} : true) && (${holds})`;
  variables.push({ name: name("few"), expression: few(of("of")) }, ...more, {
    name: name("holds"),
    expression: `${of("few")} && ${of("shaped")} && (${whole})`,
  });
  return { key, policy, variables, few: of("few"), holds: of("holds") };
}

/**
 * Of a pool on one key. What is asked of each takes the API server time with the square of their number: seconds of ten
 * thousand. Amazon has some 1,400 instance types.
 */
export const MAX_VALUES = 5000;

function few(entries: string): string {
  const values = "r.?values.orValue([])";
  const count = `${entries}.map(r, ${values}.size()).sum()`;
  return `${entries}.size() == 0 || ${entries}.all(r, type(${values}) == list) && ${count} <= ${MAX_VALUES}`;
}

const BOUNDS = "['Gt', 'Lt', 'Gte', 'Lte']";

/** Before a mutation nobody has looked at the object; what is not shaped so the CRD refuses after it. */
function shaped(entries: string): string {
  const values = "r.?values.orValue([])";
  return [
    `${entries}.all(r, type(r.?operator.orValue(0)) == string && type(${values}) == list && ${values}.all(v, type(v) == string)`,
    ` && (!(r.operator in ${BOUNDS}) || ${values}.size() == 1 && ${isInteger("r.values[0]")} && int(r.values[0]) >= 0))`,
  ].join("");
}

interface Side {
  readonly policy: Requirement;
  readonly asks: string;
  readonly isCustom: boolean;
  /** What the policy's own entries let come is no way round them. */
  readonly ofPolicyAlone: boolean;
}

interface Merge {
  readonly more: readonly Variable[];
  readonly holds: string;
}

/** Of what is asked without a template label. */
function merge(side: Side, name: (of: string) => string): Merge {
  const { policy, asks, isCustom, ofPolicyAlone } = side;
  const absent = admitsAbsence(policy);
  if (!policy.complement)
    // What both list is what nodes get; nothing of it, and they come without.
    return { more: [], holds: absent ? "true" : `${celStrings(policy.values)}.exists(v, ${meets(asks, "v")})` };
  const excluded = excludedNumbers(policy);
  const mayMiss = isCustom && !ofPolicyAlone && excluded.length > 0;
  if (absent && !mayMiss) return { more: [], holds: "true" };
  const bounds = boundsOf(side, name);
  const unlisted = absent
    ? `${bounds.cross} || ${rangeHolds(bounds, excluded)}`
    : `!(${bounds.cross}) && !${asks}.exists(r, r.operator == 'NotIn' && r.?values.orValue([]).exists(v, ${bounds.within("v")}))`;
  const listed = absent ? "true" : listedHolds(side);
  const isListed = `${asks}.exists(r, r.operator in ['In', 'DoesNotExist'])`;
  return { more: bounds.variables, holds: `(${isListed} ? ${listed} : ${unlisted})` };
}

/** Something is left, and no empty text, which Karpenter takes for no value. */
function listedHolds({ policy, asks, isCustom, ofPolicyAlone }: Side): string {
  const some = (also: string): string =>
    `${asks}.exists(r, r.operator == 'In' && r.?values.orValue([]).exists(v, ${also}${admitsValue(policy, "v")} && ${meets(asks, "v")}))`;
  return isCustom && !ofPolicyAlone ? `${some("")} && !${some("v == '' && ")}` : some("");
}

interface Bounds {
  readonly variables: readonly Variable[];
  readonly low: string;
  readonly high: string;
  readonly cross: string;
  readonly within: (value: string) => string;
}

function boundsOf({ policy, asks }: Side, name: (of: string) => string): Bounds {
  const [low, high] = [`variables.${name("low")}`, `variables.${name("high")}`];
  const numbers = (of: string, also = "", shift = ""): string =>
    `${asks}.filter(r, r.operator == '${of}'${also}).map(r, int(r.values[0])${shift})`;
  const own = (bound: bigint | undefined): string => (bound === undefined ? "" : `[${bound}] + `);
  const below = ` && int(r.values[0]) < ${MAX_INT64}`;
  return {
    low,
    high,
    variables: [
      { name: name("low"), expression: `${own(policy.gte)}${numbers("Gte")} + ${numbers("Gt", below, " + 1")}` },
      { name: name("high"), expression: `${own(policy.lte)}${numbers("Lte")} + ${numbers("Lt", "", " - 1")}` },
    ],
    // Nothing is greater than the largest integer.
    cross: `${low}.exists(l, ${high}.exists(h, l > h)) || ${asks}.exists(r, r.operator == 'Gt' && int(r.values[0]) == ${MAX_INT64})`,
    within: (value) =>
      `(${low}.size() + ${high}.size() == 0 || ${isInteger(value)} && ${low}.all(l, int(${value}) >= l) && ${high}.all(h, int(${value}) <= h))`,
  };
}

/**
 * Of the numbers that Karpenter makes up, those that the policy excludes are too few to matter (`misfitInRange` in
 * src/karpenter/requirements/node-label.ts). Where it finds none at all it ends, which is no way round.
 */
function rangeHolds({ low, high }: Bounds, excluded: readonly bigint[]): string {
  const first = `([0] + ${low}).max()`;
  const last = `(${high}.size() == 0 ? ${MAX_INT64 - 1n} : ${high}.min())`;
  const found = `[${excluded.join(", ")}].filter(n, n >= ${first} && n <= ${last}).size()`;
  const size = `${last} - ${first} + 1`;
  return `(${last} == ${MAX_INT64} ? ${first} == 0 : ${size} <= 0) || ${found} * ${NODES_EVER} <= ${size}`;
}

/** Whether the policy's own entries admit a value. */
export function admitsValue({ complement, values, gte, lte }: Requirement, value: string): string {
  if (!complement) return `(${value} in ${celStrings(values)})`;
  const parts = [
    ...(values.size > 0 ? [`!(${value} in ${celStrings(values)})`] : []),
    ...(gte === undefined && lte === undefined ? [] : [isInteger(value)]),
    ...(gte === undefined ? [] : [`int(${value}) >= ${gte}`]),
    ...(lte === undefined ? [] : [`int(${value}) <= ${lte}`]),
  ];
  return parts.length === 0 ? "true" : `(${parts.join(" && ")})`;
}

/** Whether all of these entries admit a value. */
function meets(entries: string, value: string): string {
  const values = "s.?values.orValue([])";
  const compared = ["Gt >", "Lt <", "Gte >="].map((pair) => {
    const [operator, sign] = pair.split(" ");
    return `s.operator == '${operator}' ? int(${value}) ${sign} int(s.values[0])`;
  });
  return [
    `${entries}.all(s, s.operator == 'In' ? ${value} in ${values} : s.operator == 'NotIn' ? !(${value} in ${values})`,
    ` : s.operator == 'Exists' ? true : s.operator == 'DoesNotExist' ? false`,
    ` : ${isInteger(value)} && (${compared.join(" : ")} : int(${value}) <= int(s.values[0])))`,
  ].join("");
}
