/** Which pods block the removal of their nodes: by annotations and PodDisruptionBudgets. */
import { describe, expect, it } from "vitest";
import { heldPodOf, whyHeld } from "./held-pod.ts";
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

const why = (given: Given, ...budgets: ReturnType<typeof budget>[]) => whyHeld(heldPodOf(pod(given), budgets), AT);

const SAYS = "its pod shop/db-0 has karpenter.sh/do-not-disrupt";
const HELD = "PodDisruptionBudget shop/a blocks the eviction of its pod shop/db-0";

describe("annotations of pods", () => {
  it.each<[Given, string | undefined]>([
    [{}, undefined],
    [{ annotation: "true" }, SAYS],
    [{ annotation: "false" }, undefined],
    [{ annotation: "2h" }, SAYS],
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
    ["two of them, even if both allow it", {}, [budget("a", { allowed: 1 }), budget("b", { allowed: 1 })], HELD],
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
