/** The data for pictures of changes: types gained and lost, and replaced nodes over time. */
import { includesType } from "../../karpenter/catalogue/type-mask.ts";
import { changeRollout } from "../diff/change-convergence.ts";
import type { Change, SideCluster } from "../diff/compare-clusters.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import type { Rollout } from "../running/rollout.ts";
import type { Moment } from "../running/convergence.ts";
import { type TypeTable, TypeTables } from "./type-table.ts";

/** The states of an instance type in a change. `never`: on neither side. */
export const FATES = ["kept", "gained", "lost", "never"] as const;

export interface ChangePicture {
  /** Undefined if the instance types of the provider are unknown. */
  readonly types: { readonly table: number; readonly fate: Uint8Array } | undefined;
  /** For each pool with replaced nodes; empty if the nodes are unknown. */
  readonly rollouts: readonly { readonly pool: string; readonly rollout: Rollout; readonly total: number }[];
}

export interface DiffPictures {
  readonly tables: readonly TypeTable[];
  /** In the order of the changes. */
  readonly changes: readonly ChangePicture[];
}

interface Sides extends Moment {
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  /** Undefined if the nodes are unknown. */
  readonly nodes: readonly NodeFacts[] | undefined;
}

export function diffPictures(changes: readonly Change[], sides: Sides): DiffPictures {
  const tables = new TypeTables();
  const pictures = changes.map((change): ChangePicture => ({
    types: typesOf(change, tables),
    rollouts: changeRollout(change, sides),
  }));
  return { tables: tables.tables, changes: pictures };
}

function typesOf({ offer, action, isRewritten }: Change, tables: TypeTables): ChangePicture["types"] {
  if (offer === undefined || (action === "changed" && !isRewritten)) return undefined;
  const { knownTypes, before, after } = offer;
  const fate = Uint8Array.from(knownTypes.filter.catalogue.names, (_name, type) => {
    const [old, now] = [before, after].map((side) => side !== undefined && includesType(side.types, type));
    return old ? (now ? 0 : 2) : now ? 1 : 3;
  });
  return { table: tables.placeOf(knownTypes), fate };
}
