/** The answer of `anp guard --touch -o json` as a JSON Schema. */
import * as z from "zod";
import { diffSchema } from "./diff.ts";
import { answer, flag, listOf, named, orNull, said, schemaVersion, text, texts } from "./words.ts";

const object = named("touched", {
  resource: z.strictObject({
    apiVersion: text("As the object has it."),
    kind: text("As the object has it."),
    name: text("Of the object."),
  }),
  state: said(
    z.enum(["carries", "touched", "refused", "left"]),
    "carries: before anybody touched it. left: it does not carry the policy, and was not touched.",
  ),
  why: orNull(z.string(), "The API server's words where it refused; else null."),
});

export const touchSchema = answer("guard --touch", "guard.md#touching-for-programs", {
  schemaVersion,
  dryRun: flag("Nothing was touched."),
  inForce: orNull(z.boolean(), "Whether the cluster holds pools to this policy; null where it could not be asked."),
  objects: listOf(object, "Each NodePool, and each node class where the policy has a root volume."),
  notes: texts("What could not be read, and what follows from it."),
  diff: orNull(diffSchema, "What touching changes, as anp diff says it; null where nothing is touched."),
  problem: orNull(z.string(), "Why it did not come to its end; null where it did."),
});
