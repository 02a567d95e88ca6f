/** The sum of all changes: what the first line of a comment on a pull request says. */
import { fleetSettles } from "./change-settles.ts";
import type { Change } from "./compare-clusters.ts";
import { keepingWays, type WayOfPools } from "./keeping-ways.ts";
import type { FleetNodes } from "./money/with-costs.ts";

export interface DiffSummary {
  /** NodePools that change, come or go, and other objects. */
  readonly pools: number;
  readonly others: number;
  /** Instance types that some pool of both sides gains or loses, each once; undefined where none can be asked. */
  readonly types: { readonly gained: number; readonly lost: number } | undefined;
  /** Undefined where nobody counted them. */
  readonly fleet: FleetNodes | undefined;
  /** Nanoseconds that replacing and removing them takes at least; undefined where nobody can tell, or they never all go. */
  readonly minDuration: bigint | undefined;
  /** Of the change that holds last; undefined where none replaces a node. */
  readonly settles: ReturnType<typeof fleetSettles>;
  /** How the change can be made so that nodes stay. */
  readonly keeping: readonly WayOfPools[];
}

export function summarize(changes: readonly Change[], fleet: FleetNodes | undefined): DiffSummary {
  const pools = changes.filter(({ resource }) => resource.kind === "NodePool").length;
  const settles = fleetSettles(changes);
  const minDuration = leastOf(changes, fleet, settles);
  const others = changes.length - pools;
  return { pools, others, types: typesOf(changes), fleet, minDuration, settles, keeping: keepingWays(changes) };
}

function typesOf(changes: readonly Change[]): DiffSummary["types"] {
  const offers = changes.flatMap(({ action, offer }) => (action === "changed" && offer !== undefined ? [offer] : []));
  if (offers.length === 0) return undefined;
  const [gained, lost] = (["gained", "lost"] as const).map(
    (way) => new Set(offers.flatMap(({ types }) => types[way].map(({ name }) => name))).size,
  );
  return { gained: gained!, lost: lost! };
}

/** Pools go on side by side; a node that expires meanwhile asks no budget. */
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
