/** Finds the pools that take pods, all of them planned together, or the reasons why none does. */
import { both, either, indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { HOSTNAME } from "../../karpenter/solver/topology-group.ts";
import type { PlannedClaim, Solved, SolverPod, Unplaced } from "../../karpenter/solver/world.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import { counted } from "../../krm/values/counted.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { HOURS_A_MONTH } from "../../model/values/money.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { and } from "../explain/amounts.ts";
import { type InstanceTypes, missedByCheapest } from "../explain/remaining-types.ts";
import { blindSpotsOfPod, blindSpotsOfPool, unreadSpots } from "../pods/blind-spots.ts";
import type { PodPool } from "../pods/pool.ts";
import { attemptsAlone, type PoolAttempt } from "../pods/pool-attempts.ts";
import { amountsOf, priceOfPod, rounded } from "./describe-claim.ts";
import { replicasOf } from "./expand-pods.ts";
import { zonesMissing } from "./not-considered.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import { attemptsOf, planRound, TOPOLOGY_CONSTRAINTS, TOPOLOGY_WORDS, withoutWhich } from "./plan-round.ts";
import { type PlanWorld, planWorld } from "./plan-world.ts";

/** One pod of `anp explain -o json`, or pods that are alike. */
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
  /** How many pods were planned. */
  readonly pods: number;
  /** Their new nodes by pool, the pool with most of the pods first. Other pods may be there, too. */
  readonly placed: readonly { readonly pool: string; readonly pods: number; readonly nodes: number }[];
  /** The first of these pools; null unless each pod gets a node. */
  readonly takenBy: string | null;
  /** The types that Karpenter may start there; empty without a pool. */
  readonly instanceTypes: readonly string[];
  /** What a pod costs, the mean of its new nodes; left out if that is not known. */
  readonly price?: PlanAnswer["nodeClaims"][number]["price"] & object;
  /** Why no node starts for it, or not for all of them; null if each gets one. */
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

/**
 * All pods are planned together on new nodes. DaemonSets are not placed: they take up room on the nodes of other pods. See
 * docs/upstream/karpenter.md#pods.
 *
 * @param others other objects, among which the Services of pods may be
 */
export function placePods(
  pods: readonly PodDemand[],
  cluster: ExplainedCluster,
  others: readonly Resource[] = [],
): PlacedPod[] {
  const daemonSets = pods.filter(({ resource }) => isDaemonSet(resource));
  const asked = pods.filter(({ resource }) => !isDaemonSet(resource));
  if (asked.length === 0) return [];
  const groups = asked.map((pod) => ({ pod, members: pod.group?.members ?? [atLeastOne(pod)] }));
  const demands = [...groups.flatMap(({ members }) => members), ...daemonSets];
  const planned = planWorld({ demands, others }, cluster);
  // If nothing says which zones there are, the rest decides.
  const isSure = zonesMissing(planned) === undefined;
  return placed(groups, isSure ? planned : planWorld({ demands, others, ignoresZones: true }, cluster), cluster);
}

/** A workload that is scaled to none is asked about as one pod. */
function atLeastOne(pod: PodDemand): PodDemand {
  return replicasOf(pod) === 0 ? { ...pod, replicas: 1 } : pod;
}

interface Group {
  /** The pod or workload that the answer names. */
  readonly pod: PodDemand;
  /** As they are planned. */
  readonly members: readonly PodDemand[];
}

type Placement = Omit<PlacedPod, keyof ReturnType<typeof describe>>;

function placed(groups: readonly Group[], planned: PlanWorld, cluster: ExplainedCluster): PlacedPod[] {
  const solved = planRound(planned);
  const fates = fatesOf(solved, planned);
  return groups.flatMap((group): PlacedPod[] => {
    const own = group.members.flatMap((demand) => fates.get(demand) ?? []);
    // The template of a CapacityBuffer makes no pods.
    if (own.length === 0) return [];
    return [{ ...describe(group.pod, cluster), ...placementOf(group, own, planned, cluster) }];
  });
}

/** What became of one pod. */
type Fate = { readonly claim: PlannedClaim } | { readonly unplaced: Unplaced } | { readonly ignored: string };

function fatesOf({ claims, unplaced }: Solved, { ignored }: PlanWorld): ReadonlyMap<PodDemand, Fate[]> {
  const fates = new Map<PodDemand, Fate[]>();
  const add = ({ demand }: SolverPod, fate: Fate): void => {
    const own = fates.get(demand);
    if (own === undefined) fates.set(demand, [fate]);
    else own.push(fate);
  };
  for (const claim of claims) for (const pod of claim.pods) add(pod, { claim });
  for (const one of unplaced) add(one.pod, { unplaced: one });
  for (const { pod, why } of ignored) add(pod, { ignored: why });
  return fates;
}

function placementOf(
  { pod, members }: Group,
  fates: readonly Fate[],
  planned: PlanWorld,
  cluster: ExplainedCluster,
): Placement {
  const { targets, relaxing } = planned;
  const { knownTypes } = cluster;
  const pods = fates.length;
  const nowhere = { pods, placed: [], takenBy: null, instanceTypes: [], attempts: [], notConsidered: [] };
  const refused = fates.find((fate) => "ignored" in fate);
  if (refused !== undefined) return { ...nowhere, why: `Karpenter ignores it: ${refused.ignored}` };
  if (targets.length === 0) return { ...nowhere, why: "the hosted cluster has no pool that can be read" };
  const claims = fates.flatMap((fate) => ("claim" in fate ? [fate.claim] : []));
  const unplaced = fates.find((fate) => "unplaced" in fate)?.unplaced;
  const byPool = [...Map.groupBy(claims, (claim) => claim.pool.name)].toSorted(([, a], [, b]) => b.length - a.length);
  const alone = attemptsAlone(members[0]!, targets, relaxing, knownTypes);
  const taken = new Map(byPool.map(([pool, own]) => [pool, own.length]));
  const attempts = attemptsOf(alone, { taken, unplaced, pods }, planned);
  const targetOf = (name: string): PodPool => targets.find((target) => target.pool.name === name)!;
  // What the nodes of these pools have for pods is not known.
  const unreadOf =
    unplaced === undefined
      ? []
      : attempts.flatMap(({ pool, reason }) => (reason === "resources" ? targetOf(pool).unread : []));
  const [first] = unplaced === undefined ? byPool : [];
  const price = first && pricePerPod(claims, members);
  return {
    pods,
    placed: byPool.map(([pool, own]) => ({ pool, pods: own.length, nodes: new Set(own).size })),
    takenBy: first?.[0] ?? null,
    instanceTypes: first === undefined ? [] : typesStarted(first[1], targetOf(first[0]), knownTypes),
    ...(price === undefined ? {} : { price }),
    why:
      unplaced === undefined
        ? null
        : `${whyNone(attempts, unplaced, planned, { pods, placed: claims.length, unread: unreadPools(cluster) })}${unreadOf.map((text) => `, unless ${text} leaves it more room`).join("")}`,
    attempts,
    notConsidered: [
      ...blindSpotsOfPod(pod),
      ...blindSpotsOfTopology(members[0]!, planned),
      ...byPool.flatMap(([name, [claim]]) => {
        const { types, requirements, pool } = claim!;
        const missed = missedByCheapest(types, requirements, pool.ofClass, knownTypes)?.shortfall;
        return blindSpotsOfPool(targetOf(name), pod, { requirements, missed });
      }),
      ...unreadSpots(unreadOf),
    ],
  };
}

/** @param claims of each pod @param members all of which are alike */
function pricePerPod(claims: readonly PlannedClaim[], [alike]: readonly PodDemand[]): PlacedPod["price"] {
  const byClaim = [...Map.groupBy(claims, (claim) => claim)];
  const prices = byClaim.flatMap(([claim, { length }]) => {
    const price = priceOfPod(claim, alike!);
    return price === null ? [] : [{ ...price, hourly: price.hourly * length }];
  });
  const [first] = prices;
  if (first === undefined || prices.length < byClaim.length) return undefined;
  const hourly = prices.reduce((sum, price) => sum + price.hourly, 0) / claims.length;
  const basis = [...new Set(prices.map((price) => price.basis))].join("; ");
  return { ...first, basis, hourly: rounded(hourly), monthly: rounded(hourly * HOURS_A_MONTH) };
}

/** Of all nodes of a pool, in the order of the catalogue. */
function typesStarted(claims: readonly PlannedClaim[], { startable }: PodPool, { filter }: InstanceTypes): string[] {
  const types = [...new Set(claims)].map((claim) => claim.types).reduce(either);
  return indexesOf(both(types, startable)).map((type) => filter.catalogue.names[type]!);
}

const shapesOf = memoizeByObject(
  ({ pods }: PlanWorld["world"]) => new Map(pods.map(({ demand, shape }) => [demand, shape])),
);

function blindSpotsOfTopology(demand: PodDemand, { world }: PlanWorld): string[] {
  const shape = shapesOf(world).get(demand);
  const terms = shape?.stage(0)?.terms ?? [];
  // No pod is on a new node yet, so that running pods neither fill it nor keep others away.
  const counting = terms.filter(({ type, key }) => type === "affinity" || key !== HOSTNAME);
  const words = new Set(counting.map(({ type }) => TOPOLOGY_WORDS[type]));
  const others = `pods that run: its ${and([...words])} counts them, and they are not among the inputs`;
  return [...(shape?.unknown ?? []), ...(words.size === 0 ? [] : [others])];
}

interface Counts {
  readonly pods: number;
  readonly placed: number;
  /** The pools that are invalid, and so were not tried. */
  readonly unread: number;
}

function whyNone(
  attempts: readonly PoolAttempt[],
  unplaced: Unplaced,
  planned: PlanWorld,
  { pods, placed, unread }: Counts,
): string {
  const { picked } = unplaced;
  const some = placed === 0 ? "" : `${pods - placed} of ${counted(pods, "pod")} without: `;
  if (picked !== undefined) return `${some}Karpenter picks pool ${picked.name} for it, and no node starts there`;
  const alone = attempts.find(({ fits }) => fits);
  if (alone !== undefined) {
    const what = withoutWhich(unplaced, alone.pool, planned);
    const unless = what === TOPOLOGY_CONSTRAINTS ? ", unless pods that run meet them" : "";
    return `${some}pool ${alone.pool} would take it, but for ${what}${unless}`;
  }
  if (attempts.length === 1 && unread === 0) return "the only pool does not take it";
  return noneOf(attempts.length, unread);
}

function unreadPools({ bundle, pools }: ExplainedCluster): number {
  return bundle.nodePools.length - pools.length;
}

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
    count: group?.members.length ?? null,
    hostedCluster: bundle.hostedCluster ?? null,
    ...fileLineOf(resource, ["metadata", "name"]),
    requests: amountsOf(requests),
  };
}

/** Hosted clusters are independent. The results for the providers of one cluster are combined. */
export function placeInClusters(
  pods: readonly PodDemand[],
  clusters: readonly ExplainedCluster[],
  mode: InputMode,
  others: readonly Resource[],
): PlacedPod[] {
  const all = clusters.map((cluster) => placePods(pods, cluster, others));
  if (mode !== "raw") return all.flat();
  const indexes = Map.groupBy(clusters.keys(), (at) => clusters[at]!.bundle.hostedCluster);
  return [...indexes.values()].flatMap((ofOne) => {
    const [first = [], ...others] = ofOne.map((at) => all[at]!);
    const unread = ofOne.reduce((count, at) => count + unreadPools(clusters[at]!), 0);
    return first.map((pod, index) =>
      others.map((other) => other[index]!).reduce((one, other) => together(one, other, unread), pod),
    );
  });
}

/** The first provider that takes the pod gets it, or else the one that takes most of the pods. */
function together(one: PlacedPod, other: PlacedPod, unread: number): PlacedPod {
  const attempts = [...one.attempts, ...other.attempts];
  const placedBy = ({ placed: some }: PlacedPod): number => some.reduce((sum, { pods }) => sum + pods, 0);
  const [taker] = [one, other].toSorted((a, b) => placedBy(b) - placedBy(a)) as [PlacedPod];
  const notConsidered = [...new Set([...one.notConsidered, ...other.notConsidered])];
  if (placedBy(taker) > 0) return { ...taker, attempts, notConsidered };
  // A reason to ignore the pod is the same for each Karpenter.
  return { ...one, why: attempts.length < 2 ? one.why : noneOf(attempts.length, unread), attempts, notConsidered };
}
