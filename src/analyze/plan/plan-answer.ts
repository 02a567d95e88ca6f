/** JSON Schema of the answer of `anp plan -o json`. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { count, described, flag, listOf, orNull, text, texts } from "../../model/schema/answer-schema.ts";
import { origin } from "../explain/pool-answer.ts";

/** What a plan can leave out. */
export const CONSTRAINT_KINDS = [
  "topology-spread",
  "pod-anti-affinity",
  "pod-affinity",
  "node-selection",
  "requirement",
  "min-values",
  "taints",
  "default-spread",
] as const;

const pod = z.strictObject({
  namespace: text("Its namespace; default if the file has none."),
  name: text("Its name; for a workload, the name of the workload and a number from 0."),
});

const amounts = (description: string) => described(z.record(z.string(), z.string()), description);

/** A price, and what it is of. */
export const money = z.strictObject({
  hourly: described(z.number(), "The price of an hour."),
  monthly: described(z.number(), "The price of 730 hours."),
  currency: text("Three letters, as ISO 4217 has them."),
  insteadOf: text("The region of the pools, of which no prices are known: those of another are shown.").exactOptional(),
  basis: text("What the price is of: the instance type, and on-demand or spot."),
});

const nodeClaim = z.strictObject({
  nodePool: text("The pool."),
  instanceTypes: texts("The types that Karpenter asks for, cheapest first, 600 at most."),
  zones: texts("Where they are offered; empty if the catalogue and the pool do not say."),
  capacityTypes: texts("How they are offered."),
  pods: listOf(pod, "The pods, in the order in which Karpenter places them."),
  requests: amounts("What the pods and the DaemonSets request together, by resource."),
  share: listOf(
    z.strictObject({ resource: text("The resource."), part: described(z.number(), "From 0 to 1.") }),
    "How much of the cheapest type is used, the scarcest resource first.",
  ),
  uses: listOf(
    z.strictObject({
      ...pod.shape,
      name: text("The name of the workload, or of the pod."),
      pods: count("How many of its pods the node has."),
      part: described(z.number(), "Of the cheapest type's scarcest resource, from 0 to 1."),
      hourlyEach: orNull(
        z.number(),
        "What each of these pods costs an hour: the node's price by what its pods request of that resource.",
      ),
    }),
    "How much of it each workload uses; DaemonSets use the rest of the share.",
  ),
  limitedBy: orNull(z.string(), "The resource of which least is left; null without one."),
  price: orNull(money, "Of the cheapest type; null without a known price."),
  atMost: described(money, "What that is at most, if only Spot without a price is launched.").exactOptional(),
  worst: orNull(money, "Of the dearest type, on demand if it may be; null without a known price."),
  ties: listOf(
    z.strictObject({
      key: text("The label."),
      taken: text("The value that anp takes, the first by name."),
      instead: texts("Values that Karpenter may take as well, 20 at most."),
    }),
    "Choices that Karpenter makes at random.",
  ),
});

const attempt = z.strictObject({
  nodePool: text("The pool."),
  why: text("Why it gets no node for the pod."),
});

const perTime = z.strictObject({
  hourly: described(z.number(), "The price of an hour."),
  monthly: described(z.number(), "The price of 730 hours."),
});

const between = z.strictObject({
  least: described(z.number(), "At least."),
  most: described(z.number(), "At most."),
});

export const planSummary = z.strictObject({
  nodes: count("The number of NodeClaims."),
  pods: count("The number of pods that were planned."),
  placed: count("The number of those with a node, new or not."),
  hourly: orNull(z.number(), "The sum of the prices, which is the best case; null if one is not known."),
  monthly: orNull(z.number(), "The same for 730 hours."),
  atMost: described(
    perTime,
    "What the sum of the prices is at most, if it is not known because of Spot without a price.",
  ).exactOptional(),
  worst: orNull(perTime, "With the dearest type of each NodeClaim; null if a price is not known."),
  currency: orNull(z.string(), "Of the sums; null without prices."),
  requests: amounts("What all NodeClaims together request."),
  range: orNull(
    z.strictObject({
      nodes: described(between, "Of the number of NodeClaims."),
      placed: described(between, "Of the number of pods with a node."),
      hourly: orNull(between, "Of the prices; null if one is not known."),
      tried: count("How many other sequences of choices were tried: none with more than 2,000 pods."),
      complete: described(z.boolean(), "Whether these are all; otherwise Karpenter may go beyond."),
    }),
    "The sums over other choices where Karpenter chooses at random; null if it is sure that these change none.",
  ),
});

/** The pods whose fate differs between two plans. */
export const podsBetween = {
  lost: listOf(pod, "The pods that have a node there, and none in the new plan."),
  gained: listOf(pod, "The pods that have a node in the new plan only."),
};

export const planNotConsidered = texts("What may change the plan and was not looked at.");

const side = {
  nodeClaims: listOf(nodeClaim, "The NodeClaims that Karpenter makes, in its order."),
  existing: listOf(
    z.strictObject({ node: text("The node."), pods: listOf(pod, "The pods that go there.") }),
    "Nodes that are there and take some of the pods.",
  ),
  unplaced: listOf(
    z.strictObject({
      ...pod.shape,
      why: text("Why no node starts for it."),
      attempts: listOf(attempt, "By pool, in the order in which Karpenter tries them."),
    }),
    "The pods without a node.",
  ),
  limits: listOf(
    z.strictObject({
      nodePool: text("The pool."),
      resource: text("The resource, or nodes."),
      limit: text("The limit of the pool."),
      used: orNull(z.string(), "What its nodes use of it; null if that is not known."),
      planned: text("What the new nodes take of it, each as its cheapest type."),
      left: text("What then is left of it, of what is known; less than 0 if it is exceeded."),
    }),
    "The limits of the pools that get nodes.",
  ),
  summary: described(planSummary, "All of it together."),
};

const savings = z.strictObject({
  running: described(
    z.strictObject({
      nodes: count("How many nodes Karpenter made for pods; nodes of static pools are not counted."),
      unpriced: count("Of how many no price is known."),
      hourly: orNull(z.number(), "The sum of their prices; null if one is not known."),
    }),
    "What runs.",
  ),
  packed: described(
    z.strictObject({
      nodes: described(between, "How many nodes Karpenter would launch for their pods."),
      unplaced: count("How many of the pods would have no node."),
      hourly: orNull(between, "What they would cost; null if a price is not known."),
      notConsidered: count("How many things may change this and were not looked at; the plan with --empty names them."),
    }),
    "The same pods, as if these nodes were not there.",
  ),
  constraints: listOf(
    z.strictObject({
      kind: described(z.enum(CONSTRAINT_KINDS), "What it is."),
      key: orNull(z.string(), "The label that it is about; null for taints and the default spread."),
      resource: text("The workload or pool that has it: kind and name."),
      place: orNull(z.string(), "File and line; null if they are not known."),
      nodes: described(between, "How many nodes less without it."),
      hourly: orNull(between, "What an hour costs less without it; null if a price is not known."),
      sure: flag("Whether Karpenter chooses nothing at random here; else some other choices were tried at most."),
    }),
    "The constraints that cost most, each left out alone, against the pods packed anew.",
  ),
  tried: count("How many constraints were left out, one after the other."),
  of: count("How many there are."),
});

const shape = {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  catalogue: described(words.catalogue, "The instance types to choose from."),
  ...side,
  before: orNull(
    z.strictObject({
      ...side,
      ...podsBetween,
    }),
    "The plan of the old side for the same pods; null without --against.",
  ),
  savings: orNull(savings, "With --savings; null without, or if nothing says which zones there are."),
  prices: orNull(z.strictObject(origin), "Where the prices are from; null without prices."),
  notConsidered: planNotConsidered,
};

export const planSchema = words.answer("plan -o json", "plan.md", shape);

export type PlanAnswer = z.infer<typeof planSchema>;
