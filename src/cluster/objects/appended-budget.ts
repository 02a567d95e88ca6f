/** The budgets that watch appends to a NodePool: put there, found again and taken away. */
import { DRIFTED, isBelowFloor, MOST_BUDGETS } from "../../karpenter/disruption/drifted-floor.ts";
import { canonical } from "../../krm/canonical.ts";
import { valueAt } from "../../krm/field-path.ts";
import { DISRUPTION_DEFAULT } from "../../model/disruption.ts";
import { DEFAULT_BUDGETS, REPLACING_REASONS } from "../../model/disruption-reasons.ts";
import type { KubeObject } from "../../model/kube-object.ts";

/**
 * Says that watch wrote the end of the list, and for how many nodes: `2`, or `2,10%` where Drifted has a floor that is
 * more than that.
 */
export const APPENDED_ANNOTATION = "anp.hypershift.openshift.io/node-limit-budget";

/** As NodePools and live objects have it. */
type Pool = Pick<KubeObject, "metadata"> & { readonly spec?: KubeObject["spec"] };

/**
 * Undefined where the list is full: nothing of the user's may make room.
 *
 * @param floor of what budgets let go of drifted nodes: a limit never holds back more
 */
export function withAppended(pool: KubeObject, nodes: number, floor?: string): KubeObject | undefined {
  const { disruption } = pool.spec as { disruption?: Readonly<Record<string, unknown>> };
  // Leaving the list out would mean Karpenter's default, so that it has to stand there beside ours.
  const budgets = (disruption?.["budgets"] ?? DEFAULT_BUDGETS) as readonly unknown[];
  const least = floor !== undefined && isBelowFloor(String(nodes), floor) ? floor : undefined;
  const appended = budgetsFor(nodes, least);
  if (budgets.length + appended.length > MOST_BUDGETS) return undefined;
  const mark = least === undefined ? String(nodes) : `${nodes},${least}`;
  const annotations = { ...pool.metadata.annotations, [APPENDED_ANNOTATION]: mark };
  return {
    ...pool,
    metadata: { ...pool.metadata, annotations },
    spec: {
      ...pool.spec,
      // Up to 1.14 consolidateAfter must be said beside budgets (docs/upstream/karpenter.md#versions).
      disruption: { ...(disruption ?? DISRUPTION_DEFAULT), budgets: [...budgets, ...appended] },
    },
  };
}

/** For how many nodes; undefined where none stands there. */
export function appendedTo(pool: Pool): number | undefined {
  return appendedIn(pool)?.nodes;
}

function appendedIn(pool: Pool): { readonly nodes: number; readonly count: number } | undefined {
  const [, number, floor] = MARK.exec(pool.metadata.annotations?.[APPENDED_ANNOTATION] ?? "") ?? [];
  if (number === undefined || !Number.isSafeInteger(Number(number))) return undefined;
  const appended = budgetsFor(Number(number), floor);
  const last = budgetsOf(pool).slice(-appended.length);
  return canonical(last) === canonical(appended) ? { nodes: Number(number), count: appended.length } : undefined;
}

const MARK = /^(\d{1,16})(?:,(\d{1,9}%?))?$/;

/** The pool as if watch had appended nothing. */
export function withoutAppended<T extends Pool>(pool: T): T {
  const { [APPENDED_ANNOTATION]: _mark, ...annotations } = pool.metadata.annotations ?? {};
  if (_mark === undefined) return pool;
  const metadata = { ...pool.metadata, annotations };
  const appended = appendedIn(pool);
  if (appended === undefined) return { ...pool, metadata };
  const budgets = budgetsOf(pool).slice(0, -appended.count);
  const disruption = { ...(pool.spec?.["disruption"] as object), budgets };
  return { ...pool, metadata, spec: { ...pool.spec, disruption } };
}

function budgetsOf({ spec }: Pool): readonly unknown[] {
  const budgets = valueAt(spec, ["disruption", "budgets"]);
  return Array.isArray(budgets) ? budgets : [];
}

/** A floor under Drifted takes it out of the first (docs/decisions/0021-a-floor-under-the-drifted-budget.md). */
function budgetsFor(nodes: number, floor: string | undefined): readonly object[] {
  const budget = { nodes: String(nodes) };
  if (floor === undefined) return [{ ...budget, reasons: REPLACING_REASONS }];
  const others = REPLACING_REASONS.filter((reason) => reason !== DRIFTED);
  return [
    { ...budget, reasons: others },
    { nodes: floor, reasons: [DRIFTED] },
  ];
}
