/** The answers of `anp check` as JSON Schemas: findings, and with `--prove` proofs. */
import * as z from "zod";
import { FINDING_CODES, type FindingCode } from "../../src/krm/finding-codes.ts";
import * as words from "./words.ts";
import { count, flag, listOf, orNull, placeIfAny, requirement, said, text, texts } from "./words.ts";

const reference = z.strictObject({
  apiVersion: text("As the object has it."),
  kind: text("As the object has it."),
  name: text("Of the object."),
  namespace: text("Where it has one.").optional(),
});

export const findingShape = {
  code: said(z.enum(Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]]), "Its code (docs/findings.md)."),
  severity: said(z.enum(["error", "warning", "info"]), "How much it matters."),
  message: text("What is so."),
  resource: said(reference, "The object that it is about.").optional(),
  hostedCluster: text("Where one answer is about several: that it is about.").optional(),
  field: text("A JSON path.").optional(),
  file: text("Where it stands.").optional(),
  line: count("The line in it, from 1.").optional(),
  column: count("The column in it, from 1.").optional(),
  hint: text("What to do.").optional(),
};

export const findingsSchema = words.answer("check -o json", "reports.md", {
  schemaVersion: words.schemaVersion,
  findings: listOf(z.strictObject(findingShape), "In the order in which people read them."),
});

const until = z.enum(["by", "goes", "never"]);

const key = z.strictObject({
  key: text("The label."),
  presence: said(z.enum(["always", "optional", "custom"]), "Which instance types have it: all, some, none."),
  result: said(z.enum(["holds", "guarded", "void", "leaks"]), "Whether the policy holds on it (docs/check.md)."),
  policy: text("What the policy says of it, in Karpenter's print form."),
  places: listOf(z.strictObject(words.place), "Where it says so."),
  escape: said(
    z.strictObject({
      entry: said(requirement, "What a user would write among the requirements,").optional(),
      label: said(
        z.strictObject({ key: text("The label."), value: text("Its value.") }),
        "or among the labels of the template.",
      ).optional(),
      effective: text("What both come to, in Karpenter's print form."),
      types: count("How many instance types it lets in that the policy does not."),
      names: texts("Those."),
    }),
    "What gets round it.",
  ).optional(),
  nodesGet: said(
    z.strictObject({
      value: orNull(z.string(), "Of the label; null for none."),
      always: flag("Whether all nodes do."),
    }),
    "Of leaks.",
  ).optional(),
});

const running = z.strictObject({
  witness: orNull(
    z.strictObject({
      expireAfter: text("Of the template."),
      budgets: listOf(z.strictObject({ nodes: text("Of the budget.") }), "Of the disruption.").optional(),
      annotations: said(z.record(z.string(), z.string()), "Of the template.").optional(),
    }),
    "What any wrapper may say, so that its nodes stay for ever; null where bounds of the RenderConfig let none.",
  ),
  bounds: listOf(
    z.strictObject({
      bound: said(z.enum(["maxExpireAfter", "maxTerminationGracePeriod", "minDriftedBudget"]), "Which."),
      value: text("As the RenderConfig has it."),
      ...placeIfAny,
    }),
    "Those that the RenderConfig sets.",
  ).optional(),
  until: orNull(until, "Of the pool that keeps its nodes longest; null where there are no pools."),
  pools: listOf(
    z.strictObject({
      pool: text("Its name."),
      until: said(until, "Until when its nodes may stay."),
      longest: orNull(z.string(), "From the making of a node to its end at the latest; null where nothing bounds it."),
      why: text("What decides."),
      ...placeIfAny,
    }),
    "Each pool.",
  ),
});

const told = { what: text("What it is."), why: text("Why.") };

const proof = z.strictObject({
  hostedCluster: text("The hosted control plane's namespace, where there is one.").optional(),
  result: said(
    z.enum(["holds", "guarded", "open", "no-policy"]),
    "open: a way leads past the policy that nobody has been trusted with.",
  ),
  keys: listOf(key, "The labels that the policy speaks of."),
  admitted: said(
    z.strictObject({
      total: count("How many instance types there are."),
      compatible: count("How many the policy admits."),
      names: texts("Those."),
    }),
    "What the policy admits.",
  ),
  running: said(running, "How long nodes that run already may stay although they no longer fit.").optional(),
  ways: listOf(
    z.strictObject({ ...told, who: said(z.enum(["open", "trusted"]), "Who may go it."), ...placeIfAny }),
    "Each way that nothing in the input closes.",
  ),
  assumptions: listOf(z.strictObject({ ...told, ...placeIfAny }), "What the proof rests on."),
  catalogue: said(words.catalogue, "That it was asked about, where a RenderConfig names one.").optional(),
});

export const proofSchema = words.answer("check --prove -o json", "check.md", {
  schemaVersion: words.schemaVersion,
  catalogue: said(words.catalogue, "The instance types that were asked."),
  proofs: listOf(proof, "One for each hosted cluster."),
});
