/** A guest cluster with Karpenter, pods and a watch. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { triggerOnNodeClaims } from "../../../src/cluster/run/trigger-on-cluster.ts";
import { setIdOf } from "../../../src/cluster/objects/membership.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { applyBackoff } from "../../../src/cluster/apply/apply-backoff.ts";
import { conflictingWriters } from "../../../src/cluster/apply/conflicting-writers.ts";
import { wakeUp } from "../../../src/cluster/waiting/wake-up.ts";
import { reconcile } from "../../../src/cluster/run/reconcile.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { eventRecorder } from "../../../src/cluster/status/event-recorder.ts";
import { poolVerdicts, usersPoolVerdicts } from "../../../src/cluster/status/pool-verdicts.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { karpenterCrds } from "../controlplane/karpenter-crds.ts";
import { apply, waitEstablished } from "../controlplane/objects.ts";
import { GROUP, installOurCrds } from "../e2e/own-crds.ts";
import { mustCreate } from "../karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../karpenter/start-karpenter.ts";
import { NAMESPACE, SETTINGS } from "../watch/inputs.ts";
import { AWS_NODE_CLASS, kwokApi } from "./kwok-api.ts";
import { INSTANCE_TYPE, startWorkload, type Workload } from "./workload.ts";
import { KARPENTER_PROFILE } from "../go/programs.ts";

export interface LimitsRig {
  readonly controlPlane: ControlPlane;
  readonly karpenter: Karpenter;
  readonly workload: Workload;
  /** Triggers a pass, as a change of a wrapper does. */
  readonly raise: () => void;
  /** As a restart of the watch. */
  readonly switchTo: (mode: WatchedCluster["nodeLimits"]) => void;
  /** The result of the last pass. */
  readonly last: () => ReconcileResult | undefined;
  readonly stop: () => Promise<void>;
}

/** So long that only triggers start a pass in time. */
const INTERVAL_MS = 10_000;

/** The time until a node is ready, as on a real provider. */
const NODE_CLASS: KubernetesObject = {
  apiVersion: "karpenter.kwok.sh/v1alpha1",
  kind: "KWOKNodeClass",
  metadata: { name: "default" },
  spec: { nodeRegistrationDelay: "2s" },
};

export async function startLimitsRig(): Promise<LimitsRig> {
  const controlPlane = await startControlPlane();
  const karpenter = await startKarpenter(controlPlane);
  await installOurCrds(controlPlane, KARPENTER_PROFILE);
  await installEC2NodeClass(controlPlane);
  await mustCreate(controlPlane, NODE_CLASS);
  const workload = startWorkload(controlPlane);
  const folder = mkdtempSync(join(tmpdir(), "anp-limits-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, controlPlane.kubeconfig("system:hosted-cluster-config"));
  const watch = startWatch(kubeconfig);
  return {
    controlPlane,
    karpenter,
    workload,
    ...watch,
    stop: async () => {
      await watch.stop();
      await workload.stop();
      await karpenter.stop();
      await controlPlane.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It has no objects, but the watch must be able to list them. */
async function installEC2NodeClass(controlPlane: ControlPlane): Promise<void> {
  const crd = (await karpenterCrds(KARPENTER_PROFILE)).find(({ metadata }) => metadata?.name === EC2_NODE_CLASSES);
  await mustCreate(controlPlane, crd!);
  await waitEstablished(controlPlane, [EC2_NODE_CLASSES]);
}

const EC2_NODE_CLASSES = "ec2nodeclasses.karpenter.k8s.aws";

function startWatch(kubeconfig: string): Pick<LimitsRig, "raise" | "switchTo" | "last" | "stop"> {
  const guest = kwokApi(httpClusterApi({ kubeconfig }));
  const source = { paths: [], policyDir: undefined, config: undefined };
  let mode: WatchedCluster["nodeLimits"] = "Disruption";
  let last: ReconcileResult | undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const now = () => new Date();
  const recorder = eventRecorder({ guest, management: undefined, instance: "test", now, dryRun: false });
  const cluster = (): WatchedCluster => ({
    ...SETTINGS,
    name: "watch",
    hostedCluster: NAMESPACE,
    guest,
    management: undefined,
    source,
    readDirectory: directoryReader(source),
    settleMs: 0,
    pruneAfterMs: 0,
    render: { profile: KARPENTER_PROFILE },
    nodeLimits: mode,
  });
  const news = wakeUp();
  const passed = wakeUp();
  const judge = poolVerdicts(shippedCatalogue);
  const judgeUsers = usersPoolVerdicts(shippedCatalogue);
  const matters = () => (last?.nodeLimits.counts.limited ?? 0) > 0;
  const hints = triggerOnNodeClaims(guest, news, { signal, random: Math.random, matters, passed });
  const memory = conflictingWriters(setIdOf(NAMESPACE, "watch"), () => performance.now());
  const running = (async () => {
    while (!signal.aborted) {
      news.clear();
      last = await reconcile(cluster(), {
        signal,
        now,
        recorder,
        conflicts: memory,
        applyBackoff: applyBackoff(() => 0),
        judge,
        judgeUsers,
        onPrune: () => undefined,
      });
      passed.raise();
      await Promise.race([sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined), news.wait(signal)]);
      await sleep(300);
    }
  })();
  return {
    raise: news.raise,
    switchTo: (next) => {
      mode = next;
      news.raise();
    },
    last: () => last,
    stop: async () => {
      ending.abort();
      await Promise.all([running, hints]);
      guest.close();
    },
  };
}

export interface PoolWish {
  readonly limit: number;
  readonly mode: "Hard" | "Soft";
  readonly budgets?: readonly object[];
  /** The version of its nodes: another one makes all of them drift. */
  readonly version?: string;
}

export async function putPool({ controlPlane, raise }: LimitsRig, name: string, wish: PoolWish): Promise<void> {
  const { limit, mode, budgets, version = "1" } = wish;
  const wrapper: KubernetesObject = {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name },
    spec: {
      template: {
        metadata: { labels: { "example.com/version": version } },
        spec: {
          nodeClassRef: AWS_NODE_CLASS,
          requirements: [{ key: "node.kubernetes.io/instance-type", operator: "In", values: [INSTANCE_TYPE] }],
        },
      },
      disruption: { consolidateAfter: "Never", nodeLimitMode: mode, ...(budgets === undefined ? {} : { budgets }) },
      limits: { nodes: limit },
    },
  };
  const { status, text } = await apply(controlPlane, "system:admin", wrapper, { force: true });
  if (status >= 300) throw new Error(text);
  raise();
}
