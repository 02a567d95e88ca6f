/** Karpenter's NodeClaim v1: a requested node and its state. */
import * as z from "zod/mini";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { admittedClaim } from "./admitted-node-claim.ts";
import type { CustomResource } from "../crds/crd.ts";
import { karpenterConditions } from "./karpenter-conditions.ts";
import { kubernetesTime } from "../values/kubernetes-time.ts";
import { mapOf } from "../schema/map-of.ts";
import { quantitySchema } from "../values/quantity.ts";
import { withRule } from "../schema/rule.ts";

const amounts = () => z.optional(mapOf(quantitySchema));

const spec = () =>
  withRule(
    z.strictObject({ ...admittedClaim(), resources: z.optional(z.strictObject({ requests: amounts() })) }),
    // There is no old object offline.
    { cel: "self == oldSelf", message: "spec is immutable", test: () => true },
  );

const text = () => z.optional(z.string());

const status = () =>
  z.strictObject({
    allocatable: amounts(),
    capacity: amounts(),
    conditions: z.optional(karpenterConditions({ emptyReason: true })),
    imageID: text(),
    lastPodEventTime: z.optional(kubernetesTime()),
    nodeName: text(),
    providerID: text(),
  });

/** The columns and their order are those of the v1 API's proposal (docs/design.md#the-v1-api-proposal). */
const NODE_CLAIM_COLUMNS: CustomResource["columns"] = [
  { name: "Type", type: "string", jsonPath: ".metadata.labels.node\\.kubernetes\\.io/instance-type" },
  { name: "Capacity", type: "string", jsonPath: ".metadata.labels.karpenter\\.sh/capacity-type" },
  { name: "Zone", type: "string", jsonPath: ".metadata.labels.topology\\.kubernetes\\.io/zone" },
  { name: "Node", type: "string", jsonPath: ".status.nodeName" },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  { name: "ID", type: "string", jsonPath: ".status.providerID", priority: 1 },
  { name: "NodePool", type: "string", jsonPath: ".metadata.labels.karpenter\\.sh/nodepool", priority: 1 },
  { name: "NodeClass", type: "string", jsonPath: ".spec.nodeClassRef.name", priority: 1 },
];

/** The same in every profile (docs/upstream/karpenter.md#nodeclaims). */
export const nodeClaimResource: CustomResource = {
  group: KARPENTER_GROUP,
  version: "v1",
  kind: "NodeClaim",
  plural: "nodeclaims",
  singular: "nodeclaim",
  categories: ["karpenter"],
  scope: "Cluster",
  description: "One node that Karpenter launches, registers and ends.",
  spec,
  specRequired: true,
  status,
  columns: NODE_CLAIM_COLUMNS,
};
