/** A pod in the answer of `anp explain --pods -o json`: its JSON Schema. */
import * as z from "zod";
import { count, flag, listOf, orNull, place, said, text, texts } from "../../model/answer-schema.ts";
import { OBSTACLES } from "./attempt.ts";

export const podSchema = z.strictObject({
  name: text("Of the pod, or of what makes it."),
  namespace: orNull(z.string(), "Null if it has none."),
  kind: text("Pod, or the kind that makes it."),
  count: orNull(z.int(), "For a cluster's pods: how many are alike; null for those of files."),
  hostedCluster: orNull(z.string(), "The hosted control plane's namespace."),
  ...place,
  requests: said(z.record(z.string(), z.string()), "Amounts by resource."),
  takenBy: orNull(z.string(), "The pool; null if none takes it."),
  instanceTypes: texts("The instance types that Karpenter may start for it."),
  why: orNull(z.string(), "Why no node starts for it; null if one does."),
  attempts: listOf(
    z.strictObject({
      pool: text("Its name."),
      fits: flag("Whether the pool could take the pod if there were no other."),
      instanceTypes: count("How many instance types could start for it."),
      reason: orNull(z.enum([...OBSTACLES, "machine-image"]), "Why not; null when it fits."),
      sentence: text("The same as a sentence."),
    }),
    "In the order in which Karpenter tries the pools.",
  ),
  notConsidered: texts("What may decide about its node and was not evaluated."),
});
