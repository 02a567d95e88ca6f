/** `anp watch` as a run: clusters as the user names them in, log lines and passes out, until the signal or, with once, after one pass. */
import { hostname } from "node:os";
import type { Finding } from "../../krm/finding.ts";
import { bell } from "./bell.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/cluster-error.ts";
import { endingSignal } from "./ending-signal.ts";
import { eventRecorder } from "../tell/event-recorder.ts";
import { hintOnChange } from "./hints.ts";
import { hintOnFiles } from "./hint-on-files.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { formatLogEntry, type LogEntry, type LogFormat } from "../tell/log-entry.ts";
import { logLines } from "../tell/log-lines.ts";
import { loop } from "./loop.ts";
import { directoryReader } from "../read/read-directory.ts";
import { type PassResult, reconcile, type ReconcileResult } from "./reconcile.ts";
import {
  APPLIED_KINDS,
  AUTO_NODE_POLICIES,
  HOSTED_CONTROL_PLANES,
  OPENSHIFT_EC2_NODE_CLASSES,
  OPENSHIFT_NODE_POOLS,
  SECRETS,
} from "../api/served-kind.ts";
import type { WatchedCluster } from "./watched-cluster.ts";

export interface ClusterSpec extends Omit<WatchedCluster, "guest" | "management" | "readDirectory" | "settleMs"> {
  readonly guest: KubeAccessOptions;
  readonly management: KubeAccessOptions | undefined;
}

export interface RunOptions {
  readonly once: boolean;
  readonly intervalMs: number;
  readonly logFormat: LogFormat;
  readonly write: (text: string) => void;
}

export interface RunOutcome {
  /** The worst of all clusters' last passes. */
  readonly result: PassResult;
  /** Of the last passes. */
  readonly findings: readonly Finding[];
  /** Why there was no pass at all, in one line: a kubeconfig cannot be used. */
  readonly problem?: string;
}

const SETTLE_MS = 2000;

/** Until SIGTERM or SIGINT. */
export async function runWatch(specs: readonly ClusterSpec[], options: RunOptions): Promise<RunOutcome> {
  const ending = endingSignal();
  try {
    return await runAll(specs, { ...options, signal: ending.signal });
  } catch (error) {
    if (error instanceof ClusterError) return { result: "failed", findings: [], problem: error.message };
    throw error;
  } finally {
    ending.release();
  }
}

interface EndingOptions extends RunOptions {
  readonly signal: AbortSignal;
}

async function runAll(specs: readonly ClusterSpec[], options: EndingOptions): Promise<RunOutcome> {
  const apis: ClusterApi[] = [];
  const open = (access: KubeAccessOptions): ClusterApi => {
    const api = httpClusterApi(access);
    apis.push(api);
    return api;
  };
  const clusters = specs.map((spec): WatchedCluster => ({
    ...spec,
    // Who asks for one pass has come to an end with the files.
    settleMs: options.once ? 0 : SETTLE_MS,
    readDirectory: directoryReader(spec.source),
    guest: open(spec.guest),
    management: spec.management === undefined ? undefined : open(spec.management),
  }));
  try {
    const last = await Promise.all(clusters.map((cluster) => runOne(cluster, options)));
    const worst = (["failed", "held"] as const).find((result) => last.some((one) => one.result === result));
    return { result: worst ?? "ok", findings: last.flatMap(({ findings }) => findings) };
  } finally {
    for (const api of apis) api.close();
  }
}

async function runOne(cluster: WatchedCluster, options: EndingOptions): Promise<RunOutcome> {
  const { once, signal, logFormat, write } = options;
  const now = () => new Date();
  const log = (entry: LogEntry): void => write(formatLogEntry(entry, now().toISOString(), logFormat));
  const { guest, management, dryRun } = cluster;
  const recorder = eventRecorder({ guest, management, instance: hostname(), now, dryRun });
  let told = new Set<string>();
  let last: RunOutcome = { result: "ok", findings: [] };
  const pass = async (): Promise<PassResult> => {
    const start = performance.now();
    let result: ReconcileResult;
    try {
      result = await reconcile(cluster, {
        signal,
        now,
        recorder,
        onPrune: ({ kind, name, reason }, nodes) =>
          log({
            level: "warn",
            msg: "deleting",
            fields: { cluster: cluster.name, object: `${kind} ${name}`, reason, nodes },
          }),
      });
    } catch (error) {
      // One cluster's fault, or ours, is no reason to leave the others alone.
      const reason = error instanceof ClusterError ? error.message : String((error as Error).stack ?? error);
      log({ level: "error", msg: "pass failed", fields: { cluster: cluster.name, reason } });
      last = { result: "failed", findings: [] };
      return "failed";
    }
    const lines = logLines(result, performance.now() - start);
    for (const entry of lines.done) log(entry);
    // How things stand is told when it changes.
    const states = new Map(lines.state.map((entry) => [JSON.stringify(entry), entry]));
    for (const [key, entry] of states) if (!told.has(key)) log(entry);
    told = new Set(states.keys());
    log(lines.summary);
    last = { result: result.result, findings: result.findings };
    return result.result;
  };
  if (once) await pass();
  else await loopWithHints(cluster, pass, options);
  return last;
}

async function loopWithHints(cluster: WatchedCluster, pass: () => Promise<PassResult>, options: EndingOptions) {
  const { signal, intervalMs } = options;
  const random = Math.random;
  const news = bell();
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const hints = watchedCollections(cluster).map(([api, collection]) =>
    hintOnChange(api, collection, news, { signal: either, random }),
  );
  const { paths, policyDir, config } = cluster.source;
  hintOnFiles([...paths, policyDir ?? [], config ?? []].flat(), news, either);
  await loop(pass, news, { intervalMs, signal, random });
  done.abort();
  await Promise.all(hints);
}

function watchedCollections(cluster: WatchedCluster) {
  const { guest, management, hostedCluster: namespace, source } = cluster;
  const ofGuest = [
    ...(source.paths.length === 0 ? [OPENSHIFT_NODE_POOLS, OPENSHIFT_EC2_NODE_CLASSES] : []),
    ...APPLIED_KINDS,
  ];
  const ofManagement = [AUTO_NODE_POLICIES, HOSTED_CONTROL_PLANES, SECRETS];
  return [
    ...ofGuest.map((kind) => [guest, kind] as const),
    ...(management === undefined ? [] : ofManagement.map((kind) => [management, { ...kind, namespace }] as const)),
  ];
}
