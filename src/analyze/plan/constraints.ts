/** The constraints of workloads and pools that cost money, and the plan without one of them. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { isFields, listOf } from "../../krm/values/fields.ts";
import { isDaemonSet, type NodeSelectorTerm, type PodSpec } from "../../model/objects/pod.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import { ownerOf } from "../pods/read-pods.ts";
import { namespaceOf } from "./expand-pods.ts";
import type { CONSTRAINT_KINDS } from "./plan-answer.ts";
import type { PlanInput } from "./plan-world.ts";

/** What is planned. */
export interface Planned {
  readonly input: PlanInput;
  readonly cluster: ExplainedCluster;
}

export interface Constraint {
  readonly kind: (typeof CONSTRAINT_KINDS)[number];
  readonly key: string | null;
  /** The workload or pool that has it: `Deployment shop/web`, `NodePool web`. */
  readonly resource: string;
  readonly place: string | null;
  readonly without: (planned: Planned) => Planned;
}

/** The workload of a pod: `Deployment shop/web`. */
export function workloadOf({ resource }: PodDemand): string {
  const { kind, name } = ownerOf(resource);
  return `${kind} ${namespaceOf(resource)}/${name}`;
}

/** Each constraint of the pods and pools, in no order that matters. */
export function constraintsOf({ input, cluster }: Planned): Constraint[] {
  const workloads = Map.groupBy(
    input.demands.filter(({ resource }) => !isDaemonSet(resource)),
    workloadOf,
  );
  const isDefaulted = (cluster.knownTypes.karpenter?.defaultSpread ?? []).length > 0;
  return [
    ...[...workloads].flatMap(([workload, pods]) => ofWorkload(workload, pods)),
    ...cluster.explanations.flatMap((explanation) => ofPool(explanation, cluster)),
    ...(isDefaulted ? [DEFAULT_SPREAD] : []),
  ];
}

type Change = (spec: PodSpec) => PodSpec;

/** How to leave each kind out, by its keys. */
const OF_SPECS: readonly {
  readonly kind: Constraint["kind"];
  readonly keysOf: (spec: PodSpec) => readonly string[];
  readonly without: (spec: PodSpec, key: string) => PodSpec;
}[] = [
  { kind: "topology-spread", keysOf: (spec) => spreads(spec).flatMap(topologyKey), without: withoutSpread },
  {
    kind: "pod-anti-affinity",
    keysOf: (spec) => podTerms(spec, "podAntiAffinity"),
    without: (spec, key) => withoutPodTerms(spec, "podAntiAffinity", key),
  },
  {
    kind: "pod-affinity",
    keysOf: (spec) => podTerms(spec, "podAffinity"),
    without: (spec, key) => withoutPodTerms(spec, "podAffinity", key),
  },
  { kind: "node-selection", keysOf: selectedKeys, without: withoutSelection },
];

function ofWorkload(workload: string, pods: readonly PodDemand[]): Constraint[] {
  return OF_SPECS.flatMap(({ kind, keysOf, without }) => {
    const keys = [...new Set(pods.flatMap(({ spec }) => keysOf(spec)))];
    return keys.map((key): Constraint => {
      const change: Change = (spec) => without(spec, key);
      return { kind, key, resource: workload, place: null, without: (planned) => withSpecs(planned, workload, change) };
    });
  });
}

/** The pods of the workload that run on other nodes change, too. */
function withSpecs({ input, cluster }: Planned, workload: string, change: Change): Planned {
  const changed = (pod: PodDemand): PodDemand =>
    workloadOf(pod) === workload ? { ...pod, spec: change(pod.spec) } : pod;
  const dump = input.dump && { ...input.dump, pods: input.dump.pods.map(changed) };
  return { cluster, input: { ...input, demands: input.demands.map(changed), dump } };
}

function spreads({ topologySpreadConstraints = [] }: PodSpec): readonly unknown[] {
  return topologySpreadConstraints;
}

function topologyKey(term: unknown): string[] {
  const key = textAt(term, ["topologyKey"]);
  return key === undefined ? [] : [key];
}

function withoutSpread(spec: PodSpec, key: string): PodSpec {
  return { ...spec, topologySpreadConstraints: spreads(spec).filter((one) => topologyKey(one)[0] !== key) };
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

type PodTerms = "podAffinity" | "podAntiAffinity";

function podTerms({ affinity }: PodSpec, field: PodTerms): string[] {
  const [required, preferred] = [REQUIRED, PREFERRED].map((when) => listOf(valueAt(affinity, [field, when])));
  return [
    ...required!.flatMap(topologyKey),
    ...preferred!.flatMap((one) => topologyKey(valueAt(one, ["podAffinityTerm"]))),
  ];
}

function withoutPodTerms(spec: PodSpec, field: PodTerms, key: string): PodSpec {
  const terms = valueAt(spec.affinity, [field]);
  if (!isFields(terms)) return spec;
  const [required, preferred] = [REQUIRED, PREFERRED].map((when) => listOf(terms[when]));
  const left = {
    ...terms,
    [REQUIRED]: required!.filter((one) => topologyKey(one)[0] !== key),
    [PREFERRED]: preferred!.filter((one) => topologyKey(valueAt(one, ["podAffinityTerm"]))[0] !== key),
  };
  return { ...spec, affinity: { ...spec.affinity, [field]: left } };
}

const OS = "kubernetes.io/os";

/** An image runs on one operating system, so that is no constraint to leave out. */
function selectedKeys({ nodeSelector = {}, affinity }: PodSpec): string[] {
  const { [REQUIRED]: required, [PREFERRED]: preferred = [] } = affinity?.nodeAffinity ?? {};
  const terms = [...(required?.nodeSelectorTerms ?? []), ...preferred.map(({ preference }) => preference)];
  const ofTerms = terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key));
  return [...Object.keys(nodeSelector), ...ofTerms].filter((key) => key !== OS);
}

function withoutSelection(spec: PodSpec, key: string): PodSpec {
  const { [key]: _, ...nodeSelector } = spec.nodeSelector ?? {};
  const { [REQUIRED]: required, [PREFERRED]: preferred = [], ...others } = spec.affinity?.nodeAffinity ?? {};
  const terms = (required?.nodeSelectorTerms ?? []).map((term) => withoutKey(term, key));
  // One term of several is enough, so one without anything left lets every node in.
  const isOpen = terms.length === 0 || terms.some(isEmpty);
  const wanted = preferred
    .map((one) => ({ ...one, preference: withoutKey(one.preference, key) }))
    .filter(({ preference }) => !isEmpty(preference));
  const nodeAffinity = {
    ...others,
    ...(isOpen ? {} : { [REQUIRED]: { ...required, nodeSelectorTerms: terms } }),
    [PREFERRED]: wanted,
  };
  return { ...spec, nodeSelector, affinity: { ...spec.affinity, nodeAffinity } };
}

function withoutKey(term: NodeSelectorTerm, key: string): NodeSelectorTerm {
  return { ...term, matchExpressions: (term.matchExpressions ?? []).filter((one) => one.key !== key) };
}

function isEmpty({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  return matchExpressions.length + matchFields.length === 0;
}

function ofPool(explanation: PoolExplanation, { knownTypes }: ExplainedCluster): Constraint[] {
  const { pool, requirements } = explanation;
  const resource = describeResource(pool.wrapper);
  const { wellKnown } = knownTypes.filter.catalogue;
  const of = (
    kind: Constraint["kind"],
    key: string | null,
    change: (one: PoolExplanation) => PoolExplanation,
    place: string | null = null,
  ): Constraint => ({ kind, key, resource, place, without: (planned) => withPool(planned, pool.name, change) });
  const ofKeys = requirements.flatMap(({ key, effective, policy, user }): Constraint[] => {
    const [first] = [...policy, ...user];
    const isOfTypes = wellKnown.has(key) && key !== OS && first !== undefined;
    if (!isOfTypes || [...policy, ...user].some(({ from }) => from === "label")) return [];
    const place = locationOf(first.place.resource, first.place.path);
    const without = (one: PoolExplanation): PoolExplanation => ({
      ...one,
      requirements: one.requirements.filter((other) => other.key !== key),
    });
    if (effective.minValues === undefined) return [of("requirement", key, without, place)];
    const open = (one: PoolExplanation): PoolExplanation => ({
      ...one,
      requirements: one.requirements.map((other) =>
        other.key === key ? { ...other, effective: { ...other.effective, minValues: undefined } } : other,
      ),
    });
    return [of("requirement", key, without, place), of("min-values", key, open, place)];
  });
  const isTainted = (pool.spec.template.spec.taints ?? []).length > 0;
  return [...ofKeys, ...(isTainted ? [of("taints", null, withoutTaints)] : [])];
}

function withoutTaints({ pool, ...explanation }: PoolExplanation): PoolExplanation {
  const { template } = pool.spec;
  const spec = { ...pool.spec, template: { ...template, spec: { ...template.spec, taints: [] } } };
  return { ...explanation, pool: { ...pool, spec } };
}

function withPool(
  { input, cluster }: Planned,
  name: string,
  change: (one: PoolExplanation) => PoolExplanation,
): Planned {
  const explanations = cluster.explanations.map((one) => (one.pool.name === name ? change(one) : one));
  const of = new Map(explanations.map(({ pool }) => [pool.name, pool]));
  return {
    input,
    cluster: { ...cluster, explanations, pools: cluster.pools.map((pool) => of.get(pool.name) ?? pool) },
  };
}

const DEFAULT_SPREAD: Constraint = {
  kind: "default-spread",
  key: null,
  resource: "Deployment karpenter",
  place: null,
  without: ({ input, cluster }) => {
    const { karpenter, ...knownTypes } = cluster.knownTypes;
    const left = karpenter && { ...karpenter, defaultSpread: [] };
    return { input, cluster: { ...cluster, knownTypes: { ...knownTypes, karpenter: left } } };
  },
};
