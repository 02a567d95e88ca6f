/** Compares what Karpenter launches for a world with what anp plans. */
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { createNodeClass, mustCreate } from "../karpenter/pools.ts";
import type { Karpenter } from "../karpenter/start-karpenter.ts";
import { namespaces } from "../plan-worlds/cluster.ts";
import { differenceOf } from "../plan-worlds/compare.ts";
import type { Outcome } from "../plan-worlds/ask-karpenter.ts";
import { kindOfPod, pendingPods, type World } from "../plan-worlds/world.ts";
import { accepted, cleanUp, launch, type Launched, list } from "./launch.ts";
import { launchedOutcome } from "./launched-outcome.ts";
import { planned, solverWorld } from "./plan.ts";
import { FEWEST } from "./worlds.ts";

/** How often a world is launched until one round of Karpenter has all its pods. */
const MOST_ROUNDS = 5;

export async function prepare(controlPlane: ControlPlane): Promise<void> {
  // Nodes never come, so that Karpenter takes no NodeClaim away.
  await createNodeClass(controlPlane, "default", { nodeRegistrationDelay: "10h" });
  for (const namespace of namespaces()) await mustCreate(controlPlane, namespace);
}

/** A world with what Karpenter launched for it. */
export interface LaunchedWorld {
  readonly world: World;
  readonly launched: Launched;
  /** Pods, DaemonSets and namespaces of the cluster. */
  readonly objects: readonly KubernetesObject[];
  /** How often it was launched again, because Karpenter took several rounds. */
  readonly again: number;
}

/** @returns undefined if the API server refuses its pools or most of its pods */
export async function launchWorld(karpenter: Karpenter, given: World): Promise<LaunchedWorld | undefined> {
  const { controlPlane } = karpenter;
  const world = await accepted(controlPlane, given);
  if (world.pools.length === 0 || pendingPods(world).length < FEWEST) return undefined;
  for (let again = 0; again < MOST_ROUNDS; again++) {
    const launched = await launch(karpenter, world);
    const objects = await others(controlPlane);
    await cleanUp(karpenter, world);
    if (launched !== undefined) return { world, launched, objects: [...launched.pods, ...objects], again };
  }
  throw new Error(`seed ${world.seed}: several rounds each time`);
}

/** What differs between what Karpenter launched and what anp plans; no tie is left in these worlds. */
export function compareLaunch({ world, launched, objects }: LaunchedWorld, catalogue: Catalogue): string | undefined {
  const ours = planned(solverWorld(world, objects, catalogue));
  const theirs = launchedOutcome(launched, world.types);
  const difference = differenceOf(world, ours, [theirs]) ?? priceDifference(world, ours, theirs);
  return difference === undefined ? undefined : `seed ${world.seed} (${world.features.join(", ")}):\n${difference}`;
}

async function others(controlPlane: ControlPlane): Promise<KubernetesObject[]> {
  const paths = ["/api/v1/namespaces", "/apis/apps/v1/daemonsets"];
  const kinds = [
    { apiVersion: "v1", kind: "Namespace" },
    { apiVersion: "apps/v1", kind: "DaemonSet" },
  ];
  const lists = await Promise.all(paths.map((path) => list(controlPlane, path)));
  return lists.flatMap((objects, at) => objects.map((object) => ({ ...kinds[at], ...object })));
}

/** The kwok provider launches the cheapest offering: that of each planned NodeClaim, and the one that was launched. */
function priceDifference(world: World, ours: Outcome, theirs: Outcome): string | undefined {
  const kindOf = kindOfPod(world);
  const [own, others] = [ours, theirs].map(({ nodeClaims }) =>
    nodeClaims
      .map(
        ({ nodePool, pods, price }) => `${nodePool} ${price.toFixed(6)} for ${pods.map(kindOf).toSorted().join(" ")}`,
      )
      .toSorted()
      .join("; "),
  );
  return own === others ? undefined : `prices: anp ${own}; Karpenter ${others}`;
}
