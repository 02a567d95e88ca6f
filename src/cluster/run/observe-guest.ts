/** A look at a guest cluster: what a pass would read, plan and judge, and nothing is written. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import { idOf } from "../../model/kube-object.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { StepResult } from "../apply/execute.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { GuestReading } from "../observe/observed.ts";
import { toldEvents } from "../observe/told-events.ts";
import { AUTO_NODE_POLICIES, EVENTS } from "../api/served-kind.ts";
import { describeProblems } from "../objects/read-problem.ts";
import type { Step } from "../plan/step.ts";
import { REPORTER } from "../tell/event-recorder.ts";
import { type Inspection, inspectPass } from "../tell/inspection.ts";
import type { JudgePools } from "../tell/pool-judge.ts";
import { timeLimit } from "../waiting/time-limit.ts";
import { planPass, type PlannedPass } from "./plan-pass.ts";

/** As a pass. */
const LOOK_LIMIT_MS = 120_000;

/** @param cluster with apis that refuse to write */
export async function observeGuest(
  cluster: WatchedCluster,
  judge: JudgePools,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => Date },
): Promise<GuestReading> {
  const limit = timeLimit(LOOK_LIMIT_MS, signal);
  try {
    const planned = await planPass(cluster, [], { signal: limit.signal, now: now() });
    const unread = planned.inputs.guest.problems.find(({ error }) => SILENT.includes(error.kind));
    if (unread !== undefined) return { state: "unread", why: unread.error.message };
    const { resolved, unknown, executed } = compared(planned);
    const verdicts = resolved === undefined ? [] : await judge(resolved.pools, resolved.inputs.settings, limit.signal);
    const events = await eventsOf(cluster.guest);
    const { inputs, rendered, limits } = planned;
    const inspected = {
      bundle: rendered.bundle,
      resolved,
      live: inputs.guest.live,
      executed,
      verdicts,
      problems: [...inputs.guest.problems, ...limits.problems],
      notes: [],
      crds: [],
      nodeLimits: { pools: [], problems: [], failures: [], counts: NO_LIMITS },
      dryRun: true,
    };
    return {
      state: "read",
      sight: {
        results: executed.results,
        unknown,
        findings: rendered.findings.filter(
          ({ code }) => code !== "node-limit-not-enforced" || cluster.nodeLimits === "Off",
        ),
        verdicts,
        events,
        at: now(),
        inspect: (catalogue: CatalogueFor, pricesFor) =>
          withUnknown(inspectPass(inspected, catalogue, pricesFor), unknown),
      },
    };
  } catch (error) {
    return { state: "unread", why: (error as Error).message.split("\n")[0] ?? "" };
  } finally {
    limit.release();
  }
}

const NO_LIMITS = { limited: 0, budgets: 0, surplus: 0, deleted: 0 };

/** There is no answer, or not one on the whole cluster. */
const SILENT: readonly string[] = ["unavailable", "unauthorized", "tooLarge", "tooSlow"];

interface Compared {
  readonly resolved: PlannedPass["rendered"]["cluster"];
  readonly executed: { readonly results: readonly StepResult[]; readonly refused: undefined };
  /** Why nobody can tell how it stands, by `Kind/name`. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** What may not be read from here, the watch itself may well read: that holds nothing. */
function compared({ inputs, rendered, steps }: PlannedPass): Compared {
  const { inventory } = inputs;
  const hidden = inputs.problems.filter(({ side, error }) => side === "management" && error.kind === "forbidden");
  const isHidden = inventory.state === "unreadable" && inventory.error.kind === "forbidden";
  const why = [...describeProblems(hidden), ...(isHidden ? [inventory.error.message] : [])].join("; ");
  const reasons = new Set([
    ...(hidden.length > 0 ? [inputs.hiddenProblem] : []),
    ...(isHidden ? [rendered.inventoryProblem] : []),
    ...(hidden.some(({ kind }) => kind === AUTO_NODE_POLICIES.kind) ? [rendered.decision.message] : []),
  ]);
  const isUnknown = ({ action, reason }: Step) => action === "hold" && reasons.has(reason);
  const unknown = new Map(
    steps.filter(isUnknown).map(({ kind, name }) => [idOf({ kind, metadata: { name } }), why] as const),
  );
  const results = steps
    .filter((step) => !isUnknown(step))
    .map((step): StepResult => ({ step, outcome: WRITES.includes(step.action) ? "done" : "none" }));
  return { resolved: rendered.cluster, executed: { results, refused: undefined }, unknown };
}

const WRITES: readonly string[] = ["create", "update", "prune"];

function withUnknown({ pools, nodeClasses, troubles }: Inspection, unknown: Compared["unknown"]): Inspection {
  const stateOf = <T extends Inspection["pools"][number] | Inspection["nodeClasses"][number]>(
    kind: string,
    one: T,
  ): T => {
    const why = unknown.get(`${kind}/${one.name}`);
    return why === undefined ? one : { ...one, state: { words: "unknown", why, tone: "calm" } };
  };
  return {
    pools: pools.map((pool) => stateOf("NodePool", pool)),
    nodeClasses: nodeClasses.map((one) => stateOf("EC2NodeClass", one)),
    troubles,
  };
}

/** An addition: who may not read them is told everything else. */
async function eventsOf(guest: ClusterApi) {
  const answer = await guest.list(
    { ...EVENTS, namespace: "default" },
    { fieldSelector: `reportingController=${REPORTER}` },
  );
  return answer.ok ? toldEvents(answer.value.items) : [];
}
