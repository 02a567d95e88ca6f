/** What a pod asks of the topology of its node: spread, affinity and anti-affinity. */
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { Labels } from "../scheduling/label-selector.ts";

export type TopologyType = "spread" | "affinity" | "anti-affinity";

export interface TopologyTerm {
  readonly type: TopologyType;
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  /** Sorted. */
  readonly namespaces: readonly string[];
  /** A label selector as it is written; undefined selects nothing. */
  readonly selector: unknown;
  readonly honorsTaints: boolean;
  readonly honorsAffinity: boolean;
}

export interface SpreadTerm {
  readonly term: TopologyTerm;
  readonly isRequired: boolean;
}

/** The pod that a term belongs to. */
export interface OfPod {
  readonly namespace: string;
  readonly labels: Labels;
  /** The names of the namespaces that a selector selects; undefined if they are not known. */
  readonly namespacesOf: (selector: unknown) => readonly string[] | undefined;
  /** Says what cannot be decided. */
  readonly unknown: (what: string) => void;
}

const EVERY = 2 ** 31 - 1;

/** `newForTopologies` (topology.go). Undefined if it cannot be read. */
export function spreadTerm(value: unknown, pod: OfPod): SpreadTerm | undefined {
  const key = textAt(value, ["topologyKey"]);
  const maxSkew = valueAt(value, ["maxSkew"]);
  const minDomains = valueAt(value, ["minDomains"]) ?? undefined;
  if (key === undefined || typeof maxSkew !== "number") return undefined;
  if (minDomains !== undefined && typeof minDomains !== "number") return undefined;
  const selector = valueAt(value, ["labelSelector"]) ?? undefined;
  const isHonor = (field: string, usual: string): boolean => (textAt(value, [field]) ?? usual) === "Honor";
  return {
    isRequired: textAt(value, ["whenUnsatisfiable"]) !== "ScheduleAnyway",
    term: {
      type: "spread",
      key,
      maxSkew,
      minDomains,
      namespaces: [pod.namespace],
      selector: withLabelKeys(selector, value, "matchLabelKeys", "In", pod),
      honorsTaints: isHonor("nodeTaintsPolicy", "Ignore"),
      honorsAffinity: isHonor("nodeAffinityPolicy", "Honor"),
    },
  };
}

/** `newForAffinities` (topology.go). The API server adds `matchLabelKeys` to the selector when a pod is created. */
export function affinityTerm(
  value: unknown,
  type: Exclude<TopologyType, "spread">,
  pod: OfPod,
): TopologyTerm | undefined {
  const key = textAt(value, ["topologyKey"]);
  if (key === undefined) return undefined;
  const own = valueAt(value, ["labelSelector"]) ?? undefined;
  const selector = withLabelKeys(own, value, "matchLabelKeys", "In", pod);
  return {
    type,
    key,
    maxSkew: EVERY,
    minDomains: undefined,
    namespaces: namespacesOfTerm(value, pod),
    selector: withLabelKeys(selector, value, "mismatchLabelKeys", "NotIn", pod),
    honorsTaints: false,
    honorsAffinity: false,
  };
}

/** `buildNamespaceList` (topology.go). */
function namespacesOfTerm(value: unknown, { namespace, namespacesOf, unknown }: OfPod): readonly string[] {
  const listed = valueAt(value, ["namespaces"]);
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const selector = valueAt(value, ["namespaceSelector"]) ?? undefined;
  if (selector === undefined) return names.length === 0 ? [namespace] : [...new Set(names)].toSorted();
  const selected = namespacesOf(selector);
  if (selected === undefined) unknown("the namespaces that its namespaceSelector selects are not among the inputs");
  return [...new Set([...names, ...(selected ?? [namespace])])].toSorted();
}

function withLabelKeys(
  selector: unknown,
  value: unknown,
  field: string,
  operator: string,
  { labels, unknown }: OfPod,
): unknown {
  const keys = valueAt(value, [field]);
  if (!Array.isArray(keys) || keys.length === 0 || !isFields(selector)) return selector;
  const added = keys.map(String).flatMap((key) => {
    if (Object.hasOwn(labels, key)) return [{ key, operator, values: [labels[key]] }];
    unknown(`${field} ${key}: the pods get this label when they are created`);
    return [];
  });
  const expressions = valueAt(selector, ["matchExpressions"]);
  return { ...selector, matchExpressions: [...(Array.isArray(expressions) ? expressions : []), ...added] };
}

/** `hashSelector` (topologygroup.go): the order of expressions and values makes no difference. */
export function selectorIdentity(selector: unknown): unknown {
  if (!isFields(selector)) return null;
  const expressions = valueAt(selector, ["matchExpressions"]);
  const texts = (Array.isArray(expressions) ? expressions : []).map((one: unknown) => {
    const values = valueAt(one, ["values"]);
    const sorted = oddOnes((Array.isArray(values) ? values : []).map(String));
    return JSON.stringify([textAt(one, ["key"]), textAt(one, ["operator"]), sorted]);
  });
  const labels = Object.entries(textsAt(selector, ["matchLabels"]));
  return [[...new Set(texts)].toSorted(), labels.toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

/**
 * Karpenter's hash of a list that counts as a set: equal elements cancel each other out (hashstructure, SlicesAsSets),
 * so that only those that occur an odd number of times are left.
 */
export function oddOnes(texts: readonly string[]): string[] {
  const odd = new Set<string>();
  for (const text of texts) if (!odd.delete(text)) odd.add(text);
  return [...odd].toSorted();
}
