/** What a changed field of a NodePool does to its nodes. */
import { normalizeKey } from "../../karpenter/requirements/requirement.ts";
import { requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { type FieldPath, startsWithPath, valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { parseQuantity } from "../../model/quantity.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import type { Budget } from "../../karpenter/disruption/disruption-budget.ts";
import { canonical } from "../../krm/canonical.ts";
import type { ChangedField } from "./compare-fields.ts";
import type { Effect } from "./change-effect.ts";
import { durationForm, templateHashForm } from "../../karpenter/drift/change-hash-form.ts";
import { instanceLabels } from "./instance-labels.ts";
import { requirementEffects, type RequirementEffects } from "./change-requirements.ts";
import { type AskedLabels, driftsForever } from "../explain/label-of-nodes.ts";

export type JudgeField = (field: ChangedField) => Effect;

/** What is known of an object beside itself. */
export interface Beside {
  /** Whether it has what only a wrapper says. */
  readonly written?: boolean;
  /** The class of a NodePool as it stands; undefined for what is rendered, whose classes are all alike. */
  readonly nodeClass?: { readonly before: KubeObject | undefined; readonly after: KubeObject | undefined } | undefined;
  /** What its requirements do, where somebody knows the instance types; else the text alone says it. */
  readonly requirements?: RequirementEffects | undefined;
}

const TEMPLATE: FieldPath = ["spec", "template"];
const REQUIREMENTS: FieldPath = [...TEMPLATE, "spec", "requirements"];
const LABELS: FieldPath = [...TEMPLATE, "metadata", "labels"];

/**
 * The template but for its requirements is hashed, and another hash drifts every node
 * (docs/upstream/karpenter.md#drift). Budgets, limits and weight are looked at when Karpenter acts: lowering a limit
 * deletes nothing.
 */
export function judgeNodePool(from: unknown, to: unknown, { nodeClass, requirements }: Beside = {}): JudgeField {
  const { byKey } = requirements ?? requirementEffects(askedOf(from, nodeClass?.before), askedOf(to, nodeClass?.after));
  const [old, now] = [templateHashForm(valueAt(from, TEMPLATE)), templateHashForm(valueAt(to, TEMPLATE))];
  return (field) => {
    const path = field.newPath ?? field.oldPath ?? [];
    if (isOfRequirements(field)) return ofRequirement(field, from, to, byKey);
    if (startsWithPath(path, TEMPLATE)) return sameParts(path, old, now) ? "none" : "replaces-all";
    if (path[0] !== "spec") return "none";
    const part = path.slice(0, 2);
    if (part[1] === "replicas") return ofReplicas(field);
    return sameMeaning(part, valueAt(from, part), valueAt(to, part)) ? "none" : "behavioural";
  };
}

/**
 * A static pool is brought to its number at once (docs/upstream/karpenter.md#order-of-removal); no pool becomes static,
 * or ceases to be (docs/upstream/karpenter.md#crds).
 */
function ofReplicas({ from, to }: ChangedField): Effect {
  if (typeof from !== "number" || typeof to !== "number") return "behavioural";
  return to < from ? "removes-nodes" : "new-nodes";
}

export function isOfRequirements({ newPath, oldPath }: ChangedField): boolean {
  return startsWithPath(newPath ?? oldPath ?? [], REQUIREMENTS);
}

/** Whether the pool's nodes drift as soon as they are up, so that replacing them never ends. */
export function neverSettles(pool: unknown): boolean {
  return driftsForever(askedOf(pool, undefined));
}

/** @param nodeClass undefined for what is rendered, whose classes are all alike, and where nobody has it */
export function askedOf(pool: unknown, nodeClass: KubeObject | undefined): AskedLabels {
  return {
    labels: new Map(placedLabelsOf(pool).map(({ key, value }) => [normalizeKey(key), value])),
    requirements: requirementsOf(entriesOf(pool)),
    ...instanceLabels(pool, nodeClass),
  };
}

function ofRequirement(
  { oldPath, newPath }: ChangedField,
  from: unknown,
  to: unknown,
  byKey: ReadonlyMap<string, Effect>,
): Effect {
  const key = keyAt(to, newPath) ?? keyAt(from, oldPath);
  if (key !== undefined) return byKey.get(key) ?? "none";
  // The whole list came or went: the worst of its keys.
  return (
    (["replaces-all", "replaces-some", "new-nodes"].find((one) =>
      [...byKey.values()].includes(one as Effect),
    ) as Effect) ?? "none"
  );
}

function keyAt(pool: unknown, path: FieldPath | undefined): string | undefined {
  const key = path && valueAt(pool, [...path.slice(0, REQUIREMENTS.length + 1), "key"]);
  return typeof key === "string" ? normalizeKey(key) : undefined;
}

/** `spec.template` is metadata and spec, the form of the hash has their fields side by side. */
function sameParts(path: FieldPath, old: Readonly<Record<string, unknown>>, now: typeof old): boolean {
  const part = path[TEMPLATE.length + 1];
  const parts = part === undefined ? Object.keys(old) : [String(part)];
  return parts.every((name) => canonical(old[name]) === canonical(now[name]));
}

/** With the CRD's defaults, and whatever the spelling of durations and quantities. */
function sameMeaning([, field]: FieldPath, from: unknown, to: unknown): boolean {
  const form = field === "disruption" ? disruptionForm : field === "limits" ? limitsForm : (value: unknown) => value;
  return canonical(form(from)) === canonical(form(to));
}

function disruptionForm(disruption: unknown): unknown {
  const {
    consolidateAfter = "0s",
    consolidationPolicy,
    budgets,
    nodeLimitMode,
  } = (disruption ?? {}) as Record<string, unknown>;
  const given: readonly object[] = Array.isArray(budgets) ? budgets : DEFAULT_BUDGETS;
  const list = given.map((budget): Record<string, unknown> => ({ ...budget }));
  return {
    consolidateAfter: durationForm(consolidateAfter),
    consolidationPolicy: consolidationPolicy ?? "WhenEmptyOrUnderutilized",
    nodeLimitMode: nodeLimitMode ?? "Hard",
    budgets: list
      .map(({ nodes = DEFAULT_BUDGET_NODES, reasons, ...rest }) =>
        canonical({
          ...rest,
          nodes,
          duration: durationForm(rest["duration"]),
          reasons: Array.isArray(reasons) ? reasons.map(String).toSorted() : undefined,
        }),
      )
      .toSorted(),
  };
}

function limitsForm(limits: unknown): unknown {
  const entries = Object.entries((limits ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name, parseQuantity(String(value))?.nano ?? value]));
}

/** Entries that are none are left out: nobody can tell what they would do. */
export function entriesOf(pool: unknown): readonly NodeSelectorRequirement[] {
  return placedEntriesOf(pool).map(({ entry }) => entry);
}

/** The same, each with where it stands. */
export function placedEntriesOf(
  pool: unknown,
): { readonly entry: NodeSelectorRequirement; readonly path: FieldPath }[] {
  const entries = valueAt(pool, REQUIREMENTS);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) =>
    isEntry(entry) ? [{ entry, path: [...REQUIREMENTS, index] }] : [],
  );
}

/** The labels of the template as they are written, each with where it stands. */
export function placedLabelsOf(
  pool: unknown,
): { readonly key: string; readonly value: string; readonly path: FieldPath }[] {
  const labels = Object.entries((valueAt(pool, LABELS) ?? {}) as Record<string, unknown>);
  return labels.flatMap(([key, value]) => (typeof value === "string" ? [{ key, value, path: [...LABELS, key] }] : []));
}

const OPERATORS = new Set<unknown>(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"]);

function isEntry(entry: unknown): entry is NodeSelectorRequirement {
  const values = valueAt(entry, ["values"]) ?? [];
  const minValues = valueAt(entry, ["minValues"]);
  return (
    typeof valueAt(entry, ["key"]) === "string" &&
    OPERATORS.has(valueAt(entry, ["operator"])) &&
    Array.isArray(values) &&
    values.every((value) => typeof value === "string") &&
    (minValues === undefined || typeof minValues === "number")
  );
}

/** As the API server has them where none are written. Those that are none are left out. */
export function budgetsOf(pool: unknown): readonly Budget[] {
  const budgets = valueAt(pool, ["spec", "disruption", "budgets"]);
  return Array.isArray(budgets) ? budgets.filter(isBudget) : DEFAULT_BUDGETS;
}

function isBudget(budget: unknown): budget is Budget {
  const part = (name: string): unknown => valueAt(budget, [name]);
  const [nodes, reasons] = [part("nodes"), part("reasons")];
  return (
    typeof budget === "object" &&
    budget !== null &&
    (nodes === undefined || (typeof nodes === "string" && /^\d+%?$/.test(nodes))) &&
    (reasons === undefined || Array.isArray(reasons)) &&
    ["schedule", "duration"].every((name) => part(name) === undefined || typeof part(name) === "string")
  );
}
