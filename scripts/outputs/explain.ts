/** The answer of `anp explain -o json` as a JSON Schema. */
import * as z from "zod";
import { OBSTACLES } from "../../src/analyze/pods/attempt.ts";
import * as words from "./words.ts";
import { count, flag, listOf, named, orNull, place, said, text, texts } from "./words.ts";

const verdict = z.enum(["ok", "unknown", "narrowed", "unsatisfiable", "bypassed"]);

const demandShape = {
  key: text("The label."),
  from: said(z.enum(["policy", "user", "label", "class"]), "Whose entry it is."),
  requirement: text("In Karpenter's print form."),
  written: text("A bound as somebody wrote it, such as Gt 15.").optional(),
  meant: texts("What was most likely meant, where no instance type has what is asked for.").optional(),
  ...place,
};
const demand = named("explainDemand", demandShape);

const priceShape = {
  type: text("The instance type."),
  price: said(z.number(), "In the currency of the prices."),
  capacityType: orNull(z.string(), "Null where the catalogue does not say it."),
};
const price = named("explainPrice", priceShape);

const spread = named("explainSpread", {
  cheapest: said(price, "The lowest."),
  median: said(price, "The one in the middle."),
  dearest: said(price, "The highest."),
});

const prices = z.strictObject({
  source: text("Whose prices they are."),
  region: orNull(z.string(), "The region that they are of."),
  date: text("When they were taken."),
  currency: text("Three letters, as ISO 4217 has them."),
  perHour: orNull(spread, "An hour."),
  perVcpu: orNull(spread, "An hour, for each vCPU."),
  unpriced: texts("Types that are left and have no price."),
  costs: listOf(
    z.strictObject({ ...demandShape, ...priceShape }),
    "By entry the cheapest type that the pool could launch without it, where that is cheaper than what it can.",
  ),
});

const key = z.strictObject({
  key: text("The label."),
  policy: texts("What the policy says of it, in Karpenter's print form."),
  user: texts("What the pool says of it."),
  effective: text("What both come to."),
  set: said(
    z.strictObject({
      operator: text("As in a manifest."),
      values: texts("Those that are let in, or left out."),
      gte: orNull(z.union([z.int(), z.string()]), "No less; a text where it is too large for a number."),
      lte: orNull(z.union([z.int(), z.string()]), "No more; a text where it is too large for a number."),
      minValues: orNull(z.int(), "So many different values, or more."),
    }),
    "The same as data.",
  ),
  outcome: said(
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
      "foreign",
    ]),
    "What became of policy and pool together.",
  ),
  entries: listOf(demand, "Both sides with their places, in the order Karpenter gets them."),
});

const bound = z.strictObject({
  field: text("The field of the pool."),
  given: orNull(z.string(), "Null where the wrapper leaves it to Karpenter."),
  value: text("What it came to."),
  keeps: texts("Of a budget: the reasons that it is for as before.").optional(),
  unreadable: text("Why Karpenter cannot read the budget.").optional(),
  ...place,
  by: said(z.strictObject(place), "In the RenderConfig."),
});

const underPolicy = z.strictObject({
  verdict: said(z.enum(["within", "narrowed", "unsatisfiable", "bypassed"]), "What would become of the pool."),
  compatible: count("How many instance types would be left."),
  beyond: listOf(
    z.strictObject({
      key: text("The label."),
      policy: listOf(demand, "What the policy says of it."),
      user: listOf(demand, "What the pool says of it."),
    }),
    "Labels on which the pool admits more than the policy.",
  ),
});

const poolShape = {
  name: text("Of the pool."),
  hostedCluster: text("The hosted control plane's namespace, where there is one.").optional(),
  verdict: said(verdict, "The first that holds (docs/explain.md)."),
  provider: said(
    z.strictObject({ name: text("In one word."), title: text("In words.") }),
    "Whose Karpenter makes its nodes.",
  ),
  ...place,
  catalogue: said(words.catalogue, "That it was asked about, where a RenderConfig names one.").optional(),
  policy: orNull(z.strictObject(place), "Null where no policy was read: then none is enforced."),
  requirements: listOf(key, "What the pool and its policy say of each label."),
  instanceTypes: said(
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
      types: count("Instance types that it rules out by itself."),
      only: count("Those of them that nothing else rules out."),
    }),
    "The entries that rule out something, most first.",
  ),
  conflict: listOf(demand, "The smallest set of entries that leaves no node; empty unless unsatisfiable."),
  otherConflicts: listOf(z.array(demand), "What else leaves none, of entries that no other conflict has."),
  minValuesMissed: listOf(
    z.strictObject({ key: text("The label."), wanted: count("How many values."), found: count("How many there are.") }),
    "Labels with too few values left.",
  ),
  noNodes: texts("Why no node comes, whatever instance types there are."),
  zones: said(
    z.strictObject({ allowed: texts("Where nodes may be."), excluded: texts("Where none may be.") }),
    "Of the zones that the catalogue knows.",
  ),
  prices: orNull(prices, "Null where nobody knows any."),
  underPolicy: said(underPolicy, "With --policy: what its entries before the pool's own would make of it.").optional(),
  bounds: listOf(bound, "What a RenderConfig bounds of how long nodes may stay.").optional(),
  taints: texts("As kubectl writes them."),
  nodeClass: text("Its name."),
  weight: said(z.int(), "0 where the pool has none."),
  order: said(
    z.strictObject({ place: count("From 1."), of: count("How many pools there are.") }),
    "Karpenter tries pools in this order.",
  ),
};

const output = z.strictObject({
  ...poolShape,
  madeBy: said(z.enum(["anp", "hypershift"]), "Who made the NodePool of a wrapper."),
  differences: orNull(
    z.array(
      z.strictObject({
        field: text("A JSON path."),
        here: said(z.unknown(), "Null where it is not there."),
        rendered: said(z.unknown(), "What its wrapper renders to now; null where that has none."),
      }),
    ),
    "Null where its wrapper renders to nothing now, or is not there.",
  ),
});

const pod = z.strictObject({
  name: text("Of the pod, or of what makes it."),
  namespace: orNull(z.string(), "Null where it says none."),
  kind: text("Pod, or the kind of what makes it."),
  count: orNull(z.int(), "Of a cluster's pods: how many are alike; null for those of files."),
  hostedCluster: orNull(z.string(), "The hosted control plane's namespace."),
  ...place,
  requests: said(z.record(z.string(), z.string()), "Amounts by resource."),
  takenBy: orNull(z.string(), "The pool; null where none takes it."),
  instanceTypes: texts("Those that Karpenter may start for it."),
  why: orNull(z.string(), "Why no node starts for it; null when one does."),
  attempts: listOf(
    z.strictObject({
      pool: text("Its name."),
      fits: flag("Whether the pool could take the pod if there were no other."),
      instanceTypes: count("How many instance types could start for it."),
      reason: orNull(z.enum([...OBSTACLES, "machine-image"]), "Why not; null when it fits."),
      sentence: text("The same in words."),
    }),
    "In the order in which Karpenter tries the pools.",
  ),
  notConsidered: texts("What may decide on its node and was not looked at."),
});

export const explainSchema = words.answer("explain -o json", "explain.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  catalogue: said(words.catalogue, "The instance types that were asked."),
  nodePools: listOf(z.strictObject(poolShape), "Each pool."),
  outputs: listOf(output, "NodePools that were made of wrappers, as they run.").optional(),
  pods: listOf(pod, "With --pods.").optional(),
  notKnown: listOf(
    z.strictObject({
      kind: text("What could not be read."),
      unknown: text("What nobody can tell without it."),
      reason: text("Why it could not be read."),
    }),
    "What nobody could tell of a cluster; not there of files.",
  ).optional(),
});
