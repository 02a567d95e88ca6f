/** A cluster that changes command by command: nodes go, new ones run, and pods move. */
import type { Command, Replacement, RunningCluster, RunningNode } from "../../karpenter/consolidation/cluster.ts";
import { inOrder } from "../../karpenter/consolidation/consolidate.ts";
import { idOf, plusCapacity, worldWithout } from "../../karpenter/consolidation/remove-nodes.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { solve } from "../../karpenter/solver/solve.ts";
import type { PlannedClaim, SolverPod } from "../../karpenter/solver/world.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import type { Fields } from "../../krm/values/fields.ts";
import type { DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import { ZONE } from "../../model/requirements/label-keys.ts";
import { candidateBlockers } from "../disrupt/blockers.ts";
import { type NodeState, nodeStates } from "../disrupt/node-state.ts";
import type { DisruptionWorld } from "../disrupt/world.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { heldPodOf, isReschedulable } from "../nodes/held-pod.ts";
import { isPodBudget, type NodeObject } from "../nodes/node-pairs.ts";
import { clusterState, type StandingNode } from "../plan/cluster-state.ts";
import { planRound } from "../plan/plan-round.ts";
import type { PlanWorld } from "../plan/plan-world.ts";
import { candidatesIn } from "../moves/candidates.ts";
import { type Disruption, disruptionOf, runningNode } from "../moves/running-cluster.ts";
import { type Launch, launchOf, placedPod, startedNode } from "./started-node.ts";

/** A node that has started for a NodeClaim. */
export interface Started extends Replacement {
  readonly name: string;
  readonly launch: Launch;
  /** Its NodeClaim and its Node. */
  readonly objects: readonly Fields[];
}

/** What a change of the cluster has done. */
export interface Outcome {
  readonly started: readonly Started[];
  /** By node, new ones too, the pods that have come to it. */
  readonly arrived: ReadonlyMap<string, readonly SolverPod[]>;
}

interface Member {
  readonly standing: StandingNode;
  readonly state: NodeState;
  readonly node: RunningNode;
}

/** What decides a command; time stands still. */
export class ChangingCluster {
  readonly #planned: PlanWorld;
  readonly #explained: ExplainedCluster;
  /** CSINodes by name. */
  readonly #volumes: ReadonlyMap<string, Resource>;
  readonly #budgets: readonly Resource[];
  readonly #podOf = new WeakMap<PodDemand, SolverPod>();
  /** In the order of the scheduler. */
  #members: readonly Member[];
  /** NodeClaims without an instance. */
  readonly #others: readonly NodeState[];
  /** Those of its nodes, in case nothing says where types are offered. */
  readonly #zones: readonly string[];
  #disruption: Disruption;
  #blocked = new WeakMap<NodeState, Map<DisruptionReason, boolean>>();
  #count = 0;

  /**
   * Each node is as if its `consolidateAfter` were over.
   *
   * @param objects those of the dump that `planned` is of
   */
  constructor(planned: PlanWorld, explained: ExplainedCluster, world: DisruptionWorld, objects: readonly Resource[]) {
    const now = { ...world, nominated: new Map(), buffered: new Set<string>(), nodes: world.nodes.map(settled) };
    this.#planned = planned;
    this.#explained = explained;
    this.#volumes = new Map(objects.filter(({ kind }) => kind === "CSINode").map((one) => [one.name, one]));
    this.#budgets = objects.filter(isPodBudget);
    this.#disruption = disruptionOf(planned, explained, now);
    const { nodeOf, cluster } = this.#disruption;
    this.#zones = [...new Set(now.nodes.flatMap(({ labels }) => labels[ZONE] ?? []))].toSorted();
    const standing = planned.state?.standing ?? [];
    const byPair = new Map(standing.map((one) => [one.pair.claim ?? one.pair.node, one]));
    this.#members = [...nodeOf].map(([state, node]) => {
      const { claim, node: object } = state.pair;
      return { state, node, standing: byPair.get(claim ?? object)! };
    });
    this.#others = now.nodes.filter((state) => !nodeOf.has(state) && !state.life.deleting);
    const bound = standing.flatMap(({ pods, ended }) => [...pods, ...ended]);
    for (const pod of [...planned.podsOf(bound), ...cluster.pending, ...cluster.leaving])
      if (pod.demand.ofBuffer !== true) this.#podOf.set(pod.demand, pod);
  }

  get disruption(): Disruption {
    return this.#disruption;
  }

  /** What is under way ends: nodes that go are gone, their pods come again, and pods that wait get their nodes. */
  finish(): Outcome {
    const { cluster } = this.#disruption;
    const { going, leaving, pending } = cluster;
    const gone = new Set(going.map(({ name }) => name));
    // Pods that Karpenter does not move are deleted at last, and come again too.
    const held = (this.#planned.state?.bound ?? []).filter(
      ({ resource: { value } }) => gone.has(textAt(value, ["spec", "nodeName"]) ?? "") && isReschedulable(value),
    );
    const again = [...leaving, ...this.#planned.podsOf(held)];
    for (const pod of again) this.#podOf.set(pod.demand, pod);
    this.#set({ ...cluster, going: [], others: [], leaving: [], pending: [...pending, ...again] });
    return this.#provision();
  }

  /** Pods of nodes that are gone and that the command places nowhere come again, and get their nodes then. */
  carryOut({ candidates, replacements, existing }: Command): Outcome {
    const ofStatic = candidates.flatMap(({ pool }) => (pool.replicas === undefined ? [] : [this.#anyOf(pool.name)]));
    const gone = candidates.map(({ node }) => node.name);
    return this.remove(gone, [...replacements, ...ofStatic], existing);
  }

  /** @param names of nodes, whatever holds them */
  remove(
    names: readonly string[],
    claims: readonly Replacement[] = [],
    existing: Command["existing"] = new Map(),
  ): Outcome {
    const gone = new Set(names);
    const left = this.#members.filter(({ node }) => gone.has(node.name));
    this.#members = this.#members.filter(({ node }) => !gone.has(node.name));
    const placed = new Set([...existing.values(), ...claims.map(({ claim }) => claim.pods)].flat().map(idOf));
    const again = left.flatMap(({ standing: { pods, ended } }) =>
      [...pods, ...ended].flatMap((demand): SolverPod[] => {
        const pod = this.#podOf.get(demand);
        const comes = pod !== undefined && isReschedulable(demand.resource.value) && !placed.has(idOf(pod));
        return comes ? [{ ...pod, isRunning: false }] : [];
      }),
    );
    this.#useLimits(
      left.map(({ node }) => node),
      1n,
    );
    const first = this.#change(claims, existing);
    if (again.length === 0) return first;
    const { cluster } = this.#disruption;
    this.#set({ ...cluster, pending: [...cluster.pending, ...again] });
    const then = this.#provision();
    const nodes = [...first.arrived.keys(), ...then.arrived.keys()];
    const podsOn = (name: string) => [...(first.arrived.get(name) ?? []), ...(then.arrived.get(name) ?? [])];
    return {
      started: [...first.started, ...then.started],
      arrived: new Map(nodes.map((name) => [name, podsOn(name)])),
    };
  }

  /** A round of Karpenter's provisioner. */
  #provision(): Outcome {
    const { cluster } = this.#disruption;
    if (cluster.pending.length === 0) return this.#change([], new Map());
    const world = { ...worldWithout(cluster, [], undefined), fallsBack: false };
    const { claims, existing } = planRound({ world, targets: this.#planned.targets });
    return this.#change(
      claims.map((claim) => inOrder(cluster, claim)),
      existing,
    );
  }

  #change(claims: readonly Replacement[], existing: Command["existing"]): Outcome {
    const { cluster } = this.#disruption;
    const started = claims.map((one) => this.#start(one));
    const ready = new Set(this.#members.flatMap(({ node: { solver } }) => (solver.initialized ? [solver.name] : [])));
    const arrived = new Map(
      [
        // The pods of a node that is not ready yet wait for it.
        ...[...existing].filter(([name]) => ready.has(name)),
        ...started.map(({ name, claim }) => [name, claim.pods] as const),
      ]
        .map(([name, pods]) => [name, pods.filter(({ demand }) => demand.ofBuffer !== true)] as const)
        .filter(([, pods]) => pods.length > 0),
    );
    const came = new Set([...arrived.values()].flat().map(idOf));
    const changed = this.#members.map((member) => {
      const pods = arrived.get(member.node.solver.name);
      return pods === undefined ? member : this.#withPods(member, pods);
    });
    const fresh = started.map((one) => this.#memberOf(one, arrived.get(one.name) ?? []));
    this.#members = [...changed, ...fresh].toSorted(
      ({ node: { solver: a } }, { node: { solver: b } }) =>
        Number(b.initialized) - Number(a.initialized) || (a.name < b.name ? -1 : 1),
    );
    this.#set({ ...cluster, pending: cluster.pending.filter((pod) => !came.has(idOf(pod))) });
    this.#useLimits(
      fresh.map(({ node }) => node),
      -1n,
    );
    return { started, arrived };
  }

  #start(replacement: Replacement): Started {
    const { cluster, world } = this.#disruption;
    const { claim } = replacement;
    const name = `${claim.pool.name}-new-${String(++this.#count)}`;
    const launch = launchOf(replacement, cluster, this.#zones);
    const { pool } = this.#targetOf(claim.pool.name);
    const { at } = world;
    return { ...replacement, name, launch, objects: startedNode({ name, claim, launch, pool, at }, cluster.catalogue) };
  }

  #targetOf(pool: string): PlanWorld["targets"][number] {
    return this.#planned.targets.find((target) => target.pool.name === pool)!;
  }

  /** A node of a static pool, which Karpenter makes for no pod. */
  #anyOf(name: string): Replacement {
    const { pool, requirements, ofClass, types, nodes } = this.#targetOf(name);
    const own: PlannedClaim["pool"] = {
      name,
      taints: pool.spec.template.spec.taints ?? [],
      written: new Map(),
      requirements,
      ofClass,
      types,
      nodes,
      daemons: [],
      left: new Map(),
      prices: this.#explained.knownTypes.prices,
    };
    const claim = { pool: own, pods: [], requirements, types, requests: new Map(), ties: [] };
    return inOrder(this.#disruption.cluster, claim);
  }

  #memberOf({ objects, name }: Started, pods: readonly SolverPod[]): Member {
    const made = objects.map(({ apiVersion, kind, ...value }): NodeObject => {
      const type = { apiVersion: String(apiVersion), kind: String(kind) };
      return { ...type, name, value: { ...type, ...value } };
    });
    const [state] = nodeStates(made);
    const [standing] = this.#read(made, []);
    return this.#withPods({ standing: standing!, state: settled(state!) }, pods);
  }

  #read(objects: readonly NodeObject[], pods: readonly PodDemand[]): readonly StandingNode[] {
    return clusterState(objects, pods, this.#planned.daemonSets, this.#disruption.world.at).standing;
  }

  #withPods({ standing, state }: Omit<Member, "node">, pods: readonly SolverPod[]): Member {
    const { life, pair } = state;
    const came = pods.map((pod): PodDemand => {
      const { resource } = pod.demand;
      const demand = { ...pod.demand, resource: { ...resource, value: placedPod(resource.value, life.name) } };
      this.#podOf.set(demand, { ...pod, demand });
      return demand;
    });
    const own = [pair.claim, pair.node, this.#volumes.get(life.name)].flatMap((one) =>
      one === undefined ? [] : [one],
    );
    const all = [...standing.pods, ...came, ...standing.ended];
    const [now] = this.#read(own, all);
    const held = came.map(({ resource: { value } }) => heldPodOf(value, this.#budgets));
    const next = { ...state, life: { ...life, pods: [...life.pods, ...held] } };
    const { taking, boundOf } = this.#planned;
    const podOf = (demand: PodDemand): SolverPod | undefined => this.#podOf.get(demand);
    const { world } = this.#disruption;
    return {
      standing: now!,
      state: next,
      node: runningNode(now!, next, { planned: { taking }, world, boundOf, podOf }),
    };
  }

  #useLimits(nodes: readonly RunningNode[], sign: bigint): void {
    const { cluster } = this.#disruption;
    const pools = cluster.base.pools.map((pool) => plusCapacity(pool, nodes, sign));
    this.#set({ ...cluster, base: { ...cluster.base, pools } });
  }

  #set(given: RunningCluster): void {
    const nodeOf = new Map(this.#members.map(({ state, node }) => [state, node]));
    const cluster = { ...given, nodes: [...nodeOf.values()] };
    const before = this.#disruption.world;
    const buffered = bufferedNodes(cluster);
    if (before.buffered.size > 0 || buffered.size > 0) this.#blocked = new WeakMap();
    const world = { ...before, buffered, nodes: [...nodeOf.keys(), ...this.#others] };
    const isBlocked = (state: NodeState, reason: DisruptionReason): boolean => {
      const known = this.#blocked.get(state) ?? new Map<DisruptionReason, boolean>();
      this.#blocked.set(state, known);
      const is = known.get(reason) ?? candidateBlockers(state, reason, world).length > 0;
      known.set(reason, is);
      return is;
    };
    this.#disruption = {
      ...this.#disruption,
      world,
      cluster,
      nodeOf,
      ...candidatesIn(cluster, world, nodeOf, isBlocked),
    };
  }
}

/** As if `consolidateAfter` were over. */
function settled(state: NodeState): NodeState {
  return { ...state, isConsolidatable: true, lastPodEvent: undefined, initializedAt: undefined };
}

/** Where Karpenter keeps room for pods of CapacityBuffers. */
function bufferedNodes(cluster: RunningCluster): ReadonlySet<string> {
  if (!cluster.pending.some(({ demand }) => demand.ofBuffer === true)) return new Set();
  const { existing } = solve({ ...worldWithout(cluster, [], undefined), fallsBack: false });
  const isBuffered = (pods: readonly SolverPod[]): boolean => pods.some(({ demand }) => demand.ofBuffer === true);
  return new Set([...existing].flatMap(([node, pods]) => (isBuffered(pods) ? [node] : [])));
}
