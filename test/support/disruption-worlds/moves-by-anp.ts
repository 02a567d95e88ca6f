/** What anp says that each method of Karpenter's disruption controller would do. */
import { commandsOf, METHODS, REASON_OF } from "../../../src/analyze/moves/next-command.ts";
import type { Disruption } from "../../../src/analyze/moves/running-cluster.ts";
import { describeClaim } from "../../../src/analyze/plan/describe-claim.ts";
import type { Command, RunningCluster } from "../../../src/karpenter/consolidation/cluster.ts";
import { savingsOf } from "../../../src/karpenter/consolidation/consolidate.ts";
import type { SolverPod } from "../../../src/karpenter/solver/world.ts";
import type { CommandReply, MethodReply } from "./ask-karpenter.ts";
import { disruptionOfWorld } from "./disruption-of-world.ts";
import type { DisruptionWorld } from "./world.ts";

export function methodsOf(world: DisruptionWorld): MethodReply[] {
  return repliesOf(disruptionOfWorld(world, gatesOf(world), Date.parse(world.now)));
}

export function repliesOf(disruption: Disruption): MethodReply[] {
  return METHODS.map((method) => {
    const reason = REASON_OF[method];
    const candidates = disruption.candidates(reason, method === "static-drift").map(({ node }) => node.name);
    const commands = commandsOf(method, disruption);
    if (commands === "no-pools") return { method, candidates, commands: [], said: {}, error: commands };
    return { method, candidates, commands: commands.map((one) => replyOf(one, disruption.cluster)), said: {} };
  });
}

/** Of Karpenter's option. */
export function gatesOf({ gates }: DisruptionWorld): string {
  return `,SpotToSpotConsolidation=${gates.spotToSpot},TerminateFirstDrift=${gates.terminateFirstDrift},StaticCapacity=true`;
}

export function replyOf(command: Command, cluster: RunningCluster): CommandReply {
  const namesOf = (pods: readonly SolverPod[]): string[] =>
    pods.map(({ shape, name }) => `${shape.namespace}/${name}`).toSorted();
  return {
    candidates: command.candidates.map(({ node }) => node.name).toSorted(),
    decision: command.decision,
    replacements: command.replacements.map(({ claim, types }) => {
      const { catalogue } = cluster;
      const { zones, capacityTypes } = describeClaim(claim, catalogue);
      const instanceTypes = types.map((type) => catalogue.names[type]!);
      return { nodePool: claim.pool.name, pods: namesOf(claim.pods), instanceTypes, zones, capacityTypes };
    }),
    savings: savingsOf(cluster, command),
    existing: [...command.existing].flatMap(([node, pods]) =>
      pods.length === 0 ? [] : [{ node, pods: namesOf(pods) }],
    ),
  };
}
