/** Karpenter's scheduler config: what it reads, and what it does not start with. */
import { expect, it } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { karpenterOptions } from "./karpenter-options.ts";
import { parseSchedulerConfig } from "./scheduler-config.ts";

const ZONES = { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" };
const configOf = (...constraints: readonly object[]): string =>
  JSON.stringify({ podTopologySpread: { defaultConstraints: constraints } });

it.each(["", "{}", "podTopologySpread: {}", configOf()])("has no constraints in %j", (text) => {
  expect(parseSchedulerConfig(text)).toStrictEqual([]);
});

it("has constraints in YAML and JSON", () => {
  const twice = [ZONES, { ...ZONES, whenUnsatisfiable: "ScheduleAnyway", minDomains: 2 }];
  expect(parseSchedulerConfig(configOf(...twice))).toStrictEqual(twice);
  const yaml =
    "podTopologySpread:\n  defaultConstraints:\n  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}\n";
  expect(parseSchedulerConfig(yaml)).toStrictEqual([
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
  ]);
});

it.each([
  "apiVersion: kubescheduler.config.k8s.io/v1",
  "podTopologySpread: [",
  "podTopologySpread: 1",
  configOf({ ...ZONES, labelSelector: {} }),
  configOf({ ...ZONES, matchLabelKeys: ["app"] }),
  configOf({ ...ZONES, maxSkew: 0 }),
  configOf({ ...ZONES, topologyKey: "" }),
  configOf({ ...ZONES, whenUnsatisfiable: "Never" }),
  configOf(ZONES, { ...ZONES, maxSkew: 2 }),
])("is not started with by Karpenter: %s", (text) => {
  expect(parseSchedulerConfig(text)).toBeUndefined();
});

const spreadOf = (env: object, ...more: readonly object[]) => {
  const containers = [{ name: "controller", env: [{ name: "SCHEDULER_CONFIG", ...env }] }];
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "karpenter" },
    spec: { template: { spec: { containers } } },
  };
  const text = [deployment, ...more].map((one) => JSON.stringify(one)).join("\n---\n");
  const among = parseSources([testSource(text)]).value;
  return (["karpenter-1.15", "karpenter-1.14"] as const).map(
    (profile) => karpenterOptions(profile, [], among).defaultSpread,
  );
};

it("counts since Karpenter 1.15, also from a ConfigMap of the input", () => {
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "karpenter" },
    data: { config: configOf(ZONES) },
  };
  const fromMap = { valueFrom: { configMapKeyRef: { name: "karpenter", key: "config" } } };
  expect(spreadOf({ value: configOf(ZONES) })).toStrictEqual([[ZONES], []]);
  expect(spreadOf(fromMap, map)).toStrictEqual([[ZONES], []]);
  expect(spreadOf(fromMap)).toStrictEqual([undefined, []]);
});
