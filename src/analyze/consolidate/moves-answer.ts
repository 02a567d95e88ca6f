/** JSON Schema of the answer of `anp plan --consolidate -o json`. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { count, described, listOf, orNull, text, texts } from "../../model/schema/answer-schema.ts";
import { origin } from "../explain/pool-answer.ts";
import { METHODS } from "../moves/next-command.ts";

const place = {
  nodePool: text("Its pool."),
  instanceType: orNull(z.string(), "Its type; null if its labels do not say."),
  zone: orNull(z.string(), "Its zone; null if that is not known."),
  capacityType: orNull(z.string(), "on-demand, spot or reserved; null if its labels do not say."),
  hourly: orNull(z.number(), "Its price an hour; null if that is not known."),
};

const removed = z.strictObject({
  node: text("The name of the Node; of a node that an earlier move started, its name in this answer."),
  ...place,
});

const started = z.strictObject({
  node: text("A name for it in this answer: the pool and a number."),
  ...place,
  instanceTypes: texts("The types that Karpenter asks for, cheapest first, 600 at most; the first one starts."),
  zones: texts("Where they are offered."),
  capacityTypes: texts("How they are offered."),
  pods: texts("The pods that it takes: namespace and name."),
});

const arrivals = listOf(
  z.strictObject({ node: text("The node."), pods: texts("The pods that it takes: namespace and name.") }),
  "Nodes that are there and take pods.",
);

const change = {
  started: listOf(started, "The nodes that start."),
  moved: arrivals,
};

const move = z.strictObject({
  reason: described(z.enum(["Empty", "Drifted", "Underutilized"]), "The reason of Karpenter."),
  method: described(z.enum(METHODS), "Karpenter's method that finds it."),
  decision: described(
    z.enum(["delete", "replace", "terminate-first"]),
    "terminate-first removes the node before what replaces it starts.",
  ),
  removed: listOf(removed, "The nodes that go."),
  ...change,
  saves: orNull(z.number(), "What the nodes cost less an hour afterwards; less than 0 if more; null if not known."),
});

const sum = z.strictObject({
  nodes: count("The nodes that Karpenter made."),
  hourly: orNull(z.number(), "What they cost an hour; null if a price is not known."),
  monthly: orNull(z.number(), "The same for 730 hours."),
});

const summary = z.strictObject({
  moves: count("How many moves there are."),
  removed: count("How many nodes go in them; one that a move starts may go in a later one."),
  started: count("How many nodes start in them."),
  before: described(sum, "The cluster as it is."),
  after: described(sum, "The cluster after the last move."),
});

const stops = z.strictObject({
  code: described(
    z.enum(["settled", "no-pools", "circle", "too-many"]),
    "settled: Karpenter takes no node any more. no-pools: no pool may get nodes. circle: the last moves come again and again. too-many: no more moves were looked for.",
  ),
  message: text("The same in words."),
});

const staying = z.strictObject({
  code: text("Why, for programs (docs/why.md#what-keeps-a-node)."),
  message: text("Why the first of these nodes stays, in words."),
  nodes: texts("The nodes."),
});

const removal = z.strictObject({
  removed: listOf(removed, "The nodes."),
  ...change,
  unplaced: listOf(
    z.strictObject({ pod: text("Its namespace and name."), why: text("Why it gets no node.") }),
    "Pods that fit nowhere.",
  ),
  held: listOf(
    z.strictObject({
      node: text("The node."),
      why: text("The pod and what holds it, in words."),
    }),
    "Pods that cannot be evicted now, so that a drain waits for them.",
  ),
  lost: texts("Pods that no controller makes again."),
  saves: orNull(z.number(), "What the nodes cost less an hour afterwards; less than 0 if more; null if not known."),
});

export const movesSchema = words.answer("plan --consolidate -o json", "plan.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  at: described(z.iso.datetime({ offset: true }), "The time of the answer."),
  catalogue: described(words.catalogue, "The instance types to choose from."),
  underWay: described(
    z.strictObject({ ...change, gone: texts("Nodes that go already.") }),
    "What ends before the first move: pods that wait get nodes, and nodes that go are gone.",
  ),
  removal: orNull(removal, "What comes of the nodes of --remove; null without it."),
  moves: listOf(move, "In the order in which Karpenter makes them; empty without --consolidate."),
  summary: described(summary, "All of it together."),
  stops: orNull(stops, "Why there is no other move; null without --consolidate."),
  staying: listOf(staying, "Why the nodes that are left stay, the most frequent reason first."),
  asItIs: orNull(
    summary,
    "The same without --consolidation-policy, --consolidate-after and --gates; null without them.",
  ),
  prices: orNull(z.strictObject(origin), "Where the prices are from; null without prices."),
  ties: texts("Where Karpenter chooses at random, or the cloud decides."),
  notes: texts("What else matters."),
  notConsidered: texts("What may change the answer and was not looked at."),
});

export type MovesAnswer = z.infer<typeof movesSchema>;
