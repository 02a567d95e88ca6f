/** JSON Schema of the answer of `anp why -o json`, on a node, a pod or a pool. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { described, flag, listOf, orNull, text, texts } from "../../model/schema/answer-schema.ts";

const moment = (description: string) => orNull(z.iso.datetime({ offset: true }), description);

const blocker = z.strictObject({
  code: text("What it is, for programs (docs/why.md#what-keeps-a-node)."),
  message: text("What it is, in words."),
  resource: text("The object that it is about: kind and name, with the namespace if it has one."),
  until: moment("When it ends by itself; null if it does not, or at an unknown time."),
  change: orNull(z.string(), "What ends it otherwise; null if nothing has to change."),
});

const blockers = (description: string) => listOf(blocker, description);

const reason = z.strictObject({
  reason: described(
    z.enum(["Empty", "Drifted", "Underutilized", "Unhealthy", "Expired"]),
    "Of Karpenter. An expired node goes whatever its pods and budgets are.",
  ),
  disruptable: flag("Whether nothing keeps Karpenter from taking the node for it now, as far as that was looked at."),
  blockers: blockers("All that keeps it, what Karpenter reports first."),
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
  replacement: described(z.null(), "The node that would take its place: not looked at."),
  monthly: orNull(price, "What the node costs a month that it stays; null if that is not known."),
  notes: texts("What else matters if it goes."),
  notConsidered: texts("What may change the answer and was not looked at."),
});

export type WhyAnswer = z.infer<typeof whySchema>;
