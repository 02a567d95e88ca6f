/** Which pods block the removal of their nodes: by annotations and PodDisruptionBudgets. */
import { describe, expect, it } from "vitest";
import { heldPodOf } from "../nodes/held-pod.ts";
import { isCurrentlyReschedulable, podBlockers } from "./pod-blockers.ts";
import { selects } from "../../karpenter/scheduling/label-selector.ts";

const AT = Date.UTC(2026, 10, 23, 9);

interface Given {
  readonly annotation?: string;
  readonly status?: object;
  readonly metadata?: object;
  readonly spec?: object;
}

function pod({ annotation, status, metadata, spec }: Given) {
  const annotations = annotation === undefined ? {} : { annotations: { "karpenter.sh/do-not-disrupt": annotation } };
  return {
    metadata: { name: "db-0", namespace: "shop", labels: { app: "db" }, ...annotations, ...metadata },
    spec: { nodeName: "n", ...spec },
    status: { phase: "Running", startTime: "2026-11-23T08:00:00Z", ...status },
  };
}

function budget(name: string, more: { namespace?: string; allowed?: number; spec?: object } = {}) {
  const { namespace = "shop", allowed = 0, spec } = more;
  const value = {
    metadata: { name, namespace },
    spec: { selector: { matchLabels: { app: "db" } }, ...spec },
    status: { disruptionsAllowed: allowed },
  };
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", name, value };
}

const why = (given: Given, ...budgets: ReturnType<typeof budget>[]) =>
  podBlockers(heldPodOf(pod(given), budgets), AT)[0]?.message;

const SAYS = "its pod shop/db-0 has karpenter.sh/do-not-disrupt";
const TWO = "PodDisruptionBudgets shop/a and shop/b both select its pod shop/db-0, and Kubernetes evicts no such pod";
const HELD = "PodDisruptionBudget shop/a blocks the eviction of its pod shop/db-0";

describe("annotations of pods", () => {
  it.each<[Given, string | undefined]>([
    [{}, undefined],
    [{ annotation: "true" }, SAYS],
    [{ annotation: "false" }, undefined],
    [{ annotation: "2h" }, `${SAYS} 2h until 2026-11-23T10:00:00Z`],
    [{ annotation: "2h", status: { startTime: undefined } }, `${SAYS}: 2h, and no start time to count from`],
    [{ annotation: "30m" }, undefined],
    [{ annotation: "true", status: { phase: "Succeeded" } }, undefined],
    [{ annotation: "true", metadata: { deletionTimestamp: "2026-11-23T08:59:00Z" } }, undefined],
  ])("%j: %s", (given, words) => {
    expect(why(given)).toBe(words);
  });
});

describe("PodDisruptionBudgets", () => {
  const mirror = { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node" }] } };
  const tolerant = { spec: { tolerations: [{ key: "karpenter.sh/disrupted", operator: "Exists" }] } };
  const unready = { status: { conditions: [{ type: "Ready", status: "False" }] } };
  const anyUnhealthy = { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } };
  it.each<[string, Given, ReturnType<typeof budget>[], string | undefined]>([
    ["one that allows none", {}, [budget("a")], HELD],
    ["one that allows some", {}, [budget("a", { allowed: 1 })], undefined],
    ["two of them, even if both allow it", {}, [budget("a", { allowed: 1 }), budget("b", { allowed: 1 })], TWO],
    ["one of another namespace", {}, [budget("a", { namespace: "else" })], undefined],
    ["one for other labels", {}, [budget("a", { spec: { selector: { matchLabels: { app: "web" } } } })], undefined],
    ["a pod that belongs to its node", mirror, [budget("a")], undefined],
    ["a pod that tolerates being disrupted", tolerant, [budget("a")], undefined],
    ["a pod that is not ready", unready, [budget("a")], HELD],
    ["a pod that need not be ready", unready, [budget("a", anyUnhealthy)], undefined],
    ["a pod that is ready", {}, [budget("a", anyUnhealthy)], HELD],
  ])("%s", (_what, given, budgets, words) => {
    expect(why(given, ...budgets)).toBe(words);
  });
});

it("names the annotation and the budget of one pod", () => {
  const held = heldPodOf(pod({ annotation: "true" }), [budget("a")]);
  expect(podBlockers(held, AT).map(({ code }) => code)).toStrictEqual(["pod-do-not-disrupt", "pdb-blocks"]);
});

describe("pods that move with a node", () => {
  const owner = (kind: string) => ({ metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind }] } });
  const leaving = { deletionTimestamp: "2026-11-23T08:59:00Z" };
  const never = { spec: { maxUnavailable: 0 } };
  it.each<[string, Given, ReturnType<typeof budget>[], boolean]>([
    ["one without budgets", {}, [], true],
    ["one that its budget holds at the moment", {}, [budget("a")], true],
    ["one that its budget holds for good", {}, [budget("a", { ...never, allowed: 1 })], false],
    ["one that two budgets select", {}, [budget("a", { allowed: 1 }), budget("b", { allowed: 1 })], false],
    ["one with the annotation", { annotation: "true" }, [], false],
    ["one whose annotation has ended", { annotation: "30m" }, [], true],
    ["one of a DaemonSet", owner("DaemonSet"), [], false],
    ["one that leaves", { metadata: leaving }, [], false],
    ["one of a StatefulSet that leaves", { metadata: { ...owner("StatefulSet").metadata, ...leaving } }, [], true],
  ])("%s: %s", (_what, given, budgets, moves) => {
    expect(isCurrentlyReschedulable(heldPodOf(pod(given), budgets), AT)).toBe(moves);
  });
});

it.each<[unknown, boolean]>([
  [undefined, false],
  ["app=db", false],
  [{}, true],
  [{ matchLabels: { app: "db" } }, true],
  [{ matchLabels: { app: "db", tier: "one" } }, false],
  [{ matchExpressions: [{ key: "app", operator: "In", values: ["web", "db"] }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }, false],
  [{ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["one"] }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
  [{ matchExpressions: [{ key: "constructor", operator: "Exists" }] }, false],
  [{ matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "Near", values: ["db"] }] }, false],
  [{ matchExpressions: "app" }, false],
])("%j selects: %s", (selector, isSelected) => {
  expect(selects(selector, { app: "db" })).toBe(isSelected);
});
