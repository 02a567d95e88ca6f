/** Builds the dashboard's view of watched clusters, and remembers when objects changed. */
import type { PassDetails } from "../../cluster/status/pass-details.ts";
import type { ClusterState } from "../../cluster/fleet/fleet.ts";
import type { ReconcileResult } from "../../cluster/status/pass-result.ts";
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { ClusterView, OpenedCluster, PassView } from "../../report/dashboard/fleet-view.ts";

interface Change {
  readonly words: string;
  readonly at: number;
}

/** The last pass of a cluster that had a result, and the last change of each object, by kind and name. */
interface Remembered {
  last: ReconcileResult | undefined;
  pass: PassView | undefined;
  readonly changes: Map<string, Change>;
}

/** How clusters are sorted, and the questions on opened pools, which are answered on demand. */
export interface Asked {
  readonly catalogue: CatalogueFor;
  readonly pricesFor?: PricesFor;
  /** The order of clusters; without it they keep the order of the configuration. */
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
      const { last, figures, lastEnd } = state;
      if (last !== undefined && figures !== undefined && last !== memory.last)
        take(memory, { last, figures, lastEnd }, asked);
      const view = viewOf(state, memory.pass);
      views.set(state, view);
      return view;
    });
}

interface Ended extends Pick<ClusterState, "lastEnd"> {
  readonly last: ReconcileResult;
  readonly figures: NonNullable<ClusterState["figures"]>;
}

function take(memory: Remembered, { last, figures, lastEnd }: Ended, { catalogue, pricesFor }: Asked): void {
  const { changes } = memory;
  for (const { step, kind, name, planned, change } of last.dryRun ? [] : last.outcomes) {
    if (step === undefined || change === undefined) continue;
    if (planned === "prune") changes.delete(`${kind}/${name}`);
    else changes.set(`${kind}/${name}`, { words: change, at: lastEnd?.getTime() ?? 0 });
  }
  memory.last = last;
  memory.pass = {
    result: last.result,
    mode: last.mode,
    ready: last.ready,
    objects: figures.columns,
    verdicts: last.verdicts,
    findings: last.findings,
    dryRun: last.dryRun,
    opened: memoize(() => withChanges(last.details(catalogue, pricesFor), changes)),
  };
}

function withChanges(
  { pools, nodeClasses, problems: troubles }: PassDetails,
  changes: Remembered["changes"],
): OpenedCluster {
  return {
    pools: pools.map((pool) => ({ ...pool, lastChange: changes.get(`NodePool/${pool.name}`) })),
    nodeClasses: nodeClasses.map((one) => ({ ...one, lastChange: changes.get(`EC2NodeClass/${one.name}`) })),
    troubles,
  };
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
