/** Ways to make a change without replacing the nodes that it would replace. */
import type { KubeObject } from "../../model/objects/kube-object.ts";
import type { Convergence } from "../running/convergence.ts";
import { nodeLifetimeOf } from "../running/node-lifetime.ts";
import { REPLACING } from "./change-effect.ts";
import type { ObjectChange } from "./compare-objects.ts";
import type { ChangedPool } from "./changed-pools.ts";

/**
 * `second-pool`: the pool stays as it is, and a second one with a higher weight gets the change. `budget`: a budget of
 * 0 for the reason Drifted. `window`: such a budget with a schedule. See docs/change-without-replacing.md for their
 * costs.
 */
export const NON_DISRUPTIVE_WAYS = ["second-pool", "budget", "window"] as const;

export type NonDisruptiveWay = (typeof NON_DISRUPTIVE_WAYS)[number];

export interface PoolWays {
  readonly pool: ObjectChange["resource"];
  readonly ways: readonly NonDisruptiveWay[];
}

/**
 * The ways for each pool with nodes that the change replaces. None are suggested if the pool is removed, if Karpenter
 * replaces its nodes endlessly, if the effect is unknown, or if drift is blocked already.
 */
export function nonDisruptiveWaysOf(
  change: ObjectChange,
  pools: readonly ChangedPool[],
  convergence: Pick<Convergence, "until"> | undefined,
): PoolWays[] {
  const { effect, forever, fields } = change;
  const replaces = effect === "replaces-some" || effect === "replaces-all";
  if (!replaces || forever || convergence === undefined || convergence.until === "at-once") return [];
  const deciding = fields.filter((field) => REPLACING.has(field.effect));
  const isImposed = (deciding.length === 0 ? fields : deciding).some(({ imposed }) => imposed);
  return pools.flatMap(({ old, now, running }) => {
    if (old === undefined || now === undefined) return [];
    const { blockedBy, drift } = nodeLifetimeOf(running);
    if (blockedBy !== undefined) return [];
    const applies: Readonly<Record<NonDisruptiveWay, boolean>> = {
      // A change that a policy imposes applies to both pools. A static pool takes no pods by weight.
      "second-pool": !isImposed && running.replicas === undefined,
      budget: now.driftedFloor === undefined,
      window: now.driftedFloor === undefined && drift === "always",
    };
    return [{ pool: resourceOf(now.object), ways: NON_DISRUPTIVE_WAYS.filter((way) => applies[way]) }];
  });
}

interface WaysOfChange {
  readonly hostedCluster: string | undefined;
  readonly keeping?: readonly PoolWays[] | undefined;
}

export interface WayOfPools {
  readonly way: NonDisruptiveWay;
  readonly pools: readonly (ObjectChange["resource"] & { readonly hostedCluster?: string })[];
}

/** The ways for all changes. A pool is listed if the way works for each change that affects it. */
export function nonDisruptiveWays(changes: readonly WaysOfChange[]): WayOfPools[] {
  const known = changes.flatMap(({ keeping = [], hostedCluster }) =>
    keeping.map(({ pool, ways }) => ({ pool: { ...pool, ...(hostedCluster && { hostedCluster }) }, ways })),
  );
  const byPool = [...Map.groupBy(known, ({ pool }) => `${pool.hostedCluster ?? ""}/${pool.name}`).values()];
  return NON_DISRUPTIVE_WAYS.flatMap((way) => {
    const pools = byPool.flatMap((all) => (all.every(({ ways }) => ways.includes(way)) ? [all[0]!.pool] : []));
    return pools.length === 0 ? [] : [{ way, pools }];
  });
}

function resourceOf({ apiVersion, kind, metadata }: KubeObject): ObjectChange["resource"] {
  return { apiVersion, kind, name: metadata.name };
}
