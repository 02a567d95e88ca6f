/** A cluster for `anp why`: its nodes and pools, and where pending pods are expected. */
import { solve } from "../../karpenter/solver/solve.ts";
import type { Solved, SolverPod } from "../../karpenter/solver/world.ts";
import { clusterWorld } from "../disrupt/cluster-world.ts";
import type { DisruptionWorld } from "../disrupt/world.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { podOf } from "../plan/describe-claim.ts";
import { notConsidered } from "../plan/not-considered.ts";
import { type PlanInput, type PlanWorld, planWorld } from "../plan/plan-world.ts";

/** What is asked about: a cluster now, and the plan for its pending pods. */
export interface WhyWorld {
  readonly cluster: ExplainedCluster;
  readonly disruption: DisruptionWorld;
  readonly planned: PlanWorld;
  readonly solved: Solved;
  /** What of the plan was not looked at. */
  readonly notConsidered: readonly string[];
}

/** @param input with a dump */
export function whyWorld(
  input: PlanInput & { readonly dump: NonNullable<PlanInput["dump"]> },
  cluster: ExplainedCluster,
): WhyWorld {
  const planned = planWorld(input, cluster);
  const solved = solve(planned.world);
  const expected = [...solved.existing].map(([node, pods]) => ({
    node,
    pods: pods.filter(({ demand }) => demand.ofBuffer !== true),
    ofBuffers: pods.some(({ demand }) => demand.ofBuffer === true),
  }));
  return {
    cluster,
    planned,
    solved,
    notConsidered: notConsidered(planned, solved, cluster),
    disruption: {
      ...clusterWorld(input.dump.objects, cluster, input.dump.at),
      nominated: new Map(
        expected.flatMap(({ node, pods }) => (pods.length === 0 ? [] : [[node, fullName(pods[0]!)] as const])),
      ),
      buffered: new Set(expected.flatMap(({ node, ofBuffers }) => (ofBuffers ? [node] : []))),
    },
  };
}

/** `namespace/name`. */
function fullName(pod: SolverPod): string {
  const { namespace, name } = podOf(pod);
  return `${namespace}/${name}`;
}
