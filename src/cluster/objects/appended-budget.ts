/** The budget that watch appends to a NodePool: put there, found again and taken away. */
import { canonical } from "../../krm/canonical.ts";
import { valueAt } from "../../krm/field-path.ts";
import { DISRUPTION_DEFAULT } from "../../model/disruption.ts";
import { DEFAULT_BUDGETS, REPLACING_REASONS } from "../../model/disruption-reasons.ts";
import type { KubeObject } from "../../model/kube-object.ts";

/** Says how many nodes the last budget of the list is for, and that watch wrote it. */
export const APPENDED_ANNOTATION = "anp.hypershift.openshift.io/node-limit-budget";

/** Of Karpenter's CRD (docs/upstream/karpenter.md#crds). */
const MOST_BUDGETS = 50;

/** As NodePools and live objects have it. */
type Pool = Pick<KubeObject, "metadata"> & { readonly spec?: KubeObject["spec"] };

/** Undefined where the list is full: nothing of the user's may make room. */
export function withAppended(pool: KubeObject, nodes: number): KubeObject | undefined {
  const { disruption } = pool.spec as { disruption?: Readonly<Record<string, unknown>> };
  // Leaving the list out would mean Karpenter's default, so that it has to stand there beside ours.
  const budgets = (disruption?.["budgets"] ?? DEFAULT_BUDGETS) as readonly unknown[];
  if (budgets.length >= MOST_BUDGETS) return undefined;
  const annotations = { ...pool.metadata.annotations, [APPENDED_ANNOTATION]: String(nodes) };
  return {
    ...pool,
    metadata: { ...pool.metadata, annotations },
    spec: {
      ...pool.spec,
      // Up to 1.14 consolidateAfter must be said beside budgets (docs/upstream/karpenter.md#versions).
      disruption: { ...(disruption ?? DISRUPTION_DEFAULT), budgets: [...budgets, budgetOf(nodes)] },
    },
  };
}

/** Undefined where none stands there. */
export function appendedTo(pool: Pool): number | undefined {
  const nodes = Number(pool.metadata.annotations?.[APPENDED_ANNOTATION] ?? Number.NaN);
  const last = budgetsOf(pool).at(-1);
  return Number.isSafeInteger(nodes) && canonical(last) === canonical(budgetOf(nodes)) ? nodes : undefined;
}

/** The pool as if watch had appended nothing. */
export function withoutAppended<T extends Pool>(pool: T): T {
  const { [APPENDED_ANNOTATION]: _mark, ...annotations } = pool.metadata.annotations ?? {};
  if (_mark === undefined) return pool;
  const metadata = { ...pool.metadata, annotations };
  if (appendedTo(pool) === undefined) return { ...pool, metadata };
  const disruption = { ...(pool.spec?.["disruption"] as object), budgets: budgetsOf(pool).slice(0, -1) };
  return { ...pool, metadata, spec: { ...pool.spec, disruption } };
}

function budgetsOf({ spec }: Pool): readonly unknown[] {
  const budgets = valueAt(spec, ["disruption", "budgets"]);
  return Array.isArray(budgets) ? budgets : [];
}

function budgetOf(nodes: number): object {
  return { nodes: String(nodes), reasons: REPLACING_REASONS };
}
