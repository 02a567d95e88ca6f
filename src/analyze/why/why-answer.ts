/** JSON Schema of the answer of `anp why -o json`, on a node, a pod or a pool. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { money } from "../plan/plan-answer.ts";
import { described, flag, listOf, orNull, text, texts } from "../../model/schema/answer-schema.ts";

const moment = (description: string) => orNull(z.iso.datetime({ offset: true }), description);

const blocker = z.strictObject({
  code: text("What it is, for programs (docs/why.md#what-keeps-a-node)."),
  message: text("What it is, in words."),
  resource: text("The object that it is about: kind and name, with the namespace if it has one."),
  until: moment("When it ends by itself; null if it does not, or at an unknown time."),
  change: orNull(z.string(), "What ends it otherwise; null if nothing has to change."),
});

const replacement = z.strictObject({
  nodePool: text("Its pool."),
  instanceTypes: texts("Its types, cheapest first."),
  zones: texts("Where they are offered; empty if the catalogue and the pool do not say."),
  capacityTypes: texts("How they are offered."),
  pods: texts("The pods that it takes: namespace and name."),
  price: orNull(money, "Of the cheapest type; null without a known price."),
});

const removal = z.strictObject({
  outcome: described(
    z.enum(["delete", "replace", "terminate-first", "stays", "unknown"]),
    "What Karpenter decides: terminate-first replaces it after it is gone; stays is one of the blockers too.",
  ),
  code: text("The outcome, or the code of the blocker, or price-unknown."),
  message: text("Where its pods would go, or why the node stays, in words."),
  together: texts("Other nodes that go with it at once."),
  replacements: listOf(replacement, "The nodes that would be launched."),
  moves: listOf(
    z.strictObject({ node: text("The node."), pods: texts("The pods that it takes: namespace and name.") }),
    "Nodes that are there and take its pods.",
  ),
  before: orNull(z.number(), "What the nodes that go cost an hour; null if that is not known."),
  after: orNull(z.number(), "What their replacements cost an hour; null if that is not known."),
  scores: listOf(
    z.strictObject({
      nodePool: text("The pool."),
      score: orNull(z.number(), "Savings divided by disruption; null if nothing is disrupted."),
      threshold: described(z.number(), "The least score that Karpenter approves."),
      savings: described(z.number(), "A part of what the pool costs, from 0 to 1."),
      disruption: described(z.number(), "A part of what it would cost to disrupt the whole pool, from 0 to 1."),
      approved: flag("Whether the score is enough."),
    }),
    "Of pools with the policy Balanced.",
  ),
});

const blockers = (description: string) => listOf(blocker, description);

const reason = z.strictObject({
  reason: described(
    z.enum(["Empty", "Drifted", "Underutilized", "Unhealthy", "Expired"]),
    "Of Karpenter. An expired node goes whatever its pods and budgets are.",
  ),
  disruptable: flag("Whether nothing keeps Karpenter from taking the node for it now, as far as that was looked at."),
  blockers: blockers("All that keeps it, what Karpenter reports first."),
  removal: orNull(
    removal,
    "For Drifted and Underutilized of one node, what Karpenter does with it if no other blocker holds it; null if that was not looked at.",
  ),
});

const nodeOfPool = z.strictObject({
  node: text("The name of the Node; of its NodeClaim if it has no Node yet."),
  reasons: listOf(reason, "Each reason for which Karpenter removes nodes."),
});

const drain = z.strictObject({
  held: blockers("The pods that hold it if Karpenter removes it now, and why."),
  after: orNull(
    z.string(),
    "terminationGracePeriod of its NodeClaim, after which they go; null if they hold it as long as they run.",
  ),
});

const price = z.strictObject({
  monthly: described(z.number(), "The list price of 730 hours."),
  currency: text("Three letters, as ISO 4217 has them."),
  basis: text("What the price is of: the instance type, and on-demand or spot."),
});

const pod = z.strictObject({
  name: text("Its namespace and name."),
  why: text("Why it runs there, or waits."),
  movable: orNull(z.boolean(), "Whether it may be evicted now; null while it is pending."),
  held: blockers("What keeps it from being evicted."),
  expected: orNull(z.string(), "The node that is there and where Karpenter expects it; null if there is none."),
  planned: orNull(
    z.strictObject({ nodePool: text("Its pool."), instanceTypes: texts("Its types, cheapest first.") }),
    "The node that Karpenter would start for it; null if there is none.",
  ),
  attempts: listOf(
    z.strictObject({ nodePool: text("The pool."), why: text("Why it gets no node for the pod.") }),
    "By pool, if it gets no node.",
  ),
});

export const whySchema = words.answer("why -o json", "why.md", {
  schemaVersion: words.schemaVersion,
  kind: described(z.enum(["node", "pod", "nodepool"]), "What was asked about."),
  at: described(z.iso.datetime({ offset: true }), "The time of the answer."),
  node: orNull(z.string(), "The node, or that of the pod; null for a pool, and for a pod that is pending."),
  nodePool: orNull(z.string(), "The pool, or that of the node; null if it is not known."),
  reasons: listOf(reason, "Each reason for which Karpenter removes nodes, for a node; else empty."),
  nodes: listOf(nodeOfPool, "The nodes of a pool; else empty."),
  pod: orNull(pod, "The pod; null for a node and a pool."),
  drain: orNull(drain, "How the node ends once it goes; null for a pod and a pool."),
  replacement: orNull(
    replacement,
    "The node that would take its place, of the first of the reasons with one; null if there is none.",
  ),
  monthly: orNull(price, "What the node costs a month that it stays; null if that is not known."),
  notes: texts("What else matters if it goes."),
  notConsidered: texts("What may change the answer and was not looked at."),
});

export type WhyAnswer = z.infer<typeof whySchema>;
