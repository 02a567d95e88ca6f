/** One hosted cluster with nodes that no fault may touch: started once, and compared after each fault. */
import { expect } from "vitest";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { remove } from "../controlplane/objects.ts";
import { type AuditedRequest, auditedRequests } from "../controlplane/audit.ts";
import { createPending } from "../karpenter/pods.ts";
import { ARCH, type Entry, isIn, NAMESPACE, policy } from "../watch/inputs.ts";
import { ADMIN, OPERATOR, put } from "../watch/rig.ts";
import { type KarpenterRig, startKarpenterRig } from "../watch-process/karpenter-rig.ts";
import { kwokPool, podFor } from "../watch-process/kwok-pools.ts";
import { nodesOf, type NodeOfPool } from "../watch-process/node-claims.ts";
import { startWatch, type WatchProcess } from "../watch-process/start-watch.ts";
import { allowManagement } from "./management-rights.ts";
import { listOf, stateOf, wrongPools } from "./state.ts";

/** The one that pools and nodes start with, and one that says more without excluding any node. */
export const POLICY = [isIn(ARCH, "amd64")];
export const TIGHTER = [...POLICY, isIn("kubernetes.io/os", "linux")];

const POOLS = ["web", "batch"];

export interface HostedCluster {
  readonly rig: KarpenterRig;
  /** Live on both sides, a pass each second, unless the arguments say otherwise. */
  readonly start: (
    args?: readonly string[],
    options?: { preload?: string; env?: Record<string, string> },
  ) => Promise<WatchProcess>;
  /** The same for one that has to wait for its turn. */
  readonly startStandby: (args: readonly string[]) => Promise<WatchProcess>;
  readonly setPolicy: (entries: readonly Entry[]) => Promise<void>;
  readonly add: (...wrappers: KubernetesObject[]) => Promise<void>;
  readonly drop: (...wrappers: KubernetesObject[]) => Promise<void>;
  /** Until policy and wrappers, as they are live, are what the NodePools say. */
  readonly settled: (watch: WatchProcess, withinMs?: number) => Promise<void>;
  /** What anp did to pools and classes since so many requests, and was allowed to. */
  readonly writes: (since: number) => readonly AuditedRequest[];
  readonly requests: () => number;
  readonly state: () => ReturnType<typeof stateOf>;
  /** Ends what runs, and compares pools, classes and nodes with those of the start. */
  readonly check: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startHostedCluster(): Promise<HostedCluster> {
  const rig = await startKarpenterRig({ audited: [OPERATOR] });
  const { guest, management } = rig;
  const running: WatchProcess[] = [];
  const accesses = [
    "--hosted-cluster",
    NAMESPACE,
    "--guest-kubeconfig",
    rig.kubeconfig("guest", OPERATOR),
    "--management-kubeconfig",
    rig.kubeconfig("management", "plain-user"),
  ];
  const begin = (args: readonly string[], options?: Parameters<typeof startWatch>[1]): WatchProcess => {
    const watch = startWatch([...accesses, "--interval", "1s", ...args], options);
    running.push(watch);
    return watch;
  };
  const start: HostedCluster["start"] = async (args = [], options = {}) => {
    const watch = begin(args, options);
    await watch.until("the first pass", async () => watch.passes().length > 0);
    return watch;
  };
  const startStandby: HostedCluster["startStandby"] = async (args) => {
    const watch = begin(args);
    await watch.until("standing by", async () => watch.lines().some(({ msg }) => msg === "standing by"));
    return watch;
  };
  const setPolicy = (entries: readonly Entry[]) => put(management, policy(entries));
  const entriesNow = async (): Promise<readonly unknown[]> => {
    const path = `/apis/karpenter.hypershift.openshift.io/v1beta1/namespaces/${NAMESPACE}/autonodepolicies/default`;
    const { body } = await management.request(ADMIN, "GET", path);
    const { nodePoolDefaults } = (body.spec ?? {}) as { nodePoolDefaults?: { requirements?: unknown[] } };
    return nodePoolDefaults?.requirements ?? [];
  };
  const settled: HostedCluster["settled"] = async (watch, withinMs = 120_000) => {
    let wrong: string[] = [];
    const isRight = async (): Promise<boolean> => {
      wrong = await wrongPools(guest, await entriesNow(), await listOf(guest, "OpenshiftNodePool"));
      if (wrong.length > 0) return false;
      // Karpenter has seen them as well.
      const pools = await listOf(guest, "NodePool");
      return pools.every(({ metadata }) => metadata?.annotations?.["karpenter.sh/nodepool-hash"] !== undefined);
    };
    await watch.until("pools as they should be", isRight, withinMs).catch((error: unknown) => {
      (error as Error).message = `${wrong.join("; ")}\n${(error as Error).message}`;
      throw error;
    });
  };
  const requests = () => auditedRequests(guest.auditLog).length;

  await allowManagement(management);
  await setPolicy(POLICY);
  for (const name of POOLS) await put(rig.guest, kwokPool(name));
  const first = await start();
  await settled(first);
  await createPending(
    guest,
    POOLS.map((name, index) => podFor(name, `${101 + index}m`)),
  );
  let nodes: readonly NodeOfPool[] = [];
  await rig.karpenter.waitFor("a node for each pool", async () => {
    nodes = await nodesOf(guest);
    return (nodes.length === POOLS.length && nodes.every(({ ready }) => ready)) || undefined;
  });
  expect(await first.stop()).toBe(0);
  running.pop();
  const base = await stateOf(guest);

  return {
    rig,
    start,
    startStandby,
    setPolicy,
    add: async (...wrappers) => {
      for (const wrapper of wrappers) await put(guest, wrapper);
    },
    drop: async (...wrappers) => {
      for (const wrapper of wrappers) {
        const { status, text } = await remove(guest, ADMIN, wrapper);
        if (status >= 300) throw new Error(text);
      }
    },
    settled,
    writes: (since) =>
      auditedRequests(guest.auditLog)
        .slice(since)
        .filter(({ userAgent, verb, resource, status }) => {
          const isWrite = ["create", "update", "patch", "delete"].includes(verb);
          return userAgent === "anp" && isWrite && /^(nodepools|ec2nodeclasses)$/.test(resource) && status < 300;
        }),
    requests,
    state: () => stateOf(guest),
    check: async () => {
      const ends = await Promise.all(running.splice(0).map((watch) => watch.stop()));
      // Killed, where that was the fault.
      expect(ends.filter((end) => end !== 0 && end !== "SIGKILL")).toEqual([]);
      expect(await stateOf(guest)).toEqual(base);
      expect(await nodesOf(guest)).toEqual(nodes);
    },
    stop: async () => {
      await Promise.all(running.map((watch) => watch.stop("SIGKILL")));
      await rig.stop();
    },
  };
}
