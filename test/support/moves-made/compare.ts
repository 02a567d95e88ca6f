/** Compares the moves that a real Karpenter has made with those that anp foresees, and why the other nodes stay. */
import { allMoves } from "../../../src/analyze/consolidate/all-moves.ts";
import { ChangingCluster } from "../../../src/analyze/consolidate/changing-cluster.ts";
import { EVENT_CODES } from "../../../src/analyze/disrupt/blocker.ts";
import { type ExplainedCluster, explainClusters } from "../../../src/analyze/explain/explain.ts";
import { messagesIn } from "../../../src/analyze/explain/read-events.ts";
import { REASON_OF } from "../../../src/analyze/moves/next-command.ts";
import type { Disruption } from "../../../src/analyze/moves/running-cluster.ts";
import { planDump } from "../../../src/analyze/plan/plan-dump.ts";
import { addRemovals } from "../../../src/analyze/why/add-removals.ts";
import { type WhyWorld, whyWorld } from "../../../src/analyze/why/why-world.ts";
import { clustersOf } from "../../../src/commands/input/load-clusters.ts";
import type { Command } from "../../../src/karpenter/consolidation/cluster.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { loadFiles } from "../../../src/library/bundles-of-files.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { forKwok } from "../karpenter/pools.ts";
import { karpenterWith, textOf } from "../plan-worlds/plan-by-anp.ts";
import { testSource } from "../source.ts";
import type { DescribedNode, MadeMoves } from "./run-world.ts";
import type { MovesWorld } from "./worlds.ts";

/** Of Karpenter beside its defaults. */
export const GATES = { SpotToSpotConsolidation: true };

/** Undefined if they agree. */
export function differenceOf(world: MovesWorld, made: MadeMoves, catalogue: Catalogue): string | undefined {
  const { cluster, world: before, dump } = read(world, made.before, catalogue);
  const changing = new ChangingCluster(before.planned, cluster, before.disruption, dump.objects);
  const foreseen = allMoves(changing);
  const ours = [
    ...foreseen.moves.map(({ method, command }) => lineOf(REASON_OF[method], command)),
    ...nodesOf(changing.disruption),
  ];
  const theirs = [
    ...made.moves.map(({ reason, decision, nodes, replacements }) => moveLine(reason, decision, nodes, replacements)),
    ...made.nodes.map(nodeLine).toSorted(),
  ];
  if (ours.join("\n") === theirs.join("\n")) return undefined;
  return `seed ${world.seed} (${world.style}; ${foreseen.stops}):\nanp:\n  ${ours.join("\n  ")}\nKarpenter:\n  ${theirs.join("\n  ")}`;
}

/** What Karpenter's events say of nodes that stay and `anp why` does not: each with the node. */
export function unsaidOf(world: MovesWorld, made: MadeMoves, catalogue: Catalogue): string[] {
  const { world: after } = read(world, made.after, catalogue);
  return after.disruption.nodes.flatMap((node) => {
    const codes = new Set(addRemovals(node, after).reasons.flatMap(({ blockers }) => blockers.map(({ code }) => code)));
    const said = made.said.get(node.life.name) ?? [];
    return said.flatMap((message) => {
      const code = blockerCodeOf(message);
      return code === undefined || codes.has(code)
        ? []
        : [`seed ${world.seed} ${node.life.name}: ${message}; anp: ${[...codes].join(", ")}`];
    });
  });
}

/** They are over once nothing moves any more. */
const PASSING: readonly string[] = ["node-nominated", "node-not-initialized", "node-is-going", "waits-for-node"];

/** Undefined for an event that tells no reason to stay. */
function blockerCodeOf(message: string): string | undefined {
  const ids = messagesIn(message).messages.map(({ id }) => id);
  if (ids.includes("pod-not-scheduled")) return "pods-do-not-fit";
  return ids.find((id) => (EVENT_CODES as readonly string[]).includes(id) && !PASSING.includes(id));
}

function lineOf(reason: string, { decision, candidates, replacements }: Command): string {
  return moveLine(
    reason,
    decision,
    candidates.map(({ node: { labels, pods } }) =>
      describe(
        labels,
        pods.flatMap(({ moves }) => moves?.name ?? []),
      ),
    ),
    replacements.length,
  );
}

function moveLine(reason: string, decision: string, nodes: readonly DescribedNode[], replacements: number): string {
  return `${reason} ${decision} ${nodes.map(nodeLine).toSorted().join(" + ")} -> ${replacements}`;
}

function nodeLine({ nodePool, type, zone, capacityType, pods }: DescribedNode): string {
  return `${nodePool} ${type} ${zone} ${capacityType}: ${pods.join(" ")}`;
}

function nodesOf({ nodeOf }: Disruption): string[] {
  return [...nodeOf.keys()]
    .map(({ labels, life }) =>
      nodeLine(
        describe(
          labels,
          life.pods.map(({ name }) => name.replace(/.*\//, "")),
        ),
      ),
    )
    .toSorted();
}

function describe(labels: Readonly<Record<string, string>>, pods: readonly string[]): DescribedNode {
  return {
    nodePool: labels["karpenter.sh/nodepool"] ?? "",
    type: labels["node.kubernetes.io/instance-type"] ?? "",
    zone: labels["topology.kubernetes.io/zone"] ?? "",
    capacityType: labels["karpenter.sh/capacity-type"] ?? "",
    pods: pods.toSorted(),
  };
}

function read(
  world: MovesWorld,
  objects: readonly KubernetesObject[],
  catalogue: Catalogue,
): { readonly cluster: ExplainedCluster; readonly world: WhyWorld; readonly dump: { readonly objects: WhyObjects } } {
  const pools = world.pools.map((pool) => withStatus(forKwok(pool), objects));
  const gates = Object.entries(GATES).map(([name, isOn]) => `,${name}=${isOn}`);
  const loaded = clustersOf(
    loadFiles([{ path: "pools.yaml", text: textOf([...pools, karpenterWith({}, gates.join(""))]) }], {}),
    { profile: "karpenter-1.15" },
  );
  const [cluster] = explainClusters(loaded.clusters, catalogue, () => catalogue.prices, true);
  const rest = objects.filter(({ kind }) => kind !== "NodePool");
  const { value: resources } = parseSources([testSource(textOf(rest), { file: "dump.yaml" })]);
  const { value: dump, daemonSets } = planDump(resources, [], { at: Date.now() });
  const made = whyWorld({ demands: daemonSets, dump }, cluster!);
  return { cluster: cluster!, world: made, dump };
}

type WhyObjects = ConstructorParameters<typeof ChangingCluster>[3];

/** A pool of the API server, with the budgets that it has once nodes may go. */
function withStatus(pool: KubernetesObject, objects: readonly KubernetesObject[]): KubernetesObject {
  const stored = objects.find(({ kind, metadata }) => kind === "NodePool" && metadata?.name === pool.metadata?.name);
  return {
    ...stored,
    ...pool,
    metadata: { ...stored?.metadata, ...pool.metadata },
    status: stored?.status,
  };
}
