/** The sum of all changes: what the first line of a comment on a pull request says. */
import { fleetSettles } from "./change-settles.ts";
import type { Change } from "./compare-clusters.ts";
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
}

export function summarize(changes: readonly Change[], fleet: FleetNodes | undefined): DiffSummary {
  const pools = changes.filter(({ resource }) => resource.kind === "NodePool").length;
  return {
    pools,
    others: changes.length - pools,
    types: typesOf(changes),
    fleet,
    minDuration: longestOf(changes),
    settles: fleetSettles(changes),
  };
}

function typesOf(changes: readonly Change[]): DiffSummary["types"] {
  const offers = changes.flatMap(({ action, offer }) => (action === "changed" && offer !== undefined ? [offer] : []));
  if (offers.length === 0) return undefined;
  const [gained, lost] = (["gained", "lost"] as const).map(
    (way) => new Set(offers.flatMap(({ types }) => types[way].map(({ name }) => name))).size,
  );
  return { gained: gained!, lost: lost! };
}

/** Pools go on side by side. */
function longestOf(changes: readonly Change[]): bigint | undefined {
  const durations = changes.filter(({ nodes }) => nodes.total !== 0).map(({ nodes }) => nodes.minDuration);
  return durations.reduce<bigint | undefined>(
    (longest, one) => (longest === undefined || one === null ? undefined : one > longest ? one : longest),
    0n,
  );
}
