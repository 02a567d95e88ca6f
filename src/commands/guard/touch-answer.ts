/** JSON Schema of the answer of `anp guard --touch -o json`. */
import * as z from "zod";
import { diffSchema } from "../../analyze/diff/diff-answer.ts";
import {
  answer,
  flag,
  listOf,
  named,
  orNull,
  described,
  schemaVersion,
  text,
  texts,
} from "../../model/schema/answer-schema.ts";

const object = named("touched", {
  resource: z.strictObject({
    apiVersion: text("As the object has it."),
    kind: text("As the object has it."),
    name: text("Of the object."),
  }),
  state: described(
    z.enum(["carries", "touched", "refused", "left"]),
    "carries: it had the policy before. left: it does not carry the policy, and was not touched.",
  ),
  why: orNull(z.string(), "The API server's error if it refused; otherwise null."),
});

export const touchSchema = answer("guard --touch", "guard.md#touching-for-programs", {
  schemaVersion,
  dryRun: flag("Nothing was touched."),
  inForce: orNull(z.boolean(), "Whether the cluster enforces this policy on pools; null if that is unknown."),
  objects: listOf(object, "Each NodePool, and each node class if the policy has a root volume."),
  notes: texts("What could not be read, and the consequence."),
  diff: orNull(diffSchema, "The changes of touching, as in anp diff; null if nothing is touched."),
  problem: orNull(z.string(), "Why it did not finish; null if it did."),
});

export type DescribedTouch = z.infer<typeof touchSchema>;
