/** The answer of `anp explain -o json`: its JSON Schema and its type. */
import * as z from "zod";
import * as words from "../../model/answer-schema.ts";
import { listOf, orNull, said, text } from "../../model/answer-schema.ts";
import { poolSchema, poolShape } from "../explain/pool-answer.ts";
import { podSchema } from "../pods/pod-answer.ts";

const output = z.strictObject({
  ...poolShape,
  madeBy: said(z.enum(["anp", "hypershift"]), "The writer of a wrapper's NodePool."),
  differences: orNull(
    z.array(
      z.strictObject({
        field: text("A JSON path."),
        here: said(z.unknown(), "Null if it is not there."),
        rendered: said(z.unknown(), "What its wrapper renders to now; null if that has no such field."),
      }),
    ),
    "Null if its wrapper renders to nothing now, or is missing.",
  ),
});

export type DescribedOutput = z.infer<typeof output>;

export const explainSchema = words.answer("explain -o json", "explain.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  catalogue: said(words.catalogue, "The catalogue of instance types."),
  nodePools: listOf(poolSchema, "Each pool."),
  outputs: listOf(output, "NodePools that were made of wrappers, as they run.").exactOptional(),
  pods: listOf(podSchema, "With --pods.").exactOptional(),
  notKnown: listOf(
    z.strictObject({
      kind: text("What could not be read."),
      unknown: text("What is unknown without it."),
      reason: text("Why it could not be read."),
    }),
    "What is unknown about a cluster; absent for files.",
  ).exactOptional(),
});

export type ExplainAnswer = z.infer<typeof explainSchema>;
