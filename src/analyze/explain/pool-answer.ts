/** A pool in the answer of `anp explain -o json`: its JSON Schema and its type. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { count, listOf, named, orNull, place, described, text, texts } from "../../model/schema/answer-schema.ts";

export const verdict = z.enum(["ok", "unknown", "narrowed", "unsatisfiable", "bypassed"]);

const demandShape = {
  key: text("The label."),
  from: described(z.enum(["policy", "user", "label", "class"]), "The source of the entry."),
  requirement: text("In Karpenter's print form."),
  written: text("A bound as it was written, such as Gt 15.").exactOptional(),
  meant: texts("The value that was probably meant, if no instance type has the given one.").exactOptional(),
  ...place,
};
const demand = named("explainDemand", demandShape);

const priceShape = {
  type: text("The instance type."),
  price: described(z.number(), "In the currency of the prices."),
  capacityType: orNull(z.string(), "on-demand or spot; null if the catalogue does not have it."),
};
export const price = named("price", priceShape);

export const spread = named("spread", {
  cheapest: described(price, "The lowest."),
  median: described(price, "The median; of an even number the cheaper of the middle two."),
  dearest: described(price, "The highest."),
});

/** The origin of prices. */
export const origin = {
  source: text("The source of the prices."),
  region: orNull(z.string(), "The region of the prices."),
  date: text("The date of the prices."),
  currency: text("Three letters, as ISO 4217 has them; amounts of two currencies are never compared."),
  insteadOf: text(
    "The region of the pools, of which no prices are known: those of `region` are shown, whose order and ratios hold.",
  ).exactOptional(),
};

const prices = z.strictObject({
  ...origin,
  perHour: orNull(spread, "Per hour."),
  perVcpu: orNull(spread, "Per hour, for each vCPU."),
  atMost: described(
    spread,
    "If a pool takes Spot and no price per hour is known: the prices on demand, which Spot does not exceed.",
  ).exactOptional(),
  unpriced: texts("Types that are left and have no price."),
  costs: listOf(
    z.strictObject({ ...demandShape, ...priceShape }),
    "By entry the cheapest type that the pool could launch without it, if that is cheaper than the cheapest now.",
  ),
});

const key = z.strictObject({
  key: text("The label."),
  policy: texts("The policy's requirement, in Karpenter's print form."),
  user: texts("The pool's requirement."),
  effective: text("The combination of both."),
  set: described(
    z.strictObject({
      operator: text("As in a manifest."),
      values: texts("The values that are let in, or excluded."),
      gte: orNull(z.union([z.int(), z.string()]), "The lower bound; a text if it is too large for a number."),
      lte: orNull(z.union([z.int(), z.string()]), "The upper bound; a text if it is too large for a number."),
      minValues: orNull(z.int(), "The minimum number of different values."),
    }),
    "The same as data.",
  ),
  outcome: described(
    z.enum([
      "policy-only",
      "user-only",
      "same",
      "narrowed",
      "empty-blocking",
      "empty-bypassed",
      "widened",
      "drifts",
      "ignored",
      "undecided",
      "foreign",
    ]),
    "The result of policy and pool together.",
  ),
  entries: listOf(demand, "Both sides with their places, in the order in which Karpenter gets them."),
});

const bound = z.strictObject({
  field: text("The field of the pool."),
  given: orNull(z.string(), "Null if the wrapper leaves it to Karpenter."),
  value: text("The result."),
  keeps: texts("For a budget: the reasons to which the former value still applies.").exactOptional(),
  unreadable: text("Why Karpenter cannot read the budget.").exactOptional(),
  ...place,
  by: described(z.strictObject(place), "The place in the RenderConfig."),
});

const limit = z.strictObject({
  resource: text("As in spec.limits."),
  limit: text("As written."),
  types: count("Instance types above it, of those that the entries leave."),
  ...place,
});

const underPolicy = z.strictObject({
  verdict: described(z.enum(["within", "narrowed", "unsatisfiable", "bypassed"]), "The result for the pool."),
  compatible: count("How many instance types would be left."),
  beyond: listOf(
    z.strictObject({
      key: text("The label."),
      policy: listOf(demand, "The policy's requirement."),
      user: listOf(demand, "The pool's requirement."),
    }),
    "Labels on which the pool admits more than the policy.",
  ),
});

const ready = named("reportedReady", {
  status: text("True, False or Unknown."),
  reason: text("In one word; empty if there is none."),
  message: text("In a sentence; empty if there is none."),
});

export const poolShape = {
  name: text("Of the pool."),
  hostedCluster: text("The hosted control plane's namespace, if there is one.").optional(),
  verdict: described(verdict, "The first verdict that applies (docs/explain.md)."),
  unknown: listOf(
    z.strictObject({
      entry: text("The requirement as written, or the field."),
      placeholder: text("As written."),
      from: described(z.enum(["user", "class"]), "The pool or its node class."),
      ...place,
    }),
    "What the verdict depends on and a placeholder decides: then the verdict is unknown.",
  ).exactOptional(),
  ready: described(ready, "The condition Ready of the object, if the input has its status.").exactOptional(),
  provider: described(
    z.strictObject({ name: text("In one word."), title: text("In words.") }),
    "The Karpenter that makes its nodes.",
  ),
  ...place,
  catalogue: described(words.catalogue, "The catalogue for this pool, if a RenderConfig names one.").exactOptional(),
  policy: orNull(z.strictObject(place), "Null if no policy was read: then none is enforced."),
  requirements: listOf(key, "The requirements of the pool and its policy on each label."),
  instanceTypes: described(
    z.strictObject({
      total: count("How many there are."),
      compatible: count("How many are left."),
      names: texts("Those that are left."),
    }),
    "What the pool may launch.",
  ),
  eliminated: listOf(
    z.strictObject({
      ...demandShape,
      types: count("Instance types that this entry excludes."),
      only: count("Those of them that no other entry excludes."),
    }),
    "The entries that exclude types, the largest effect first.",
  ),
  conflict: listOf(demand, "The smallest set of entries that leaves no node; empty unless unsatisfiable."),
  otherConflicts: listOf(z.array(demand), "Further sets that leave none, of entries that no other conflict has."),
  minValuesMissed: listOf(
    z.strictObject({
      key: text("The label."),
      wanted: count("The required number of values."),
      found: count("How many there are."),
    }),
    "Labels with too few values left.",
  ),
  noNodes: texts("Why no node is made, whatever the instance types."),
  unread: texts("What decides about nodes and anp does not read: expressions of the node class.").exactOptional(),
  limits: listOf(limit, "The limits of the pool that exclude instance types.").exactOptional(),
  zones: described(
    z.strictObject({ allowed: texts("Where nodes may be."), excluded: texts("Where none may be.") }),
    "Among the zones that the catalogue has.",
  ),
  prices: orNull(prices, "Null if no prices are known."),
  underPolicy: described(
    underPolicy,
    "With --policy: the result of placing its entries before the pool's own.",
  ).exactOptional(),
  bounds: listOf(bound, "The bounds of a RenderConfig on how long nodes may stay.").exactOptional(),
  taints: texts("As kubectl writes them."),
  nodeClass: text("Its name."),
  weight: described(z.int(), "0 where the pool has none."),
  order: described(
    z.strictObject({ place: count("From 1."), of: count("How many pools there are.") }),
    "Karpenter tries pools in this order.",
  ),
};

export const poolSchema = z.strictObject(poolShape);

export type DescribedPool = z.infer<typeof poolSchema>;
export type DescribedLimit = z.infer<typeof limit>;
export type DescribedDemand = z.infer<typeof demand>;
export type ReportedReady = z.infer<typeof ready>;
export type DescribedKey = z.infer<typeof key>;
export type DescribedBound = z.infer<typeof bound>;
export type DescribedUnderPolicy = z.infer<typeof underPolicy>;
export type DescribedPrices = z.infer<typeof prices>;
export type DescribedPrice = z.infer<typeof price>;
export type DescribedSpread = z.infer<typeof spread>;
export type DescribedCatalogue = z.infer<typeof words.catalogue>;
export type DescribedSpreads = Pick<DescribedPrices, "perHour" | "perVcpu">;
export type DescribedOrigin = Pick<DescribedPrices, "source" | "region" | "date" | "currency" | "insteadOf">;
export type DescribedSet = DescribedKey["set"];
export type DescribedRequirement = Pick<DescribedDemand, "key" | "requirement">;
export type KeySummary = Pick<DescribedKey, "key" | "effective" | "set">;

/** The fields of a pool that tables have. */
export interface PoolSummary extends Pick<
  DescribedPool,
  | "name"
  | "hostedCluster"
  | "verdict"
  | "unknown"
  | "provider"
  | "ready"
  | "catalogue"
  | "instanceTypes"
  | "conflict"
  | "minValuesMissed"
  | "noNodes"
  | "unread"
  | "zones"
  | "underPolicy"
> {
  readonly requirements: readonly KeySummary[];
  /** Null if no prices are known. */
  readonly prices: Pick<DescribedPrices, "currency" | "insteadOf" | "perHour" | "atMost"> | null;
}
