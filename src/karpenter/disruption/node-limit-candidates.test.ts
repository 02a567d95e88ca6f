/** Tests the order in which nodes are removed: that of Karpenter's static pools. */
import { describe, expect, it } from "vitest";
import type { Profile } from "../../model/crds/profile.ts";
import {
  evictionCost,
  forbidsDisruption,
  inDeprovisioningOrder,
  type LimitedNode,
  type RunningPod,
} from "./node-limit-candidates.ts";

const AT = Date.parse("2026-11-23T12:00:00Z");
const DAY = 86_400_000;

function pod(more: Partial<RunningPod> = {}): RunningPod {
  return { annotations: {}, priority: undefined, ofDaemonSet: false, startTime: AT - DAY, ...more };
}

function node(name: string, more: Partial<LimitedNode> = {}): LimitedNode {
  return { name, launched: true, created: AT - DAY, expireAfter: "Never", pods: [pod()], ...more };
}

const guarded = (value: string) => pod({ annotations: { "karpenter.sh/do-not-disrupt": value } });

function order(nodes: readonly LimitedNode[], profile: Profile = "hypershift"): string[] {
  return inDeprovisioningOrder(nodes, AT, profile).map(({ name, why }) => `${name}: ${why}`);
}

describe("the order", () => {
  it("not launched, empty, the cheapest, do-not-disrupt", () => {
    expect(
      order([
        node("guarded", { pods: [guarded("true")] }),
        node("dear", { pods: [pod(), pod(), pod()] }),
        node("cheap", { pods: [pod(), pod({ ofDaemonSet: true })] }),
        node("daemons", { pods: [pod({ ofDaemonSet: true }), pod({ ofDaemonSet: true })] }),
        node("bare", { pods: [] }),
        node("new", { launched: false, pods: [] }),
      ]),
    ).toStrictEqual([
      "new: not-launched",
      "bare: empty",
      "daemons: empty",
      "cheap: cost",
      "dear: cost",
      "guarded: do-not-disrupt",
    ]);
  });

  it("a node with a DaemonSet pod that blocks disruption is not empty", () => {
    const daemon = { ...guarded("true"), ofDaemonSet: true };
    expect(order([node("a", { pods: [daemon] }), node("b")])).toStrictEqual(["b: cost", "a: do-not-disrupt"]);
  });

  it("a node near its end costs less", () => {
    const old = node("old", { created: AT - 29 * DAY, expireAfter: "720h", pods: [pod(), pod(), pod()] });
    const young = node("young", { created: AT - DAY, expireAfter: "720h" });
    expect(order([young, old])).toStrictEqual(["old: cost", "young: cost"]);
    const [first] = inDeprovisioningOrder([young, old], AT, "hypershift");
    expect(first).toMatchObject({ cost: 3, lifetimeLeft: expect.closeTo(1 / 30) as number });
  });

  it("an expired node has no lifetime left; a node that never expires has all", () => {
    const left = (more: Partial<LimitedNode>) =>
      inDeprovisioningOrder([node("a", more)], AT, "hypershift")[0]!.lifetimeLeft;
    expect(left({ created: AT - 40 * DAY, expireAfter: "720h" })).toBe(0);
    expect(left({ expireAfter: "Never" })).toBe(1);
    expect(left({ expireAfter: undefined })).toBe(1);
    expect(left({ created: AT + DAY, expireAfter: "720h" })).toBe(1);
  });

  it("equal nodes are sorted by name", () => {
    expect(order([node("b"), node("a"), node("c")])).toStrictEqual(["a: cost", "b: cost", "c: cost"]);
  });
});

describe("the cost of evicting a pod", () => {
  it.each([
    ["an ordinary one", pod(), 1],
    ["priority", pod({ priority: 2 ** 25 }), 2],
    ["system-node-critical", pod({ priority: 2_000_001_000 }), 10],
    ["deletion cost", pod({ annotations: { "controller.kubernetes.io/pod-deletion-cost": String(2 ** 27) } }), 2],
    ["a negative one", pod({ annotations: { "controller.kubernetes.io/pod-deletion-cost": "-2147483647" } }), -10],
    ["no number", pod({ annotations: { "controller.kubernetes.io/pod-deletion-cost": "cheap" } }), 1],
  ])("%s", (_name, one, cost) => {
    expect(evictionCost(one, "hypershift")).toBeCloseTo(cost, 1);
  });

  it("since 1.15 Karpenter's own annotation takes precedence, and both are integers", () => {
    const annotations = {
      "karpenter.sh/disruption-cost": String(2 ** 27),
      "controller.kubernetes.io/pod-deletion-cost": "0",
    };
    expect(evictionCost(pod({ annotations }), "karpenter-1.15")).toBe(2);
    expect(evictionCost(pod({ annotations }), "karpenter-1.14")).toBe(1);
    const half = { "controller.kubernetes.io/pod-deletion-cost": "67108864.5" };
    expect(evictionCost(pod({ annotations: half }), "karpenter-1.15")).toBe(1);
    expect(evictionCost(pod({ annotations: half }), "karpenter-1.14")).toBeCloseTo(1.5);
  });
});

describe("do-not-disrupt", () => {
  it.each([
    ["true", true],
    ["false", false],
    ["25h", true],
    ["23h", false],
    ["-1h", false],
    ["soon", false],
  ])("%s of a pod that has run for a day: %s", (value, forbids) => {
    expect(forbidsDisruption(guarded(value), AT)).toBe(forbids);
  });

  it("a duration without a start counts", () => {
    expect(forbidsDisruption({ ...guarded("1h"), startTime: undefined }, AT)).toBe(true);
  });
});
