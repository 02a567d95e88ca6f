/** How a change can be made so that nodes stay that it would replace. */
import type { KubeObject } from "../../model/kube-object.ts";
import { stayOf } from "../running/stay.ts";
import { REPLACING } from "./change-effect.ts";
import type { Change, ChangeSettles } from "./compare-clusters.ts";
import type { ObjectChange } from "./compare-objects.ts";
import { runningPoolOf } from "./running-pool.ts";
import type { SideObject } from "./side-object.ts";

/**
 * `second-pool`: the pool stays as it is, and another one with a higher weight has the change. `budget`: none goes for
 * the reason Drifted. `window`: none does at certain times. docs/change-without-replacing.md has what each costs.
 */
export const KEEPING_WAYS = ["second-pool", "budget", "window"] as const;

export type KeepingWay = (typeof KEEPING_WAYS)[number];

export interface PoolWays {
  readonly pool: ObjectChange["resource"];
  readonly ways: readonly KeepingWay[];
}

/**
 * Of each pool that loses nodes by the change, what would keep them. Nothing is said where nodes go with their pool,
 * where they never come to fit, where nobody here knows whether any goes, and where something keeps drift away already.
 */
export function keepingWaysOf(
  change: ObjectChange,
  pools: readonly { readonly old: SideObject | undefined; readonly now: SideObject | undefined }[],
  settles: ChangeSettles | undefined,
): PoolWays[] {
  const { effect, forever, fields } = change;
  const replaces = effect === "replaces-some" || effect === "replaces-all";
  if (!replaces || forever || settles === undefined || settles.until === "at-once") return [];
  const deciding = fields.filter((field) => REPLACING.has(field.effect));
  const isImposed = (deciding.length === 0 ? fields : deciding).some(({ imposed }) => imposed);
  return pools.flatMap(({ old, now }) => {
    if (old === undefined || now === undefined) return [];
    const running = runningPoolOf(old, now);
    const { halt, drift } = stayOf(running);
    if (halt !== undefined) return [];
    const may: Readonly<Record<KeepingWay, boolean>> = {
      // What is asked of every pool is asked of the second one too, and of the first. A static one takes no pods by weight.
      "second-pool": !isImposed && running.replicas === undefined,
      budget: now.driftedFloor === undefined,
      window: now.driftedFloor === undefined && drift === "always",
    };
    return [{ pool: resourceOf(now.object), ways: KEEPING_WAYS.filter((way) => may[way]) }];
  });
}

export interface WayOfPools {
  readonly way: KeepingWay;
  readonly pools: readonly (ObjectChange["resource"] & { readonly hostedCluster?: string })[];
}

/** Of all changes: a pool is named where the way helps against each that concerns it. */
export function keepingWays(changes: readonly Change[]): WayOfPools[] {
  const known = changes.flatMap(({ keeping = [], hostedCluster }) =>
    keeping.map(({ pool, ways }) => ({ pool: { ...pool, ...(hostedCluster && { hostedCluster }) }, ways })),
  );
  const byPool = [...Map.groupBy(known, ({ pool }) => `${pool.hostedCluster ?? ""}/${pool.name}`).values()];
  return KEEPING_WAYS.flatMap((way) => {
    const pools = byPool.flatMap((all) => (all.every(({ ways }) => ways.includes(way)) ? [all[0]!.pool] : []));
    return pools.length === 0 ? [] : [{ way, pools }];
  });
}

function resourceOf({ apiVersion, kind, metadata }: KubeObject): ObjectChange["resource"] {
  return { apiVersion, kind, name: metadata.name };
}
