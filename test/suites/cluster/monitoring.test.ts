/** Every query of the dashboard and of the alerts in deploy/ asks for metrics that a watch serves, by labels that they have. */
import { readFileSync } from "node:fs";
import { type Metric, Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { fleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import { fleetMetrics } from "../../../src/cluster/serve/metrics.ts";
import { namesIn } from "../../support/deploy/query-names.ts";

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

const { panels, templating } = JSON.parse(readFileSync("deploy/management/dashboard/anp-watch.json", "utf8")) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const QUERIES = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

/** What Prometheus adds to each sample of a pod. */
const OF_TARGET = ["instance", "job", "namespace", "pod"];

const served = labelsOfMetrics();

test.each(QUERIES)("$title: $expr", ({ expr, legendFormat }) => {
  const { metrics, labels } = namesIn(expr);
  expect(metrics).not.toEqual([]);
  expect(metrics.filter((name) => !served.has(name))).toEqual([]);
  const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
  for (const name of metrics) {
    const known = [...served.get(name)!, ...OF_TARGET];
    expect([...labels, ...shown].filter((label) => !known.includes(label))).toEqual([]);
  }
  const variables = [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name).filter((name) => name !== "__rate_interval");
  expect(variables.filter((name) => !templating.list.some((variable) => variable.name === name))).toEqual([]);
});

test.each(alertExpressions())("alert: %s", (expr) => {
  const { metrics, labels } = namesIn(expr);
  expect(metrics).not.toEqual([]);
  for (const name of metrics) expect(served.get(name)).toEqual(expect.arrayContaining([...labels]));
});

test("the dashboard shows what a watch counts of its clusters, and panels do not overlap", () => {
  const shown = new Set(QUERIES.flatMap(({ expr }) => namesIn(expr).metrics.map((name) => name.replace(BUCKETS, ""))));
  const own = [...served.keys()].filter((name) => name.startsWith("anp_") && !BUCKETS.test(name));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}/${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

const BUCKETS = /_(?:bucket|sum|count)$/;

function alertExpressions(): string[] {
  const rules = readFileSync("deploy/management/alerts/prometheus-rule.yaml", "utf8");
  const { spec } = parse(rules) as { spec: { groups: { rules: { expr: string }[] }[] } };
  const { patches } = parse(readFileSync("deploy/fleet/alerts/kustomization.yaml", "utf8")) as {
    patches: { patch: string }[];
  };
  const ofFleet = patches.flatMap(({ patch }) => parse(patch) as { op: string; value: { expr: string } }[]);
  return [
    ...spec.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...ofFleet.flatMap(({ op, value }) => (op === "replace" ? [value.expr] : [])),
  ];
}

/** Of a replica that elects a leader, and of one that shares. */
function labelsOfMetrics(): ReadonlyMap<string, readonly string[]> {
  const registered = vi.spyOn(Registry.prototype, "registerMetric");
  const counted = { requests: () => ({}) } as never;
  const shards = { api: counted, count: 1, held: () => 1, replicas: () => 1 };
  const { fleet } = fleetState([], () => undefined);
  const common = { fleet, clusters: () => [], concurrency: 1 };
  fleetMetrics({ ...common, lease: counted });
  fleetMetrics({ ...common, lease: undefined, replica: { discovery: counted, shards } });
  const metrics = registered.mock.calls.map(
    ([metric]) =>
      metric as Metric & { readonly name: string; readonly labelNames: readonly string[]; buckets?: unknown },
  );
  registered.mockRestore();
  return new Map(
    metrics.flatMap(({ name, labelNames, buckets }): [string, readonly string[]][] =>
      buckets === undefined
        ? [[name, labelNames]]
        : [
            [`${name}_bucket`, [...labelNames, "le"]],
            [`${name}_sum`, labelNames],
            [`${name}_count`, labelNames],
          ],
    ),
  );
}
