/** The data for pictures of changes: types gained and lost, and replaced nodes over time. */
import { includesType } from "../../karpenter/catalogue/type-mask.ts";
import { REPLACING } from "../diff/change-effect.ts";
import type { Change } from "../diff/compare-clusters.ts";
import type { Rollout } from "../running/rollout.ts";
import { type Moment, rolloutOfNodes } from "../running/convergence.ts";
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

/** @param moment when the change is made */
export function diffPictures(changes: readonly Change[], moment: Moment): DiffPictures {
  const tables = new TypeTables();
  const pictures = changes.map((change): ChangePicture => ({
    types: typesOf(change, tables),
    rollouts: rolloutsOf(change, moment),
  }));
  return { tables: tables.tables, changes: pictures };
}

/** The fastest rollout of each pool with nodes that the change replaces. */
function rolloutsOf({ effect, pools }: Change, moment: Moment): ChangePicture["rollouts"] {
  if (!REPLACING.has(effect) || effect === "removes-nodes") return [];
  return pools.flatMap(({ name, old, running, nodes }) => {
    if (old === undefined || nodes === undefined || nodes.affected.length === 0) return [];
    return [{ pool: name, rollout: rolloutOfNodes(running, nodes, moment), total: nodes.all.length }];
  });
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
