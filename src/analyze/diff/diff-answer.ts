/** JSON Schema of the answer of `anp diff -o json`, which programs may rely on. */
import * as z from "zod";
import { origin, price, spread, verdict } from "../explain/pool-answer.ts";
import { planNotConsidered, planSummary, podsBetween } from "../plan/plan-answer.ts";
import { EFFECTS } from "./change-effect.ts";
import { NON_DISRUPTIVE_WAYS } from "./non-disruptive-ways.ts";
import { count, listOf, mode, named, orNull, described, text } from "../../model/schema/answer-schema.ts";

const resource = named("resource", {
  apiVersion: text("As the object has it."),
  kind: text("NodePool, EC2NodeClass, an admission policy or its binding."),
  name: text("Of the object."),
  hostedCluster: text("The hosted control plane's namespace, if several are compared.").exactOptional(),
});

const action = described(z.enum(["added", "removed", "changed"]), "Whether the object was added, removed or changed.");

const settles = {
  until: described(
    z.enum(["at-once", "by", "open", "never"]),
    "When the change applies to running nodes: at once, by `latest`, at an unknown time, or never.",
  ),
  earliest: orNull(z.string(), "Not before this time, as RFC 3339 has it."),
  latest: orNull(z.string(), "By this time, as RFC 3339 has it."),
  why: text("The reason."),
  file: orNull(z.string(), "The file of the new side that says so."),
  line: orNull(z.int(), "The line in the file, from 1."),
};

const gainedAndLost = z.strictObject({ gained: count("How many are added."), lost: count("How many are removed.") });

const beforeAndAfter = z.strictObject({
  before: described(z.number(), "Before the change."),
  after: described(z.number(), "With the cheapest replacements of the replaced nodes, the best case."),
  worst: described(z.number(), "With the dearest ones that their pools may launch."),
});

const sums = {
  priced: count("How many nodes are in the sums."),
  unpriced: listOf(z.string(), "Nodes that are in no sum: they, or their replacements, have no price."),
  perHour: described(beforeAndAfter, "Per hour."),
  perMonth: described(beforeAndAfter, "Per month of 730 hours."),
  spot: described(
    z.strictObject({
      nodes: count("How many nodes are in these sums."),
      perHour: described(beforeAndAfter, "Per hour."),
      perMonth: described(beforeAndAfter, "Per month of 730 hours."),
    }),
    "What the nodes without a price that are, or become, Spot cost at most: the prices on demand. Absent if there are none.",
  ).exactOptional(),
};

const envelope = z.strictObject({
  types: count("How many instance types the pool may launch."),
  unpriced: count("How many of them have no price where the pool may launch them."),
  perHour: orNull(spread, "Per hour; null if none has a price."),
  perVcpu: orNull(spread, "Per hour and vCPU; null also if the number of vCPUs is unknown."),
  atMost: described(spread, "The prices on demand per hour, for Spot without a price.").exactOptional(),
});

const replacement = z.strictObject({
  node: text("The name of the node."),
  from: described(price, "What it costs."),
  to: described(price, "The cheapest type of its pool that satisfies the requests of the node's NodeClaim."),
});

const cost = z.strictObject({
  ...origin,
  before: orNull(envelope, "What the pool may launch before the change; null if it is new, and for other objects."),
  after: orNull(envelope, "The same after the change; null if it is removed, and for other objects."),
  nodes: orNull(
    z.strictObject({
      ...sums,
      replacements: listOf(replacement, "The replaced nodes that have prices."),
    }),
    "The cost of its nodes; null if the nodes are unknown, or which of them are replaced.",
  ),
});

/** The sums that waves of clusters have, too. */
export const sumOfChanges = {
  pools: count("NodePools that are changed, added or removed."),
  others: count("Other objects that are."),
  settles: orNull(
    z.strictObject({ resource: described(resource, "The object."), ...settles }),
    "The change that takes longest to apply; null if none replaces a node.",
  ),
  nodes: orNull(
    z.strictObject({
      total: count("The nodes of all pools."),
      replaced: count("Nodes that are replaced."),
      removed: count("Nodes that are removed without a replacement."),
      unknown: count("Nodes for which only Karpenter can decide."),
      minDuration: orNull(z.string(), "How long it takes at least; null if it never ends, or if the time is unknown."),
    }),
    "Null if the nodes were not counted.",
  ),
  cost: orNull(
    z.strictObject({ ...origin, ...sums }),
    "The cost of all nodes; null if the nodes are unknown, or which of them are replaced.",
  ),
};

/** The part of `rollout` that sums of several clusters have, too. */
export const rolloutOfClusters = {
  ...sumOfChanges,
  budgets: listOf(
    z.strictObject({
      pool: text("The name of the pool."),
      nodes: text("A number or a percentage, as in a manifest; `10%` if it is not written."),
      schedule: text("As in a manifest.").exactOptional(),
      duration: text("As in a manifest.").exactOptional(),
    }),
    "The budgets for drift of the pools whose nodes are replaced.",
  ),
};

const rollout = z.strictObject({
  hostedCluster: text("The hosted control plane's namespace; the folder, for Karpenter's own objects."),
  ...rolloutOfClusters,
});

const summary = z.strictObject({
  ...sumOfChanges,
  types: orNull(gainedAndLost, "Instance types that changed pools gain and lose, each counted once."),
  keeping: listOf(
    z.strictObject({
      way: described(
        z.enum(NON_DISRUPTIVE_WAYS),
        "What to do instead, or in addition (docs/change-without-replacing.md).",
      ),
      pools: listOf(resource, "The pools that keep their nodes with it."),
    }),
    "Ways to make the change that keep nodes.",
  ),
});

const witness = named("witness", {
  instanceType: orNull(z.string(), "Null for a type that the catalogue does not have."),
  label: orNull(
    z.strictObject({ key: text("The value of the label."), value: orNull(z.string(), "Null if it is absent.") }),
    "The labels on which the policies differ; null if one of them admits no node at all.",
  ),
  fewerThan: orNull(z.int(), "The number of values, if this is a wrapper that leaves fewer values than required."),
  wrapper: described(z.looseObject({}), "A wrapper, ready to apply, that gets the node."),
});

const policy = z.strictObject({
  hostedCluster: text("The hosted control plane's namespace, if several are compared.").exactOptional(),
  action,
  relation: described(
    z.enum(["equivalent", "tighter", "looser", "disjoint", "incomparable"]),
    "How the instance types that it admits relate to those of the old one.",
  ),
  scope: described(z.enum(["always", "catalogue", "newer-types"]), "The instance types for which the relation holds."),
  catalogue: text("The date of the catalogue."),
  witnesses: described(
    z.strictObject({
      gained: orNull(witness, "Instance types that only the new policy admits."),
      lost: orNull(witness, "Instance types that only the old policy admits."),
    }),
    "A node for each side that shows the relation.",
  ),
  rootVolume: orNull(
    z.strictObject({
      relation: described(z.enum(["tighter", "looser", "other"]), "The relation of the new volume to the old one."),
      from: orNull(z.looseObject({}), "Null for the users' own volume."),
      to: orNull(z.looseObject({}), "Null for the users' own volume."),
    }),
    "Null if it is the same.",
  ),
  pools: listOf(
    z.strictObject({
      name: text("The name of the pool."),
      verdict: described(
        z.strictObject({
          from: described(verdict, "Under the old policy."),
          to: described(verdict, "Under the new one."),
        }),
        "The verdict of anp explain.",
      ),
      types: described(gainedAndLost, "Instance types."),
    }),
    "The pools of the new side that are affected.",
  ),
});

const field = z.strictObject({
  path: text("A JSON path, such as spec.weight."),
  from: described(z.unknown(), "Null if it was not set."),
  to: described(z.unknown(), "Null if it is no longer set."),
  ofWrapper: described(z.literal(true), "The wrapper has it, and the object does not.").exactOptional(),
  part: described(
    z.enum(["guard", "pool"]),
    "For requirements of a guarded NodePool: the policy's entries and their mark, or the author's own.",
  ).exactOptional(),
});

const moved = named("moved", {
  name: text("An instance type, a zone or a capacity type."),
  by: listOf(
    z.strictObject({
      from: orNull(
        z.enum(["policy", "user", "label", "class", "limit"]),
        "The source of the entry, or a limit of the pool; null if it is unknown.",
      ),
      key: text("The label, or the resource of a limit."),
      requirement: text("In Karpenter's print form; of a limit its quantity."),
      file: orNull(z.string(), "The file of the entry; null if it is in no file."),
      line: orNull(z.int(), "The line in the file, from 1."),
      gone: described(z.literal(true), "It is of the old side, and no longer there.").exactOptional(),
    }),
    "The entries and limits that cause it; none if the pool itself was added or removed.",
  ),
});

const shift = named("shift", { gained: listOf(moved, "What is gained."), lost: listOf(moved, "What is lost.") });

const offer = z.strictObject({
  catalogue: text("The date of the catalogue."),
  types: described(shift, "Instance types."),
  zones: described(shift, "Zones."),
  capacityTypes: described(shift, "Capacity types."),
});

const change = z.strictObject({
  resource: described(resource, "The object."),
  action,
  effect: described(z.enum(EFFECTS), "The worst effect of the change on nodes (docs/design.md#effects)."),
  scope: described(
    z.enum(["always", "catalogue"]),
    "For a NodePool. catalogue: the result holds for the types of the catalogue.",
  ).exactOptional(),
  offer: orNull(offer, "For a NodePool: what it may launch; null if its types are unknown.").exactOptional(),
  forever: described(z.literal(true), "The replacements are replaced as well, endlessly.").exactOptional(),
  fields: listOf(field, "The changed fields."),
  nodes: described(
    z.strictObject({
      total: orNull(z.int(), "The nodes of the pool, or of the pools with the class; null if they were not counted."),
      affected: orNull(z.int(), "Null if only Karpenter can decide."),
      names: orNull(
        z.array(z.string()) as z.ZodType<readonly string[]>,
        "The affected nodes; null if they are unknown.",
      ),
      minDuration: orNull(z.string(), "A Go duration; null if they are never all replaced, or if the time is unknown."),
    }),
    "Its nodes.",
  ),
  settles: orNull(z.strictObject(settles), "When the change applies to running nodes; null if it replaces none."),
  cost: orNull(cost, "The cost of the change; null if prices are unknown."),
});

export const diffSchema = z
  .strictObject({
    schemaVersion: described(z.literal(1), "Raised if a field is removed or changes its meaning."),
    mode,
    incomplete: listOf(
      z.string(),
      "Files that differ between the sides and cannot be parsed, or are of a kustomization that is not built: what they make is not compared. Absent if there are none.",
    ).exactOptional(),
    refused: listOf(
      z.string(),
      "Why only the old side is invalid: what was refused there is not compared. Absent if it is valid.",
    ).exactOptional(),
    notAsked: listOf(
      z.string(),
      "With --live: what the API server was not asked, because the user may not, and what that means. Absent if it was asked everything.",
    ).exactOptional(),
    summary: described(summary, "The sum of all changes."),
    rollout: listOf(
      rollout,
      "The sum of each hosted cluster that changes. Absent if one cluster is compared.",
    ).exactOptional(),
    plan: described(
      z.strictObject({
        before: described(planSummary, "Of the old side."),
        after: described(planSummary, "Of the new side."),
        ...podsBetween,
        notConsidered: planNotConsidered,
      }),
      "The nodes that Karpenter would launch for the pods of --pods (docs/plan.md). Absent without it.",
    ).exactOptional(),
    policies: listOf(policy, "The changes of the policies."),
    changes: listOf(change, "The change of each object."),
  })
  .meta({ title: "anp diff", description: "The output of anp diff -o json (docs/diff.md)." });

export type DescribedDiff = z.infer<typeof diffSchema>;
export type DescribedRollout = z.infer<typeof rollout>;
export type DescribedSummary = z.infer<typeof summary>;
export type DescribedChange = z.infer<typeof change>;
export type DescribedConvergence = NonNullable<DescribedChange["settles"]>;
export type DescribedOffer = z.infer<typeof offer>;
export type DescribedShift = z.infer<typeof shift>;
export type DescribedAttribution = z.infer<typeof moved>;
export type DescribedPolicyChange = z.infer<typeof policy>;
export type DescribedWitness = z.infer<typeof witness>;
export type DescribedCost = z.infer<typeof cost>;
export type DescribedEnvelope = z.infer<typeof envelope>;
export type DescribedNodeCosts = NonNullable<DescribedCost["nodes"]>;
export type DescribedSums = Pick<DescribedNodeCosts, "priced" | "unpriced" | "perHour" | "perMonth" | "spot">;
export type BeforeAndAfter = z.infer<typeof beforeAndAfter>;
