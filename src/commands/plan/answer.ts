/** The answer of `anp plan` for pods, the pools of one side or two, and what is there. */
import { type CatalogueFor, explainClusters, type PricesFor } from "../../analyze/explain/explain.ts";
import { replicaFindings } from "../../analyze/plan/expand-pods.ts";
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import type { ReadDump } from "../../analyze/plan/plan-dump.ts";
import { planPods } from "../../analyze/plan/plan.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { Finding, Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { UsageError } from "../cli/exit-codes.ts";
import type { LoadedClusters } from "../input/load-clusters.ts";

export interface PlanQuestion {
  readonly loaded: LoadedClusters;
  /** The pools of the old side, if there is one. */
  readonly old: LoadedClusters | undefined;
  /** Pods, workloads and DaemonSets. */
  readonly pods: Outcome<readonly PodDemand[]>;
  /** Other objects, among which CapacityBuffers and their pod templates may be. */
  readonly others: readonly Resource[];
  /** The cluster now; undefined if it is not known. */
  readonly dump: ReadDump | undefined;
  readonly catalogueFor: CatalogueFor;
  readonly pricesFor: PricesFor;
  /** Whether what runs is compared with a plan for its pods. */
  readonly withSavings?: boolean | undefined;
}

export function findingsOfPlan(question: PlanQuestion): Finding[] {
  const { loaded, old } = question;
  const onOld = (old?.findings ?? []).filter(({ severity }) => severity === "error");
  return [...loaded.findings, ...onOld, ...findingsOfPods(question)];
}

/** The findings on all but the pools. */
export function findingsOfPods({ pods, dump }: PlanQuestion): Finding[] {
  return [...pods.findings, ...(dump?.findings ?? []), ...onReplicas({ pods, dump })];
}

/** A number of pods that is wrong makes every line of the plan wrong. */
function onReplicas({ pods, dump }: Pick<PlanQuestion, "pods" | "dump">): Finding[] {
  return replicaFindings([...pods.value, ...(dump?.value.pods ?? [])]);
}

/**
 * The plan; undefined if a finding says that an input is wrong.
 *
 * @throws UsageError if the pools are of several clusters, or if nothing says which zones there are
 */
export function answerPlan(question: PlanQuestion): PlanAnswer | undefined {
  const { loaded, old, pods, others, dump, catalogueFor, pricesFor, withSavings } = question;
  const explained = ({ readable, clusters }: LoadedClusters) =>
    readable ? explainClusters(clusters, catalogueFor, pricesFor, true) : [];
  const given = onlyCluster(explained(loaded));
  const earlier = old && onlyCluster(explained(old));
  const any = given ?? earlier;
  const isReadable = loaded.readable && old?.readable !== false && onReplicas(question).length === 0;
  if (any === undefined || !isReadable) return undefined;
  const none = { ...any, pools: [], explanations: [] };
  const [cluster, before] = [given ?? none, old && (earlier ?? none)];
  const demands = [...pods.value, ...(dump?.daemonSets ?? [])];
  const answer = planPods({ demands, others, dump: dump?.value, withSavings }, cluster, loaded.mode, before);
  if (!("problem" in answer)) return answer;
  throw new UsageError(`${answer.problem}: name the catalogue of a region with --catalogue (anp catalogue build)`);
}

/** The cluster with pools; undefined if there is none. */
export function onlyCluster(clusters: ReturnType<typeof explainClusters>) {
  const [cluster, ...others] = clusters.filter(({ pools }) => pools.length > 0);
  if (others.some(({ provider }) => provider !== cluster?.provider))
    throw new UsageError(
      "the pools are of several cloud providers, and Karpenter runs for one: name the files of its pools",
    );
  if (others.length > 0) throw new UsageError("the pools are of several clusters: select one with --hosted-cluster");
  return cluster;
}
