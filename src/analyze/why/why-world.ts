/** A cluster for `anp why`: its nodes and pools, and where pending pods are expected. */
import { AWS } from "../../karpenter/provider/aws.ts";
import { solve } from "../../karpenter/solver/solve.ts";
import type { Solved, SolverPod } from "../../karpenter/solver/world.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { karpenterOptions } from "../../model/settings/karpenter-options.ts";
import { nodeStates } from "../disrupt/node-state.ts";
import { type DisruptedPool, disruptedPool, type DisruptionWorld } from "../disrupt/world.ts";
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
  const { profile, karpenter = karpenterOptions(profile) } = cluster.knownTypes;
  const nodes = nodeStates(input.dump.objects);
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
      at: input.dump.at,
      profile,
      gates: karpenter.gates,
      pools: new Map(cluster.pools.map((pool) => [pool.name, disruptedPool(pool, typesKnown(pool, cluster))])),
      nodes,
      isRepairKnown: cluster.pools.every(({ provider }) => provider === AWS),
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

/** A node class that is being deleted counts as not found (docs/upstream/karpenter.md#pools-that-are-being-deleted). */
function typesKnown(
  { nodeClass }: ExplainedCluster["pools"][number],
  { knownTypes }: ExplainedCluster,
): DisruptedPool["knowsType"] {
  if (nodeClass !== undefined && isBeingDeleted(nodeClass.value)) return () => "none";
  if (knownTypes.typesUnknown === true) return () => undefined;
  const names = new Set(knownTypes.filter.catalogue.names);
  return (name) => (names.has(name) ? "yes" : "no");
}
