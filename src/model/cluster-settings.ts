/** The settings that a discovered hosted cluster may override. */
import * as z from "zod/mini";
import { memoize } from "./memoize.ts";
import { PROFILES } from "./profile.ts";
import { NODE_LIMITS, watchDuration } from "./watch-fields.ts";

/** As in docs/watch-fleet.md#settings-of-one-cluster. */
export const clusterSettingsSchema = memoize(() =>
  z.strictObject({
    interval: z.optional(watchDuration()),
    maxPrune: z.optional(z.int().check(z.minimum(0))),
    onPolicyUnreadable: z.optional(z.enum(["Hold", "Permissive"])),
    nodeLimits: z.optional(z.enum(NODE_LIMITS)),
    profile: z.optional(z.enum(PROFILES)),
    installCrds: z.optional(z.boolean()),
    dryRun: z.optional(z.boolean()),
    /** The `spec` of a RenderConfig, instead of the one for all clusters. A pass validates it. */
    renderConfig: z.optional(z.looseObject({})),
  }),
);

export type ClusterSettings = z.output<ReturnType<typeof clusterSettingsSchema>>;
