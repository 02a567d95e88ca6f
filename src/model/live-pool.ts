/** What decides about the nodes of a NodePool on a cluster: disruption, limits and replicas. */
import * as z from "zod/mini";
import { disruptionShape } from "./disruption.ts";
import { limitsSchema } from "./limits.ts";
import type { Profile } from "./profile.ts";

/**
 * The API server has taken such an object already. A newer Karpenter may write fields that no profile knows: they pass.
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
