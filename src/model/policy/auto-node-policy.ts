/** AutoNodePolicy v1beta1: what a service provider sets for all pools of a hosted cluster. */
import * as z from "zod/mini";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import type { CustomResource } from "../crds/crd.ts";
import { conditionsSchema, metadataSchema, READY_COLUMNS } from "../schema/metadata.ts";
import { requirementsSchema } from "../requirements/requirement.ts";
import { rootVolumeSchema } from "./root-volume.ts";

/** Only this name is recognised; others are ignored (docs/design.md#the-autonode-policy-enhancement). */
export const POLICY_NAME = "default";

const spec = z.strictObject({
  nodePoolDefaults: z.optional(z.strictObject({ requirements: z.optional(requirementsSchema) })),
  ec2NodeClassDefaults: z.optional(z.strictObject({ rootVolume: z.optional(rootVolumeSchema) })),
});

const given = z.optional(z.unknown());

/**
 * Unknown fields are errors at every level: one may be a restriction in the wrong place, which would not be enforced.
 */
export const autoNodePolicySchema = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.strictObject({
    ...metadataSchema.shape,
    namespace: z.string(),
    generateName: given,
    creationTimestamp: given,
    deletionGracePeriodSeconds: given,
    deletionTimestamp: given,
    finalizers: given,
    generation: given,
    managedFields: given,
    ownerReferences: given,
    resourceVersion: given,
    selfLink: given,
    uid: given,
  }),
  spec: z.optional(spec),
  status: given,
});

export type AutoNodePolicy = z.output<typeof autoNodePolicySchema>;

export const autoNodePolicyResource: CustomResource = {
  group: HYPERSHIFT_KARPENTER_GROUP,
  version: "v1beta1",
  kind: "AutoNodePolicy",
  plural: "autonodepolicies",
  singular: "autonodepolicy",
  scope: "Namespaced",
  description:
    "Defaults and restrictions that a service provider sets for the Karpenter resources of a hosted cluster.",
  spec: () => spec,
  specRequired: false,
  status: () => z.strictObject({ conditions: z.optional(conditionsSchema()) }),
  columns: [...READY_COLUMNS, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
};
