/** All moves of Karpenter as data: nodes that go and start, pods that move, and money. */
import type { RunningCluster, RunningNode } from "../../karpenter/consolidation/cluster.ts";
import { INSTANCE_TYPE } from "../../karpenter/catalogue/catalogue.ts";
import { idOf } from "../../karpenter/consolidation/remove-nodes.ts";
import type { SolverPod } from "../../karpenter/solver/world.ts";
import { CAPACITY_TYPE, NODE_POOL, ZONE } from "../../model/requirements/label-keys.ts";
import { counted } from "../../krm/values/counted.ts";
import { HOURS_A_MONTH } from "../../model/values/money.ts";
import { describeClaim, rounded } from "../plan/describe-claim.ts";
import type { AllMoves, Move } from "./all-moves.ts";
import type { Outcome, Started } from "./changing-cluster.ts";
import type { MovesAnswer } from "./moves-answer.ts";
import { REASON_OF } from "../moves/next-command.ts";
import type { Disruption } from "../moves/running-cluster.ts";

type DescribedMove = MovesAnswer["moves"][number];
type Removed = DescribedMove["removed"][number];
type Summary = MovesAnswer["summary"];

export function describeMove({ method, command, outcome }: Move, cluster: RunningCluster): DescribedMove {
  const removed = command.candidates.map(({ node }) => describeNode(node, cluster));
  const change = describeOutcome(outcome, cluster);
  const { decision } = command;
  return { reason: REASON_OF[method], method, decision, removed, ...change, saves: savings(removed, change.started) };
}

export function savings(removed: readonly Removed[], started: readonly Pick<Removed, "hourly">[]): number | null {
  const [before, after] = [hourlyOf(removed), hourlyOf(started)];
  return before === null || after === null ? null : rounded(before - after);
}

/** Null if a price is not known. */
function hourlyOf(nodes: readonly Pick<Removed, "hourly">[]): number | null {
  return nodes.reduce<number | null>((sum, { hourly }) => (sum === null || hourly === null ? null : sum + hourly), 0);
}

export function describeOutcome(
  { started, arrived }: Outcome,
  cluster: RunningCluster,
): Pick<DescribedMove, "started" | "moved"> {
  const fresh = new Set(started.map(({ name }) => name));
  return {
    started: started.map((one) => describeStarted(one, arrived.get(one.name) ?? [], cluster)),
    moved: [...arrived].flatMap(([node, pods]) => (fresh.has(node) ? [] : [{ node, pods: pods.map(idOf) }])),
  };
}

function describeStarted(
  { name, claim, launch, types }: Started,
  pods: readonly SolverPod[],
  { catalogue }: RunningCluster,
): DescribedMove["started"][number] {
  const { zones, capacityTypes } = describeClaim(claim, catalogue);
  return {
    node: name,
    nodePool: claim.pool.name,
    instanceType: catalogue.names[launch.type] ?? null,
    zone: launch.zone ?? null,
    capacityType: launch.capacityType,
    hourly: launch.price === undefined ? null : rounded(launch.price),
    instanceTypes: types.map((type) => catalogue.names[type]!),
    zones,
    capacityTypes,
    pods: pods.map(idOf),
  };
}

export function describeNode({ name, labels }: RunningNode, { catalogue, prices }: RunningCluster): Removed {
  const { [INSTANCE_TYPE]: type, [ZONE]: zone, [CAPACITY_TYPE]: capacityType } = labels;
  const index = type === undefined ? -1 : catalogue.names.indexOf(type);
  const hourly = index < 0 ? undefined : prices.ofNode(index, zone ?? "", capacityType ?? "");
  return {
    node: name,
    nodePool: labels[NODE_POOL] ?? "",
    instanceType: type ?? null,
    zone: zone ?? null,
    capacityType: capacityType ?? null,
    hourly: hourly === undefined ? null : rounded(hourly),
  };
}

/** What the nodes that Karpenter made cost. */
export function sumOf({ cluster, nodeOf }: Disruption): Summary["before"] {
  const own = [...nodeOf].flatMap(([state, node]) => (state.isManaged ? [describeNode(node, cluster)] : []));
  const hourly = hourlyOf(own);
  return {
    nodes: own.length,
    hourly: hourly === null ? null : rounded(hourly),
    monthly: hourly === null ? null : rounded(hourly * HOURS_A_MONTH),
  };
}

export function summaryOf(moves: readonly Move[], before: Summary["before"], after: Summary["after"]): Summary {
  return {
    moves: moves.length,
    removed: moves.reduce((sum, { command }) => sum + command.candidates.length, 0),
    started: moves.reduce((sum, { outcome }) => sum + outcome.started.length, 0),
    before,
    after,
  };
}

export function describeStop({ stops, again, moves }: AllMoves): NonNullable<MovesAnswer["stops"]> {
  return { code: stops, message: STOPS[stops](again, moves.length) };
}

const STOPS: Readonly<Record<AllMoves["stops"], (again: number, moves: number) => string>> = {
  settled: () => "Karpenter takes no other node",
  "no-pools": () => "no NodePool may get nodes, and Karpenter decides nothing",
  circle: (again) =>
    again === 1
      ? "the last move would come again and again: the cluster is then as it was before"
      : `the last ${String(again)} moves would come again and again: the cluster is then as it was before them`,
  "too-many": (_, moves) => `after ${String(moves)} moves, anp looks for no other`,
};

/** Choices that may come out otherwise in the cluster. */
export function tiesOf(
  moves: readonly Pick<Move, "outcome" | "method" | "command">[],
  { world }: Disruption,
): string[] {
  const all = moves.flatMap(({ outcome }) => outcome.started);
  const places = all.filter(({ launch, claim }) => launch.otherZones.length > 0 || claim.ties.length > 0);
  const pools = new Set(world.nodes.flatMap(({ nodePool }) => nodePool ?? []));
  const isMixed = moves.some(({ method }) => method === "single-node") && pools.size > 1;
  return [
    ...(places.length === 0 ? [] : [placesText(places)]),
    ...(isMixed
      ? ["Karpenter looks at the pools in a random order: single-node moves of several pools may change places"]
      : []),
  ];
}

function placesText(started: readonly Started[]): string {
  const [{ name, launch }] = started as readonly [Started];
  const others =
    launch.otherZones.length === 0 ? "" : ` (${name}: ${[launch.zone, ...launch.otherZones].join(" or ")})`;
  return `${counted(started.length, "new node")} may start in another zone${others}`;
}
