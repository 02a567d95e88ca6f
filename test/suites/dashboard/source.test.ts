/** Between the run and the dashboard: views of states, throttled changes, actions, and a log that is never lost. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { StepResult } from "../../../src/cluster/apply/execute.ts";
import { fleetState, type FleetState } from "../../../src/cluster/fleet/fleet-state.ts";
import { nothing, type StepAction } from "../../../src/cluster/plan/step.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { type Context, processContext } from "../../../src/commands/cli/context.ts";
import { runOnDashboard } from "../../../src/commands/watch/dashboard.ts";
import { fleetSource, recentLog } from "../../../src/commands/watch/fleet-source.ts";
import type { ClusterView, PoolView } from "../../../src/report/dashboard/fleet-view.ts";
import { sortBySeverity } from "../../../src/report/dashboard/fleet-screen.ts";
import { outcomesOfSteps } from "../../support/cluster/steps-of.ts";
import { pool } from "../../support/dashboard/sample-pools.ts";

const NO_CATALOGUE = () => {
  throw new Error("nothing is explained here");
};

const START = Date.UTC(2026, 10, 22, 3, 0, 0);

let now: number;
let tick: () => void;
let left: number[];
let written: string[];
let context: Context;

beforeEach(() => {
  now = START;
  left = [];
  written = [];
  tick = () => undefined;
  const real = processContext();
  context = {
    ...real,
    writeError: (text) => void written.push(text),
    machine: {
      ...real.machine,
      now: () => now,
      every: (_milliseconds, act) => {
        tick = act;
        return () => {
          tick = () => undefined;
        };
      },
      leave: (code) => void left.push(code),
    },
  };
});

function result(action: StepAction, name: string, outcome: StepResult["outcome"] = "none"): StepResult {
  return {
    step: { ...nothing("NodePool", name), action },
    outcome,
  };
}

function cameTo(results: readonly StepResult[], over: Partial<ReconcileResult> = {}): ReconcileResult {
  const pools = results.map(({ step }) => pool(step.name, "ok"));
  return {
    cluster: "c1",
    result: "ok",
    mode: "Apply",
    ready: { status: "True", reason: "Applied", message: "applied" },
    outcomes: outcomesOfSteps(results, over.dryRun),
    findings: [],
    problems: [],
    verdicts: [],
    nodeLimits: { pools: [] },
    dryRun: false,
    counts: { drift: 2, pruned: 1 },
    details: () => ({ pools, nodeClasses: [], problems: [] }),
    ...over,
  } as unknown as ReconcileResult;
}

function ended(state: FleetState, last: ReconcileResult | undefined, broken?: string): void {
  state.reporters[0]!.ended({ result: last, broken, end: new Date(now) });
}

const CLUSTERS = [
  { name: "c1", hostedCluster: "clusters-c1" },
  { name: "c2", hostedCluster: "clusters-c2" },
];

describe("views", () => {
  const viewsOf = () => {
    const state = fleetState(CLUSTERS, () => undefined);
    const source = fleetSource(state.fleet, recentLog(), { catalogue: NO_CATALOGUE }, context.machine);
    const look = (): ClusterView => {
      tick();
      return source.view().clusters.find(({ name }) => name === "c1")!;
    };
    return { state, source, look };
  };

  test("before and after the first pass", () => {
    const { state, look } = viewsOf();
    expect(look()).toMatchObject({ name: "c1", hostedCluster: "clusters-c1", phase: "starting", pass: undefined });
    ended(state, cameTo([result("create", "web", "done"), result("in-sync", "api")]));
    expect(look()).toMatchObject({ lastEnd: START, lastSuccess: START, drift: 2, pruned: 1, pass: { result: "ok" } });
  });

  test("each object is counted once", () => {
    const { state, look } = viewsOf();
    const differing = result("managed-by-operator", "g");
    ended(
      state,
      cameTo([
        result("in-sync", "a"),
        result("create", "b", "done"),
        result("update", "c", "failed"),
        result("prune", "d", "skipped"),
        result("hold", "e"),
        result("keep", "f"),
        { ...differing, step: { ...differing.step, differences: [{ field: "spec", owner: undefined, how: "value" }] } },
        result("managed-by-operator", "h"),
        result("foreign-object", "i"),
      ]),
    );
    expect(look().pass?.objects).toEqual({ inSync: 2, changed: 1, held: 3, foreign: 1, failed: 2 });
  });

  test("the last change of a pool is kept until the pool is gone", () => {
    const { state, look } = viewsOf();
    const changeOf = (name: string): PoolView["lastChange"] =>
      look()
        .pass?.opened()
        .pools.find((one) => one.name === name)?.lastChange;
    ended(state, cameTo([result("create", "web", "done")]));
    expect(changeOf("web")).toEqual({ words: "created", at: START });
    now += 60_000;
    ended(state, cameTo([result("in-sync", "web")]));
    expect(changeOf("web")).toEqual({ words: "created", at: START });
    ended(state, cameTo([result("update", "web", "done")]));
    expect(changeOf("web")).toEqual({ words: "updated", at: now });
    ended(state, cameTo([result("prune", "web", "done")]));
    expect(changeOf("web")).toBeUndefined();
    ended(state, cameTo([result("create", "web", "done")], { dryRun: true }));
    expect(changeOf("web")).toBeUndefined();
  });

  test("a failed pass keeps earlier facts", () => {
    const { state, look } = viewsOf();
    ended(state, cameTo([result("in-sync", "web")]));
    ended(state, undefined, "cannot be reached");
    expect(look()).toMatchObject({ broken: "cannot be reached", pass: { objects: { inSync: 1 } } });
  });

  test("details of an opened cluster are computed once per pass", () => {
    const { state, look } = viewsOf();
    const details = vi.fn<ReconcileResult["details"]>(() => ({ pools: [], nodeClasses: [], problems: [] }));
    ended(state, cameTo([], { details }));
    look().pass?.opened();
    state.reporters[0]!.report("waiting", new Date(now));
    now += 5000;
    look().pass?.opened();
    expect(details).toHaveBeenCalledTimes(1);
  });
});

describe("source", () => {
  test("changes are reported once per frame; without a change once a second", () => {
    const state = fleetState(CLUSTERS, () => undefined);
    const log = recentLog();
    const source = fleetSource(state.fleet, log, { catalogue: NO_CATALOGUE }, context.machine);
    const told = vi.fn<() => void>();
    const forget = source.onChange(told);
    for (let index = 0; index < 1000; index++) state.reporters[1]!.report(index % 2 === 0 ? "running" : "queued");
    expect(told).not.toHaveBeenCalled();
    tick();
    tick();
    expect(told).toHaveBeenCalledTimes(1);
    const { view } = source;
    const before = view();
    now += 999;
    tick();
    expect(view()).toBe(before);
    now += 1;
    tick();
    expect(told).toHaveBeenCalledTimes(2);
    log.add({ level: "info", msg: "created", fields: { cluster: "c1", object: "NodePool web" } }, new Date(now));
    tick();
    expect(view().log).toEqual([
      { cluster: "c1", level: "info", text: '03:00:01 created cluster=c1 object="NodePool web"' },
    ]);
    forget();
    now += 5000;
    tick();
    expect(told).toHaveBeenCalledTimes(3);
    source.stop();
  });

  test("actions reach the fleet; the second quit does not wait", () => {
    const quit = vi.fn<() => void>();
    const state = fleetState(CLUSTERS, quit);
    const source = fleetSource(state.fleet, recentLog(), { catalogue: NO_CATALOGUE }, context.machine);
    const paused = () => state.fleet.clusters().map(({ isPaused }) => isPaused);
    source.act({ do: "pause", cluster: "c2" });
    expect(paused()).toEqual([false, true]);
    source.act({ do: "resume", cluster: "c2" });
    expect(paused()).toEqual([false, false]);
    source.act({ do: "quit" });
    tick();
    expect([source.view().stopping, quit.mock.calls.length, left]).toEqual([true, 1, []]);
    source.act({ do: "quit" });
    expect([quit.mock.calls.length, left]).toEqual([1, [130]]);
  });
});

describe("log", () => {
  test("the newest lines are kept, and no more than 500", () => {
    const log = recentLog();
    for (let index = 0; index < 1200; index++)
      log.add({ level: "warn", msg: `line ${index}`, fields: { reason: "a b", nodes: undefined } }, new Date(START));
    expect(log.lines()).toHaveLength(500);
    expect(log.lines().at(-1)).toEqual({
      cluster: undefined,
      level: "warn",
      text: '03:00:00 warn line 1199 reason="a b"',
    });
  });
});

vi.mock(import("../../../src/report/dashboard/show-dashboard.ts"), () => ({
  sortBySeverity,
  showDashboard: async () => shown(),
}));

let shown: () => Promise<{ close: () => void; closed: Promise<void> }>;

describe("run", () => {
  const outcome = { result: "ok", findings: [] } as const;
  const entry = (msg: string) => ({ level: "info", msg, fields: {} }) as const;
  const time = new Date(START);

  test("the log is not written while the dashboard is open", async () => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    shown = async () => ({ close, closed });
    const ending = await runOnDashboard(
      async ({ onFleet, log }) => {
        onFleet(fleetState(CLUSTERS, () => undefined).fleet);
        log(entry("first"), time);
        await Promise.resolve();
        expect(written).toEqual([]);
        return outcome;
      },
      NO_CATALOGUE,
      context,
    );
    expect(ending).toBe(outcome);
    expect(written).toEqual([]);
  });

  test("a failed dashboard loses no line of the log, and no pass", async () => {
    shown = async () => ({ close: () => undefined, closed: Promise.reject(new Error("made to fail\nat line 1")) });
    const ending = await runOnDashboard(
      async ({ onFleet, log }) => {
        log(entry("first"), time);
        onFleet(fleetState(CLUSTERS, () => undefined).fleet);
        await new Promise((resolve) => setTimeout(resolve, 10));
        log(entry("second"), time);
        return outcome;
      },
      NO_CATALOGUE,
      context,
    );
    expect(ending).toBe(outcome);
    expect(written).toEqual([
      "time=2026-11-22T03:00:00.000Z level=info msg=first\n",
      "anp: the dashboard failed, please report it; watch goes on: made to fail\n",
      "time=2026-11-22T03:00:00.000Z level=info msg=second\n",
    ]);
  });

  test("a run that ends before the dashboard opens is not delayed", async () => {
    const close = vi.fn<() => void>();
    shown = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { close, closed: Promise.resolve() };
    };
    await runOnDashboard(
      async ({ onFleet }) => {
        onFleet(fleetState(CLUSTERS, () => undefined).fleet);
        return outcome;
      },
      NO_CATALOGUE,
      context,
    );
    expect(close).toHaveBeenCalledTimes(1);
  });

  test("a run without a fleet, such as one without a kubeconfig, shows no dashboard", async () => {
    shown = () => {
      throw new Error("shown");
    };
    const problem = { result: "failed", findings: [], problem: "the kubeconfig cannot be read" } as const;
    expect(await runOnDashboard(async () => problem, NO_CATALOGUE, context)).toBe(problem);
    expect(written).toEqual([]);
  });
});
