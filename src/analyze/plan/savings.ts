/** What the pods that run cost if Karpenter packs them anew, and which constraints cost most. */
import { NODE_POOL } from "../../model/requirements/label-keys.ts";
import type { Solved } from "../../karpenter/solver/world.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { isProvisionable } from "../../karpenter/scheduling/provisionable.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { priceOfNode } from "../nodes/node-prices.ts";
import { isReschedulable } from "../nodes/held-pod.ts";
import { type NodePair, pairNodes } from "../nodes/node-pairs.ts";
import { type Constraint, constraintsOf, type Planned, workloadOf } from "./constraints.ts";
import { priceOf, rounded } from "./describe-claim.ts";
import { notConsidered, zonesMissing } from "./not-considered.ts";
import type { PlanAnswer } from "./plan-answer.ts";
import { planRound } from "./plan-round.ts";
import { type PlanDump, type PlanInput, type PlanWorld, planWorld } from "./plan-world.ts";
import { type Sums, sumsOf } from "./plan-sums.ts";
import { otherRounds } from "./tie-range.ts";

type Savings = NonNullable<PlanAnswer["savings"]>;

/** How many constraints are shown. */
const SHOWN = 3;
/** How many are left out, one after the other; fewer with many pods, so that the answer takes seconds. */
const MOST_TRIED = 24;
const MOST_PODS_TRIED = 200_000;

/** Null without a dump, or if nothing says which zones there are. */
export function savingsOf(input: PlanInput, cluster: ExplainedCluster): Savings | null {
  if (input.dump === undefined) return null;
  const { running, planned } = packedAnew({ ...input, dump: input.dump }, cluster);
  const packed = roundOf(planned);
  if (zonesMissing(packed.world) !== undefined) return null;
  const all = constraintsOf(planned);
  const count = Math.max(
    SHOWN,
    Math.min(MOST_TRIED, Math.floor(MOST_PODS_TRIED / (packed.world.world.pods.length + 1))),
  );
  const tried = all.toSorted(byMoney(packed.solved)).slice(0, count);
  const found = tried.flatMap((constraint) => {
    const without = roundOf(constraint.without(planned));
    const less = lessOf(packed.sums, without.sums);
    return less === undefined || (less.hourly ?? less.nodes) <= 0 ? [] : [{ constraint, without, less }];
  });
  const dearest = found
    .toSorted(({ less: a }, { less: b }) => (b.hourly ?? b.nodes) - (a.hourly ?? a.nodes))
    .slice(0, SHOWN);
  const others = hasTies(packed.solved) || dearest.some(({ without }) => hasTies(without.solved));
  const orders = others ? sumsOfOrders(packed.world) : [];
  return {
    running: describeRunning(running, cluster),
    packed: {
      ...between([packed.sums, ...orders]),
      unplaced: packed.solved.unplaced.length,
      notConsidered: notConsidered(packed.world, packed.solved, cluster).length,
    },
    constraints: dearest.map(({ constraint, without, less }) => {
      const { kind, key, resource, place } = constraint;
      const own = orders.length === 0 ? [] : sumsOfOrders(without.world);
      const pairs = own.flatMap((one, at) => lessOf(orders[at]!, one) ?? []);
      return { kind, key, resource, place, ...between([less, ...pairs]), sure: !others };
    }),
    tried: tried.length,
    of: all.length,
  };
}

interface Round {
  readonly world: PlanWorld;
  readonly solved: Solved;
  readonly sums: Sums;
}

function hasTies({ chance }: Solved): boolean {
  return chance.hasTies || chance.isOfFirst;
}

function roundOf({ input, cluster }: Planned): Round {
  const world = planWorld(input, cluster);
  const solved = planRound(world);
  return { world, solved, sums: sumsOf(world.world, solved) };
}

function sumsOfOrders(world: PlanWorld): Sums[] {
  return otherRounds(world).map((solved) => sumsOf(world.world, solved));
}

type Less = Pick<Sums, "nodes" | "hourly">;

/** How much less the second is; undefined if it has fewer of the pods, which says nothing. */
function lessOf(all: Sums, without: Sums): Less | undefined {
  if (without.placed < all.placed) return undefined;
  const hourly = all.hourly === null || without.hourly === null ? null : rounded(all.hourly - without.hourly);
  return { nodes: all.nodes - without.nodes, hourly };
}

function between(all: readonly Less[]) {
  const of = (numbers: readonly number[]) => ({ least: Math.min(...numbers), most: Math.max(...numbers) });
  const prices = all.flatMap(({ hourly }) => hourly ?? []);
  return { nodes: of(all.map(({ nodes }) => nodes)), hourly: prices.length < all.length ? null : of(prices) };
}

/**
 * The nodes that Karpenter made for pods, and the plan for the pods on them without these nodes. Other nodes stay as they
 * are: Karpenter replaces neither nodes that it did not make nor those of static pools. Pods that wait do not count.
 */
function packedAnew(
  { demands, dump, ...input }: PlanInput & { readonly dump: PlanDump },
  cluster: ExplainedCluster,
): { readonly running: readonly NodePair[]; readonly planned: Planned } {
  const dynamic = new Set(cluster.pools.flatMap(({ name, replicas }) => (replicas === undefined ? [name] : [])));
  const running = pairNodes(dump.objects).filter(
    (pair) => pair.claim !== undefined && dynamic.has(labelsOf(pair)[NODE_POOL] ?? ""),
  );
  const gone = new Set<unknown>(running.flatMap(({ claim, node }) => [claim, node]));
  const nodes = new Set(running.flatMap(({ node }) => node?.name ?? []));
  const isOn = ({ resource }: PodDemand): boolean => nodes.has(textAt(resource.value, ["spec", "nodeName"]) ?? "");
  const moving = dump.pods.flatMap((pod): PodDemand[] =>
    isOn(pod) && isReschedulable(pod.resource.value) ? [{ ...pod, spec: { ...pod.spec, nodeName: undefined } }] : [],
  );
  const staying = dump.pods.filter((pod) => !isOn(pod) && !isProvisionable(pod.resource.value));
  const objects = dump.objects.filter((one: Resource) => !gone.has(one));
  const daemonSets = demands.filter(({ resource }) => isDaemonSet(resource));
  const left = { ...dump, objects, pods: staying, withoutNodes: false };
  return { running, planned: { cluster, input: { ...input, demands: [...moving, ...daemonSets], dump: left } } };
}

function labelsOf({ claim, node }: NodePair): Readonly<Record<string, string>> {
  return textsAt((node ?? claim)?.value, ["metadata", "labels"]);
}

function describeRunning(running: readonly NodePair[], { knownTypes }: ExplainedCluster): Savings["running"] {
  const { prices, filter } = knownTypes;
  const known = running.flatMap((pair) => {
    const price = prices && priceOfNode({ labels: labelsOf(pair) }, { catalogue: filter.catalogue, prices });
    return price === undefined ? [] : [price.perHour];
  });
  const unpriced = running.length - known.length;
  const hourly = unpriced > 0 ? null : rounded(known.reduce((sum, one) => sum + one, 0));
  return { nodes: running.length, unpriced, hourly };
}

/** Those first on which most money is spent: workloads by their pods' shares of nodes, pools by their nodes. */
function byMoney({ claims }: Solved): (a: Constraint, b: Constraint) => number {
  const spent = new Map<string, number>();
  const add = (what: string, amount: number): void => void spent.set(what, (spent.get(what) ?? 0) + amount);
  for (const claim of claims) {
    const price = priceOf(claim)?.hourly ?? 1;
    add(`NodePool ${claim.pool.name}`, price);
    for (const { demand } of claim.pods) add(workloadOf(demand), price / claim.pods.length);
  }
  const of = ({ kind, resource }: Constraint): number =>
    kind === "default-spread" ? Infinity : (spent.get(resource) ?? 0);
  return (a, b) => (of(a) === of(b) ? 0 : of(b) - of(a));
}
