/** Karpenter's NodePool as an API kind, with what the CRD of each profile accepts. */
import * as z from "zod/mini";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { admittedTemplate } from "./admitted-node-claim.ts";
import type { CustomResource } from "../crds/crd.ts";
import { karpenterConditions } from "./karpenter-conditions.ts";
import { withKeywords } from "../schema/keywords.ts";
import { limitsSchema, nodePoolSpecWith } from "./node-pool.ts";
import type { Profile } from "../crds/profile.ts";

const count = () => withKeywords(z.int(), { format: "int64" });

const status = () =>
  z.strictObject({
    conditions: z.optional(karpenterConditions()),
    nodeClassObservedGeneration: z.optional(count()),
    // The API server's own rule on the output of `kubectl scale`.
    nodes: z.optional(withKeywords(count().check(z.minimum(0)), { default: 0 })),
    resources: z.optional(limitsSchema),
  });

/** The columns and their order are those of the v1 API's proposal (docs/design.md#the-v1-api-proposal). */
const NODE_POOL_COLUMNS: CustomResource["columns"] = [
  { name: "NodeClass", type: "string", jsonPath: ".spec.template.spec.nodeClassRef.name" },
  { name: "Nodes", type: "string", jsonPath: ".status.nodes" },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  { name: "Weight", type: "integer", jsonPath: ".spec.weight", priority: 1 },
  { name: "CPU", type: "string", jsonPath: ".status.resources.cpu", priority: 1 },
  { name: "Memory", type: "string", jsonPath: ".status.resources.memory", priority: 1 },
];

/** The CRDs are in docs/upstream/karpenter.md#crds. */
export function nodePoolResource(profile: Profile): CustomResource {
  return {
    group: KARPENTER_GROUP,
    version: "v1",
    kind: "NodePool",
    plural: "nodepools",
    singular: "nodepool",
    categories: ["karpenter"],
    scope: "Cluster",
    description: "A pool of nodes that Karpenter provisions for pods that fit nowhere else.",
    spec: () => nodePoolSpecWith(profile, admittedTemplate()),
    specRequired: true,
    status,
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.nodes" },
    columns: NODE_POOL_COLUMNS,
  };
}
