/** When each change holds for the nodes that run, and when all changes do. */
import { canonical } from "../../krm/values/canonical.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import {
  type Convergence,
  convergenceOf,
  convergenceOfRemoval,
  lastOf,
  type Moment,
  neverConverges,
} from "../running/convergence.ts";
import { REPLACING, worstEffect } from "./change-effect.ts";
import type { ChangedPool } from "./changed-pools.ts";
import { type ObjectChange, placeOf } from "./compare-objects.ts";
import type { SideObject } from "./sides.ts";

/** Moments are in milliseconds since 1970. */
export interface ChangeConvergence extends Pick<Convergence, "until" | "earliest" | "latest" | "why" | "missing"> {
  /** The place of the deciding field on the new side. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

interface ConvergingChange extends Pick<ObjectChange, "resource"> {
  readonly hostedCluster: string | undefined;
  readonly settles: ChangeConvergence | undefined;
}

/** When a change holds for the running nodes of its pools; undefined if it replaces none. */
export function changeConvergence(
  change: ObjectChange,
  pools: readonly ChangedPool[],
  moment: Moment,
): ChangeConvergence | undefined {
  if (!REPLACING.has(change.effect)) return undefined;
  const ends = pools.flatMap((pool) => {
    // A new pool has no nodes.
    if (pool.old === undefined) return [];
    const end = endOf(change, pool, moment);
    const why = `${change.resource.kind === "NodePool" ? "" : `NodePool ${pool.name}: `}${end.why}${lifetimeWords(pool, end)}`;
    return [{ ...end, why, ...placed(pool.now, end.path) }];
  });
  const last = lastOf(ends);
  if (last === undefined) return undefined;
  const { until, earliest, latest, why, missing, file, line } = last;
  return { until, earliest, latest, why, missing, file, line };
}

function endOf(change: ObjectChange, pool: ChangedPool, moment: Moment): Convergence {
  const { effect, fields } = change;
  if (effect !== "removes-nodes") return drifted(change, pool, moment);
  const going = convergenceOfRemoval(pool.running, pool.nodes, moment);
  // Besides fewer replicas, another field of the change may drift nodes.
  const rest = worstEffect(fields.map((field) => field.effect).filter((one) => one !== effect));
  return pool.now !== undefined && REPLACING.has(rest) ? lastOf([going, drifted(change, pool, moment)])! : going;
}

/** A changed lifetime applies only to the replacement nodes. */
function lifetimeWords({ old, now }: ChangedPool, { until }: Convergence): string {
  const lifetimeOf = (side: SideObject | undefined) =>
    ["expireAfter", "terminationGracePeriod"].map((field) =>
      valueAt(side?.object, ["spec", "template", "spec", field]),
    );
  const same = now === undefined || canonical(lifetimeOf(old)) === canonical(lifetimeOf(now));
  return same || until === "at-once" ? "" : "; nodes keep the lifetime that they were created with";
}

function drifted({ forever }: ObjectChange, { running, nodes }: ChangedPool, moment: Moment): Convergence {
  if (forever && nodes?.affected.length !== 0) return neverConverges(["spec", "template", "spec", "requirements"]);
  return convergenceOf(running, nodes, moment);
}

/** A field that is not written gets the place of its nearest written parent. */
function placed(side: SideObject | undefined, path: FieldPath): Pick<ChangeConvergence, "file" | "line"> {
  const written = path.findLastIndex((_, index) => valueAt(side?.object, path.slice(0, index + 1)) !== undefined);
  return placeOf(side?.placeOf(path.slice(0, written + 1)));
}

/** The change that holds last; undefined if none replaces a node. */
export function fleetConvergence(
  changes: readonly ConvergingChange[],
): (ChangeConvergence & Omit<ConvergingChange, "settles">) | undefined {
  return lastOf(
    changes.flatMap(({ settles, resource, hostedCluster }) =>
      settles === undefined ? [] : [{ ...settles, path: [], resource, hostedCluster }],
    ),
  );
}
