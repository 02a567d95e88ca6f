/** The answer of `anp explain -o json`: its JSON Schema and its type. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { listOf, orNull, described, text, count, flag, place, texts } from "../../model/schema/answer-schema.ts";
import { poolSchema, poolShape } from "../explain/pool-answer.ts";
import { money } from "../plan/plan-answer.ts";
import { OBSTACLES } from "../pods/attempt.ts";

const podSchema = z.strictObject({
  name: text("Of the pod, or of what makes it."),
  namespace: orNull(z.string(), "Null if it has none."),
  kind: text("Pod, or the kind that makes it."),
  count: orNull(z.int(), "For a cluster's pods: how many are alike; null for those of files."),
  hostedCluster: orNull(z.string(), "The hosted control plane's namespace."),
  ...place,
  requests: described(z.record(z.string(), z.string()), "Amounts by resource."),
  pods: count("How many pods were planned: those of a workload, or those of a cluster that are alike."),
  placed: listOf(
    z.strictObject({
      pool: text("The pool."),
      pods: count("How many of the pods it takes."),
      nodes: count("How many of its new nodes they are on."),
    }),
    "The new nodes by pool, the pool with most of the pods first.",
  ),
  takenBy: orNull(z.string(), "The pool with most of the pods; null unless each of them gets a node."),
  instanceTypes: texts("The instance types that Karpenter may start for it."),
  price: described(
    money,
    "What a pod costs, the mean of its new nodes; left out if that is not known.",
  ).exactOptional(),
  why: orNull(z.string(), "Why no node starts for it, or not for all of its pods; null if each gets one."),
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

const output = z.strictObject({
  ...poolShape,
  madeBy: described(z.enum(["anp", "hypershift"]), "The writer of a wrapper's NodePool."),
  differences: orNull(
    z.array(
      z.strictObject({
        field: text("A JSON path."),
        here: described(z.unknown(), "Null if it is not there."),
        rendered: described(z.unknown(), "What its wrapper renders to now; null if that has no such field."),
      }),
    ),
    "Null if its wrapper renders to nothing now, or is missing.",
  ),
});

export type DescribedOutput = z.infer<typeof output>;

export const explainSchema = words.answer("explain -o json", "explain.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  catalogue: described(words.catalogue, "The catalogue of instance types."),
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

const foundPlace = z.strictObject({
  object: text("Its kind and name."),
  says: text("What the line says."),
  ...place,
});

const eventPart = z.strictObject({
  message: text("Stays the same if Karpenter changes the text."),
  text: text("The part of the event with the message."),
  count: count("How often the event has it, as for several pools."),
  pool: orNull(z.string(), "The pool that the event names; null if it names none."),
  poolRead: orNull(z.boolean(), "Whether the manifests have that pool; null without manifests or pool."),
  pod: orNull(z.string(), "The pod that this part of the event names."),
  means: text("What the message means."),
  change: text("What to change; empty if nothing is wrong."),
  places: listOf(foundPlace, "The lines of the manifests that decide."),
  notes: texts("What was not found or not looked at."),
});

const event = z.strictObject({
  text: text("As it was given; of an object its message."),
  reason: orNull(z.string(), "The reason of the event; null if it is not given."),
  object: orNull(
    z.strictObject({
      kind: text("Its kind."),
      name: text("Its name."),
      namespace: orNull(z.string(), "Null if it is not given."),
    }),
    "The object of the event.",
  ),
  count: count("How often it was given."),
  parts: listOf(eventPart, "The messages in it that anp knows; empty if it knows none."),
  unknown: texts("The rest of the text."),
});

export const eventSchema = words.answer("explain --event -o json", "explain.md", {
  schemaVersion: words.schemaVersion,
  pools: orNull(z.int(), "How many pools the manifests have; null if none were read."),
  cut: flag("Whether the text was too long to be read as a whole."),
  events: listOf(event, "Each event once, in their order."),
});

export type EventAnswer = z.infer<typeof eventSchema>;
export type DescribedEvent = z.infer<typeof event>;
export type DescribedPart = z.infer<typeof eventPart>;
export type FoundPlace = z.infer<typeof foundPlace>;

export type ExplainAnswer = z.infer<typeof explainSchema>;
