/** A candidate in a leader election, which logs who leads. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ClusterApi } from "../api/cluster-api.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { type ElectionNews, electLeader, LEASE_TIMING, type Leadership } from "./elect-leader.ts";
import type { LeaseName } from "./lease-record.ts";
import type { LeaseNote } from "./pass-note.ts";

export interface LeaseSpec extends LeaseName {
  /** The cluster that holds the Lease. */
  readonly access: KubeAccessOptions;
}

export interface Candidate extends Leadership {
  readonly api: ClusterApi;
}

/** @throws ClusterError if the kubeconfig cannot be used */
export function candidate(
  { access, namespace, name }: LeaseSpec,
  log: (entry: LogEntry) => void,
  note?: LeaseNote,
): Candidate {
  // Two attempts within the renew deadline, and no circuit breaker: a silent server is tried again at once.
  const api = httpClusterApi({ ...access, timeoutMs: LEASE_TIMING.renewDeadlineMs / 2, breakerMs: 0 });
  const identity = `${hostname()}_${randomUUID()}`;
  const lease = `${namespace}/${name}`;
  const leadership = electLeader(api, {
    namespace,
    name,
    identity,
    timing: LEASE_TIMING,
    now: () => performance.now(),
    time: () => new Date(),
    random: Math.random,
    onNews: (news) => log(lineOf(news, lease, identity)),
    note,
  });
  return { ...leadership, api };
}

function lineOf(news: ElectionNews, lease: string, identity: string): LogEntry {
  switch (news.kind) {
    case "leading":
      return { level: "info", msg: "leading", fields: { lease, identity } };
    case "standby":
      return { level: "info", msg: "standing by", fields: { lease, identity, holder: news.holder } };
    case "trouble":
      return { level: "error", msg: "lease not reached", fields: { lease, identity, reason: news.message } };
  }
}
