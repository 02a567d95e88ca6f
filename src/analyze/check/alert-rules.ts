/** Finds alert rules whose metrics of Karpenter have other labels or values in another version. */
import { type Finding, findingAt, type Words } from "../../krm/findings/finding.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";

/**
 * What Karpenter 1.15 changed in its metrics (docs/upstream/karpenter.md#metrics). No metric was renamed or removed;
 * test/suites/oracle/metrics.test.ts compares the sources of both versions.
 */
export const METRICS_OF_115 = [
  "karpenter_nodes_reboot_duration_seconds",
  "karpenter_nodes_reboot_recovery_duration_seconds",
  "karpenter_nodes_reboots_total",
  "karpenter_pod_deletion_cost_nodes_with_pending_annotation_writes",
  "karpenter_pod_deletion_cost_pod_annotation_writes_total",
  "karpenter_pods_disruption_initiated_total",
  "karpenter_voluntary_disruption_terminate_first_decisions_total",
];

/** Labels that a metric has beside those of 1.14. */
export const LABELS_OF_115: Readonly<Record<string, readonly string[]>> = {
  karpenter_cloudprovider_errors_total: ["nodepool"],
  karpenter_nodeclaims_disrupted_total: ["consolidation_policy", "termination_mode"],
  karpenter_nodeclaims_unhealthy_disrupted_total: ["termination_mode"],
  karpenter_pods_bound_duration_seconds: ["dynamic_resources"],
  karpenter_pods_provisioning_bound_duration_seconds: ["dynamic_resources"],
  karpenter_pods_provisioning_unbound_time_seconds: ["dynamic_resources"],
  karpenter_pods_unbound_time_seconds: ["dynamic_resources"],
};

interface ChangedLabel {
  readonly label: string;
  /** By the value of 1.14. */
  readonly values: Readonly<Record<string, string>>;
}

const REASONS: ChangedLabel = {
  label: "reason",
  values: { Drifted: "drifted", Empty: "empty", Underutilized: "underutilized" },
};

export const VALUES_OF_115: Readonly<Record<string, ChangedLabel>> = {
  karpenter_cloudprovider_errors_total: { label: "error", values: { "": "unknown" } },
  karpenter_nodepools_allowed_disruptions: REASONS,
  karpenter_nodepools_nodes_consuming_budgets: REASONS,
};

export function isAlertRules({ apiVersion, kind }: Pick<Resource, "apiVersion" | "kind">): boolean {
  return groupOf(apiVersion) === "monitoring.coreos.com" && kind === "PrometheusRule";
}

/** @param isDowngrade from 1.15 to 1.14 */
export function changedAlerts(rules: readonly Resource[], to: string, isDowngrade: boolean): Finding[] {
  return rules.flatMap((resource) =>
    expressionsOf(resource).flatMap(({ path, name, expr }) => {
      const words = selectorsOf(expr).flatMap((selector) =>
        isDowngrade ? notYet(selector, to) : changed(selector, expr, to),
      );
      return distinct(words).map(({ message, hint }) =>
        findingAt("upgrade-metric-changed", resource, path, { message: `${name}: ${message}`, hint }),
      );
    }),
  );
}

function distinct(words: readonly Words[]): readonly Words[] {
  return [...new Map(words.map((one) => [one.message, one])).values()];
}

function changed({ metric, matchers }: Selector, expr: string, to: string): Words[] {
  const { label: changedLabel, values = {} } = VALUES_OF_115[metric] ?? {};
  const outdated = matchers.flatMap(({ label, operator, value }): Words[] => {
    const old = Object.keys(values).filter((one) => label === changedLabel && selects(operator, value, one));
    if (old.length === 0) return [];
    const now = old.map((one) => values[one] ?? "");
    const isNegative = operator.startsWith("!");
    const message = `\`${label}${operator}${JSON.stringify(value)}\` of ${metric} ${isNegative ? "excludes" : "selects"} nothing any more: Karpenter ${to} writes ${quoted(now)} in place of ${quoted(old)}`;
    const either = `${label}${isNegative ? "!~" : "=~"}${JSON.stringify([...old, ...now].join("|"))}`;
    return [{ message, hint: `write ${quoted(now)}, or ${either} for both versions` }];
  });
  const more = LABELS_OF_115[metric] ?? [];
  if (more.length === 0 || AGGREGATION.test(expr)) return outdated;
  const labels = `${more.length === 1 ? "label" : "labels"} ${more.join(" and ")}`;
  const split = {
    message: `${metric} also has the ${labels} in Karpenter ${to}, and the expression, which does not aggregate, holds for each combination of values`,
    hint: `aggregate, such as with sum without (${more.join(", ")}) (…)`,
  };
  return [...outdated, split];
}

const AGGREGATION = /\b(?:sum|avg|min|max|count|group|topk|bottomk|quantile)\b/;

function notYet({ metric, matchers }: Selector, to: string): Words[] {
  if (METRICS_OF_115.includes(metric))
    return [{ message: `Karpenter ${to} has no metric ${metric}`, hint: "remove the rule before the downgrade" }];
  const { label: changedLabel, values = {} } = VALUES_OF_115[metric] ?? {};
  return matchers.flatMap(({ label, operator, value }): Words[] => {
    if (LABELS_OF_115[metric]?.includes(label) === true)
      return [{ message: `${metric} has no label ${label} in Karpenter ${to}`, hint: "remove it from the expression" }];
    const old = Object.keys(values).filter(
      (one) => label === changedLabel && selects(operator, value, values[one] ?? ""),
    );
    if (old.length === 0) return [];
    const message = `\`${label}${operator}${JSON.stringify(value)}\` of ${metric} means nothing to Karpenter ${to}, which writes ${quoted(old)}`;
    return [{ message, hint: `write ${quoted(old)}` }];
  });
}

function quoted(values: readonly string[]): string {
  return values.map((one) => JSON.stringify(one)).join(" and ");
}

/** For a regular expression: whether the word is in it, because RE2 is not JavaScript's. */
function selects(operator: string, pattern: string, word: string): boolean {
  if (!operator.endsWith("~")) return pattern === word;
  return !pattern.startsWith("(?i)") && word !== "" && pattern.split(/[^A-Za-z_]+/).includes(word);
}

interface Expression {
  readonly path: FieldPath;
  readonly name: string;
  readonly expr: string;
}

/** Of a PrometheusRule, or of a rule file of Prometheus, which has the groups at its root. */
function expressionsOf({ value }: Resource): Expression[] {
  const base: FieldPath = isFields(value["spec"]) ? ["spec", "groups"] : ["groups"];
  const groups = isFields(value["spec"]) ? value["spec"]["groups"] : value["groups"];
  return fieldsIn(groups).flatMap(([group, at]) =>
    fieldsIn(group["rules"]).flatMap(([{ alert, record, expr }, index]) => {
      if (typeof expr !== "string") return [];
      const name = typeof alert === "string" ? `alert ${alert}` : `rule ${typeof record === "string" ? record : index}`;
      return [{ path: [...base, at, "rules", index, "expr"], name, expr }];
    }),
  );
}

function fieldsIn(list: unknown): (readonly [Fields, number])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) => (isFields(item) ? [[item, index] as const] : []));
}

interface Selector {
  /** Without the suffix of a histogram or summary. */
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** A text that is not closed ends with the expression, so that each character is read once. */
const TOKEN = /#[^\n]*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?|[A-Za-z_:][\w:]*|[=!]~|!=|=|[{}()]/gs;
const OPERATORS = ["=", "!=", "=~", "!~"];

/** The names in an expression of PromQL, with the matchers that follow one in braces. */
function selectorsOf(expr: string): Selector[] {
  const tokens = [...expr.matchAll(TOKEN)].map(([token]) => token).filter((token) => !token.startsWith("#"));
  const selectors: Selector[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    let metric = /^[A-Za-z_:]/.test(token) ? token : undefined;
    if (metric === undefined && token !== "{") continue;
    const matchers: Selector["matchers"][number][] = [];
    if (metric === undefined || tokens[at + 1] === "{") {
      at += metric === undefined ? 1 : 2;
      for (; at < tokens.length && tokens[at] !== "}"; at++) {
        const [name = "", operator = "", text = ""] = tokens.slice(at, at + 3);
        const isMatcher = OPERATORS.includes(operator);
        // Prometheus 3 also reads {"metric"}.
        if (!isMatcher && QUOTED.test(name)) metric ??= unquoted(name);
        if (!isMatcher) continue;
        const label = unquoted(name);
        if (label === "__name__" && operator === "=") metric ??= unquoted(text);
        else matchers.push({ label, operator, value: unquoted(text) });
        at += 2;
      }
    }
    if (metric !== undefined) selectors.push({ metric: metric.replace(/_(?:bucket|count|sum)$/, ""), matchers });
  }
  return selectors;
}

const QUOTED = /^["'`]/;

function unquoted(token: string): string {
  return QUOTED.test(token) ? token.slice(1, -1).replace(/\\(.)/gs, "$1") : token;
}
