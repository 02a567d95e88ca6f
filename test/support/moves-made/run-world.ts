/** Builds a cluster, lets Karpenter disrupt its nodes, and writes down what it does until it does nothing more. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { until } from "../controlplane/objects.ts";
import { createReadyPools, forKwok, mustCreate } from "../karpenter/pools.ts";
import type { Karpenter } from "../karpenter/start-karpenter.ts";
import { list } from "../plan-launched/launch.ts";
import { claimOf, type MovesWorld } from "./worlds.ts";

interface MadeMove {
  /** Empty, Drifted or Underutilized. */
  readonly reason: string;
  readonly decision: string;
  readonly nodes: readonly DescribedNode[];
  /** How many nodes replace them. */
  readonly replacements: number;
}

export interface DescribedNode {
  readonly type: string;
  readonly capacityType: string;
  readonly zone: string;
  readonly nodePool: string;
  /** Their names. */
  readonly pods: readonly string[];
}

export interface MadeMoves {
  /** The objects before Karpenter may disrupt a node, and at the end, with their kinds. */
  readonly before: readonly KubernetesObject[];
  readonly after: readonly KubernetesObject[];
  readonly moves: readonly MadeMove[];
  readonly nodes: readonly DescribedNode[];
  /** By node that is there at the end, what Karpenter's events since the last move say. */
  readonly said: ReadonlyMap<string, readonly string[]>;
}

const PODS = "/api/v1/namespaces/default/pods";
const NODES = "/api/v1/nodes";
const CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";
const POOLS = "/apis/karpenter.sh/v1/nodepools";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

/** Karpenter looks every 10 seconds, and each of two methods waits 15 seconds before it carries out a command. */
const QUIET_SECONDS = 50;
/** Karpenter takes no node for a while where it expects a pod, 10 seconds if it waits less than 5 for more pods. */
export const NOMINATED = { BATCH_MAX_DURATION: "1s", seconds: 12 } as const;

/** Each move is carried out before Karpenter may make another one: its pods run before budgets allow it. */
export async function runWorld(karpenter: Karpenter, world: MovesWorld): Promise<MadeMoves> {
  const { controlPlane } = karpenter;
  const cluster = new Cluster(controlPlane, world);
  await createReadyPools(
    karpenter,
    world.pools.map((pool) => forKwok(held(pool))),
  );
  for (const budget of world.podBudgets) await mustCreate(controlPlane, budget);
  for (const node of world.nodes) await mustCreate(controlPlane, claimOf(node));
  await karpenter.waitFor("all nodes with their pods", () => cluster.start());
  const before = await objectsOf(controlPlane);
  const start = karpenter.log().length;
  const moves: MadeMove[] = [];
  let isHeld = true;
  // Since when nothing moves, and since when Karpenter may disrupt nodes.
  let [still, free, last] = [Date.now(), Date.now(), Date.now()];
  const secondsSince = (time: number): number => (Date.now() - time) / 1000;
  while (isHeld || secondsSince(free) < QUIET_SECONDS) {
    const made = movesIn(karpenter.log().slice(start)).slice(moves.length);
    moves.push(...made.map(({ names, ...move }) => ({ ...move, nodes: names.map((name) => cluster.describe(name)) })));
    if (made.length > 0) {
      last = Date.now();
      isHeld = true;
      cluster.begin(made.at(-1)!.replacements > 0);
      await setDisruption(controlPlane, world.pools.map(held));
    }
    await cluster.work();
    if (await cluster.isBusy()) still = Date.now();
    if (isHeld && made.length === 0 && secondsSince(still) > NOMINATED.seconds) {
      isHeld = false;
      await setDisruption(controlPlane, world.pools);
      free = Date.now();
    }
    await sleep(300);
  }
  const after = await objectsOf(controlPlane);
  const said = saidOf(await list(controlPlane, "/api/v1/events"), last);
  const nodes = (await list(controlPlane, NODES)).map(({ metadata }) => cluster.describe(metadata!.name!));
  return { before, after, moves, nodes, said };
}

async function setDisruption(controlPlane: ControlPlane, pools: readonly KubernetesObject[]): Promise<void> {
  for (const { metadata, spec } of pools)
    await patch(controlPlane, `${POOLS}/${metadata!.name}`, { spec: { disruption: spec!["disruption"] } });
}

/** Nothing is left. */
export async function clearWorld(controlPlane: ControlPlane): Promise<void> {
  for (const path of [BUDGETS, PODS, CLAIMS, POOLS]) {
    const { status, text } = await controlPlane.request("system:admin", "DELETE", path);
    if (status >= 300) throw new Error(text);
    await until(`no ${path}`, async () => (await list(controlPlane, path)).length === 0);
  }
  await until("no nodes", async () => (await list(controlPlane, NODES)).length === 0);
}

/** No node may go. */
function held(pool: KubernetesObject): KubernetesObject {
  const { spec, ...rest } = pool;
  const disruption = { ...(spec!["disruption"] as object), budgets: [{ nodes: "0" }] };
  return { ...rest, spec: { ...spec, disruption } };
}

/** The kubelets, the scheduler and the controllers of workloads. */
class Cluster {
  readonly #controlPlane: ControlPlane;
  readonly #world: MovesWorld;
  /** By pod, the name of its node. */
  readonly #nodeOf = new Map<string, string>();
  /** By name; those that are gone too. */
  readonly #nodes = new Map<string, KubernetesObject>();
  readonly #ready = new Set<string>();
  /** By pod, its UID on that node. */
  readonly #uidOf = new Map<string, string>();
  #isReplaced = false;
  /** How many nodes there were before the present move, and when that began. */
  #before = 0;
  #began = 0;

  constructor(controlPlane: ControlPlane, world: MovesWorld) {
    this.#controlPlane = controlPlane;
    this.#world = world;
  }

  describe(name: string): DescribedNode {
    const labels = this.#nodes.get(name)?.metadata?.labels ?? {};
    return {
      type: labels["node.kubernetes.io/instance-type"] ?? "",
      capacityType: labels["karpenter.sh/capacity-type"] ?? "",
      zone: labels["topology.kubernetes.io/zone"] ?? "",
      nodePool: labels["karpenter.sh/nodepool"] ?? "",
      pods: [...this.#nodeOf]
        .filter(([, node]) => node === name)
        .map(([pod]) => pod)
        .toSorted(),
    };
  }

  /** @returns undefined until all nodes run their pods and Karpenter calls all consolidatable */
  async start(): Promise<true | undefined> {
    const claims = await this.#startNodes();
    for (const { name, pods } of this.#world.nodes) {
      const node = nodeNameOf(claims.find(({ metadata }) => metadata?.name === name));
      if (
        node === undefined ||
        !isTrue(
          claims.find(({ metadata }) => metadata?.name === name)!,
          "Initialized",
        )
      )
        continue;
      for (const pod of pods.filter(({ metadata }) => !this.#nodeOf.has(metadata!.name!))) {
        await this.#place(pod, node);
      }
    }
    const count = this.#world.nodes.reduce((sum, { pods }) => sum + pods.length, 0);
    const drifted = new Set(this.#world.nodes.filter(({ isDrifted }) => isDrifted).map(({ name }) => name));
    const isSettled = (claim: KubernetesObject): boolean =>
      isTrue(claim, "Consolidatable") && isTrue(claim, "Drifted") === drifted.has(claim.metadata!.name!);
    const isAll = claims.length === this.#world.nodes.length && this.#nodeOf.size === count;
    return isAll && claims.every(isSettled) ? true : undefined;
  }

  /** What Kubernetes does meanwhile. */
  async work(): Promise<void> {
    await this.#startNodes();
    const pods = await list(this.#controlPlane, PODS);
    const there = new Set(pods.map(({ metadata }) => metadata!.name!));
    const all = this.#world.nodes.flatMap((node) => node.pods);
    const evicted = all.filter(({ metadata }) => !there.has(metadata!.name!));
    if (evicted.length === 0) return;
    const nodesOf = nominations(await list(this.#controlPlane, "/api/v1/events"));
    for (const pod of evicted) {
      const node = this.#expectedNode(pod.metadata!.name!, nodesOf);
      if (node !== undefined && this.#ready.has(node)) await this.#place(pod, node);
    }
  }

  /**
   * Where the command expected an evicted pod: on the new node if no event says another one. It never waits there, since
   * Karpenter tells where it expects a pod once in two minutes.
   */
  #expectedNode(pod: string, nodesOf: ReadonlyMap<string, readonly string[]>): string | undefined {
    const node = nodesOf.get(this.#uidOf.get(pod) ?? "")?.at(-1);
    if (node !== undefined || !this.#isReplaced || Date.now() - this.#began < EVENTS_MS) return node;
    return this.#nodes.size > this.#before ? [...this.#nodes.keys()].at(-1) : undefined;
  }

  /** @param isReplaced whether the move that begins makes a node */
  begin(isReplaced: boolean): void {
    this.#isReplaced = isReplaced;
    this.#before = this.#nodes.size;
    this.#began = Date.now();
  }

  /** Whether a node goes or a pod waits for one. */
  async isBusy(): Promise<boolean> {
    const [claims, pods] = await Promise.all([list(this.#controlPlane, CLAIMS), list(this.#controlPlane, PODS)]);
    return (
      claims.some(({ metadata }) => metadata!["deletionTimestamp"] !== undefined) ||
      claims.some((claim) => !isTrue(claim, "Initialized")) ||
      pods.length < this.#nodeOf.size
    );
  }

  async #startNodes(): Promise<readonly KubernetesObject[]> {
    const nodes = await list(this.#controlPlane, NODES);
    for (const node of nodes) {
      const name = node.metadata!.name!;
      this.#nodes.set(name, node);
      if (this.#ready.has(name)) continue;
      if (await this.#removeTaint(node)) this.#ready.add(name);
      await patch(this.#controlPlane, `${NODES}/${name}/status`, { status: { conditions: [READY] } });
    }
    return list(this.#controlPlane, CLAIMS);
  }

  /** The one that the API server adds to each new node. @returns whether the node is without it */
  async #removeTaint({ metadata, spec }: KubernetesObject): Promise<boolean> {
    const { taints = [] } = spec as { taints?: readonly { readonly key: string }[] };
    const left = taints.filter(({ key }) => key !== "node.kubernetes.io/not-ready");
    if (left.length === taints.length) return true;
    // With its version, so that no taint is lost that Karpenter adds meanwhile.
    const { name, resourceVersion } = metadata!;
    await patch(this.#controlPlane, `${NODES}/${name}`, { metadata: { resourceVersion }, spec: { taints: left } });
    return false;
  }

  async #place(pod: KubernetesObject, node: string): Promise<void> {
    this.#nodeOf.set(pod.metadata!.name!, node);
    await this.#run(await mustCreate(this.#controlPlane, { ...pod, spec: { ...pod.spec, nodeName: node } }));
  }

  async #run({ metadata }: KubernetesObject): Promise<void> {
    const status = { phase: "Running", conditions: [READY, { type: "PodScheduled", status: "True" }] };
    this.#uidOf.set(metadata!.name!, metadata!.uid!);
    await patch(this.#controlPlane, `${PODS}/${metadata!.name}/status`, { status });
  }
}

/** Events come a moment after the command. */
const EVENTS_MS = 5000;

const READY = { type: "Ready", status: "True" };

/** What is gone, or has changed meanwhile, is left. */
async function patch(controlPlane: ControlPlane, path: string, change: object): Promise<void> {
  const { status, text } = await controlPlane.request("system:admin", "PATCH", path, change);
  if (status >= 300 && status !== 404 && status !== 409) throw new Error(text);
}

function isTrue({ status }: KubernetesObject, type: string): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] };
  return conditions.some((one) => one.type === type && one.status === "True");
}

function nodeNameOf(claim: KubernetesObject | undefined): string | undefined {
  return (claim?.status as { nodeName?: string } | undefined)?.nodeName;
}

interface Event extends KubernetesObject {
  readonly involvedObject: { readonly uid: string; readonly kind: string; readonly name: string };
  readonly lastTimestamp?: string | null;
}

/** By the UID of a pod, the nodes where Karpenter expected it, in the order of time. */
function nominations(events: readonly KubernetesObject[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  // Names of events end with their time.
  const timeOf = ({ metadata }: KubernetesObject): string => metadata?.name?.split(".").at(-1) ?? "";
  for (const { reason, message = "", involvedObject } of (events as readonly Event[]).toSorted((a, b) =>
    timeOf(a) < timeOf(b) ? -1 : 1,
  )) {
    const node = reason === "Nominated" ? /node\/([^\s,]+)/.exec(message)?.[1] : undefined;
    if (node !== undefined) found.set(involvedObject.uid, [...(found.get(involvedObject.uid) ?? []), node]);
  }
  return found;
}

function saidOf(events: readonly KubernetesObject[], since: number): ReadonlyMap<string, readonly string[]> {
  const of = (events as readonly Event[]).filter(
    ({ involvedObject, lastTimestamp }) => involvedObject.kind === "Node" && Date.parse(lastTimestamp ?? "") > since,
  );
  return new Map(
    [...Map.groupBy(of, ({ involvedObject }) => involvedObject.name)].map(([name, all]) => [
      name,
      [...new Set(all.map(({ message }) => message ?? ""))],
    ]),
  );
}

interface LoggedCommand {
  readonly message: string;
  readonly command: string;
  readonly decision: string;
  readonly "disrupted-nodes": readonly { readonly Node: { readonly name: string } }[];
  readonly "replacement-nodes": readonly unknown[];
}

function movesIn(log: string): (Omit<MadeMove, "nodes"> & { readonly names: readonly string[] })[] {
  return log.split("\n").flatMap((line) => {
    if (!line.endsWith("}") || !line.includes('"disrupting node(s)"')) return [];
    const logged = JSON.parse(line) as LoggedCommand;
    return {
      reason: /^[a-z]+/i.exec(logged.command)?.[0] ?? "",
      decision: logged.decision,
      names: logged["disrupted-nodes"].map(({ Node }) => Node.name),
      replacements: logged["replacement-nodes"].length,
    };
  });
}

const KINDS = [
  [NODES, "v1", "Node"],
  [CLAIMS, "karpenter.sh/v1", "NodeClaim"],
  [POOLS, "karpenter.sh/v1", "NodePool"],
  [PODS, "v1", "Pod"],
  [BUDGETS, "policy/v1", "PodDisruptionBudget"],
  ["/api/v1/namespaces", "v1", "Namespace"],
] as const;

async function objectsOf(controlPlane: ControlPlane): Promise<KubernetesObject[]> {
  const lists = await Promise.all(KINDS.map(([path]) => list(controlPlane, path)));
  return lists.flatMap((objects, at) =>
    objects.map((object) => ({ apiVersion: KINDS[at]![1], kind: KINDS[at]![2], ...object })),
  );
}
