/** The kinds that `anp explain --event --live` reads beside pools and classes. */
import { namedIn } from "../../analyze/check/event-objects.ts";
import type { ReadEvent } from "../../analyze/explain/read-events.ts";
import type { DumpedKind } from "../../cluster/read/live-dump.ts";
import { NODE_CLAIMS } from "./live-clusters.ts";
import { ofKubernetes } from "./of-kubernetes.ts";

/** More pods are read together with all others. */
const MOST_PODS = 20;

/** Of a name that the API server may have given: the text of an event must not choose another selector. */
const POD_NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/;

/** A large cluster has many pods, and an event names one. */
export function kindsOfEvents(events: readonly ReadEvent[]): DumpedKind[] {
  const { nodes, pods, makers, podBudgets } = namedIn(events);
  const names = [...pods].filter((name) => POD_NAME.test(name));
  const ofName = names.map((name) => ({ ...PODS, fieldSelector: `metadata.name=${name}` }));
  return [
    ...(nodes ? NODES : []),
    ...(names.length > MOST_PODS ? [PODS] : ofName),
    ...(makers ? MAKERS : []),
    ...(podBudgets ? [POD_BUDGETS] : []),
  ];
}

const PODS = ofKubernetes("Pod", "pods", "the pods that the events name are unknown");

const NODES: readonly DumpedKind[] = [
  ofKubernetes("Node", "nodes", "the nodes that the events name are unknown"),
  { ...NODE_CLAIMS, unknown: "the NodeClaims that the events name are unknown" },
];

const MAKER = "what makes the pods that the events name is unknown";

const MAKERS: readonly DumpedKind[] = [
  ofKubernetes("Deployment", "deployments", MAKER, "apps"),
  ofKubernetes("StatefulSet", "statefulsets", MAKER, "apps"),
  ofKubernetes("DaemonSet", "daemonsets", MAKER, "apps"),
  ofKubernetes("Job", "jobs", MAKER, "batch"),
];

const POD_BUDGETS = ofKubernetes(
  "PodDisruptionBudget",
  "poddisruptionbudgets",
  "the PodDisruptionBudgets that the events name are unknown",
  "policy",
);
