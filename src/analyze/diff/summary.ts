/** The totals of all changes, for the headline of a diff. */
import { fleetConvergence } from "./change-convergence.ts";
import type { Change } from "./compare-clusters.ts";
import { nonDisruptiveWays, type WayOfPools } from "./non-disruptive-ways.ts";
import type { FleetNodes } from "./money/fleet-nodes.ts";

export interface DiffSummary {
  /** The number of changed, added and removed NodePools, and of other objects. */
  readonly pools: number;
  readonly others: number;
  /** Instance types that some changed pool gains or loses, each counted once; undefined if none are compared. */
  readonly types: { readonly gained: number; readonly lost: number } | undefined;
  /** Undefined if the nodes are unknown. */
  readonly fleet: FleetNodes | undefined;
  /** The shortest time to replace and remove all affected nodes, in nanoseconds; undefined if unknown or endless. */
  readonly minDuration: bigint | undefined;
  /** That of the change that holds last; undefined if none replaces a node. */
  readonly settles: ReturnType<typeof fleetConvergence>;
  /** Ways to make the changes without replacing nodes. */
  readonly keeping: readonly WayOfPools[];
}

export function summarize(changes: readonly Change[], fleet: FleetNodes | undefined): DiffSummary {
  const pools = changes.filter(({ resource }) => resource.kind === "NodePool").length;
  const settles = fleetConvergence(changes);
  const minDuration = leastOf(changes, fleet, settles);
  const others = changes.length - pools;
  return { pools, others, types: typesOf(changes), fleet, minDuration, settles, keeping: nonDisruptiveWays(changes) };
}

function typesOf(changes: readonly Change[]): DiffSummary["types"] {
  const offers = changes.flatMap(({ action, offer }) => (action === "changed" && offer !== undefined ? [offer] : []));
  if (offers.length === 0) return undefined;
  const [gained, lost] = (["gained", "lost"] as const).map(
    (way) => new Set(offers.flatMap(({ types }) => types[way].map(({ name }) => name))).size,
  );
  return { gained: gained!, lost: lost! };
}

/** Pools are replaced in parallel. A node that expires meanwhile needs no budget. */
function leastOf(
  changes: readonly Change[],
  fleet: FleetNodes | undefined,
  settles: DiffSummary["settles"],
): bigint | undefined {
  const durations = changes.filter(({ nodes }) => nodes.total !== 0).map(({ nodes }) => nodes.minDuration);
  if (fleet === undefined || durations.includes(null)) return undefined;
  const byBudgets = durations.reduce<bigint>((longest, one) => (one! > longest ? one! : longest), 0n);
  if (settles?.earliest === undefined) return byBudgets;
  const earliest = BigInt(Math.max(0, Math.round((settles.earliest - fleet.at) * 1e6)));
  return earliest < byBudgets ? earliest : byBudgets;
}
