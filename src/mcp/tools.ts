/** The tools of `anp mcp`: the command of each, its arguments, and its lists that may be long. */
import type * as z from "zod";
import { findingsSchema } from "../analyze/check/check-answer.ts";
import { explainSchema } from "../analyze/check/explain-answer.ts";
import { diffSchema } from "../analyze/diff/diff-answer.ts";
import { planSchema } from "../analyze/plan/plan-answer.ts";
import { simulateSchema } from "../analyze/simulate/simulate-answer.ts";
import { whySchema } from "../analyze/why/why-answer.ts";
import type { Fields } from "./fields.ts";

export interface Tool {
  /** The name of the command, too. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: Fields;
  readonly answer: z.ZodType;
  /** The lists of the answer that `limit` and `offset` cut. */
  readonly lists: readonly string[];
  /** What `live` reads. */
  readonly live: string;
  /** Whether `nodeData` without paths has the pools, too. */
  readonly poolsOfDump?: boolean;
}

const SHARED: Fields = {
  paths: { kind: "paths", description: "Files or folders with the manifests; the whole folder if it is left out." },
  hostedCluster: { kind: "text", description: "The namespace of one hosted control plane, if there are several." },
  config: { kind: "path", description: "A RenderConfig." },
  policyDir: { kind: "pattern", description: "Policies are read from this path alone; * stands for each folder." },
  profile: {
    kind: "text",
    choices: ["hypershift", "karpenter-1.14", "karpenter-1.15"],
    description: "The Karpenter that is asked about.",
  },
  karpenterGates: { kind: "text", description: "Karpenter's feature gates, such as StaticCapacity=true." },
};

const POLICY: Fields = {
  policy: { kind: "path", description: "An AutoNodePolicy to compare NodePools of Karpenter with." },
};
const CATALOGUE: Fields = {
  catalogue: { kind: "path", description: "A file of instance types, made by anp catalogue." },
};
const REGION: Fields = { region: { kind: "text", description: "The region of list prices, such as eu-west-1." } };
const PODS: Fields = { pods: { kind: "paths", description: "Files with pods or workloads." } };
const POOLS: Fields = { nodepool: { kind: "texts", description: "Pools by name; all if it is left out." } };
const NODE_DATA: Fields = {
  nodeData: { kind: "path", description: "A file of anp collect: the nodes and pods of a cluster." },
};
const AGAINST: Fields = {
  against: {
    kind: "side",
    description: "The old side: a folder or file, or a branch, tag or commit (ref:NAME where both exist).",
  },
};

export const TOOLS: readonly Tool[] = [
  {
    name: "explain",
    title: "Explain pools",
    description:
      "Whether each NodePool gets nodes, from which instance types and at which price, and which line rules out the rest. With pods: which pool takes each, or why none does.",
    fields: {
      ...SHARED,
      ...POLICY,
      ...CATALOGUE,
      ...REGION,
      ...PODS,
      ...POOLS,
      types: { kind: "flag", description: "List each instance type that is left." },
    },
    answer: explainSchema,
    lists: ["nodePools", "outputs", "pods"],
    live: "The objects of the cluster instead of files.",
  },
  {
    name: "check",
    title: "Check manifests",
    description:
      "What is wrong, surprising or worth knowing in policies, NodePools and node classes, by file and line.",
    fields: {
      ...SHARED,
      ...POLICY,
      ...CATALOGUE,
      baseline: { kind: "path", description: "Accepted findings." },
      rules: { kind: "text", choices: ["rosa", "production"], description: "More rules." },
      minSeverity: { kind: "text", choices: ["error", "warning", "info"], description: "The least severity." },
    },
    answer: findingsSchema,
    lists: ["findings"],
    live: "The objects of the cluster instead of files.",
  },
  {
    name: "diff",
    title: "Compare two sides",
    description:
      "What changes between two sides, and what each change does to nodes: which are replaced, by when, and the money. The new side is paths, the old one a folder or a commit.",
    fields: {
      ...SHARED,
      ...AGAINST,
      ...NODE_DATA,
      ...PODS,
      ...CATALOGUE,
      ...REGION,
      at: { kind: "text", description: "When the change is made, such as 2026-11-23T09:00:00Z." },
      nodeTime: { kind: "text", description: "The assumed time to replace one node, such as 5m." },
      ignore: { kind: "texts", description: "Fields to leave out, such as spec.weight." },
    },
    answer: diffSchema,
    lists: ["changes", "policies"],
    live: "The old side is the cluster. The API server is asked what an apply would change; nothing is applied.",
  },
  {
    name: "simulate",
    title: "Simulate disruption",
    description:
      "What node limits and disruption budgets allow at a moment or over a time, and how long the nodes of each pool take to be replaced.",
    fields: {
      ...SHARED,
      ...NODE_DATA,
      ...POOLS,
      at: { kind: "text", description: "The moment, such as 2026-11-23T09:00:00Z or +8h." },
      from: { kind: "text", description: "The beginning of a timeline." },
      to: { kind: "text", description: "Its end, such as +7d." },
      tz: { kind: "text", description: "The time zone of the times, such as Europe/Berlin." },
      nodes: { kind: "texts", description: "How many nodes pools have, such as web=10." },
      set: { kind: "texts", description: "Changes to try, such as web.limits.nodes=20." },
      batch: { kind: "text", description: "New nodes that one batch of pods needs." },
      nodeTime: { kind: "text", description: "How long replacing one node takes, such as 5m." },
    },
    answer: simulateSchema,
    lists: ["nodePools"],
    live: "The nodes of the cluster.",
  },
  {
    name: "plan",
    title: "Plan nodes for pods",
    description: "Which nodes Karpenter would launch for pods, what they cost, and which pods get none and why.",
    fields: {
      ...SHARED,
      ...POLICY,
      ...PODS,
      ...NODE_DATA,
      ...AGAINST,
      ...CATALOGUE,
      ...REGION,
      replicas: { kind: "texts", description: "As many pods of a workload, such as web=30." },
      scale: { kind: "text", description: "As many times the pods of each workload, such as 2x." },
      withoutZone: { kind: "texts", description: "As if the cloud had no capacity in these zones." },
      withoutTypes: { kind: "texts", description: "As if it had none of these types, such as m5.*." },
      empty: { kind: "flag", description: "All pods of nodeData, as if the cluster had no nodes." },
    },
    answer: planSchema,
    lists: ["nodeClaims", "existing", "unplaced", "limits", "before.nodeClaims", "before.existing", "before.unplaced"],
    live: "The nodes and pods of the cluster.",
  },
  {
    name: "why",
    title: "Explain a node, a pod or a pool of a cluster",
    description:
      "Why a node is still there and what lets it go, why a pod waits or may not be evicted, or what each node of a pool is kept by. It needs nodeData, or paths with a dump of a cluster.",
    fields: {
      name: {
        kind: "name",
        description: "node/NAME, pod/NAMESPACE/NAME, nodepool/NAME, or the name alone.",
      },
      ...SHARED,
      ...POLICY,
      ...NODE_DATA,
      ...CATALOGUE,
      ...REGION,
      at: { kind: "text", description: "The time of the answer, such as 2026-11-23T09:00:00Z; now if it is left out." },
    },
    answer: whySchema,
    lists: ["nodes", "pod.attempts", "drain.held", "replacement.pods", "notes"],
    live: "The nodes and pods of the cluster, and without paths its pools.",
    poolsOfDump: true,
  },
];
