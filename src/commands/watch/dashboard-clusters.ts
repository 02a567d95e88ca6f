/** What the dashboard shows of watched clusters; it remembers what was changed when. */
import type { Inspection } from "../../cluster/tell/inspection.ts";
import type { ClusterState } from "../../cluster/fleet/fleet.ts";
import type { ReconcileResult } from "../../cluster/tell/pass-result.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { once } from "../../model/once.ts";
import type { ClusterView, ObjectCounts, OpenedCluster, PassView } from "../../report/dashboard/fleet-view.ts";

interface Change {
  readonly words: string;
  readonly at: number;
}

/** Its last pass that had a result, and the last change of each object, by kind and name. */
interface Remembered {
  last: ReconcileResult | undefined;
  pass: PassView | undefined;
  readonly changes: Map<string, Change>;
}

/** What is asked of pools that somebody opens, which is not read before, and how clusters are shown. */
export interface Asked {
  readonly catalogue: CatalogueFor;
  readonly pricesFor?: PricesFor;
  /** Which cluster comes first; without it they stay as they are configured. */
  readonly inOrder?: (clusters: readonly ClusterView[]) => readonly ClusterView[];
}

/** The same states give the same views. */
export function clusterViews(asked: Asked): (states: readonly ClusterState[]) => ClusterView[] {
  const remembered = new Map<string, Remembered>();
  const views = new WeakMap<ClusterState, ClusterView>();
  return (states) =>
    states.map((state) => {
      const known = views.get(state);
      if (known !== undefined) return known;
      const memory = remembered.get(state.name) ?? { last: undefined, pass: undefined, changes: new Map() };
      remembered.set(state.name, memory);
      if (state.last !== undefined && state.last !== memory.last) take(memory, state.last, state, asked);
      const view = viewOf(state, memory.pass);
      views.set(state, view);
      return view;
    });
}

function take(
  memory: Remembered,
  last: ReconcileResult,
  { lastEnd }: ClusterState,
  { catalogue, pricesFor }: Asked,
): void {
  const { changes } = memory;
  for (const { step, outcome } of last.dryRun ? [] : last.results) {
    const words = CHANGES[step.action];
    if (words === undefined || outcome !== "done") continue;
    if (step.action === "prune") changes.delete(`${step.kind}/${step.name}`);
    else changes.set(`${step.kind}/${step.name}`, { words, at: lastEnd?.getTime() ?? 0 });
  }
  memory.last = last;
  memory.pass = {
    result: last.result,
    mode: last.mode,
    ready: last.ready,
    objects: countsOf(last),
    verdicts: last.verdicts,
    findings: last.findings,
    dryRun: last.dryRun,
    opened: once(() => withChanges(last.inspect(catalogue, pricesFor), changes)),
  };
}

const CHANGES: Readonly<Record<string, string>> = { create: "created", update: "updated", prune: "deleted" };

function withChanges({ pools, nodeClasses, troubles }: Inspection, changes: Remembered["changes"]): OpenedCluster {
  return {
    pools: pools.map((pool) => ({ ...pool, lastChange: changes.get(`NodePool/${pool.name}`) })),
    nodeClasses: nodeClasses.map((one) => ({ ...one, lastChange: changes.get(`EC2NodeClass/${one.name}`) })),
    troubles,
  };
}

/** Each object once: what failed or was not reached, is not said to be held as well. */
export function countsOf({ results }: Pick<ReconcileResult, "results">): ObjectCounts {
  const counts = { inSync: 0, changed: 0, held: 0, foreign: 0, failed: 0 };
  for (const { step, outcome } of results) {
    const differs = step.differences.length > 0;
    if (outcome === "failed" || outcome === "skipped") counts.failed++;
    else if (outcome === "done") counts.changed++;
    else if (step.rivalry !== "") counts.held++;
    else if (step.action === "foreign-object") counts.foreign++;
    else if (step.action === "in-sync" || (step.action === "managed-by-operator" && !differs)) counts.inSync++;
    else counts.held++;
  }
  return counts;
}

function viewOf(state: ClusterState, pass: PassView | undefined): ClusterView {
  const { name, hostedCluster, phase, isPaused, broken, drift, pruned } = state;
  return {
    name,
    hostedCluster,
    phase,
    isPaused,
    pass,
    broken,
    lastEnd: state.lastEnd?.getTime(),
    lastSuccess: state.lastSuccess?.getTime(),
    nextRun: state.nextRun?.getTime(),
    drift,
    pruned,
  };
}
