/** The Lease for leader election and the cluster that holds it, by flags and a WatchConfig. */
import type { KubeAccessOptions } from "../../cluster/api/kube-access.ts";
import type { LeaseSpec } from "../../cluster/lease/candidate.ts";
import type { ClusterSpec } from "../../cluster/run/run.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";
import type { WatchOptions } from "./options.ts";

interface Election extends KubeAccessOptions {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

const LEASE_NAME = "anp-watch";

/** Undefined without leader election, and for one pass only. */
export function leaseOf(
  specs: readonly Pick<ClusterSpec, "guest" | "management">[],
  { leaderElect, leaderElectionNamespace, leaderElectionName, once }: WatchOptions,
  election: Election | undefined,
  context: Context,
): LeaseSpec | undefined {
  const isAsked = leaderElect === true || leaderElectionNamespace !== undefined || leaderElectionName !== undefined;
  if (once === true && isAsked)
    throw new UsageError("--once makes one pass without leader election: leave --leader-elect out");
  if (once === true || (!isAsked && election === undefined)) return undefined;
  const namespace = leaderElectionNamespace ?? election?.namespace ?? namespaceOfPod(context);
  if (namespace === undefined)
    throw new UsageError("say where the Lease is: --leader-election-namespace, or spec.leaderElection.namespace");
  return { namespace, name: leaderElectionName ?? election?.name ?? LEASE_NAME, access: accessOf(specs, election) };
}

/** The management cluster, because all replicas can reach it; without one, the only guest cluster. */
function accessOf(
  specs: readonly Pick<ClusterSpec, "guest" | "management">[],
  election: Election | undefined,
): KubeAccessOptions {
  const { kubeconfig, context } = election ?? {};
  if (kubeconfig !== undefined || context !== undefined) return { kubeconfig, context };
  const candidates = specs.map(({ management, guest }) => management ?? guest);
  const [first, ...others] = new Map(candidates.map((access) => [JSON.stringify(access), access])).values();
  if (first !== undefined && others.length === 0) return first;
  throw new UsageError(
    "say which cluster holds the Lease, because there are several: spec.leaderElection.kubeconfig or context",
  );
}

/** The file that every pod has. */
export function namespaceOfPod({ files }: Context): string | undefined {
  try {
    return files.read("/var/run/secrets/kubernetes.io/serviceaccount/namespace").toString().trim();
  } catch {
    return undefined;
  }
}
