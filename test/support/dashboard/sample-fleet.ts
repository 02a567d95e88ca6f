/** Fictional fleets for tests of the dashboard. */
import type { Finding } from "../../../src/krm/findings/finding.ts";
import type { ClusterView, FleetView, LogLine, PassView, Trouble } from "../../../src/report/dashboard/fleet-view.ts";
import { FOREIGN, INCOMPLETE, MINUTE, NOW, opened, SECOND } from "./sample-pools.ts";

export function fleet(clusters: readonly ClusterView[], over: Partial<FleetView> = {}): FleetView {
  return {
    now: NOW,
    clusters,
    leader: undefined,
    stopping: false,
    log: [],
    catalogue: () => ({ source: "Amazon EC2, all regions", date: "2026-08" }),
    ...over,
  };
}

export function cluster(name: string, over: Partial<ClusterView> = {}): ClusterView {
  return {
    name,
    hostedCluster: `clusters-${name}`,
    phase: "waiting",
    isPaused: false,
    pass: passed(),
    broken: undefined,
    lastEnd: NOW - 12 * SECOND,
    lastSuccess: NOW - 12 * SECOND,
    nextRun: NOW + 43 * SECOND,
    drift: 0,
    pruned: 0,
    ...over,
  };
}

export function passed(over: Partial<PassView> = {}): PassView {
  return {
    result: "ok",
    mode: "Apply",
    ready: { status: "True", reason: "Applied", message: "applied to 1 NodePools and 1 EC2NodeClasses" },
    objects: { inSync: 8, changed: 0, held: 0, foreign: 0, failed: 0 },
    verdicts: [{ pool: "web", verdict: "ok" }],
    findings: [],
    dryRun: false,
    opened: () => ({ ...opened, troubles: TROUBLES }),
    ...over,
  };
}

const NOT_YET = { pass: undefined, lastEnd: undefined, lastSuccess: undefined, nextRun: undefined } as const;

export function starting(name: string): ClusterView {
  return cluster(name, { ...NOT_YET, phase: "starting" });
}

const TROUBLES: readonly Trouble[] = [
  {
    about: "EC2NodeClass gpu",
    state: "held",
    why: INCOMPLETE,
    severity: "warning",
  },
  {
    about: "NodePool legacy",
    state: "foreign object",
    why: FOREIGN,
    severity: "warning",
  },
];

export const HELD = cluster("payments-eu", {
  pass: passed({
    result: "held",
    ready: {
      status: "False",
      reason: "PoolOutsidePolicy",
      message: `the policy does not reach the NodePool legacy: ${FOREIGN}`,
    },
    objects: { inSync: 9, changed: 1, held: 2, foreign: 1, failed: 0 },
    verdicts: [
      { pool: "batch", verdict: "narrowed" },
      { pool: "gpu", verdict: "unsatisfiable" },
      { pool: "web", verdict: "ok" },
    ],
    findings: [
      finding(
        "requirements-conflict",
        "warning",
        "pool gpu gets no nodes: kubernetes.io/arch In [arm64] and the policy's In [amd64] have nothing in common",
        {
          file: "clusters/payments-eu/pools/gpu.yaml",
          line: 14,
          column: 11,
          excerpt: "        - key: kubernetes.io/arch",
          hint: "ask for an architecture that the policy allows, or let the service provider know",
        },
      ),
      finding(
        "unknown-field",
        "warning",
        "`spec.disruption.consolidateAfterr` is not a field here (did you mean consolidateAfter?)",
        {
          file: "clusters/payments-eu/pools/batch-spot.yaml",
          line: 31,
        },
      ),
    ],
  }),
  drift: 3,
  lastEnd: NOW - 2 * MINUTE - 10 * SECOND,
  lastSuccess: NOW - 26 * 60 * MINUTE,
  nextRun: NOW + 3 * SECOND,
  pruned: 2,
});

export const FAILED = cluster("search-us", {
  phase: "backing-off",
  pass: passed({
    result: "failed",
    mode: "Hold",
    ready: {
      status: "False",
      reason: "PolicyForbidden",
      message:
        'autonodepolicies.karpenter.hypershift.openshift.io is forbidden: User "system:serviceaccount:anp:anp" cannot list resource "autonodepolicies" in API group "karpenter.hypershift.openshift.io" in the namespace "clusters-search-us"',
    },
    objects: { inSync: 0, changed: 0, held: 8, foreign: 0, failed: 1 },
    verdicts: [],
  }),
  lastEnd: NOW - 71 * MINUTE,
  lastSuccess: NOW - 3 * 24 * 60 * MINUTE,
  nextRun: NOW + 118 * SECOND,
});

const NO_POLICY = "the namespace clusters-lost has no HostedControlPlane; what is applied stays as it is";

/** Every pool is held for the same reason. */
export const ALL_HELD = cluster("lost", {
  pass: passed({
    result: "failed",
    mode: "Hold",
    ready: { status: "False", reason: "HostedClusterUnknown", message: NO_POLICY },
    opened: () => ({
      ...opened,
      troubles: Array.from({ length: 30 }, (_, index) => ({
        about: `NodePool team-${String(index)}`,
        state: "held",
        why: NO_POLICY,
        severity: "warning",
      })),
    }),
  }),
});

export const BROKEN = cluster("edge-ap-southeast-1-canary", {
  phase: "backing-off",
  broken: "https://api.edge.example.com:6443 cannot be reached: connect ECONNREFUSED 203.0.113.7:6443",
  lastEnd: NOW - 8 * SECOND,
  lastSuccess: undefined,
  nextRun: NOW + 21 * SECOND,
  drift: 12,
});

export const PAUSED = cluster("c1", { phase: "paused", isPaused: true, nextRun: undefined });

export const RUNNING = cluster("c2", {
  phase: "running",
  pass: passed({
    mode: "Permissive",
    objects: { inSync: 119, changed: 5, held: 0, foreign: 0, failed: 0 },
    verdicts: Array.from({ length: 118 }, (_, index) => ({ pool: `team-${String(index)}`, verdict: "ok" })),
  }),
  nextRun: undefined,
});

/** Every verdict, on many pools. */
export const JUDGED: readonly ClusterView[] = (
  [
    ["starved", ["unsatisfiable", "ok", "narrowed", "paused", "unknown", "bypassed"]],
    ["bypassed", ["bypassed", "ok"]],
    ["unknown", ["ok", "unknown", "narrowed"]],
    ["narrowed", ["narrowed", "paused"]],
    ["paused", ["ok", "paused"]],
    ["well", ["ok"]],
  ] as const
).map(([name, verdicts]) =>
  cluster(name, {
    pass: passed({
      verdicts: Array.from({ length: 4 }, (_, index) => index).flatMap((index) =>
        verdicts.map((verdict) => ({ pool: `team-${String(index)}-${verdict}`, verdict })),
      ),
    }),
  }),
);

function finding(
  code: Finding["code"],
  severity: Finding["severity"],
  message: string,
  over: Partial<Finding>,
): Finding {
  return { code, severity, message, ...over };
}

/** Every tenth cluster has a problem. */
export function manyClusters(count: number): ClusterView[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `tenant-${String(index + 1).padStart(3, "0")}`;
    const { hostedCluster: _hostedCluster, name: _name, ...state } = index % 20 === 7 ? FAILED : HELD;
    return cluster(name, index % 10 === 7 ? state : { nextRun: NOW + ((index * 7) % 60) * SECOND });
  });
}

/** Names and messages with control sequences, or with characters of other widths. */
export const UNICODE = fleet([
  cluster("支払い-東京", { hostedCluster: "clusters-支払い" }),
  cluster("\u001b[31mred\u001b[0m\u0007", {
    pass: passed({
      result: "held",
      ready: {
        status: "False",
        reason: "WrapperHeld",
        message:
          "line one\nline two \u001b]0;title\u0007 and 日本語の長い説明文がここに続きます、とても長いので折り返されます \u202eright to left",
      },
    }),
  }),
  cluster("👩‍👩‍👧‍👦-family-⚠️"),
  cluster("ｗｉｄｅ-e\u0301clair"),
]);

export const LOG: readonly LogLine[] = [
  { cluster: "api", level: "info", text: '02:59:41 created cluster=api object="NodePool web"' },
  {
    cluster: "payments-eu",
    level: "warn",
    text: '02:59:43 warn foreign change overwritten cluster=payments-eu object="NodePool batch" field=spec.weight owner=kubectl-edit',
  },
  {
    cluster: "payments-eu",
    level: "error",
    text: '02:59:44 error create failed cluster=payments-eu object="NodePool worn" reason="admission webhook \\"validate.example.com\\" denied the request: no"',
  },
  { cluster: undefined, level: "info", text: "02:59:45 listening address=127.0.0.1:8080" },
  {
    cluster: "api",
    level: "info",
    text: "02:59:48 reconciled cluster=api result=ok policy=Apply ready=True reason=Applied created=1 updated=0 inSync=7 pruned=0 kept=0 held=0 foreign=0 failed=0 drift=0 ms=181",
  },
];
