/** JSON Schemas of the answers of `anp rollout plan` and `anp rollout status`. */
import * as z from "zod";
import {
  answer,
  count,
  described,
  listOf,
  orNull,
  requirement,
  schemaVersion,
  text,
  texts,
} from "../../model/schema/answer-schema.ts";
import { rolloutOfClusters, sumOfChanges } from "../diff/diff-answer.ts";
import { PROGRESS } from "./cluster-progress.ts";

const policy = z.strictObject({
  requirements: listOf(requirement, "As in an AutoNodePolicy."),
  rootVolume: orNull(
    z.strictObject({
      volumeSize: text("As in an AutoNodePolicy.").optional(),
      volumeType: text("As in an AutoNodePolicy.").optional(),
      encrypted: described(z.boolean(), "As in an AutoNodePolicy.").optional(),
      iops: count("As in an AutoNodePolicy.").optional(),
      throughput: count("As in an AutoNodePolicy.").optional(),
    }),
    "As in an AutoNodePolicy; null if it sets none.",
  ),
});

export const rolloutPlanSchema = answer("rollout plan -o json", "rollout.md", {
  schemaVersion,
  waves: listOf(
    z.strictObject({
      name: text("The part of --waves that it is from."),
      ...sumOfChanges,
      files: texts("The files that the wave changes, relative to the current folder."),
      remove: texts("The files that the wave removes."),
      clusters: listOf(
        z.strictObject({
          hostedCluster: text("The hosted control plane's namespace."),
          ...rolloutOfClusters,
          policy: described(policy, "The policy after the wave, by which `anp rollout status` knows it."),
        }),
        "Its hosted clusters.",
      ),
    }),
    "In their order.",
  ),
  written: orNull(z.string(), "The directory of -d; null without it."),
});

export const rolloutStatusSchema = answer("rollout status -o json", "rollout.md", {
  schemaVersion,
  converged: described(z.boolean(), "Whether all waves have converged."),
  waves: listOf(
    z.strictObject({
      name: text("As in the plan."),
      converged: described(z.boolean(), "Whether all of its clusters have converged."),
      clusters: listOf(
        z.strictObject({
          hostedCluster: text("The hosted control plane's namespace."),
          state: described(
            z.enum(PROGRESS),
            "not-in-files: the manifests do not have the policy of the plan. not-applied: the cluster has other NodePools than the manifests render. replacing: nodes drift. converged: no node drifts. unknown: the cluster was not read.",
          ),
          nodes: orNull(
            z.strictObject({ total: count("Nodes of the rendered pools."), outdated: count("Those that drift.") }),
            "Null if they were not counted.",
          ),
          why: text("The reason."),
        }),
        "Its hosted clusters.",
      ),
    }),
    "In their order.",
  ),
});

export type RolloutPlan = z.infer<typeof rolloutPlanSchema>;
export type PlannedWave = RolloutPlan["waves"][number];
export type RolloutStatus = z.infer<typeof rolloutStatusSchema>;
