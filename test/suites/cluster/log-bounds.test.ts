/** The log of a watch has bounds: lines of a pass, their length, and what a slow reader has not taken. */
import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { bufferedLog } from "../../../src/cluster/run/buffered-log.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import type { StepResult } from "../../../src/cluster/apply/execute.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { outcomesOfSteps } from "../../support/cluster/steps-of.ts";

const MANY = 25_000;

/** Of a guest cluster whose users made many wrong wrappers, among them a few that are an error. */
function passOf(over: Partial<ReconcileResult>): ReconcileResult {
  return {
    cluster: "c1",
    dryRun: false,
    outcomes: [],
    findings: [],
    problems: [],
    verdicts: [],
    counts: {},
    result: "held",
    mode: "Apply",
    ready: { status: "True" },
    nodeLimits: { pools: [], problems: [], failures: [], counts: { limited: 0 } },
    ...over,
  } as unknown as ReconcileResult;
}

const findings = Array.from({ length: MANY }, (_, index) => ({
  code: "unknown-field",
  severity: index % 1000 === 999 ? ("error" as const) : ("warning" as const),
  message: `${index} ${"x".repeat(5000)}`,
})) as unknown as ReconcileResult["findings"];

describe("of a pass", () => {
  test("a hundred lines of a kind are told, errors first, and how many more there are", () => {
    const { state } = logLines(passOf({ findings }), 0);
    expect(state).toHaveLength(101);
    expect(state.slice(0, 25).map(({ level }) => level)).toEqual(Array(25).fill("error"));
    expect(state.at(-1)).toEqual({
      level: "warn",
      msg: `and ${MANY - 100} more`,
      fields: { cluster: "c1", of: "findings" },
    });
    expect(Math.max(...state.map((entry) => JSON.stringify(entry).length))).toBeLessThan(1200);
  });

  test("what was changed is told in full, up to a bound of its own", () => {
    const results = Array.from({ length: 600 }, (_, index) => ({
      step: {
        kind: "NodePool",
        name: `p${index}`,
        action: "create",
        differences: [],
        drift: [],
        reason: "",
        writerConflict: "",
      },
      outcome: index === 599 ? "failed" : "done",
    })) as unknown as readonly StepResult[];
    expect(logLines(passOf({ outcomes: outcomesOfSteps(results.slice(0, 500)) }), 0).done).toHaveLength(500);
    const { done } = logLines(passOf({ outcomes: outcomesOfSteps(results) }), 0);
    expect(done).toHaveLength(501);
    expect(done[0]).toMatchObject({ level: "error", msg: "create failed", fields: { object: "NodePool p599" } });
    expect(done.at(-1)).toMatchObject({ msg: "and 100 more", fields: { of: "changes" } });
  });

  test("a single pass logs everything", () => {
    const { state } = logLines(passOf({ findings }), 0, true);
    expect(state).toHaveLength(MANY);
    expect(state[0]?.msg).toHaveLength(5002);
  });
});

const line = (msg: string, level: LogEntry["level"] = "info"): LogEntry => ({ level, msg, fields: {} });

describe("a slow reader of the log", () => {
  function slow(most: number) {
    const written: string[] = [];
    let release: () => void = () => undefined;
    const log = bufferedLog({
      format: ({ msg, fields }) => `${msg}${String(fields["lines"] ?? "")}\n`,
      write: (text) => {
        written.push(text);
        return new Promise((resolve) => (release = resolve));
      },
      most,
    });
    return { log, written, release: () => release() };
  }
  const waits = () => new Promise((resolve) => void setImmediate(resolve));

  test("keeps no pass waiting: what is beyond the bound is dropped, the worst last, and counted", async () => {
    const { log, written, release } = slow(100);
    log.add(line("first"));
    for (let index = 0; index < 1000; index++) log.add(line("an info"));
    for (let index = 0; index < 1000; index++) log.add(line("a warning", "warn"));
    for (let index = 0; index < 1000; index++) log.add(line("an error", "error"));
    expect(written).toEqual(["first\n"]);
    release();
    await waits();
    const told = (written[1] ?? "").split("\n").slice(0, -1);
    const last = told.pop();
    expect(told.join("\n").length).toBeLessThan(100);
    expect(new Set(told)).toEqual(new Set(["an info", "a warning", "an error"]));
    expect(last).toBe(`log lines dropped${3000 - told.length}`);
    release();
    await waits();
    log.add(line("last"));
    expect(written[2]).toBe("last\n");
  });

  test("is waited for at the end, and not for ever", async () => {
    const { log, release, written } = slow(100);
    log.add(line("a"));
    log.add(line("b"));
    await log.end(10);
    expect(written).toEqual(["a\n"]);
    const ended = log.end(60_000);
    release();
    await waits();
    release();
    await ended;
    expect(written).toEqual(["a\n", "b\n"]);
  });
});
