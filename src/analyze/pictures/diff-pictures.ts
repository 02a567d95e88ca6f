/** What pictures show of changes: types gained and lost, and how nodes go over time. */
import { includesType } from "../../karpenter/catalogue/type-mask.ts";
import { changeRoll } from "../diff/change-settles.ts";
import type { Change, SideCluster } from "../diff/compare-clusters.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import type { Roll } from "../running/roll.ts";
import type { Moment } from "../running/settles.ts";
import { type TypeTable, TypeTables } from "./type-table.ts";

/** The places of a type in a change: it is kept, gained, lost, or of neither side. */
export const FATES = ["kept", "gained", "lost", "never"] as const;

export interface ChangePicture {
  /** Undefined where nobody here knows what it may launch. */
  readonly types: { readonly table: number; readonly fate: Uint8Array } | undefined;
  /** Of each pool whose nodes it replaces; none where nobody counted them. */
  readonly rolls: readonly { readonly pool: string; readonly roll: Roll; readonly total: number }[];
}

export interface DiffPictures {
  readonly tables: readonly TypeTable[];
  /** In the order of the changes. */
  readonly changes: readonly ChangePicture[];
}

interface Sides extends Moment {
  readonly from: readonly SideCluster[];
  readonly to: readonly SideCluster[];
  /** Undefined where nobody counted them. */
  readonly nodes: readonly NodeFacts[] | undefined;
}

export function diffPictures(changes: readonly Change[], sides: Sides): DiffPictures {
  const tables = new TypeTables();
  const pictures = changes.map((change): ChangePicture => ({
    types: typesOf(change, tables),
    rolls: changeRoll(change, sides),
  }));
  return { tables: tables.tables, changes: pictures };
}

function typesOf({ offer, action, isRewritten }: Change, tables: TypeTables): ChangePicture["types"] {
  if (offer === undefined || (action === "changed" && !isRewritten)) return undefined;
  const { market, before, after } = offer;
  const fate = Uint8Array.from(market.filter.catalogue.names, (_name, type) => {
    const [old, now] = [before, after].map((side) => side !== undefined && includesType(side.types, type));
    return old ? (now ? 0 : 2) : now ? 1 : 3;
  });
  return { table: tables.placeOf(market), fate };
}
