/** Finds the pool that takes each pod, or the reasons why none does. */
import { sortedValues } from "../../karpenter/requirements/requirement.ts";
import { both, countTypes, indexesOf, isNone, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { fileLineOf, locationOf } from "../../krm/places/location.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { quantityText, and } from "../explain/amounts.ts";
import { minValuesSentence, OBSTACLES, type Obstacle, tryPod } from "./attempt.ts";
import { blindSpotsOfPod, blindSpotsOfPool, unreadSpots } from "./blind-spots.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import { type PodPool, podPool } from "./pool.ts";
import { hasClaims, refusalOf } from "./refusal.ts";
import { type PodStage, podStages, withVolumes } from "../../karpenter/scheduling/pod-stages.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { InstanceTypes } from "../explain/remaining-types.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";

/** One pod of `anp explain -o json`. */
export interface PlacedPod {
  readonly name: string;
  readonly namespace: string | null;
  /** `Pod`, or the kind of its owner. */
  readonly kind: string;
  /** The number of equal pods of a cluster; null for pods of files. */
  readonly count: number | null;
  readonly hostedCluster: string | null;
  readonly file: string;
  readonly line: number;
  readonly requests: Readonly<Record<string, string>>;
  readonly takenBy: string | null;
  /** The types that Karpenter may start for it; empty if no pool takes it. */
  readonly instanceTypes: readonly string[];
  /** Why no node starts for it; null if one does. */
  readonly why: string | null;
  /** In the order in which Karpenter tries the pools; empty if it ignores the pod. */
  readonly attempts: readonly PoolAttempt[];
  /** What may affect its node and was not considered. */
  readonly notConsidered: readonly string[];
}

/** The answer to `--pods`. */
export interface AskedPods {
  readonly pods: readonly PlacedPod[];
  /** Whether pending pods of the cluster were requested and could be read. */
  readonly waiting: boolean;
}

export interface PoolAttempt {
  readonly pool: string;
  /** Whether the pool could take the pod if it were the only one. */
  readonly fits: boolean;
  /** How many instance types could start for it. */
  readonly instanceTypes: number;
  /** Null if it fits. `machine-image`: Karpenter picks the pool, but no image fits the types. */
  readonly reason: Obstacle | "machine-image" | null;
  readonly sentence: string;
}

/**
 * Each pod is placed alone on a new node. DaemonSets are not placed: they take up room on the nodes of other pods. See
 * docs/upstream/karpenter.md#pods.
 */
export function placePods(pods: readonly PodDemand[], cluster: ExplainedCluster): PlacedPod[] {
  const { knownTypes, pools, explanations } = cluster;
  const asked = pods.filter(({ resource }) => !isDaemonSet(resource));
  if (asked.length === 0) return [];
  const daemonSets = pods.filter((pod) => isDaemonSet(pod.resource) && !hasClaims(pod));
  const explanationOf = new Map(explanations.map((explanation) => [explanation.pool, explanation]));
  const targets = poolOrder(pools).map((pool) => podPool(pool, explanationOf.get(pool)!, daemonSets, knownTypes));
  const question: Question = {
    unread: unreadPools(cluster),
    targets,
    knownTypes,
    taintsRelent: pools.some((pool) =>
      pool.spec.template.spec.taints?.some(({ effect }) => effect === "PreferNoSchedule"),
    ),
  };
  return asked.map((pod) => ({ ...describe(pod, cluster), ...placementOf(pod, question) }));
}

interface Question {
  /** How many pools are invalid. */
  readonly unread: number;
  /** In the order in which Karpenter tries them. */
  readonly targets: readonly PodPool[];
  readonly knownTypes: InstanceTypes;
  /** Whether any pool has a PreferNoSchedule taint. */
  readonly taintsRelent: boolean;
}

type Placement = Pick<PlacedPod, "takenBy" | "instanceTypes" | "why" | "attempts" | "notConsidered">;

function nowhere(why: string): Placement {
  return { takenBy: null, instanceTypes: [], why, attempts: [], notConsidered: [] };
}

interface Fit {
  readonly types: TypeMask;
  readonly refused: ReadonlyMap<string, number>;
  readonly requirements: Requirements;
  readonly missed: ReadonlyMap<string, number> | undefined;
  /** The number of preferences of the pod that Karpenter has relaxed by then. */
  readonly stage: number;
  readonly without: string;
}

type Outcome = Fit | { readonly obstacle: Obstacle; readonly sentence: () => string };

/** Karpenter tries all pools before it relaxes a preference of the pod. Among pools of one stage the order decides. */
function placementOf(pod: PodDemand, { unread, targets, knownTypes, taintsRelent }: Question): Placement {
  const { names, wellKnown } = knownTypes.filter.catalogue;
  const refusal = refusalOf(pod, wellKnown);
  if (refusal !== undefined) return nowhere(`Karpenter ignores it: ${refusal}`);
  if (targets.length === 0) return nowhere("the hosted cluster has no pool that can be read");
  const stages = podStages(pod, taintsRelent, knownTypes.karpenter?.preferencePolicy === "Ignore");
  const outcomes = targets.map((target) => ({ target, outcome: bestOf(pod, stages, target, knownTypes) }));
  const fitting = outcomes.flatMap(({ target, outcome }) => ("types" in outcome ? [{ target, fit: outcome }] : []));
  const chosen = fitting.toSorted((a, b) => a.fit.stage - b.fit.stage)[0];
  const started = chosen === undefined ? undefined : both(chosen.fit.types, chosen.target.startable);
  const taken = started !== undefined && !isNone(started) && chosen!.fit.refused.size === 0;
  const attempts = outcomes.map(({ target, outcome }) => attemptOf(target, outcome, chosen));
  // What the nodes of these pools have for pods is not known.
  const unreadOf = outcomes.flatMap(({ target, outcome }) =>
    "obstacle" in outcome && outcome.obstacle === "resources" ? target.unread : [],
  );
  return {
    takenBy: taken ? chosen!.target.pool.name : null,
    instanceTypes: taken ? indexesOf(started).map((type) => names[type]!) : [],
    why: taken
      ? null
      : `${whyNone(attempts, chosen?.target, unread)}${unreadOf.map((text) => `, unless ${text} leaves it more room`).join("")}`,
    attempts,
    notConsidered: [
      ...blindSpotsOfPod(pod),
      ...(chosen === undefined ? [] : blindSpotsOfPool(chosen.target, pod, chosen.fit)),
      ...unreadSpots(unreadOf),
    ],
  };
}

/** The first stage at which the pool takes the pod, or the obstacle of the stage that came furthest. */
function bestOf(pod: PodDemand, stages: readonly PodStage[], target: PodPool, knownTypes: InstanceTypes): Outcome {
  let furthest: Exclude<Outcome, Fit> | undefined;
  for (const [index, stage] of stages.entries()) {
    for (const volumes of pod.volumes.alternatives) {
      const attempt = tryPod(pod, withVolumes(stage, volumes), target, knownTypes);
      if ("types" in attempt) return { ...attempt, stage: index, without: stage.without };
      const further =
        furthest === undefined || OBSTACLES.indexOf(attempt.obstacle) > OBSTACLES.indexOf(furthest.obstacle);
      if (further) furthest = attempt;
    }
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
    const sentence = `no node would start: the machine images of node class ${pool.nodeClassRef.name} are for ${imagesText(images)}, and no remaining type is`;
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

function imagesText(images: readonly PoolRequirement[]): string {
  const texts = images.map(
    ({ requirement, place }) => `${sortedValues(requirement).join(", ")} (${locationOf(place.resource, place.path)})`,
  );
  return and(texts);
}

function whyNone(attempts: readonly PoolAttempt[], picked: PodPool | undefined, unread: number): string {
  if (picked !== undefined) return `Karpenter picks pool ${picked.pool.name} for it, and no node starts there`;
  if (attempts.length === 1 && unread === 0) return "the only pool does not take it";
  return noneOf(attempts.length, unread);
}

function unreadPools({ bundle, pools }: ExplainedCluster): number {
  return bundle.nodePools.length - pools.length;
}

/** @param unread the pools that are invalid, and so were not tried */
function noneOf(pools: number, unread: number): string {
  const invalid = unread === 0 ? "" : `; ${unread} more ${unread === 1 ? "is" : "are"} invalid`;
  return `${pools === 1 ? "the one valid pool does not take it" : `none of the ${pools} pools takes it`}${invalid}`;
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

/** Hosted clusters are independent. The results for the providers of one cluster are combined. */
export function placeInClusters(
  pods: readonly PodDemand[],
  clusters: readonly ExplainedCluster[],
  mode: InputMode,
): PlacedPod[] {
  const placed = clusters.map((cluster) => placePods(pods, cluster));
  if (mode !== "raw") return placed.flat();
  const indexes = Map.groupBy(clusters.keys(), (at) => clusters[at]!.bundle.hostedCluster);
  return [...indexes.values()].flatMap((ofOne) => {
    const [first = [], ...others] = ofOne.map((at) => placed[at]!);
    const unread = ofOne.reduce((count, at) => count + unreadPools(clusters[at]!), 0);
    return first.map((pod, index) =>
      others.map((other) => other[index]!).reduce((one, other) => together(one, other, unread), pod),
    );
  });
}

/** The first provider that takes the pod gets it. */
function together(one: PlacedPod, other: PlacedPod, unread: number): PlacedPod {
  const attempts = [...one.attempts, ...other.attempts];
  const taker = [one, other].find(({ takenBy }) => takenBy !== null);
  const notConsidered = [...new Set([...one.notConsidered, ...other.notConsidered])];
  // A reason to ignore the pod is the same for each Karpenter.
  const why = attempts.length < 2 ? one.why : noneOf(attempts.length, unread);
  return { ...(taker ?? { ...one, why }), attempts, notConsidered };
}
