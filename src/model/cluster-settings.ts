/** What a hosted cluster that was found may have otherwise than all others. */
import * as z from "zod/mini";
import { once } from "./once.ts";
import { PROFILES } from "./profile.ts";
import { NODE_LIMITS, watchDuration } from "./watch-fields.ts";

/** As in docs/watch-fleet.md#settings-of-one-cluster. */
export const clusterSettingsSchema = once(() =>
  z.strictObject({
    interval: z.optional(watchDuration()),
    maxPrune: z.optional(z.int().check(z.minimum(0))),
    onPolicyUnreadable: z.optional(z.enum(["Hold", "Permissive"])),
    nodeLimits: z.optional(z.enum(NODE_LIMITS)),
    profile: z.optional(z.enum(PROFILES)),
    installCrds: z.optional(z.boolean()),
    dryRun: z.optional(z.boolean()),
    /** The `spec` of a RenderConfig, in place of that of all clusters. Whether it is one, the pass says. */
    renderConfig: z.optional(z.looseObject({})),
  }),
);

export type ClusterSettings = z.output<ReturnType<typeof clusterSettingsSchema>>;
