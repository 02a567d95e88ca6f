/** The answer of `anp diff -o json` as a JSON Schema: what programs may rely on. */
import * as z from "zod";
import { EFFECTS } from "../../src/analyze/diff/change-effect.ts";
import { KEEPING_WAYS } from "../../src/analyze/diff/keeping-ways.ts";
import { count, listOf, named, orNull, said, text } from "./words.ts";

const resource = named("resource", {
  apiVersion: text("As the object has it."),
  kind: text("NodePool, EC2NodeClass, an admission policy or its binding."),
  name: text("Of the object."),
  hostedCluster: text("The hosted control plane's namespace, where several are compared.").optional(),
});

const action = said(z.enum(["added", "removed", "changed"]), "Whether it came, went or is another.");

const settles = {
  until: said(
    z.enum(["at-once", "by", "open", "never"]),
    "When it holds for the nodes that run: at once, by `latest`, at some time that nobody can tell, or never.",
  ),
  earliest: orNull(z.string(), "Not before this moment, as RFC 3339 has it."),
  latest: orNull(z.string(), "By this moment, as RFC 3339 has it."),
  why: text("What decides."),
  file: orNull(z.string(), "Where the new side says so."),
  line: orNull(z.int(), "The line in it, from 1."),
};

const gainedAndLost = z.strictObject({ gained: count("How many come."), lost: count("How many go.") });

const beforeAndAfter = z.strictObject({
  before: said(z.number(), "Before the change."),
  after: said(z.number(), "With the cheapest replacements of the nodes that it replaces."),
});

const origin = {
  source: text("Whose prices they are."),
  region: orNull(z.string(), "The region that they are of."),
  date: text("When they were taken."),
  currency: text("Three letters, as ISO 4217 has them; amounts of two are never compared."),
};

const sums = {
  priced: count("How many nodes are in the sums."),
  unpriced: listOf(z.string(), "The nodes that are in no sum: they, or what would replace them, have no price."),
  perHour: said(beforeAndAfter, "An hour."),
  perMonth: said(beforeAndAfter, "A month of 730 hours."),
};

const price = named("price", {
  type: text("The instance type."),
  price: said(z.number(), "In the currency of the prices."),
  capacityType: orNull(z.string(), "on-demand or spot."),
});

const spread = named("spread", {
  cheapest: said(price, "The lowest."),
  median: said(price, "The one in the middle; of an even number the cheaper of both."),
  dearest: said(price, "The highest."),
});

const envelope = z.strictObject({
  types: count("How many instance types the pool may launch."),
  unpriced: count("How many of them have no price where it may launch them."),
  perHour: orNull(spread, "An hour; null where none has a price."),
  perVcpu: orNull(spread, "An hour and vCPU; null as well where nobody knows their vCPUs."),
});

const replacement = z.strictObject({
  node: text("The name of the node."),
  from: said(price, "What it costs."),
  to: said(price, "The cheapest type of its pool that has what the node was launched for."),
});

const cost = z.strictObject({
  ...origin,
  before: orNull(envelope, "What the pool may launch before; null where it is new, and of other objects."),
  after: orNull(envelope, "The same after the change; null where it is gone, and of other objects."),
  nodes: orNull(
    z.strictObject({
      ...sums,
      replacements: listOf(replacement, "The nodes that are replaced and have prices."),
    }),
    "What its nodes cost; null where nobody knows them, or which of them are replaced.",
  ),
});

const summary = z.strictObject({
  pools: count("NodePools that change, come or go."),
  others: count("Other objects that do."),
  types: orNull(gainedAndLost, "Instance types that changed pools gain and lose, each once."),
  settles: orNull(
    z.strictObject({ resource: said(resource, "The object."), ...settles }),
    "Of the change that holds last; null where none replaces a node.",
  ),
  nodes: orNull(
    z.strictObject({
      total: count("The nodes of all pools."),
      replaced: count("Those that are replaced."),
      removed: count("Those that go without a replacement."),
      unknown: count("Those of which only Karpenter can tell."),
      minDuration: orNull(z.string(), "How long it takes at least; null where it never ends, or nobody can tell."),
    }),
    "Null where nobody counted them.",
  ),
  cost: orNull(
    z.strictObject({ ...origin, ...sums }),
    "What all nodes cost; null where nobody knows them, or which of them are replaced.",
  ),
  keeping: listOf(
    z.strictObject({
      way: said(z.enum(KEEPING_WAYS), "What to do instead, or besides (docs/change-without-replacing.md)."),
      pools: listOf(resource, "The pools whose nodes it keeps."),
    }),
    "How the change can be made so that nodes stay.",
  ),
});

const verdict = z.enum(["ok", "unknown", "narrowed", "unsatisfiable", "bypassed"]);

const witness = named("witness", {
  instanceType: orNull(z.string(), "Null for one that the catalogue does not know."),
  label: orNull(
    z.strictObject({ key: text("Of the label."), value: orNull(z.string(), "Null where it is absent.") }),
    "On which the policies differ; null where one of them lets no node come at all.",
  ),
  fewerThan: orNull(z.int(), "Where it is a wrapper that leaves fewer values than this."),
  wrapper: said(z.looseObject({}), "A wrapper to be pasted that gets the node."),
});

const policy = z.strictObject({
  hostedCluster: text("The hosted control plane's namespace, where several are compared.").optional(),
  action,
  relation: said(
    z.enum(["equivalent", "tighter", "looser", "disjoint", "incomparable"]),
    "Of what it admits to what the old one did.",
  ),
  scope: said(z.enum(["always", "catalogue", "newer-types"]), "For which instance types the relation holds."),
  catalogue: text("The date of the catalogue that was asked."),
  witnesses: said(
    z.strictObject({
      gained: orNull(witness, "What comes under the new policy alone."),
      lost: orNull(witness, "What came under the old policy alone."),
    }),
    "A node for each side that shows the relation.",
  ),
  rootVolume: orNull(
    z.strictObject({
      relation: said(z.enum(["tighter", "looser", "other"]), "Of the new volume to the old one."),
      from: orNull(z.looseObject({}), "Null for the users' own."),
      to: orNull(z.looseObject({}), "Null for the users' own."),
    }),
    "Null where it is the same.",
  ),
  pools: listOf(
    z.strictObject({
      name: text("Of the pool."),
      verdict: said(
        z.strictObject({ from: said(verdict, "Under the old policy."), to: said(verdict, "Under the new one.") }),
        "Of anp explain.",
      ),
      types: said(gainedAndLost, "Instance types."),
    }),
    "The pools of the new side that are touched.",
  ),
});

const field = z.strictObject({
  path: text("A JSON path, such as spec.weight."),
  from: said(z.unknown(), "Null where it was not there."),
  to: said(z.unknown(), "Null where it is not there any more."),
  ofWrapper: said(z.literal(true), "The wrapper has it, and the object does not.").optional(),
  part: said(
    z.enum(["guard", "pool"]),
    "Of a guarded NodePool's requirements: the policy's entries and their mark, or the author's own.",
  ).optional(),
});

const moved = named("moved", {
  name: text("An instance type, a zone or a capacity type."),
  by: listOf(
    z.strictObject({
      from: orNull(z.enum(["policy", "user", "label", "class"]), "Whose entry it is; null where nobody can tell."),
      key: text("The label."),
      requirement: text("In Karpenter's print form."),
      file: orNull(z.string(), "Where it stands; null where it stands in no file."),
      line: orNull(z.int(), "The line in it, from 1."),
      gone: said(z.literal(true), "It is of the old side, and not there any more.").optional(),
    }),
    "The entries whose coming or going does it; none where the pool itself came or went.",
  ),
});

const shift = named("shift", { gained: listOf(moved, "What comes."), lost: listOf(moved, "What goes.") });

const offer = z.strictObject({
  catalogue: text("The date of the catalogue that was asked."),
  types: said(shift, "Instance types."),
  zones: said(shift, "Zones."),
  capacityTypes: said(shift, "Capacity types."),
});

const change = z.strictObject({
  resource: said(resource, "The object."),
  action,
  effect: said(z.enum(EFFECTS), "What the change does to nodes, at worst (docs/design.md#effects)."),
  scope: said(
    z.enum(["always", "catalogue"]),
    "Of a NodePool. catalogue: so it is with the types that the catalogue knows.",
  ).optional(),
  offer: orNull(offer, "Of a NodePool: what it may launch; null where nobody here knows its types.").optional(),
  forever: said(z.literal(true), "The nodes that come instead are replaced as well, and so on.").optional(),
  fields: listOf(field, "What differs."),
  nodes: said(
    z.strictObject({
      total: orNull(z.int(), "Of the pool, or of those that use the class; null where nobody counted."),
      affected: orNull(z.int(), "Null where only Karpenter can tell."),
      names: orNull(z.array(z.string()), "Of those that are affected; null where nobody can tell which they are."),
      minDuration: orNull(z.string(), "A Go duration; null where they never all go, or nobody can tell."),
    }),
    "Its nodes.",
  ),
  settles: orNull(z.strictObject(settles), "When it holds for the nodes that run; null where it replaces none."),
  cost: orNull(cost, "What it means in money; null where no prices are known."),
});

export const diffSchema = z
  .strictObject({
    schemaVersion: said(z.literal(1), "Raised where a field goes or means something else."),
    mode: said(z.enum(["hosted", "raw"]), "raw: NodePools without wrappers, compared as they stand."),
    summary: said(summary, "The sum of all changes."),
    policies: listOf(policy, "What becomes of the policies."),
    changes: listOf(change, "What becomes of each object."),
  })
  .meta({ title: "anp diff", description: "What anp diff -o json prints (docs/diff.md)." });
