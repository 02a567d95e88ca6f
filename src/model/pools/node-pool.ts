/** Karpenter's NodePool v1 as the API server and Karpenter's run time check it, by profile. */
import * as z from "zod/mini";
import { DISRUPTION_DEFAULT, disruptionShape } from "./disruption.ts";
import { withKeywords } from "../schema/keywords.ts";
import { objectWithSpec } from "../schema/metadata.ts";
import { nodeClaimTemplate } from "./node-claim-template.ts";
import type { Profile } from "../crds/profile.ts";
import { withRules } from "../schema/rule.ts";
import { cacheValidation } from "../schema/validation-cache.ts";
import { mapOf } from "../schema/map-of.ts";
import { quantitySchema } from "../values/quantity.ts";

/** `spec.limits` of a pool. */
export const limitsSchema = mapOf(quantitySchema);

/** `spec.weight` of a pool. */
export const weightSchema = withKeywords(z.int().check(z.minimum(1), z.maximum(100)), { format: "int32" });

/** What Karpenter can work with. The CRDs are in docs/upstream/karpenter.md#crds. */
export function nodePoolSpec(profile: Profile) {
  return nodePoolSpecWith(profile, nodeClaimTemplate(true));
}

/** @param template the schema of `spec.template` */
export function nodePoolSpecWith<T extends z.ZodMiniType>(profile: Profile, template: T) {
  const disruption = cacheValidation(z.strictObject(disruptionShape(profile)));
  const shape = z.strictObject({
    template,
    disruption: z.optional(withKeywords(disruption, { default: DISRUPTION_DEFAULT })),
    limits: z.optional(limitsSchema),
    weight: z.optional(weightSchema),
    replicas: z.optional(withKeywords(z.int().check(z.minimum(0)), { format: "int64" })),
  });
  return withRules(shape, [
    {
      cel: "has(self.replicas) == has(oldSelf.replicas)",
      message:
        "Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes",
      // There is no old object offline.
      test: () => true,
    },
    {
      cel: "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))",
      message: "only 'limits.nodes' is supported on static NodePools",
      test: ({ replicas, limits }) =>
        replicas === undefined || Object.keys(limits ?? {}).every((name) => name === "nodes"),
    },
    {
      cel: "!has(self.replicas) || !has(self.weight)",
      message: "'weight' is not supported on static NodePools",
      test: ({ replicas, weight }) => replicas === undefined || weight === undefined,
    },
  ]);
}

/** The whole object, as a user wrote it or a cluster has it. */
export function nodePoolSchema(profile: Profile) {
  return objectWithSpec(nodePoolSpec(profile));
}

/**
 * The fields of a live pool that decide about its nodes. The API server has accepted such an object already. A newer
 * Karpenter may write fields that no profile knows: they pass.
 */
export function livePoolSchema(profile: Profile) {
  const { budgets } = disruptionShape(profile);
  return z.looseObject({
    spec: z.looseObject({
      disruption: z.optional(z.looseObject({ budgets })),
      limits: z.optional(limitsSchema),
      replicas: z.optional(z.int().check(z.minimum(0))),
    }),
  });
}
