/** The default topology spread: which pods get it, and by which selector. */
import { expect, it } from "vitest";
import { podObject, podsOf } from "../../../test/support/pod-input.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { spreadDefaults } from "./default-spread.ts";

const ZONES = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" };
const service = (name: string, selector?: object): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "shop" },
  spec: { selector },
});
const owner = (kind: string, selector: object): object => ({
  apiVersion: kind === "ReplicationController" ? "v1" : "apps/v1",
  kind,
  metadata: { name: "web", namespace: "shop" },
  spec: {
    replicas: 2,
    selector,
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "a" }] } },
  },
});
const ownedPod = (kind: string, labels: object): object =>
  podObject(
    "web-0",
    {},
    {
      metadata: {
        name: "web-0",
        namespace: "shop",
        labels,
        ownerReferences: [
          { apiVersion: kind === "ReplicationController" ? "v1" : "apps/v1", kind, name: "web", controller: true },
        ],
      },
    },
  );

function selectorOf(pod: object, ...objects: readonly object[]): unknown {
  const text = objects.map((one) => JSON.stringify(one)).join("\n---\n");
  const seen = spreadDefaults([ZONES], parseSources([testSource(text)]).value)(podsOf(pod)[0]!);
  const [constraint] = seen.pod.spec.topologySpreadConstraints ?? [];
  return [(constraint as { labelSelector?: unknown } | undefined)?.labelSelector, seen.unknown];
}

const isIn = (key: string, value: string): object => ({ key, operator: "In", values: [value] });

it("is of the ReplicaSet that a Deployment will have", () => {
  expect(selectorOf(owner("Deployment", { matchLabels: { app: "web" } }))).toStrictEqual([
    { matchLabels: {}, matchExpressions: [isIn("app", "web"), isIn("pod-template-hash", "shop/web")] },
    [],
  ]);
});

it("is of the Services that select the pods, and of their owner", () => {
  const services = [service("none"), service("all", {}), service("web", { app: "web" }), service("db", { app: "db" })];
  const set = owner("StatefulSet", { matchLabels: { app: "web" } });
  expect(selectorOf(set, ...services)).toStrictEqual([
    { matchLabels: { app: "web" }, matchExpressions: [isIn("app", "web")] },
    [],
  ]);
  expect(selectorOf(podObject("alone", {}), ...services)).toStrictEqual([undefined, []]);
});

it("is of the owner of a pod of a cluster", () => {
  const controller = owner("ReplicationController", { app: "web" });
  expect(selectorOf(ownedPod("ReplicationController", { app: "web" }), controller)).toStrictEqual([
    { matchLabels: { app: "web" }, matchExpressions: [] },
    [],
  ]);
  expect(selectorOf(ownedPod("ReplicaSet", { app: "web", "pod-template-hash": "5d9f" }))).toStrictEqual([
    { matchLabels: {}, matchExpressions: [isIn("pod-template-hash", "5d9f")] },
    [],
  ]);
  expect(selectorOf(ownedPod("StatefulSet", { app: "web" }))).toStrictEqual([
    undefined,
    ["StatefulSet web: its selector decides which pods the default topology spread counts"],
  ]);
});

it("is not for pods with constraints of their own, and unknown without Services", () => {
  const [, unknown] = selectorOf(podObject("alone", {})) as [unknown, readonly string[]];
  expect(unknown[0]).toMatch(/^Services: /);
  const own = { topologySpreadConstraints: [{ ...ZONES, topologyKey: "rack" }] };
  expect(selectorOf(podObject("own", own), service("all", {}))).toStrictEqual([undefined, []]);
});
