/** The Ready condition of a pass: the worst first, with names, and a new time only when the status changes. */
import { describe, expect, test } from "vitest";
import type { JudgedPool, PoolVerdict } from "../../../src/analyze/explain/judge-pool.ts";
import { withCondition } from "../../../src/cluster/status/wrapper-status.ts";
import type { StepResult } from "../../../src/cluster/apply/execute.ts";
import { outcomesOf, type PassFacts } from "../../../src/cluster/status/outcomes.ts";
import { type ReadyFacts, readyOf } from "../../../src/cluster/status/ready-condition.ts";
import type { ApiError } from "../../../src/cluster/api/api-answer.ts";
import { describeProblems, type ReadProblem, whyUnreachable } from "../../../src/cluster/objects/read-problem.ts";
import { nothing, type StepAction } from "../../../src/cluster/plan/step.ts";

function result(action: StepAction, name: string, more: Partial<StepResult> = {}): StepResult {
  return { step: { ...nothing("NodePool", name), action, reason: `${name} is as it is` }, outcome: "none", ...more };
}

const error = { kind: "invalid", status: 422, message: "no such field" } as const;

type Facts = Omit<ReadyFacts, "outcomes"> & PassFacts;

const GOOD: Facts = {
  decision: { mode: "Apply", reason: "PolicyApplied", message: "" },
  unreadable: undefined,
  gateOff: false,
  inventoryProblem: undefined,
  executed: { results: [], refused: undefined },
  problems: [],
  conflicts: [],
  verdicts: [],
  outside: [],
  unlimited: [],
  usersOutside: [],
  crds: [],
  nodeLimits: { pools: [], failures: [] },
  malformed: [],
  inventory: { state: "missing" },
  dryRun: false,
};

function judged(pool: string, verdict: PoolVerdict): JudgedPool {
  return { pool, verdict, why: "", byPolicy: false };
}

function starved(pool: string, byPolicy: boolean): JudgedPool {
  return { pool, verdict: "unsatisfiable", why: `nothing is left for ${pool}`, byPolicy };
}

const executed = (...results: StepResult[]) => ({ executed: { results, refused: undefined } });
const conflict = { pool: "web", key: "kubernetes.io/arch", what: "conflict" } as const;

describe("Ready", () => {
  test.each<[string, Partial<Facts>, string]>([
    ["all good", {}, "True Applied: applied to 0 NodePools and 0 EC2NodeClasses"],
    [
      "held by the policy's reading",
      { decision: { mode: "Hold", reason: "PolicyInvalid", message: "wrong" }, unreadable: "x" },
      "False PolicyInvalid: wrong",
    ],
    [
      "permissive because forbidden",
      { decision: { mode: "Permissive", reason: "PolicyForbidden", message: "open" } },
      "False PolicyForbidden: open",
    ],
    [
      "no policy at all",
      { decision: { mode: "Permissive", reason: "PolicyAbsent", message: "m" } },
      "True Applied: applied to 0 NodePools and 0 EC2NodeClasses",
    ],
    ["errors in the input", { unreadable: "broken" }, "False InputUnreadable: broken"],
    ["locked out", { executed: { results: [], refused: "no" } }, "False WriterNotAllowed: no"],
    [
      "a guest cluster without its kubeconfig is the cause of a missing inventory",
      { unreachable: "the kubeconfig x cannot be read", inventoryProblem: "it cannot be created", problems: ["a"] },
      "False ClusterUnreadable: the kubeconfig x cannot be read",
    ],
    ["unlisted", { problems: ["a", "b"] }, "False ClusterUnreadable: a; b"],
    [
      "outside comes before the failure that caused it, and names it",
      { outside: ["web"], ...executed(result("update", "web", { outcome: "failed", error })) },
      "False PoolOutsidePolicy: the policy does not reach the NodePool web: no such field",
    ],
    [
      "users' pools outside the policy, with what holds it there",
      {
        outside: ["web", "batch"],
        usersOutside: ["web", "batch"].map((pool) => ({ pool, why: "requirements on a admit nodes" })),
      },
      "False PoolOutsidePolicy: the policy does not reach the NodePools web, batch: requirements on a admit nodes; anp changes no NodePool that users write: render it in GitOps (anp render --node-pools Raw), or install anp guard",
    ],
    [
      "users' pools with a limit on nodes",
      { unlimited: ["web", "batch"] },
      "True Applied: applied to 0 NodePools and 0 EC2NodeClasses; limits.nodes is Soft in NodePools that users write: web, batch",
    ],
    [
      "bypass before conflict",
      { conflicts: [conflict, { ...conflict, pool: "gpu", what: "bypass" }] },
      "False PolicyBypassed: pools would bypass the policy and are blocked: gpu (kubernetes.io/arch)",
    ],
    [
      "failed",
      executed(result("create", "a", { outcome: "failed", error }), result("create", "b", { outcome: "skipped" })),
      "False ApplyFailed: NodePool a: no such field; NodePool b: not reached",
    ],
    ["foreign", executed(result("foreign-object", "a"), result("hold", "b")), "False ForeignObject: a is as it is"],
    ["held", executed(result("hold", "b")), "False WrapperHeld: b is as it is"],
    [
      "conflict",
      { conflicts: [conflict] },
      "False RequirementsConflict: pools conflict with the policy: web (kubernetes.io/arch)",
    ],
    [
      "a conflict comes before what is left across labels",
      { conflicts: [conflict], verdicts: [starved("gpu", true)] },
      "False RequirementsConflict: pools conflict with the policy: web (kubernetes.io/arch)",
    ],
    [
      "no instance type, by the policy: its pools first",
      { verdicts: [starved("a", false), starved("b", true), judged("c", "ok")] },
      "False NoInstanceTypes: 2 of 3 NodePools get no nodes: b: nothing is left for b; a: nothing is left for a",
    ],
    [
      "no instance type, without the policy",
      { verdicts: [starved("a", false), judged("b", "narrowed"), judged("c", "unknown")] },
      "True Applied: applied to 0 NodePools and 0 EC2NodeClasses; 1 of 3 NodePools gets no nodes: a",
    ],
    [
      "verdicts that let nodes come, or that are unknown",
      { verdicts: (["ok", "narrowed", "bypassed", "paused", "unknown"] as const).map((one) => judged(one, one)) },
      "True Applied: applied to 0 NodePools and 0 EC2NodeClasses",
    ],
    [
      "kept orphans do not concern the policy",
      executed(result("keep", "b")),
      "True Applied: applied to 0 NodePools and 0 EC2NodeClasses",
    ],
    [
      "more than five",
      { outside: ["a", "b", "c", "d", "e", "f", "g"] },
      "False PoolOutsidePolicy: the policy does not reach the NodePools a, b, c, d, e and 2 others",
    ],
  ])("%s", (_, facts, words) => {
    const pass = { ...GOOD, ...facts };
    const { status, reason, message } = readyOf({ ...pass, outcomes: outcomesOf(pass) });
    expect(`${status} ${reason}: ${message}`).toBe(words);
  });
});

describe("conditions", () => {
  const ready = { type: "Ready", status: "True", reason: "Applied", message: "m", observedGeneration: 1 } as const;
  const other = { ...ready, type: "Other", lastTransitionTime: "t0" };

  test("the same words are not written again", () => {
    expect(withCondition([other, { ...ready, lastTransitionTime: "t1" }], ready, "t2")).toBeUndefined();
  });

  test("the time changes with the status alone, and conditions of others stay", () => {
    const before = [other, { ...ready, lastTransitionTime: "t1" }];
    expect(withCondition(before, { ...ready, reason: "Again" }, "t2")).toEqual([
      other,
      { ...ready, reason: "Again", lastTransitionTime: "t1" },
    ]);
    expect(withCondition(before, { ...ready, status: "False" }, "t2")).toEqual([
      other,
      { ...ready, status: "False", lastTransitionTime: "t2" },
    ]);
  });
});

describe("what could not be read", () => {
  const away = {
    kind: "unavailable",
    status: undefined,
    reason: "",
    message: "the kubeconfig x cannot be read",
  } as const;
  const forbidden = { kind: "forbidden", status: 403, reason: "Forbidden", message: "no" } as const;
  const of = (side: "guest" | "management", error: ApiError, ...kinds: string[]) =>
    kinds.map((kind): ReadProblem => ({ side, kind, error }));

  test("a cause of everything in the guest cluster", () => {
    expect(whyUnreachable(of("guest", away, "NodePool", "EC2NodeClass"))).toBe("the kubeconfig x cannot be read");
    expect(whyUnreachable([...of("guest", away, "NodePool"), ...of("guest", forbidden, "Node")])).toBeUndefined();
    expect(whyUnreachable(of("management", away, "Secret", "AutoNodePolicy"))).toBeUndefined();
  });

  test("one cause is told once, however many kinds it concerns", () => {
    expect(describeProblems(of("guest", away, "NodePool", "EC2NodeClass", "OpenshiftNodePool"))).toEqual([
      "the guest cluster cannot be listed: the kubeconfig x cannot be read",
    ]);
    expect(
      describeProblems([
        ...of("guest", away, "NodePool"),
        ...of("management", forbidden, "Secret", "HostedControlPlane"),
        ...of("management", { ...forbidden, message: "not at all" }, "AutoNodePolicy"),
      ]),
    ).toEqual([
      "NodePool of the guest cluster cannot be listed: the kubeconfig x cannot be read",
      "Secret, HostedControlPlane of the management cluster cannot be listed: no",
      "AutoNodePolicy of the management cluster cannot be listed: not at all",
    ]);
  });
});
