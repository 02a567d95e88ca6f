/** `anp plan --consolidate` and `--remove`: what Karpenter would move, and what that saves. */
import { counted, someOf } from "../../krm/values/counted.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { KARPENTER_GATES, type KarpenterGate, karpenterOptions } from "../../model/settings/karpenter-options.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import type { DisruptedPool, DisruptionWorld } from "../disrupt/world.ts";
import { describeOrigin } from "../explain/describe-explanation.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { zonesMissing } from "../plan/not-considered.ts";
import type { PlanInput } from "../plan/plan-world.ts";
import { needsOtherPrices } from "../why/add-removals.ts";
import { type WhyWorld, whyWorld } from "../why/why-world.ts";
import { allMoves, type Move } from "./all-moves.ts";
import { ChangingCluster } from "./changing-cluster.ts";
import { describeMove, describeOutcome, describeStop, sumOf, summaryOf, tiesOf } from "./describe-moves.ts";
import type { MovesAnswer } from "./moves-answer.ts";
import { removeByHand } from "./remove-by-hand.ts";
import { stayingNodes } from "./staying-nodes.ts";

export interface MovesQuestion {
  readonly input: PlanInput & { readonly dump: NonNullable<PlanInput["dump"]> };
  readonly cluster: ExplainedCluster;
  readonly mode: InputMode;
  /** Whether the moves of Karpenter are asked for. */
  readonly consolidates: boolean;
  /** The names of nodes that are removed by hand. */
  readonly removed: readonly string[];
  readonly changes: SettingChanges;
  /** Kinds that a dump from a file lacks: the cluster has none, or they were not written. */
  readonly missing: readonly string[];
}

/** Settings of pools and of Karpenter to try. */
interface SettingChanges {
  readonly policy?: string | undefined;
  /** A duration, or Never. */
  readonly consolidateAfter?: string | undefined;
  readonly gates?: Partial<Record<KarpenterGate, boolean>> | undefined;
}

/** The answer, or why there is none. */
export function planMoves(question: MovesQuestion): MovesAnswer | { readonly problem: string } {
  const { input, cluster, changes, removed } = question;
  const world = whyWorld(input, withGates(cluster, changes.gates));
  const standing = world.planned.state?.standing ?? [];
  const pods = world.planned.podsOf(standing.flatMap(({ pods: own }) => own));
  const zones = zonesMissing(world.planned, [...pods, ...world.planned.world.pods]);
  if (zones !== undefined) return { problem: `${zones}: ${CATALOGUE}` };
  if (cluster.knownTypes.typesUnknown === true) return { problem: TYPES_UNKNOWN };
  const unknown = removed.find((name) => !world.disruption.nodes.some(({ life }) => life.name === name));
  if (unknown !== undefined) return { problem: `--remove ${unknown}: there is no node of that name` };
  const changed = { ...world, disruption: withPools(world.disruption, changes) };
  const answer = answerOf(question, changed);
  const isChanged = Object.values(changes).some((change) => change !== undefined);
  const asItIs = isChanged ? answerOf(question, whyWorld(input, cluster)).summary : null;
  const filled = new Map(cluster.pools.flatMap(({ wrapper }) => [...(wrapper.filled ?? [])]));
  return withoutValues({ ...answer, asItIs }, filled, (_key, part) => typeof part === "number");
}

const CATALOGUE = "name the catalogue of a region with --catalogue (anp catalogue build)";
const TYPES_UNKNOWN = `the instance types of this provider are not known: ${CATALOGUE}`;

function answerOf(question: MovesQuestion, world: WhyWorld): MovesAnswer {
  const { input, cluster: explained, mode, consolidates, removed } = question;
  const { filter, prices } = explained.knownTypes;
  const changing = new ChangingCluster(world.planned, explained, world.disruption, input.dump.objects);
  const { cluster } = changing.disruption;
  const before = sumOf(changing.disruption);
  const gone = world.disruption.nodes.filter(({ life }) => life.deleting).map(({ life }) => life.name);
  const underWay = { ...describeOutcome(changing.finish(), cluster), gone };
  const removal = removed.length === 0 ? null : removeByHand(changing, removed);
  const found = consolidates ? allMoves(changing) : undefined;
  const { moves = [] } = found ?? {};
  const end = changing.disruption;
  return {
    schemaVersion: 1,
    mode,
    at: formatRfc3339(world.disruption.at),
    catalogue: { source: filter.catalogue.source, date: filter.catalogue.date },
    underWay,
    removal,
    moves: moves.map((one) => describeMove(one, cluster)),
    summary: summaryOf(moves, before, sumOf(end)),
    stops: found === undefined ? null : describeStop(found),
    staying: found === undefined ? [] : stayingNodes(end),
    asItIs: null,
    prices: prices === undefined ? null : describeOrigin(prices.origin),
    ties: tiesOf(moves, end),
    notes: notesOn(question, world, moves),
    notConsidered: [...unknownOf(question, changing), ...world.notConsidered],
  };
}

function notesOn(
  { changes }: MovesQuestion,
  { disruption: { nodes, at } }: WhyWorld,
  moves: readonly Move[],
): string[] {
  const gone = new Set(moves.flatMap(({ command }) => command.candidates.map(({ node }) => node.name)));
  const lost = nodes
    .filter(({ life }) => gone.has(life.name))
    .flatMap(({ life }) => life.pods.filter(({ reschedulable, owned }) => reschedulable && !owned));
  const length = parseGoMilliseconds(changes.consolidateAfter ?? "");
  const waiting = nodes.filter(
    ({ lastPodEvent, initializedAt }) => length !== undefined && at - (lastPodEvent ?? initializedAt ?? 0) < length,
  );
  return [
    ...(lost.length === 0
      ? []
      : [
          `no controller makes ${someOf(
            lost.map(({ name }) => name),
            3,
          )} again once ${lost.length === 1 ? "it is" : "they are"} evicted; here ${lost.length === 1 ? "it moves" : "they move"} like the others`,
        ]),
    ...(length === undefined
      ? []
      : [
          `consolidateAfter ${changes.consolidateAfter!} changes when nodes go, and not which: ${counted(waiting.length, "node")} of ${String(nodes.length)} would have to wait now`,
        ]),
  ];
}

/** What of the moves is not known. */
function unknownOf({ missing }: MovesQuestion, { disruption }: ChangingCluster): string[] {
  const reserved = [...disruption.nodeOf.values()].some(({ labels }) => labels[CAPACITY_TYPE] === "reserved");
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.join(", ")}: the dump has none, so either the cluster has none or they were not written`]),
    ...(needsOtherPrices(disruption)
      ? ["prices: the catalogue has none of some capacity types, and Karpenter compares them"]
      : []),
    ...(reserved ? ["reserved capacity: instances that moves use or free are not counted"] : []),
  ];
}

function withGates(cluster: ExplainedCluster, changes: SettingChanges["gates"]): ExplainedCluster {
  if (changes === undefined) return cluster;
  const { knownTypes } = cluster;
  const { profile, karpenter = karpenterOptions(profile) } = knownTypes;
  const isOn = (gate: KarpenterGate): boolean => changes[gate] ?? karpenter.gates.has(gate);
  const gates = new Set(KARPENTER_GATES.filter(isOn));
  return { ...cluster, knownTypes: { ...knownTypes, karpenter: { ...karpenter, gates } } };
}

function withPools(world: DisruptionWorld, { policy, consolidateAfter }: SettingChanges): DisruptionWorld {
  const changed = (pool: DisruptedPool): DisruptedPool => ({
    ...pool,
    ...(policy === undefined ? {} : { policy }),
    ...(consolidateAfter === undefined
      ? {}
      : { consolidateAfter: { text: consolidateAfter, length: parseGoMilliseconds(consolidateAfter) } }),
  });
  return { ...world, pools: new Map([...world.pools].map(([name, pool]) => [name, changed(pool)])) };
}
