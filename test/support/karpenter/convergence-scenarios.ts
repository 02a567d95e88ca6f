/**
 * Defines pools that a change drifts, with what keeps or removes their nodes: lifetimes, budgets, windows, pods,
 * limits.
 */
import type { Until } from "../../../src/analyze/running/node-lifetime.ts";

export interface SettlingScenario {
  /** Name of the pool. */
  readonly name: string;
  /** The number of nodes, with a pod on each. */
  readonly nodes?: number;
  /** The template's `spec` before the change, and its changed fields. */
  readonly lived?: object;
  readonly changed?: object;
  readonly annotations?: object;
  readonly budgets?: readonly object[];
  /** Replicas of a static pool. */
  readonly replicas?: number;
  readonly limits?: object;
  /** What prevents eviction of the first node's pod. */
  readonly held?: "do-not-disrupt" | "budget";
  readonly says: Until;
  /** Whether its nodes are finally removed; `released`: once nothing blocks them. */
  readonly goes: boolean | "released";
  /** Maximum number of NodeClaims at any time. */
  readonly most?: number;
}

const ALL = [{ nodes: "100%" }];
const NONE = [{ nodes: "0" }];
const NEVER = { expireAfter: "Never" };
const AGED = { expireAfter: "90s", terminationGracePeriod: "20s" };

/** @param now windows are open or closed for at least a day from here */
export function settlingScenarios(now: number): SettlingScenario[] {
  const day = (more: number): number => new Date(now + more * 86_400_000).getUTCDay();
  const closedOn = (...days: readonly number[]) => [
    { nodes: "0", schedule: `0 0 * * ${days.toSorted((a, b) => a - b).join(",")}`, duration: "24h" },
    { nodes: "100%" },
  ];
  return [
    { name: "all-at-once", nodes: 2, lived: NEVER, budgets: ALL, says: "open", goes: true },
    { name: "no-budget", lived: NEVER, budgets: [], says: "open", goes: true },
    { name: "one-by-one", nodes: 3, lived: NEVER, budgets: [{ nodes: "1" }], says: "open", goes: true, most: 5 },
    {
      name: "other-reasons",
      lived: NEVER,
      budgets: [{ nodes: "0", reasons: ["Empty", "Underutilized"] }],
      says: "open",
      goes: true,
    },
    { name: "open-window", lived: NEVER, budgets: closedOn(day(3)), says: "open", goes: true },
    { name: "closed-window", lived: NEVER, budgets: closedOn(day(-1), day(0), day(1)), says: "open", goes: false },
    { name: "closed", nodes: 2, lived: NEVER, budgets: NONE, says: "never", goes: false },
    {
      name: "closed-by-halves",
      lived: NEVER,
      budgets: [
        { nodes: "0", schedule: "0 6 * * *", duration: "12h" },
        { nodes: "0%", schedule: "0 18 * * *", duration: "12h", reasons: ["Drifted"] },
      ],
      says: "never",
      goes: false,
    },
    {
      name: "unreadable",
      lived: NEVER,
      budgets: [{ nodes: "9", schedule: "0 9 * * 7", duration: "8h" }],
      says: "never",
      goes: false,
    },
    {
      name: "annotated",
      lived: NEVER,
      annotations: { "karpenter.sh/do-not-disrupt": "true" },
      budgets: ALL,
      says: "never",
      goes: false,
    },
    // Nodes keep the lifetime of their creation.
    { name: "old-lifetime", lived: NEVER, changed: { expireAfter: "10s" }, budgets: NONE, says: "never", goes: false },
    {
      name: "by-age",
      lived: AGED,
      changed: NEVER,
      budgets: NONE,
      says: "by",
      goes: true,
    },
    {
      name: "by-age-held",
      lived: AGED,
      changed: NEVER,
      budgets: NONE,
      held: "do-not-disrupt",
      says: "by",
      goes: true,
    },
    { name: "held-by-pod", lived: NEVER, budgets: ALL, held: "do-not-disrupt", says: "open", goes: "released" },
    { name: "held-by-budget", lived: NEVER, budgets: ALL, held: "budget", says: "open", goes: "released" },
    {
      name: "grace-period",
      lived: { ...NEVER, terminationGracePeriod: "10s" },
      budgets: ALL,
      held: "do-not-disrupt",
      says: "open",
      goes: true,
    },
    {
      name: "static",
      lived: NEVER,
      replicas: 2,
      limits: { nodes: "3" },
      budgets: ALL,
      says: "open",
      goes: true,
      most: 3,
    },
    {
      name: "static-full",
      lived: NEVER,
      replicas: 2,
      limits: { nodes: "2" },
      budgets: ALL,
      says: "never",
      goes: false,
      most: 2,
    },
  ];
}
