/** Renders the CEL test of one label key: whether a pool bypasses the policy on it. */
import { MAX_INT64 } from "../model/values/int64.ts";
import { PLACEMENT_GROUP_PARTITION } from "../model/requirements/labels.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { type KnownLabels, labelPresence } from "../karpenter/requirements/label-presence.ts";
import { policyMisfit, SHOWS_ITSELF } from "../karpenter/requirements/merged-key.ts";
import { excludedNumbers, NODES_EVER, PARTITIONS } from "../karpenter/requirements/node-label.ts";
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
  /** CEL that is true if the pool does not bypass the policy on this key. */
  readonly holds: string;
}

/**
 * Keys that a node may lack, and keys with numbers that the policy excludes: on every other key a contradiction blocks
 * (docs/design.md#bypass). Tests for `bypassed` of `mergeKey`, over the variables `own` (the pool's entries), `labels`
 * (of its template) and `static`.
 */
export function guardedKeys(policy: readonly NodeSelectorRequirement[], known: KnownLabels): GuardedKey[] {
  const merged = [...mergedByKey(policy.map(requirementOf)).values()];
  return merged
    .filter(
      (requirement) => labelPresence(requirement.key, known) !== "always" || excludedNumbers(requirement).length > 0,
    )
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
  const presence = labelPresence(key, known);
  const isCustom = presence === "custom";
  // A template label with a key that instance types have does not set the node's label: it counts as one more entry.
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
    isOfClass: presence === "class",
    ofPolicyAlone: isCustom && policyMisfit(policy, known, { nodes: SHOWS_ITSELF }) !== undefined,
  };
  const bounds = boundsOf(side, name);
  if (presence === "always") {
    const holds = `!variables.static || ${of("shaped")} && (${staticHolds(side, bounds)})`;
    variables.push(...bounds.variables, { name: name("holds"), expression: holds });
    return { key, policy, variables, holds: of("holds") };
  }
  const ofAll = merge(side, bounds);
  const ofSome = [
    ...(isCustom || excludedNumbers(policy).length === 0 ? [] : [staticHolds(side, bounds)]),
    ...(key === PLACEMENT_GROUP_PARTITION && policy.complement ? [partitionHolds(side, bounds)] : []),
  ];
  const holds = ofSome.length === 0 ? ofAll : [ofAll, ...ofSome].map((one) => `(${one})`).join(" && ");
  const template = `${labelled} ? ${admitsValue(policy, label)}`;
  const whole = isCustom ? `${template} : ${holds}` : `(${template} : true) && (${holds})`;
  const more = whole.includes(bounds.low) ? bounds.variables : [];
  variables.push(...more, { name: name("holds"), expression: `${of("shaped")} && (${whole})` });
  return { key, policy, variables, holds: of("holds") };
}

const BOUNDS = "['Gt', 'Lt', 'Gte', 'Lte']";

/** Objects are not validated before mutations; the CRD refuses other shapes afterwards. */
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
  readonly isOfClass: boolean;
  /** Misfits that the policy itself causes are not a bypass. */
  readonly ofPolicyAlone: boolean;
}

/** A NodeClaim of a static pool does not contain values that the policy excludes within bounds (`asWritten`). */
function staticHolds({ policy, asks }: Side, { low, high, cross }: Bounds): string {
  const lost = `[${excludedNumbers(policy).join(", ")}].exists(n, ${low}.all(l, n >= l) && ${high}.all(h, n <= h))`;
  const unbounded = `${low}.size() + ${high}.size() == 0`;
  return `!variables.static || ${isListedIn(asks)} || ${unbounded} || ${cross} || !${lost}`;
}

/** The provider uses the excluded values (`partitionsBeyond` in src/karpenter/requirements/node-label.ts). */
function partitionHolds({ policy, asks }: Side, { cross, within }: Bounds): string {
  const taken = `${celStrings(policy.values)}.exists(v, v in ${celStrings(PARTITIONS)} || ${within("v")})`;
  return `${isListedIn(asks)} || ${cross} || !${taken}`;
}

function isListedIn(entries: string): string {
  return `${entries}.exists(r, r.operator in ['In', 'DoesNotExist'])`;
}

/** CEL for pools without a template label. */
function merge(side: Side, bounds: Bounds): string {
  const { policy, asks, isCustom, ofPolicyAlone, isOfClass } = side;
  const absent = admitsAbsence(policy);
  // The API server does not know the class, and nodes of some classes lack the label.
  if (isOfClass && !absent) return "false";
  if (!policy.complement)
    // Nodes get a value that both list; without one they lack the label.
    return absent ? "true" : `${celStrings(policy.values)}.exists(v, ${meets(asks, "v")})`;
  const excluded = excludedNumbers(policy);
  const mayMiss = isCustom && !ofPolicyAlone && excluded.length > 0;
  if (absent && !mayMiss) return "true";
  const unlisted = absent
    ? `${bounds.cross} || ${rangeHolds(bounds, excluded)}`
    : `!(${bounds.cross}) && (${keepsBounds(bounds)}!${asks}.exists(r, r.operator == 'NotIn' && r.?values.orValue([]).exists(v, ${bounds.within("v")})))`;
  const listed = absent ? "true" : listedHolds(side);
  return `(${isListedIn(asks)} ? ${listed} : ${unlisted})`;
}

/** A NodeClaim of a static pool has only the bounds, which no node without the label meets. */
function keepsBounds({ low, high }: Bounds): string {
  return `variables.static && ${low}.size() + ${high}.size() > 0 || `;
}

/** A value is left, and it is not the empty string, which Karpenter treats as absent. */
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
 * Excluded numbers are ignored if Karpenter generates them rarely enough (`misfitInRange` in
 * src/karpenter/requirements/node-label.ts). If the range is empty, Karpenter panics, which is not a bypass.
 */
function rangeHolds({ low, high }: Bounds, excluded: readonly bigint[]): string {
  const first = `([0] + ${low}).max()`;
  const last = `(${high}.size() == 0 ? ${MAX_INT64 - 1n} : ${high}.min())`;
  const found = `[${excluded.join(", ")}].filter(n, n >= ${first} && n <= ${last}).size()`;
  const size = `${last} - ${first} + 1`;
  return `(${last} == ${MAX_INT64} ? ${first} == 0 : ${size} <= 0) || ${found} * ${NODES_EVER} <= ${size}`;
}

/** CEL: whether the policy's own entries admit a value. */
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

/** CEL: whether all of these entries admit a value. */
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
