/** The order of clusters: failed first, equal causes beside each other, otherwise as configured. */
import { expect, test } from "vitest";
import { alikeOf, sortBySeverity } from "../../../src/report/dashboard/fleet-screen.ts";
import type { ClusterView, PassView } from "../../../src/report/dashboard/fleet-view.ts";

function cluster(name: string, result?: PassView["result"], message = ""): ClusterView {
  const pass = { result, ready: { status: "False", reason: "Reason", message } } as unknown as PassView;
  return { name, hostedCluster: `clusters-${name}`, pass: result && pass, broken: undefined } as ClusterView;
}

const missing = (name: string) =>
  cluster(name, "failed", `the guest of clusters-${name} has no kubeconfig ${name}.yaml`);

const FLEET = [
  cluster("ok1", "ok"),
  cluster("held1", "held", "a wrapper"),
  cluster("new1"),
  cluster("lost", "failed", "it is away"),
  missing("a1"),
  cluster("ok2", "ok"),
  missing("a2"),
  cluster("held2", "held", "a limit"),
];

test("problems first, and the most frequent cause before others", () => {
  expect(sortBySeverity(FLEET).map(({ name }) => name)).toEqual([
    "a1",
    "a2",
    "lost",
    "held1",
    "held2",
    "new1",
    "ok1",
    "ok2",
  ]);
});

test("a cluster with a new state moves alone", () => {
  const before = sortBySeverity(FLEET).map(({ name }) => name);
  const after = sortBySeverity(FLEET.map((one) => (one.name === "held2" ? cluster("held2", "ok") : one)));
  expect(after.map(({ name }) => name).filter((name) => name !== "held2")).toEqual(
    before.filter((name) => name !== "held2"),
  );
});

test("counts others with the same cause, independent of names; healthy clusters have none", () => {
  expect(FLEET.map((one) => [one.name, alikeOf(one, FLEET)]).filter(([, alike]) => alike !== 0)).toEqual([
    ["a1", 1],
    ["a2", 1],
  ]);
});
