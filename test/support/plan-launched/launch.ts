/** Creates the pods of a world on a control plane, and reads which NodeClaims Karpenter made for which of them. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, until } from "../controlplane/objects.ts";
import { markUnschedulable } from "../karpenter/pods.ts";
import { createReadyPools, forKwok, mustCreate } from "../karpenter/pools.ts";
import type { Karpenter } from "../karpenter/start-karpenter.ts";
import { pendingPods, podsOf, type World } from "../plan-worlds/world.ts";

export interface Launched {
  /** As the API server has them: with their UIDs and the times of their creation. */
  readonly pods: readonly KubernetesObject[];
  readonly claims: readonly LaunchedClaim[];
  /** By pod, `namespace/name`: Karpenter's message. */
  readonly failed: Readonly<Record<string, string>>;
}

export interface LaunchedClaim {
  readonly claim: KubernetesObject;
  /** `namespace/name` */
  readonly pods: readonly string[];
}

/** The world without workloads and DaemonSets that an API server refuses. */
export async function accepted(controlPlane: ControlPlane, world: World): Promise<World> {
  const isAccepted = async (object: KubernetesObject): Promise<boolean> => {
    const { status, text } = await create(controlPlane, "system:admin", object, { dryRun: true });
    if (status !== 201 && status !== 422 && status !== 400) throw new Error(text);
    return status === 201;
  };
  const among = async <T>(all: readonly T[], objectOf: (one: T) => unknown): Promise<T[]> => {
    const answers = await Promise.all(all.map((one) => isAccepted(objectOf(one) as KubernetesObject)));
    return all.filter((_one, at) => answers[at]);
  };
  return {
    ...world,
    pools: await among(world.pools, (pool) => forKwok(pool as KubernetesObject)),
    daemons: await among(world.daemons, (daemon) => daemon),
    workloads: await among(world.workloads, (workload) => podsOf(workload)[0]),
  };
}

/**
 * All pods become unschedulable at once, so that Karpenter places them in one round.
 *
 * @returns undefined if Karpenter's first round had only a part of them
 */
export async function launch(karpenter: Karpenter, world: World): Promise<Launched | undefined> {
  const { controlPlane } = karpenter;
  for (const daemon of world.daemons) await mustCreate(controlPlane, daemon);
  const created = await Promise.all(pendingPods(world).map((pod) => mustCreate(controlPlane, pod)));
  await createReadyPools(
    karpenter,
    world.pools.map((pool) => forKwok(pool as KubernetesObject)),
  );
  const start = karpenter.log().length;
  const pods = await Promise.all(created.map((pod) => markUnschedulable(controlPlane, pod)));
  const decided = await karpenter.waitFor("a decision on every pod", () => decisions(controlPlane, pods));
  return podsOfFirstRound(karpenter.log().slice(start)) === pods.length ? { pods, ...decided } : undefined;
}

function podsOfFirstRound(log: string): number {
  const round = /"computing scheduling decision for provisionable pod\(s\)".*?"pending-pods":(\d+)/.exec(log);
  return Number(round?.[1]);
}

async function decisions(
  controlPlane: ControlPlane,
  pods: readonly KubernetesObject[],
): Promise<Omit<Launched, "pods"> | undefined> {
  const [events, claims] = await Promise.all([
    list(controlPlane, "/api/v1/events"),
    list(controlPlane, "/apis/karpenter.sh/v1/nodeclaims"),
  ]);
  const own = new Map(pods.map(({ metadata }) => [metadata?.uid, `${metadata?.namespace}/${metadata?.name}`]));
  const failed: Record<string, string> = {};
  const onClaim = new Map<string, string[]>();
  const decided = new Set<string>();
  // The names of events end with their time. Later rounds may decide otherwise than the first.
  for (const { involvedObject, reason, message = "" } of (events as Event[]).toSorted(byTime)) {
    const pod = own.get(involvedObject.uid);
    if (pod === undefined || decided.has(pod)) continue;
    const claim = reason === "Nominated" ? /nodeclaim\/(\S+)/.exec(message)?.[1] : undefined;
    if (claim !== undefined) onClaim.set(claim, [...(onClaim.get(claim) ?? []), pod]);
    else if (reason === "FailedScheduling") failed[pod] = message;
    else continue;
    decided.add(pod);
  }
  const found = [...onClaim].map(([name, names]) => ({
    claim: claims.find(({ metadata }) => metadata?.name === name),
    pods: names,
  }));
  const isLaunched = ({ claim }: (typeof found)[number]): boolean =>
    claim?.metadata?.labels?.["node.kubernetes.io/instance-type"] !== undefined;
  if (decided.size < pods.length || !found.every(isLaunched)) return undefined;
  return { claims: found as LaunchedClaim[], failed };
}

function byTime(one: Event, other: Event): number {
  const timeOf = ({ metadata }: Event): string => metadata?.name?.split(".").at(-1) ?? "";
  return timeOf(one) < timeOf(other) ? -1 : 1;
}

interface Event extends KubernetesObject {
  readonly involvedObject: { readonly uid: string };
}

/** Nothing of the world is left. Its NodeClaims have no nodes, so Karpenter lets go of them at once. */
export async function cleanUp({ controlPlane }: Karpenter, world: World): Promise<void> {
  const namespaces = [...new Set(world.workloads.map(({ namespace }) => namespace))];
  const mustDelete = async (path: string): Promise<void> => {
    const { status, text } = await controlPlane.request("system:admin", "DELETE", path, { gracePeriodSeconds: 0 });
    if (status >= 300) throw new Error(text);
  };
  await Promise.all(namespaces.map((name) => mustDelete(`/api/v1/namespaces/${name}/pods`)));
  await Promise.all(
    [
      "/apis/karpenter.sh/v1/nodepools",
      "/apis/karpenter.sh/v1/nodeclaims",
      "/apis/apps/v1/namespaces/kube-system/daemonsets",
    ].map(mustDelete),
  );
  for (const path of ["/apis/karpenter.sh/v1/nodeclaims", "/apis/karpenter.sh/v1/nodepools", "/api/v1/pods"])
    await until(`no ${path}`, async () => (await list(controlPlane, path)).length === 0);
}

export async function list(controlPlane: ControlPlane, path: string): Promise<KubernetesObject[]> {
  const { status, body, text } = await controlPlane.request("system:admin", "GET", path);
  if (status !== 200) throw new Error(text);
  return body.items ?? [];
}
