/** One round of Karpenter's scheduler: which nodes it makes for pods, and which pods get none. */
import { both, isNone, type TypeMask } from "../catalogue/type-mask.ts";
import { admitsAbsence, type Requirement } from "../requirements/requirement.ts";
import type { Requirements } from "../requirements/requirements.ts";
import { untolerated } from "../scheduling/taints.ts";
import { plus, type Units, unitsOf, type Vector } from "./amounts.ts";
import { type Change, type Claim, overlap, roomFor } from "./claim.ts";
import { domainsFor, domainsOfKey } from "./domains.ts";
import { goSortMoved } from "./go-sort.ts";
import { narrowing } from "./narrow.ts";
import { type NodePlan, nodePlan, subtractLargest, withinLimits } from "./node-plan.ts";
import type { PodShape, Stage } from "./pod-shape.ts";
import { Queue } from "./queue.ts";
import { NONE_HELD, Reservations } from "./reservations.ts";
import { Topology } from "./topology.ts";
import { HOSTNAME } from "./topology-group.ts";
import type { Refusal, Solved, SolverNode, SolverPod, SolverWorld } from "./world.ts";
import { memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import { sumOf } from "../scheduling/resources.ts";
import { labelRequirements } from "../requirements/requirements.ts";
import { launchable } from "./launchable.ts";

/** Karpenter's `Solve` (pkg/controllers/provisioning/scheduling/scheduler.go). */
export function solve(world: SolverWorld): Solved {
  return new Round(world).run();
}

/** What is remembered of the pods of a shape at a stage. */
interface Tried {
  readonly stage: Stage;
  /** By the id of a claim, 1 if it will never take such a pod. */
  refused: Uint8Array;
  /** The number of ones. */
  count: number;
  /** The ids of the others below `upTo`, where they were few. */
  open: number[];
  upTo: number;
  /** By pool. */
  readonly tolerates: readonly boolean[];
  /** After how many placed pods the last attempt failed, and why; and whether it was one of a pod that runs. */
  failed: { readonly at: number; readonly refusals: readonly Refusal[]; readonly isRunning: boolean } | undefined;
}

interface Existing {
  readonly node: SolverNode;
  readonly pods: SolverPod[];
  requirements: Requirements;
  left: Vector;
  ports: PodShape["ports"];
  /** By driver, the claims of its pods. */
  readonly attached: Map<string, Set<string>>;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Of many claims, those that are left are looked for one by one if they are few. */
const MANY = 64;
const FEW = 8;

class Round {
  readonly #world: SolverWorld;
  readonly #units: Units;
  readonly #plans: readonly NodePlan[];
  readonly #topology: Topology;
  readonly #narrow;
  readonly #narrowNode = narrowing(NO_KEYS);
  readonly #existing: readonly Existing[];
  readonly #reservations: Reservations;
  readonly #claims: Claim[] = [];
  /** In the order in which they are tried. */
  readonly #order: Claim[] = [];
  /** The place in `#order` of the claim that has got a pod since it was sorted. */
  #changedAt: number | undefined;
  readonly #requests = new Map<PodShape, Vector>();
  readonly #tried = new Map<Stage, Tried>();
  /** Whether any pod asks for an absent label: then a claim that refused a pod may take it later. */
  #asksForAbsence = false;
  #placed = 0;

  constructor(world: SolverWorld) {
    this.#world = world;
    const shapes = new Set(world.pods.map(({ shape }) => shape));
    const asked = [...shapes].map(({ requests }) => requests);
    const ofDaemons = world.pools.flatMap(({ daemons }) => daemons.map(({ requests }) => requests));
    this.#units = unitsOf([...asked, ...ofDaemons], sumOf(world.pods.map(({ shape }) => shape.requests)));
    this.#plans = world.pools.map((pool, place) => nodePlan(pool, place, this.#units, world));
    this.#narrow = narrowing(world.filter.catalogue.wellKnown);
    this.#reservations = new Reservations(world.filter.catalogue, world);
    const domains = memoizeByKey((key: string) => domainsOfKey(key, world.domainPools, world.filter.catalogue));
    this.#topology = new Topology({
      ...world.around,
      choose: world.choose,
      // Only spread has a policy for taints; for the others its absence counts as Honor.
      domains: ({ type, key, honorsTaints }, tolerations) =>
        domainsFor(domains(key), honorsTaints || type !== "spread", tolerations),
    });
    for (const shape of shapes) this.#topology.own(shape, shape.stage(0)!);
    this.#existing = world.nodes.map((node) => this.#existingOf(node));
  }

  run(): Solved {
    // `ErrNodePoolsNotFound` (provisioner.go): without a pool, pods do not even go onto nodes that are there.
    if (this.#world.domainPools.length === 0) return this.#solved(new Map(this.#world.pods.map((pod) => [pod, []])));
    const queue = new Queue(this.#world.pods);
    const unplaced = new Map<SolverPod, readonly Refusal[]>();
    for (let pod = queue.pop(); pod !== undefined; pod = queue.pop()) {
      const refusals = this.#place(pod);
      if (refusals === undefined) unplaced.delete(pod);
      else {
        unplaced.set(pod, refusals);
        queue.push(pod);
      }
    }
    return this.#solved(unplaced);
  }

  #existingOf(node: SolverNode): Existing {
    this.#topology.register(node.host);
    const { requirements, ports, hasRoom } = existingNode(node);
    return {
      node,
      pods: [],
      requirements,
      left: hasRoom ? this.#units.vectorOf(node.left) : NO_ROOM,
      ports,
      attached: new Map([...node.volumes.attached].map(([driver, claims]) => [driver, new Set(claims)])),
    };
  }

  /** `trySchedule`: relaxes the pod until it is placed. @returns why each pool refused it at last */
  #place(pod: SolverPod): readonly Refusal[] | undefined {
    let refusals: readonly Refusal[] = [];
    for (let index = 0; ; index++) {
      const stage = pod.shape.stage(index);
      if (stage === undefined) return refusals;
      const tried = this.#triedAt(stage);
      const isRunning = pod.isRunning === true;
      if (tried.failed?.at === this.#placed && (isRunning || !tried.failed.isRunning)) {
        refusals = tried.failed.refusals;
        if (isDeferred(refusals)) return refusals;
        continue;
      }
      this.#topology.own(pod.shape, stage);
      const chosen = this.#topology.chosen;
      if (this.#onExisting(pod, stage) || this.#onClaim(pod, tried)) {
        this.#placed++;
        return undefined;
      }
      const failed = this.#onNew(pod, tried);
      if (failed === undefined) {
        this.#placed++;
        return undefined;
      }
      // Another choice may succeed.
      if (this.#world.choose === undefined || this.#topology.chosen === chosen)
        tried.failed = { at: this.#placed, refusals: failed, isRunning };
      refusals = failed;
      if (isDeferred(refusals)) return refusals;
    }
  }

  #triedAt(stage: Stage): Tried {
    const known = this.#tried.get(stage);
    if (known !== undefined) return known;
    if (!this.#asksForAbsence && [...stage.requirements.values()].some(admitsAbsence)) {
      this.#asksForAbsence = true;
      for (const tried of this.#tried.values()) {
        tried.refused = new Uint8Array(tried.refused.length);
        tried.count = 0;
        tried.open = [];
        tried.upTo = 0;
      }
    }
    const made: Tried = {
      stage,
      refused: new Uint8Array(64),
      count: 0,
      open: [],
      upTo: 0,
      tolerates: this.#plans.map(({ pool }) => untolerated(pool.taints, stage.tolerations).length === 0),
      failed: undefined,
    };
    this.#tried.set(stage, made);
    return made;
  }

  #requestsOf(shape: PodShape): Vector {
    const known = this.#requests.get(shape);
    if (known !== undefined) return known;
    const made = this.#units.vectorOf(shape.requests);
    this.#requests.set(shape, made);
    return made;
  }

  #onExisting(pod: SolverPod, stage: Stage): boolean {
    const { shape } = pod;
    const requests = this.#requestsOf(shape);
    const attached = attachedBy(pod);
    for (const existing of this.#existing) {
      const { node } = existing;
      if (node.isSettling === true && pod.isRunning === true) continue;
      if (untolerated(node.taints, stage.tolerations).length > 0) continue;
      if (overlap(shape.ports, existing.ports) || !isAtMost(requests, existing.left)) continue;
      if (exceedsVolumes(attached, existing)) continue;
      const narrowed = this.#narrowNode(existing.requirements, stage.requirements);
      if ("conflict" in narrowed) continue;
      for (const volumes of shape.volumes) {
        const beside = this.#narrowNode(narrowed.requirements, volumes);
        if ("conflict" in beside) continue;
        const fit = this.#topology.fit(shape, stage, node.host, beside.requirements);
        if ("refusedBy" in fit) continue;
        const allowed = fit.allowed === undefined ? beside : this.#narrowNode(beside.requirements, fit.allowed);
        if ("conflict" in allowed) continue;
        existing.requirements = allowed.requirements;
        existing.left = existing.left.map((amount, place) => amount - requests[place]!);
        existing.ports = [...existing.ports, ...shape.ports];
        existing.pods.push(pod);
        for (const { driver, claim } of attached) {
          const claims = existing.attached.get(driver) ?? new Set();
          existing.attached.set(driver, claims.add(claim));
        }
        this.#topology.record(shape, node, allowed.requirements);
        return true;
      }
    }
    return false;
  }

  /** `addToInflightNode`: those with the fewest pods first. */
  #onClaim(pod: SolverPod, tried: Tried): boolean {
    const order = this.#order;
    if (this.#changedAt !== undefined) goSortMoved(order, this.#changedAt, hasFewerPods);
    this.#changedAt = undefined;
    if (tried.count === this.#claims.length) return false;
    const refused = new Set<Requirements>();
    for (const claim of this.#candidates(tried)) {
      if (tried.refused[claim.id] === 1 || refused.has(claim.requirements)) continue;
      const { chosen } = this.#topology;
      const change = this.#withPod(pod.shape, tried, claim, false);
      if ("requirements" in change) {
        this.#add(pod, claim, change);
        this.#changedAt = order.indexOf(claim);
        return true;
      }
      if (change.lasts) this.#remember(tried, claim);
      const isSure = this.#world.choose === undefined || this.#topology.chosen === chosen;
      if (isSure && pod.shape.volumes.length === 1 && isOfRequirements(change.refusal)) refused.add(claim.requirements);
    }
    return false;
  }

  /** In the order in which they are tried; without most of those that refused such a pod for good. */
  #candidates(tried: Tried): readonly Claim[] {
    const all = this.#claims.length;
    if (all < MANY || all - tried.count > FEW) return this.#order;
    for (; tried.upTo < all; tried.upTo++) tried.open.push(tried.upTo);
    tried.open = tried.open.filter((id) => tried.refused[id] !== 1);
    const found = tried.open.map((id) => this.#claims[id]!);
    if (found.length < 2) return found;
    const places = new Map(found.map((claim) => [claim, this.#order.indexOf(claim)]));
    return found.toSorted((a, b) => places.get(a)! - places.get(b)!);
  }

  #remember(tried: Tried, { id }: Claim): void {
    if (tried.refused.length <= id) {
      const longer = new Uint8Array(Math.max(this.#claims.length * 2, id + 1));
      longer.set(tried.refused);
      tried.refused = longer;
    }
    tried.refused[id] = 1;
    tried.count++;
  }

  /** `addToNewNodeClaim`. @returns why each pool refuses the pod */
  #onNew(pod: SolverPod, tried: Tried): readonly Refusal[] | undefined {
    const refusals: Refusal[] = [];
    const empty = new Float64Array(this.#units.resources.length);
    for (const plan of this.#plans) {
      const types = withinLimits(plan);
      if (types === "node-limit" || isNone(types)) {
        refusals.push({ why: types === "node-limit" ? types : "limits" });
        continue;
      }
      const id = this.#claims.length;
      const claim: Claim = {
        id,
        host: `hostname-placeholder-${id}`,
        plan,
        pods: [],
        ties: [],
        requirements: plan.pool.requirements,
        types,
        requests: empty,
        ports: [],
        reserved: NONE_HELD,
      };
      const change = this.#withPod(pod.shape, tried, claim, this.#world.relaxesMinValues);
      if (!("requirements" in change)) {
        refusals.push(change.refusal);
        if (isDeferred(refusals)) break;
        continue;
      }
      this.#claims.push(claim);
      this.#changedAt = this.#order.push(claim) - 1;
      this.#add(pod, claim, change);
      subtractLargest(plan, claim.types);
      return undefined;
    }
    return refusals;
  }

  /** `CanAdd` of a NodeClaim. */
  #withPod(
    shape: PodShape,
    { stage, tolerates }: Tried,
    claim: Claim,
    relaxes: boolean,
  ): Change | { readonly refusal: Refusal; readonly lasts: boolean } {
    const { plan } = claim;
    if (!tolerates[plan.place]!) return { refusal: { why: "taints" }, lasts: true };
    const lasts = !this.#asksForAbsence;
    const narrowed = this.#narrow(claim.requirements, stage.requirements);
    if ("conflict" in narrowed)
      return {
        refusal: { why: "requirements", sentence: narrowed.conflict },
        lasts: lasts && !hasNewKey(claim, stage),
      };
    const room = roomFor(shape, this.#requestsOf(shape), claim);
    if ("why" in room) return { refusal: room, lasts: true };
    let refusal: Refusal = { why: "types" };
    let isLasting = lasts;
    for (const volumes of shape.volumes) {
      const beside = this.#narrow(narrowed.requirements, volumes);
      if ("conflict" in beside) {
        refusal = { why: "requirements", sentence: beside.conflict };
        isLasting = false;
        continue;
      }
      const before = both(room.types, plan.matching(beside.requirements));
      if (isNone(before)) {
        refusal = { why: "types" };
        continue;
      }
      const fit = this.#topology.fit(shape, stage, claim.host, beside.requirements);
      if ("refusedBy" in fit) {
        refusal = { why: "topology", group: fit.refusedBy };
        isLasting &&= fit.refusedBy.isLasting && claim.pods.length > 0;
        continue;
      }
      const allowed = fit.allowed === undefined ? beside : this.#narrow(beside.requirements, fit.allowed);
      if ("conflict" in allowed) {
        refusal = { why: "requirements", sentence: allowed.conflict };
        isLasting = false;
        continue;
      }
      const types = fit.allowed === undefined ? before : both(room.types, plan.matching(allowed.requirements));
      if (isNone(types)) {
        refusal =
          fit.allowed === undefined ? { why: "types" } : { why: "domain", allowed: fit.allowed, ties: fit.ties };
        isLasting = false;
        continue;
      }
      const reached = this.#minValues(plan, types, allowed.requirements, relaxes);
      if (reached === undefined) {
        refusal = { why: "min-values" };
        isLasting = false;
        continue;
      }
      const reserved = this.#reservations.of(types, reached, plan.pool.ofClass, claim.reserved);
      if (typeof reserved === "string") {
        refusal = { why: reserved };
        isLasting = false;
        continue;
      }
      return { requirements: reached, types, ties: fit.ties, reserved };
    }
    return { refusal, lasts: isLasting };
  }

  /** The requirements, with lower minima if that is the policy; undefined if a minimum is not reached. */
  #minValues(plan: NodePlan, types: TypeMask, requirements: Requirements, relaxes: boolean): Requirements | undefined {
    const shortfall = plan.shortfall(types, requirements);
    if (shortfall.size === 0) return requirements;
    if (!relaxes) return undefined;
    const lowered = [...shortfall].map(([key, minValues]) => [key, { ...requirements.get(key)!, minValues }] as const);
    return new Map([...requirements, ...lowered]);
  }

  #add(pod: SolverPod, claim: Claim, { requirements, types, ties, reserved }: Change): void {
    const { shape } = pod;
    if (claim.pods.length === 0) this.#topology.register(claim.host);
    claim.pods.push(pod);
    claim.requirements = requirements;
    claim.types = types;
    claim.requests = plus(claim.requests, this.#requestsOf(shape));
    if (shape.ports.length > 0) claim.ports = [...claim.ports, ...shape.ports];
    claim.ties.push(...ties);
    this.#reservations.hold(claim.reserved, reserved);
    claim.reserved = reserved;
    this.#topology.record(shape, { host: claim.host, taints: claim.plan.pool.taints }, requirements);
  }

  #solved(unplaced: ReadonlyMap<SolverPod, readonly Refusal[]>): Solved {
    const { claims, dropped } = launchable(this.#claims, this.#world);
    return {
      claims,
      existing: new Map(this.#existing.map(({ node, pods }) => [node.name, pods])),
      unplaced: [...[...unplaced].map(([pod, refusals]) => ({ pod, refusals })), ...dropped],
      chance: { hasTies: this.#topology.chosen > 0, isOfFirst: this.#topology.isOfFirst },
      looked: this.#topology.looked,
    };
  }
}

/** The rounds of one cluster have the same nodes. */
const existingNode = memoizeByObject((node: SolverNode) => {
  const host: Requirement = { key: HOSTNAME, complement: false, values: new Set([node.host]) };
  return {
    requirements: new Map([...labelRequirements(node.labels), [HOSTNAME, host]]),
    ports: node.ports.map(({ port }) => port),
    hasRoom: [...node.left.values()].every((amount) => amount >= 0n),
  };
});

/** `IsReservedOfferingError`: pools after it are not tried, so it is the last. */
export function isDeferred(refusals: readonly Refusal[]): boolean {
  const why = refusals.at(-1)?.why;
  return why === "reserved" || why === "reservations-full";
}

/** Whether the claim lacks a key that the pod asks for: another pod may add it. */
function hasNewKey({ requirements }: Claim, stage: Stage): boolean {
  return stage.requirements.keys().some((key) => !requirements.has(key));
}

/** `Fits`: a node with a negative amount of any resource takes no pod. */
const NO_ROOM: Vector = new Float64Array(0);

function hasFewerPods(a: Claim, b: Claim): boolean {
  return a.pods.length < b.pods.length;
}

/** Whether other claims with the same requirements refuse the pod, too. */
function isOfRequirements(refusal: Refusal): boolean {
  return refusal.why === "requirements" || (refusal.why === "topology" && refusal.group.term.key !== HOSTNAME);
}

function isAtMost(requests: Vector, left: Vector): boolean {
  if (left === NO_ROOM) return false;
  for (let place = 0; place < left.length; place++) if (requests[place]! > left[place]!) return false;
  return true;
}

interface Attached {
  readonly driver: string;
  readonly claim: string;
}

/** `GetVolumes` (pkg/scheduling/volumeusage.go). The claims that a template makes are of each pod. */
function attachedBy({ demand, shape: { namespace }, name }: SolverPod): readonly Attached[] {
  return demand.volumes.attached.map(({ driver, claim, isOfPod }) => ({
    driver,
    claim: isOfPod ? `${namespace}/${claim} of ${name}` : `${namespace}/${claim}`,
  }));
}

/** `ExceedsLimits` (volumeusage.go). A node that has too many already takes no pod, even one without volumes. */
function exceedsVolumes(more: readonly Attached[], { node: { volumes }, attached }: Existing): boolean {
  if (volumes.limits.size === 0) return false;
  return [...volumes.limits].some(([driver, limit]) => {
    const own = more.filter((one) => one.driver === driver).map(({ claim }) => claim);
    return new Set([...(attached.get(driver) ?? []), ...own]).size > limit;
  });
}
