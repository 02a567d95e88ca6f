/** What the scheduler needs of a pod, and the stages in which Karpenter relaxes its preferences. */
import { valueAt } from "../../krm/places/field-path.ts";
import type { Toleration } from "../../model/objects/pod.ts";
import { type Requirements } from "../requirements/requirements.ts";
import { hostPorts } from "../scheduling/daemon-overhead.ts";
import type { Labels } from "../scheduling/label-selector.ts";
import type { PodDemand, PodEntry } from "../scheduling/pod-requests.ts";
import { merged, preferredTerms, requiredTerms, selectorEntries } from "../scheduling/pod-stages.ts";
import type { Amounts } from "../scheduling/resources.ts";
import { PREFER_NO_SCHEDULE } from "../scheduling/taints.ts";
import { affinityTerm, type OfPod, type SpreadTerm, spreadTerm, type TopologyTerm } from "./topology-term.ts";

/** Pods that Karpenter treats alike. */
export interface PodShape {
  readonly requests: Amounts;
  readonly namespace: string;
  readonly labels: Labels;
  readonly ports: ReturnType<typeof hostPorts>;
  /** What each way to meet the topology of its volumes asks for; one without requirements if there are none. */
  readonly volumes: readonly Requirements[];
  /** Required anti-affinity, which other pods have to respect, too. */
  readonly avoided: readonly TopologyTerm[];
  /** The first has every preference. Made when they are needed. */
  readonly stage: (index: number) => Stage | undefined;
  /** What decides on its node and cannot be read or is not known. */
  readonly unknown: readonly string[];
}

export interface Stage {
  readonly index: number;
  /** With the heaviest of the preferences that are left. */
  readonly requirements: Requirements;
  readonly strict: Requirements;
  readonly tolerations: readonly Toleration[];
  readonly terms: readonly TopologyTerm[];
  /** Each required term, for the nodes that spread counts. */
  readonly selected: readonly Requirements[];
}

export interface Relaxing {
  /** Whether any pool has a PreferNoSchedule taint. */
  readonly taintsRelent: boolean;
  /** PREFERENCE_POLICY Ignore. */
  readonly ignoresPreferences: boolean;
}

interface State {
  readonly required: readonly (readonly PodEntry[])[];
  readonly preferred: readonly (readonly PodEntry[])[];
  readonly affinity: readonly TopologyTerm[];
  readonly antiAffinity: readonly TopologyTerm[];
  readonly spreads: readonly SpreadTerm[];
  readonly tolerations: readonly Toleration[];
}

export function podShape(
  demand: PodDemand,
  { namespace, labels }: Pick<PodShape, "namespace" | "labels">,
  relaxing: Relaxing,
  namespacesOf: OfPod["namespacesOf"],
): PodShape {
  const unknown: string[] = [];
  const ofPod: OfPod = { namespace, labels, namespacesOf, unknown: (what) => unknown.push(what) };
  const read = <T>(path: readonly string[], make: (value: unknown) => T | undefined): T[] => {
    const list = valueAt(demand.spec, path) ?? [];
    const values = Array.isArray(list) ? list.map(make) : [undefined];
    if (values.includes(undefined)) unknown.push(`${path.join(".")}: an entry cannot be read`);
    return values.filter((value) => value !== undefined);
  };
  const required = (kind: "affinity" | "anti-affinity"): TopologyTerm[] =>
    read([...AFFINITY, FIELDS[kind], REQUIRED], (value) => affinityTerm(value, kind, ofPod));
  const preferred = (kind: "affinity" | "anti-affinity"): TopologyTerm[] =>
    read([...AFFINITY, FIELDS[kind], PREFERRED], (value) => {
      const term = affinityTerm(valueAt(value, ["podAffinityTerm"]), kind, ofPod);
      return term && { term, weight: Number(valueAt(value, ["weight"])) };
    })
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ term }) => term);
  const ofAffinity = required("affinity");
  const avoided = required("anti-affinity");
  const first: State = {
    required: requiredTerms(demand),
    preferred: preferredTerms(demand),
    affinity: preferred("affinity"),
    antiAffinity: preferred("anti-affinity"),
    spreads: read(["topologySpreadConstraints"], (value) => spreadTerm(value, ofPod)),
    tolerations: demand.spec.tolerations ?? [],
  };
  const states: State[] = [first];
  const stages: Stage[] = [];
  const stageOf = (state: State, index: number): Stage => {
    const selector = selectorEntries(demand);
    const { ignoresPreferences } = relaxing;
    const [term = []] = state.required;
    const strict = merged([...selector, ...term]);
    const wanted = ignoresPreferences ? undefined : state.preferred[0];
    return {
      index,
      strict,
      requirements: wanted === undefined ? strict : merged([...selector, ...wanted, ...term]),
      tolerations: state.tolerations,
      selected: state.required.map((one) => merged([...selector, ...one])),
      terms: [
        ...state.spreads.filter(({ isRequired }) => isRequired || !ignoresPreferences).map(({ term: one }) => one),
        ...ofAffinity,
        ...(ignoresPreferences ? [] : state.affinity),
        ...avoided,
        ...(ignoresPreferences ? [] : state.antiAffinity),
      ],
    };
  };
  return {
    requests: demand.requests,
    namespace,
    labels,
    ports: hostPorts(demand.spec),
    volumes: demand.volumes.alternatives.map((entries) => merged(entries)),
    avoided,
    unknown,
    stage: (index) => {
      while (states.length <= index) {
        const next = relaxed(states.at(-1)!, relaxing.taintsRelent);
        if (next === undefined) return undefined;
        states.push(next);
      }
      return (stages[index] ??= stageOf(states[index]!, index));
    },
  };
}

const AFFINITY = ["affinity"];
const FIELDS = { affinity: "podAffinity", "anti-affinity": "podAntiAffinity" } as const;
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** `Relax` (preferences.go) takes away one thing at a time. Undefined if nothing is left. */
function relaxed(state: State, taintsRelent: boolean): State | undefined {
  const { required, affinity, antiAffinity, preferred, spreads, tolerations } = state;
  if (required.length > 1) return { ...state, required: required.slice(1) };
  if (affinity.length > 0) return { ...state, affinity: affinity.slice(1) };
  if (antiAffinity.length > 0) return { ...state, antiAffinity: antiAffinity.slice(1) };
  if (preferred.length > 0) return { ...state, preferred: preferred.slice(1) };
  const anyway = spreads.findIndex(({ isRequired }) => !isRequired);
  if (anyway !== -1) {
    // The last takes its place.
    const left = spreads.with(anyway, spreads.at(-1)!).slice(0, -1);
    return { ...state, spreads: left };
  }
  const isTolerant = tolerations.some(
    ({ key = "", operator, value = "", effect }) =>
      key === "" && operator === "Exists" && value === "" && effect === PREFER_NO_SCHEDULE.effect,
  );
  return taintsRelent && !isTolerant ? { ...state, tolerations: [...tolerations, PREFER_NO_SCHEDULE] } : undefined;
}
