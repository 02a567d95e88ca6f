/** Lists changes of one NodePool field other than requirements, with the effect on its nodes. */
import type { Effect } from "../../../src/analyze/diff/change-effect.ts";

export interface FieldRow {
  readonly field: string;
  /** Undefined without such a field. */
  readonly from: unknown;
  readonly to: unknown;
  readonly effect: Effect;
}

type Row = readonly [from: unknown, to: unknown, effect: Effect];

const taint = (key: string, effect = "NoSchedule", value?: string) => ({ key, effect, ...(value ? { value } : {}) });
const added = (timeAdded: string) => ({ ...taint("a"), timeAdded });

const TEMPLATE: Readonly<Record<string, readonly Row[]>> = {
  "metadata.labels": [
    [undefined, { "example.com/a": "x" }, "replaces-all"],
    [{ "example.com/a": "x" }, undefined, "replaces-all"],
    [{ "example.com/a": "x" }, { "example.com/a": "y" }, "replaces-all"],
    [{ "example.com/a": "x" }, { "example.com/a": "x", "example.com/b": "x" }, "replaces-all"],
  ],
  "metadata.annotations": [
    [undefined, { a: "x" }, "replaces-all"],
    [{ a: "x" }, { a: "y" }, "replaces-all"],
    [{ a: "x" }, undefined, "replaces-all"],
  ],
  "spec.taints": [
    [undefined, [taint("a")], "replaces-all"],
    [[taint("a")], undefined, "replaces-all"],
    [[taint("a", "NoSchedule", "x")], [taint("a", "NoSchedule", "y")], "replaces-all"],
    [[taint("a")], [taint("a", "NoExecute")], "replaces-all"],
    [[taint("a")], [taint("b")], "replaces-all"],
    [[taint("a")], [taint("a"), taint("b")], "replaces-all"],
    [[taint("a")], [{ ...taint("a"), value: "" }], "none"],
    [[taint("a"), taint("b")], [taint("b"), taint("a")], "none"],
    [[taint("a")], [added("2026-01-01T00:00:00Z")], "replaces-all"],
    [[added("2026-01-01T00:00:00Z")], [added("2026-02-01T00:00:00Z")], "replaces-all"],
  ],
  "spec.startupTaints": [
    [undefined, [taint("a")], "replaces-all"],
    [[taint("a")], [taint("a", "NoExecute")], "replaces-all"],
    [[taint("a")], undefined, "replaces-all"],
    [[taint("a")], [taint("b")], "replaces-all"],
    [[taint("a", "NoSchedule", "x")], [taint("a", "NoSchedule", "y")], "replaces-all"],
    [[taint("a")], [added("2026-01-01T00:00:00Z")], "replaces-all"],
    [[added("2026-01-01T00:00:00Z")], [added("2026-02-01T00:00:00Z")], "replaces-all"],
  ],
  "spec.nodeClassRef.name": [["default", "other", "replaces-all"]],
  "spec.nodeClassRef.kind": [["EC2NodeClass", "NodeClass", "replaces-all"]],
  "spec.nodeClassRef.group": [["karpenter.k8s.aws", "eks.amazonaws.com", "replaces-all"]],
  "spec.expireAfter": [
    ["720h", "24h", "replaces-all"],
    ["720h", "Never", "replaces-all"],
    ["24h", "1440m", "none"],
    ["1h", "3600s", "none"],
  ],
  "spec.terminationGracePeriod": [
    [undefined, "1h", "replaces-all"],
    ["1h", "2h", "replaces-all"],
    ["1h", undefined, "replaces-all"],
    ["1h", "60m", "none"],
  ],
};

/**
 * Not in the template, so no node drifts, as Karpenter confirms. Their effect comes when Karpenter acts: weight when
 * it chooses a pool, limits before it launches, disruption before it disrupts.
 */
const BESIDE: Readonly<Record<string, readonly Row[]>> = {
  weight: [
    [undefined, 10, "behavioural"],
    [10, 20, "behavioural"],
    [10, undefined, "behavioural"],
  ],
  limits: [
    [undefined, { cpu: "10" }, "behavioural"],
    [{ cpu: "10" }, { cpu: "1" }, "behavioural"],
    [{ cpu: "10" }, { cpu: "0" }, "behavioural"],
    [{ memory: "1Gi" }, { memory: "2Gi" }, "behavioural"],
    [{ nodes: "5" }, { nodes: "3" }, "behavioural"],
    [{ cpu: "1" }, { cpu: "1000m" }, "none"],
    [{ memory: "1Gi" }, { memory: "1024Mi" }, "none"],
    [{ cpu: "10" }, undefined, "behavioural"],
  ],
  replicas: [
    [5, 3, "removes-nodes"],
    [3, 5, "new-nodes"],
    [3, 0, "removes-nodes"],
  ],
  "disruption.consolidateAfter": [
    ["0s", "1m", "behavioural"],
    ["0s", "Never", "behavioural"],
    ["60s", "1m", "none"],
  ],
  "disruption.consolidationPolicy": [
    [undefined, "WhenEmpty", "behavioural"],
    ["WhenEmpty", "WhenEmptyOrUnderutilized", "behavioural"],
    [undefined, "WhenEmptyOrUnderutilized", "none"],
  ],
  "disruption.budgets": [
    [undefined, [{ nodes: "10%" }], "none"],
    [[{ nodes: "10%" }], [{ nodes: "0" }], "behavioural"],
    [[{ nodes: "1" }], [{ nodes: "1", reasons: ["Drifted"] }], "behavioural"],
    [[{ nodes: "1" }], [{ nodes: "1", schedule: "0 9 * * *", duration: "8h" }], "behavioural"],
    [[{ nodes: "1", reasons: ["Empty", "Drifted"] }], [{ nodes: "1", reasons: ["Drifted", "Empty"] }], "none"],
    [[{ nodes: "1" }], [], "behavioural"],
  ],
};

export const POOL_CHANGES: readonly FieldRow[] = [...rowsOf(TEMPLATE, "spec.template."), ...rowsOf(BESIDE, "spec.")];

export function rowsOf(table: Readonly<Record<string, readonly Row[]>>, prefix: string): FieldRow[] {
  return Object.entries(table).flatMap(([field, rows]) =>
    rows.map(([from, to, effect]) => ({ field: `${prefix}${field}`, from, to, effect })),
  );
}

/** The object with the value at the field, which may be absent. */
export function withField<T>(object: T, field: string, value: unknown): T {
  const [first = "", ...rest] = field.split(".");
  const part = (object as Record<string, unknown> | undefined)?.[first];
  const changed = rest.length === 0 ? value : withField(part ?? {}, rest.join("."), value);
  return { ...object, [first]: changed };
}
