/** OpenshiftNodePool v1beta1: the wrapper of Karpenter's NodePool, for users of a cluster. */
import * as z from "zod/mini";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import type { CustomResource } from "../crds/crd.ts";
import { DISRUPTION_DEFAULT, disruptionShape } from "./disruption.ts";
import { withKeywords } from "../schema/keywords.ts";
import { limitsSchema, weightSchema } from "./node-pool.ts";
import { conditionsSchema, objectWithSpec, READY_COLUMNS } from "../schema/metadata.ts";
import { nodeClaimTemplate } from "./node-claim-template.ts";
import type { Profile } from "../crds/profile.ts";

/** How `limits.nodes` binds (docs/design.md#the-node-limits-rfc); Karpenter's own CRD has no such field. */
const nodeLimitMode = withKeywords(z.enum(["Hard", "Soft"]), { default: "Hard" });

function spec(profile: Profile) {
  return z.strictObject({
    // The enhancement's sample leaves nodeClassRef out, and a pool without requirements takes the policy's.
    template: nodeClaimTemplate(false),
    disruption: z.optional(
      withKeywords(z.strictObject({ ...disruptionShape(profile), nodeLimitMode: z.optional(nodeLimitMode) }), {
        default: DISRUPTION_DEFAULT,
      }),
    ),
    limits: z.optional(limitsSchema),
    weight: z.optional(weightSchema),
  });
}

/** As in docs/upstream/hypershift.md#openshiftnodepool. */
export function openshiftNodePoolSchema(profile: Profile) {
  return objectWithSpec(spec(profile));
}

export type OpenshiftNodePool = z.output<ReturnType<typeof openshiftNodePoolSchema>>;

export function openshiftNodePoolResource(profile: Profile): CustomResource {
  return {
    group: HYPERSHIFT_KARPENTER_GROUP,
    version: "v1beta1",
    kind: "OpenshiftNodePool",
    plural: "openshiftnodepools",
    singular: "openshiftnodepool",
    shortNames: ["onp", "onps"],
    scope: "Cluster",
    description: "A pool of nodes that Karpenter provisions, within the AutoNodePolicy of the hosted cluster.",
    spec: () => spec(profile),
    specRequired: true,
    status: () => z.strictObject({ conditions: z.optional(conditionsSchema()), resources: z.optional(limitsSchema) }),
    columns: [
      { name: "NodeClass", type: "string", jsonPath: ".spec.template.spec.nodeClassRef.name" },
      { name: "Nodes", type: "string", jsonPath: ".status.resources.nodes" },
      ...READY_COLUMNS,
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      { name: "Weight", type: "integer", jsonPath: ".spec.weight", priority: 1 },
      { name: "CPU", type: "string", jsonPath: ".status.resources.cpu", priority: 1 },
      { name: "Memory", type: "string", jsonPath: ".status.resources.memory", priority: 1 },
    ],
  };
}
