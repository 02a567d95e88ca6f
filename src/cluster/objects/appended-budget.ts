/** Adds, finds and removes the disruption budgets that the watch appends to a NodePool. */
import { DRIFTED, isBelowFloor, MOST_BUDGETS } from "../../karpenter/disruption/drifted-floor.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { DISRUPTION_DEFAULT } from "../../model/pools/disruption.ts";
import { DEFAULT_BUDGETS, REPLACING_REASONS } from "../../model/pools/disruption-reasons.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";

/**
 * Marks the end of the list as written by the watch, and says for how many nodes: `2`, or `2,10%` if the floor for
 * Drifted is higher than 2.
 */
export const APPENDED_ANNOTATION = "anp.hypershift.openshift.io/node-limit-budget";

/** Rendered and live NodePools. */
type Pool = Pick<KubeObject, "metadata"> & { readonly spec?: KubeObject["spec"] };

/**
 * Undefined if the list is full: a budget of the user is never removed to make room.
 *
 * @param floor the fewest drifted nodes that budgets must allow: a limit never allows fewer
 */
export function withAppended(pool: KubeObject, nodes: number, floor?: string): KubeObject | undefined {
  const { disruption } = pool.spec as { disruption?: Readonly<Record<string, unknown>> };
  // An absent list means Karpenter's default, which ours would replace: write the default, too.
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
      // Up to 1.14 consolidateAfter is required beside budgets (docs/upstream/karpenter.md#versions).
      disruption: { ...(disruption ?? DISRUPTION_DEFAULT), budgets: [...budgets, ...appended] },
    },
  };
}

/** For how many nodes the appended budget is; undefined if there is none. */
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

/** Removes what the watch appended. */
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

/** With a floor, Drifted has a budget of its own (docs/decisions/0021-a-floor-under-the-drifted-budget.md). */
function budgetsFor(nodes: number, floor: string | undefined): readonly object[] {
  const budget = { nodes: String(nodes) };
  if (floor === undefined) return [{ ...budget, reasons: REPLACING_REASONS }];
  const others = REPLACING_REASONS.filter((reason) => reason !== DRIFTED);
  return [
    { ...budget, reasons: others },
    { nodes: floor, reasons: [DRIFTED] },
  ];
}
