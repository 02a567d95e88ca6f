/** JSON Schemas of the answers of `anp check`, with findings or proofs, and of `anp upgrade`. */
import * as z from "zod";
import { FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";
import * as words from "../../model/schema/answer-schema.ts";
import {
  count,
  flag,
  listOf,
  orNull,
  placeIfAny,
  requirement,
  described,
  text,
  texts,
} from "../../model/schema/answer-schema.ts";

const reference = z.strictObject({
  apiVersion: text("As the object has it."),
  kind: text("As the object has it."),
  name: text("Of the object."),
  namespace: text("The namespace, if it has one.").exactOptional(),
});

const findingShape = {
  code: described(
    z.enum(Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]]),
    "Its code (docs/findings.md).",
  ),
  severity: described(z.enum(["error", "warning", "info"]), "How much it matters."),
  message: text("What is wrong."),
  resource: described(reference, "The object that it is about.").optional(),
  hostedCluster: text("The hosted cluster that the finding is about, if the answer covers several.").optional(),
  field: text("A JSON path.").optional(),
  file: text("The file.").optional(),
  line: count("The line in the file, from 1.").optional(),
  column: count("The column in the line, from 1.").optional(),
  hint: text("What to do.").optional(),
};

export const findingsSchema = words.answer("check -o json", "reports.md", {
  schemaVersion: words.schemaVersion,
  findings: listOf(z.strictObject(findingShape), "In the order of their places."),
});

const hashes = z.strictObject({ nodePool: text("Of NodePools."), nodeClass: text("Of EC2NodeClasses.") });

export const upgradeSchema = words.answer("upgrade -o json", "upgrade.md", {
  schemaVersion: words.schemaVersion,
  from: text("The version that runs."),
  to: text("The version to come."),
  headline: text("The first line of the text."),
  changes: flag("Whether the upgrade changes anything for the objects that were read."),
  notReady: texts("EC2NodeClasses that will not be Ready."),
  withoutNodes: texts("NodePools that get no new nodes, because their node class is not Ready."),
  nodesReplaced: texts("NodePools whose nodes are replaced when the manifests are applied again."),
  hashVersions: described(
    z.strictObject({ from: described(hashes, "Before."), to: described(hashes, "After.") }),
    "The versions of Karpenter's hashes.",
  ),
  notLookedAt: texts("What decides too and was not in the input."),
  steps: texts("What to do, in this order."),
  findings: listOf(z.strictObject(findingShape), "In the order of their places."),
});

export type UpgradeAnswer = z.infer<typeof upgradeSchema>;

export type FindingsAnswer = z.infer<typeof findingsSchema>;

const until = z.enum(["by", "goes", "never"]);

const key = z.strictObject({
  key: text("The label."),
  presence: described(
    z.enum(["always", "optional", "offering", "class", "unknown", "custom"]),
    "What has the label: all instance types, some, capacity in a reservation, nodes of a class in a placement group, instance types that anp does not know, no instance type.",
  ),
  result: described(z.enum(["holds", "guarded", "void", "leaks"]), "Whether the policy holds on it (docs/check.md)."),
  policy: text("The policy's requirement, in Karpenter's print form."),
  places: listOf(z.strictObject(words.place), "The file of the requirement."),
  escape: described(
    z.strictObject({
      entry: described(requirement, "The entry that a user would write among the requirements,").exactOptional(),
      label: described(
        z.strictObject({ key: text("The label."), value: text("Its value.") }),
        "or among the labels of the template.",
      ).exactOptional(),
      effective: text("The combination of both, in Karpenter's print form."),
      types: count("How many instance types it lets in that the policy does not."),
      names: texts("Those."),
    }),
    "The entries that bypass the policy.",
  ).exactOptional(),
  nodesGet: described(
    z.strictObject({
      value: orNull(z.string(), "The value of the label; null for none."),
      always: flag("Whether all nodes have it."),
    }),
    "For leaks.",
  ).exactOptional(),
});

const running = z.strictObject({
  witness: orNull(
    z.strictObject({
      expireAfter: text("Of the template."),
      budgets: listOf(z.strictObject({ nodes: text("Of the budget.") }), "Of the disruption.").exactOptional(),
      annotations: described(z.record(z.string(), z.string()), "Of the template.").exactOptional(),
    }),
    "What any wrapper may set so that its nodes stay for ever; null if bounds of the RenderConfig forbid it.",
  ),
  bounds: listOf(
    z.strictObject({
      bound: described(z.enum(["maxExpireAfter", "maxTerminationGracePeriod", "minDriftedBudget"]), "Which."),
      value: text("As in the RenderConfig."),
      ...placeIfAny,
    }),
    "The bounds of the RenderConfig.",
  ).exactOptional(),
  until: orNull(until, "The pool that keeps its nodes longest; null if there are no pools."),
  pools: listOf(
    z.strictObject({
      pool: text("Its name."),
      until: described(until, "Until when its nodes may stay."),
      longest: orNull(z.string(), "The longest life of a node; null if it is unbounded."),
      why: text("The reason."),
      ...placeIfAny,
    }),
    "Each pool.",
  ),
});

const fact = { what: text("What it is."), why: text("Why.") };

const proof = z.strictObject({
  hostedCluster: text("The hosted control plane's namespace, if there is one.").optional(),
  result: described(
    z.enum(["holds", "guarded", "open", "no-policy"]),
    "open: a bypass is possible by users who are not trusted with it.",
  ),
  enforcedBy: orNull(
    z.enum(["Render", "Admission"]),
    "With nodePools: Raw, what enforces the policy on users' NodePools; null if it is not set.",
  ).exactOptional(),
  keys: listOf(key, "The labels that the policy restricts."),
  admitted: described(
    z.strictObject({
      total: count("How many instance types there are."),
      compatible: count("How many instance types the policy admits."),
      names: texts("Those."),
    }),
    "What the policy admits.",
  ),
  running: described(running, "How long nodes that run already may stay although they no longer fit.").exactOptional(),
  ways: listOf(
    z.strictObject({ ...fact, who: described(z.enum(["open", "trusted"]), "Which users can use it."), ...placeIfAny }),
    "Each bypass that the input leaves open.",
  ),
  assumptions: listOf(z.strictObject({ ...fact, ...placeIfAny }), "The assumptions of the proof."),
  catalogue: described(words.catalogue, "The catalogue for this cluster, if a RenderConfig names one.").exactOptional(),
});

export const proofSchema = words.answer("check --prove -o json", "check.md", {
  schemaVersion: words.schemaVersion,
  catalogue: described(words.catalogue, "The catalogue of instance types."),
  proofs: listOf(proof, "One for each hosted cluster."),
});

export type DescribedProof = z.infer<typeof proof>;
export type DescribedKeyProof = z.infer<typeof key>;
