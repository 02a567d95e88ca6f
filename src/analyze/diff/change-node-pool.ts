/** The effect of a changed field of a NodePool on its nodes. */
import { normalizeKey, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { requirementsOf, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { type FieldPath, startsWithPath, valueAt } from "../../krm/places/field-path.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import type { Budget } from "../../karpenter/disruption/disruption-budget.ts";
import { canonical } from "../../krm/values/canonical.ts";
import type { ChangedField } from "./compare-fields.ts";
import type { Effect } from "./change-effect.ts";
import { durationForm, templateHashForm } from "../../karpenter/drift/change-hash-form.ts";
import { requirementEffects, type RequirementEffects } from "./change-requirements.ts";
import { type AskedLabels, driftsForever } from "../explain/label-of-nodes.ts";
import { isForPoolsThatAsk } from "../../karpenter/provider/aws.ts";
import { providerOf } from "../../karpenter/provider/providers.ts";

export type JudgeField = (field: ChangedField) => Effect;

/** Context of a compared object. */
export interface Beside {
  /** Whether the object includes the fields that only a wrapper has. */
  readonly written?: boolean;
  /**
   * The node class of a raw NodePool; undefined for rendered pools, because rendered classes do not differ in labels.
   */
  readonly nodeClass?: { readonly before: KubeObject | undefined; readonly after: KubeObject | undefined } | undefined;
  /** The effects of its requirements over known instance types; undefined to judge by the requirements alone. */
  readonly requirements?: RequirementEffects | undefined;
  readonly profile?: Profile | undefined;
}

const SPEC: FieldPath = ["spec"];
const TEMPLATE: FieldPath = ["spec", "template"];
const REQUIREMENTS: FieldPath = [...TEMPLATE, "spec", "requirements"];
const LABELS: FieldPath = [...TEMPLATE, "metadata", "labels"];

/**
 * The template except its requirements is hashed, and a changed hash drifts every node
 * (docs/upstream/karpenter.md#drift). Budgets, limits and weight affect only future actions of Karpenter: a lower limit
 * deletes no node.
 */
export function judgeNodePool(from: unknown, to: unknown, { nodeClass, requirements }: Beside = {}): JudgeField {
  const { byKey } = requirements ?? requirementEffects(askedOf(from, nodeClass?.before), askedOf(to, nodeClass?.after));
  const [old, now] = [templateHashForm(valueAt(from, TEMPLATE)), templateHashForm(valueAt(to, TEMPLATE))];
  // Memoized, because thousands of fields of one part may differ.
  const isSameInHash = memoizeByKey((name: string) => canonical(old[name]) === canonical(now[name]));
  const isSameInSpec = memoizeByKey((field: string | number | undefined) => {
    const part = field === undefined ? SPEC : [...SPEC, field];
    return sameMeaning(field, valueAt(from, part), valueAt(to, part));
  });
  return (field) => {
    const path = field.newPath ?? field.oldPath ?? [];
    if (isOfRequirements(field)) return ofRequirement(field, from, to, byKey);
    if (startsWithPath(path, TEMPLATE)) return hashedParts(path, old).every(isSameInHash) ? "none" : "replaces-all";
    const [root, part] = path;
    if (root !== "spec") return "none";
    if (part === "replicas") return ofReplicas(field);
    return isSameInSpec(part) ? "none" : "behavioural";
  };
}

/**
 * Karpenter scales a static pool to its replicas at once (docs/upstream/karpenter.md#order-of-removal). A pool cannot
 * become static, or stop being so (docs/upstream/karpenter.md#crds).
 */
function ofReplicas({ from, to }: ChangedField): Effect {
  if (typeof from !== "number" || typeof to !== "number") return "behavioural";
  return to < from ? "removes-nodes" : "new-nodes";
}

export function isOfRequirements({ newPath, oldPath }: ChangedField): boolean {
  return startsWithPath(newPath ?? oldPath ?? [], REQUIREMENTS);
}

/** Whether the pool's nodes drift as soon as they are initialized, so that Karpenter replaces them endlessly. */
export function isReplacedForever(pool: unknown): boolean {
  return driftsForever(askedOf(pool, undefined));
}

/**
 * @param nodeClass undefined for rendered pools, because rendered classes do not differ in labels, and if it is unknown
 */
export function askedOf(pool: unknown, nodeClass: KubeObject | undefined): AskedLabels {
  return {
    labels: new Map(placedLabelsOf(pool).map(({ key, value }) => [normalizeKey(key), value])),
    requirements: requirementsOf(entriesOf(pool)),
    ...instanceLabels(pool, nodeClass),
    isStatic: isStaticPool(pool),
  };
}

/** A pool never changes between static and dynamic (docs/upstream/karpenter.md#crds). */
export function isStaticPool(pool: unknown): boolean {
  return (valueAt(pool, ["spec", "replicas"]) ?? undefined) !== undefined;
}

function ofRequirement(
  { oldPath, newPath }: ChangedField,
  from: unknown,
  to: unknown,
  byKey: ReadonlyMap<string, Effect>,
): Effect {
  const key = keyAt(to, newPath) ?? keyAt(from, oldPath);
  if (key !== undefined) return byKey.get(key) ?? "none";
  // The whole list was added or removed: the worst effect of its keys.
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

/** The form of the hash has the fields of the template's metadata and spec on one level. */
function hashedParts(path: FieldPath, form: Readonly<Record<string, unknown>>): readonly string[] {
  const part = path[TEMPLATE.length + 1];
  return part === undefined ? Object.keys(form) : [String(part)];
}

/** Compares with the CRD's defaults, and durations and quantities by value. */
function sameMeaning(field: string | number | undefined, from: unknown, to: unknown): boolean {
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

/** The valid entries. Invalid ones are left out, because their effect is unknown. */
export function entriesOf(pool: unknown): readonly NodeSelectorRequirement[] {
  return placedEntriesOf(pool).map(({ entry }) => entry);
}

/** The valid entries with their paths. */
export function placedEntriesOf(
  pool: unknown,
): { readonly entry: NodeSelectorRequirement; readonly path: FieldPath }[] {
  const entries = valueAt(pool, REQUIREMENTS);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) =>
    isEntry(entry) ? [{ entry, path: [...REQUIREMENTS, index] }] : [],
  );
}

/** The labels of the template as written, with their paths. */
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

/** The budgets, or the default of the API server. Invalid ones are left out. */
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

/** @param nodeClass undefined if unknown */
function instanceLabels(pool: unknown, nodeClass: KubeObject | undefined): Pick<AskedLabels, "known" | "ofClass"> {
  const group = valueAt(pool, ["spec", "template", "spec", "nodeClassRef", "group"]);
  const provider = providerOf({ group: String(group) });
  return { known: provider.labels, ofClass: nodeClass && requirementsOfClass(provider, nodeClass) };
}

function requirementsOfClass(
  { classRequirements }: ReturnType<typeof providerOf>,
  nodeClass: KubeObject,
): Requirements {
  // Existing nodes may predate the status, so only the spec is used.
  const demands = classRequirements(nodeClass).filter(
    (demand) => demand.path[0] === "spec" && !isForPoolsThatAsk(demand),
  );
  const inGroup = valueAt(nodeClass, ["spec", "placementGroupSelector"]) ?? undefined;
  return new Map([
    ...demands.map(({ requirement }) => [requirement.key, requirement] as const),
    ...(inGroup === undefined ? [] : PLACEMENT.map((one) => [one.key, one] as const)),
  ]);
}

/** The group and its partitions are unknown before a node starts. */
const PLACEMENT = [
  requirementOf({ key: "karpenter.k8s.aws/placement-group-id", operator: "Exists" }),
  requirementOf({ key: "karpenter.k8s.aws/placement-group-partition", operator: "NotIn", values: [""] }),
];
