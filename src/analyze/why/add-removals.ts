/** What a round of the scheduler without a node says: whether Karpenter deletes or replaces it. */
import { BALANCED_THRESHOLD } from "../../karpenter/consolidation/balanced.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { withoutValues } from "../../krm/values/placeholders.ts";
import { blocker, type BlockerCode } from "../disrupt/blocker.ts";
import { resourceOf } from "../disrupt/node-blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { driftRemovalOf, type RemovalOf, removalOf, removalWithOthers, staticRemovalOf } from "../moves/removal-of.ts";
import { type Disruption, disruptionOf } from "../moves/running-cluster.ts";
import { type DescribedClaim, rounded } from "../plan/describe-claim.ts";
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { zonesMissing } from "../plan/not-considered.ts";
import { describeBlocker, describeReasons } from "./describe-reasons.ts";
import type { WhyAnswer } from "./why-answer.ts";
import type { WhyWorld } from "./why-world.ts";

type Reason = WhyAnswer["reasons"][number];
type Replacement = NonNullable<WhyAnswer["replacement"]>;

interface WithRemovals {
  readonly reasons: readonly Reason[];
  readonly replacement: WhyAnswer["replacement"];
  /** What was not looked at, or cannot be known. */
  readonly unknown: readonly string[];
}

/** The reasons of a node, with what Karpenter does once nothing else holds it, and with what that adds to its blockers. */
export function addRemovals(node: NodeState, world: WhyWorld): WithRemovals {
  const unknown = new Set<string>();
  const simulate = simulationOf(node, world, unknown);
  const kept = withoutFilled(world);
  const reasons = describeReasons(node, world.disruption).map((one): Reason => {
    if (one.reason === "Unhealthy" && one.disruptable) unknown.add(MOVES);
    const found = simulate(one);
    if (found === undefined) return one;
    if (found.outcome === "unknown") unknown.add(`${found.message} (${found.change ?? ""})`);
    const removal = kept(found);
    const stays = STAYS[removal.code];
    const own = { ...one, removal: describeRemoval(removal) };
    if (stays === undefined) return own;
    const { about = resourceOf(node), message, change } = removal;
    const last = describeBlocker(blocker(stays, about, message, { change }));
    return { ...own, disruptable: false, blockers: [...one.blockers, last] };
  });
  const first = reasons.find(({ removal }) => removal?.outcome === "replace")?.removal;
  return { reasons, replacement: first?.replacements[0] ?? null, unknown: [...unknown] };
}

const MOVES =
  "whether the pods of a node fit elsewhere, and on a cheaper node: for Drifted, Underutilized and Unhealthy Karpenter asks that too";

/** Codes of blockers for what keeps a node that would go otherwise. */
const STAYS: Readonly<Partial<Record<RemovalOf["code"], BlockerCode>>> = {
  "no-pools": "no-pools",
  pods: "pods-do-not-fit",
  uninitialized: "waits-for-node",
  "several-nodes": "needs-more-nodes",
  "not-cheaper": "not-cheaper",
  "min-values": "price-filter",
  "spot-to-spot-off": "spot-to-spot-off",
  "few-cheaper-types": "spot-to-spot-few-types",
  score: "score-too-low",
};

/** With one of these, Karpenter does not come to where the pods would go, whatever else changes. */
const MOOT: ReadonlySet<string> = new Set<BlockerCode>([
  "node-not-of-karpenter",
  "node-not-initialized",
  "node-is-going",
  "pool-not-found",
  "type-not-found",
  "node-label-missing",
  "static-pool",
  "empty",
  "not-drifted",
]);

const OF_PODS: ReadonlySet<string> = new Set<BlockerCode>(["pod-do-not-disrupt", "pdb-blocks", "several-pdbs"]);

/** @returns undefined for a reason for which Karpenter simulates nothing, or nothing that is known */
function simulationOf(
  node: NodeState,
  { planned, cluster, disruption }: WhyWorld,
  unknown: Set<string>,
): (reason: Reason) => RemovalOf | undefined {
  const made = new Map<boolean, Disruption>();
  const clusterIf = (isFreed: boolean): Disruption => {
    const known = made.get(isFreed) ?? disruptionOf(planned, cluster, disruption, isFreed ? node.life.name : undefined);
    made.set(isFreed, known);
    return known;
  };
  return ({ reason, blockers }) => {
    if (reason !== "Drifted" && reason !== "Underutilized") return undefined;
    if (blockers.some(({ code }) => MOOT.has(code))) return undefined;
    const running = clusterIf(blockers.some(({ code }) => OF_PODS.has(code)));
    const candidate = running.nodeNamed(node.life.name);
    // Karpenter replaces the nodes of a static pool whatever pods they have.
    if (candidate?.pool.replicas !== undefined)
      return blockers.length === 0 ? staticRemovalOf(running, candidate) : undefined;
    const moving = candidate?.node.pods.flatMap(({ moves }) => moves ?? []);
    const zones = zonesMissing(planned, moving);
    if (candidate === undefined || cluster.knownTypes.typesUnknown === true || zones !== undefined) {
      unknown.add(zones === undefined ? MOVES : `whether its pods fit elsewhere: ${zones}`);
      return undefined;
    }
    if (reason === "Drifted") return driftRemovalOf(running, candidate);
    const alone = removalOf(running, candidate);
    if (alone.outcome !== "stays" || blockers.length > 0) return alone;
    if (needsOtherPrices(running)) unknown.add(UNPRICED);
    return removalWithOthers(running, candidate) ?? alone;
  };
}

/** Whether other nodes, or what would replace them, may have a capacity type without a price. */
export function needsOtherPrices({ targets, cluster: { nodes, unpriced } }: Disruption): boolean {
  return (
    nodes.some(({ labels }) => unpriced.has(labels[CAPACITY_TYPE] ?? "")) ||
    targets.some(({ requirements }) => {
      const asked = requirements.get(CAPACITY_TYPE);
      return unpriced.has("spot") && (asked === undefined || has(asked, "spot"));
    })
  );
}

const UNPRICED = "whether the node goes together with others: the catalogue has no prices of some capacity types";

/** What users fill in for placeholders is not shown. */
function withoutFilled({ cluster }: WhyWorld): (removal: RemovalOf) => RemovalOf {
  const filled = new Map(cluster.pools.flatMap(({ wrapper }) => [...(wrapper.filled ?? [])]));
  return (removal) =>
    withoutValues(removal, filled, (_key, part) => typeof part === "number" || typeof part === "boolean");
}

function describeRemoval(removal: RemovalOf): NonNullable<Reason["removal"]> {
  const { outcome, code, message, together, replacements, moves, before, after, scores } = removal;
  return {
    outcome,
    code: STAYS[code] ?? code,
    message,
    together,
    replacements: replacements.map(describeReplacement),
    moves,
    before: before === null ? null : rounded(before),
    after: after === null ? null : rounded(after),
    scores: scores.map(({ pool, score, savings, disruption, approved }) => ({
      nodePool: pool,
      score: Number.isFinite(score) ? score : null,
      threshold: BALANCED_THRESHOLD,
      savings,
      disruption,
      approved,
    })),
  };
}

function describeReplacement(claim: DescribedClaim): Replacement {
  const { nodePool, instanceTypes, zones, capacityTypes, price } = claim;
  const pods = claim.pods.map(({ namespace, name }) => `${namespace}/${name}`);
  return { nodePool, instanceTypes, zones, capacityTypes, pods, price };
}
