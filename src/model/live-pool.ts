/** The fields of a live NodePool that decide about its nodes: disruption, limits and replicas. */
import * as z from "zod/mini";
import { disruptionShape } from "./disruption.ts";
import { limitsSchema } from "./limits.ts";
import type { Profile } from "./profile.ts";

/**
 * The API server has accepted such an object already. A newer Karpenter may write fields that no profile knows: they
 * pass.
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
