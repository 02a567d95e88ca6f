/** Which pool takes each pod, or why none does. */
import { sortedValues } from "../../karpenter/requirements/requirement.ts";
import { both, countTypes, indexesOf, isNone, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import { oncePer } from "../../model/once.ts";
import { isDaemonSet } from "../../model/pod-template.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { fileLineOf, locationOf } from "../../krm/location.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { quantityText } from "./amounts.ts";
import { minValuesSentence, OBSTACLES, type Obstacle, tryPod } from "./attempt.ts";
import { blindSpotsOfPod, blindSpotsOfPool } from "./blind-spots.ts";
import { and } from "./words.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import { type PodPool, podPool } from "./pool.ts";
import { hasClaims, refusalOf } from "./refusal.ts";
import { type PodStage, podStages } from "../../karpenter/scheduling/pod-stages.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { Market } from "../explain/remaining-types.ts";

/** One pod of `anp explain -o json`. */
export interface PlacedPod {
  readonly name: string;
  readonly namespace: string | null;
  /** `Pod`, or what makes it. */
  readonly kind: string;
  /** Of a cluster's pods: how many are alike; null for those of files. */
  readonly count: number | null;
  readonly hostedCluster: string | null;
  readonly file: string;
  readonly line: number;
  readonly requests: Readonly<Record<string, string>>;
  readonly takenBy: string | null;
  /** Those that Karpenter may start for it; empty when no pool takes it. */
  readonly instanceTypes: readonly string[];
  /** Why no node starts for it; null when one does. */
  readonly why: string | null;
  /** In the order in which Karpenter tries the pools; none where it does not look at the pod at all. */
  readonly attempts: readonly PoolAttempt[];
  /** What may decide on its node and was not looked at. */
  readonly notConsidered: readonly string[];
}

/** What `--pods` asked about. */
export interface AskedPods {
  readonly pods: readonly PlacedPod[];
  /** Whether those of the cluster that wait for a node were asked about, and could be read. */
  readonly waiting: boolean;
}

export interface PoolAttempt {
  readonly pool: string;
  /** Whether the pool could take the pod if there were no other. */
  readonly fits: boolean;
  /** How many instance types could start for it. */
  readonly instanceTypes: number;
  /** Null when it fits. `machine-image`: Karpenter picks the pool, and then no image suits the types. */
  readonly reason: Obstacle | "machine-image" | null;
  readonly sentence: string;
}

/**
 * Each pod by itself, on a new node. DaemonSets are no pods of their own here: they take room on the nodes of others.
 * See docs/upstream/karpenter.md#pods.
 */
export function placePods(pods: readonly PodDemand[], cluster: ExplainedCluster): PlacedPod[] {
  const { market, pools, explanations, bundle } = cluster;
  const asked = pods.filter(({ resource }) => !isDaemonSet(resource));
  if (asked.length === 0) return [];
  const daemonSets = pods.filter((pod) => isDaemonSet(pod.resource) && !hasClaims(pod));
  const explanationOf = new Map(explanations.map((explanation) => [explanation.pool, explanation]));
  const targets = poolOrder(pools).map((pool) => podPool(pool, explanationOf.get(pool)!, daemonSets, market));
  const question: Question = {
    targets,
    market,
    taintsRelent: pools.some((pool) =>
      pool.spec.template.spec.taints?.some(({ effect }) => effect === "PreferNoSchedule"),
    ),
    // Many pods meet the same pools.
    blindSpots: oncePer((pool) => blindSpotsOfPool(pool, bundle)),
  };
  return asked.map((pod) => ({ ...describe(pod, cluster), ...placementOf(pod, question) }));
}

interface Question {
  /** In the order in which Karpenter tries them. */
  readonly targets: readonly PodPool[];
  readonly market: Market;
  /** Whether any pool has a PreferNoSchedule taint. */
  readonly taintsRelent: boolean;
  readonly blindSpots: (pool: ResolvedPool) => readonly string[];
}

type Placement = Pick<PlacedPod, "takenBy" | "instanceTypes" | "why" | "attempts" | "notConsidered">;

function nowhere(why: string): Placement {
  return { takenBy: null, instanceTypes: [], why, attempts: [], notConsidered: [] };
}

interface Fit {
  readonly types: TypeMask;
  readonly refused: ReadonlyMap<string, number>;
  readonly requirements: Requirements;
  /** How many of the pod's wishes Karpenter has dropped by then. */
  readonly stage: number;
  readonly without: string;
}

type Outcome = Fit | { readonly obstacle: Obstacle; readonly sentence: () => string };

/** Karpenter asks all pools before it drops a wish of the pod; among pools of one stage the order decides. */
function placementOf(pod: PodDemand, { targets, market, taintsRelent, blindSpots }: Question): Placement {
  const { names, wellKnown } = market.filter.catalogue;
  const refusal = refusalOf(pod, wellKnown);
  if (refusal !== undefined) return nowhere(`Karpenter passes it over: ${refusal}`);
  if (targets.length === 0) return nowhere("the hosted cluster has no pool that can be read");
  const stages = podStages(pod, taintsRelent);
  const outcomes = targets.map((target) => ({ target, outcome: bestOf(pod, stages, target, market) }));
  const fitting = outcomes.flatMap(({ target, outcome }) => ("types" in outcome ? [{ target, fit: outcome }] : []));
  const chosen = fitting.toSorted((a, b) => a.fit.stage - b.fit.stage)[0];
  const started = chosen === undefined ? undefined : both(chosen.fit.types, chosen.target.startable);
  const taken = started !== undefined && !isNone(started) && chosen!.fit.refused.size === 0;
  const attempts = outcomes.map(({ target, outcome }) => attemptOf(target, outcome, chosen));
  return {
    takenBy: taken ? chosen!.target.pool.name : null,
    instanceTypes: taken ? indexesOf(started).map((type) => names[type]!) : [],
    why: taken ? null : whyNone(attempts, chosen?.target),
    attempts,
    notConsidered: [...blindSpotsOfPod(pod), ...fitting.flatMap(({ target }) => blindSpots(target.pool))],
  };
}

/** The first stage at which the pool takes the pod, or the obstacle of the stage that came furthest. */
function bestOf(pod: PodDemand, stages: readonly PodStage[], target: PodPool, market: Market): Outcome {
  let furthest: Exclude<Outcome, Fit> | undefined;
  for (const [index, stage] of stages.entries()) {
    const attempt = tryPod(pod, stage, target, market);
    if ("types" in attempt) return { ...attempt, stage: index, without: stage.without };
    const further =
      furthest === undefined || OBSTACLES.indexOf(attempt.obstacle) > OBSTACLES.indexOf(furthest.obstacle);
    if (further) furthest = attempt;
  }
  return furthest!;
}

function attemptOf(
  target: PodPool,
  outcome: Outcome,
  chosen: { readonly target: PodPool; readonly fit: Fit } | undefined,
): PoolAttempt {
  const { pool, startable, images } = target;
  const name = pool.name;
  if ("obstacle" in outcome)
    return { pool: name, fits: false, instanceTypes: 0, reason: outcome.obstacle, sentence: outcome.sentence() };
  const started = both(outcome.types, startable);
  if (isNone(started)) {
    const sentence = `no node would start: the machine images of node class ${pool.nodeClassRef.name} are for ${imagesText(images)}, and no type left is`;
    return { pool: name, fits: false, instanceTypes: 0, reason: "machine-image", sentence };
  }
  if (outcome.refused.size > 0) {
    const missed = minValuesSentence(outcome.refused, outcome.requirements, target);
    const sentence = `no node would start: the API server refuses the NodeClaim; ${missed}`;
    return { pool: name, fits: false, instanceTypes: 0, reason: "min-values", sentence };
  }
  const suffix = outcome.without === "" ? "" : ` ${outcome.without}`;
  const isChosen = chosen?.target.pool === pool;
  const sentence = isChosen
    ? `takes it${suffix}`
    : `could take it${suffix}; Karpenter picks ${chosen!.target.pool.name} first`;
  return { pool: name, fits: true, instanceTypes: countTypes(started), reason: null, sentence };
}

function imagesText(images: readonly Demand[]): string {
  const texts = images.map(
    ({ requirement, place }) => `${sortedValues(requirement).join(", ")} (${locationOf(place.resource, place.path)})`,
  );
  return and(texts);
}

function whyNone(attempts: readonly PoolAttempt[], inTheWay: PodPool | undefined): string {
  if (inTheWay !== undefined) return `Karpenter picks pool ${inTheWay.pool.name} for it, and no node starts there`;
  return attempts.length === 1
    ? "the only pool does not take it"
    : `none of the ${String(attempts.length)} pools takes it`;
}

function describe(pod: PodDemand, { bundle }: ExplainedCluster) {
  const { resource, requests, group } = pod;
  const { name, kind } = group ?? resource;
  return {
    name,
    namespace: resource.namespace ?? null,
    kind,
    count: group?.count ?? null,
    hostedCluster: bundle.hostedCluster ?? null,
    ...fileLineOf(resource, ["metadata", "name"]),
    requests: Object.fromEntries([...requests].map(([name, amount]) => [name, quantityText(name, amount)])),
  };
}
