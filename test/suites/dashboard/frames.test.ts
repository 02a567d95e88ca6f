/** Whole frames of the dashboard as files, for sizes, states and screens; none is larger than the terminal. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { processContext } from "../../../src/commands/cli/context.ts";
import { textWidth } from "../../../src/report/terminal/text-width.ts";
import type { FleetView } from "../../../src/report/dashboard/fleet-view.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { fakeTerminal, KEYS, type TerminalOptions } from "../../support/dashboard/fake-terminal.ts";
import {
  ALL_HELD,
  BROKEN,
  cluster,
  FAILED,
  fleet,
  HELD,
  JUDGED,
  LOG,
  manyClusters,
  PAUSED,
  passed,
  RUNNING,
  starting,
  UNICODE,
} from "../../support/dashboard/sample-fleet.ts";
import { judgedPools, manyPools } from "../../support/dashboard/sample-pools.ts";

const { down, enter, end, pageDown, escape } = KEYS;

const ALL_STATES = fleet([cluster("api"), HELD, FAILED, BROKEN, PAUSED, RUNNING, starting("new")]);
const LARGE: TerminalOptions = { columns: 200, rows: 50 };
const MANY_POOLS = fleet([cluster("c1", { pass: passed({ opened: manyPools(120) }) })]);

const CASES: readonly (readonly [name: string, view: FleetView, options: TerminalOptions, keys: readonly string[]])[] =
  [
    ["empty", fleet([]), {}, []],
    ["starting", fleet([starting("c1"), starting("c2")]), {}, []],
    ["all-states-80x24", ALL_STATES, {}, [down]],
    ["all-states-200x50", ALL_STATES, LARGE, [down, down]],
    ["all-states-100x30", ALL_STATES, { columns: 100, rows: 30 }, [end, KEYS.up]],
    ["all-states-60x12", ALL_STATES, { columns: 60, rows: 12 }, [down]],
    ["too-small-40x10", ALL_STATES, { columns: 40, rows: 10 }, []],
    ["verdicts-80x24", fleet(JUDGED), {}, []],
    ["verdicts-200x50", fleet(JUDGED), LARGE, []],
    ["verdicts-60x12", fleet(JUDGED), { columns: 60, rows: 12 }, []],
    ["verdicts-filtered", fleet(JUDGED), {}, ["/", "unknown", enter]],
    ["judged-pools", fleet([cluster("c1", { pass: passed({ opened: judgedPools }) })]), {}, [enter]],
    ["judged-pool-why", fleet([cluster("c1", { pass: passed({ opened: judgedPools }) })]), {}, [enter, end]],
    ["300-clusters", fleet(manyClusters(300)), {}, [pageDown, pageDown, down]],
    ["300-clusters-end", fleet(manyClusters(300)), LARGE, [end]],
    ["300-clusters-filtered", fleet(manyClusters(300)), {}, ["/", "failed", enter]],
    ["filtering", ALL_STATES, {}, ["/", "held"]],
    ["nothing-found", ALL_STATES, {}, ["/", "nowhere", enter]],
    ["paused", fleet([PAUSED]), {}, ["r"]],
    ["standby", fleet([cluster("c1", { phase: "standby", nextRun: undefined })], { leader: false }), {}, []],
    ["stopping", fleet([RUNNING], { stopping: true }), {}, []],
    ["unicode", UNICODE, {}, [down]],
    ["cluster-80x24", ALL_STATES, {}, [down, enter, down]],
    ["cluster-200x50", ALL_STATES, LARGE, [down, enter]],
    ["cluster-node-class", ALL_STATES, {}, [down, enter, end]],
    ["cluster-not-run-yet", ALL_STATES, {}, [end, enter]],
    ["cluster-broken", ALL_STATES, {}, [down, down, down, enter]],
    ["cluster-many-pools", MANY_POOLS, {}, [enter, pageDown, pageDown, down]],
    ["cluster-many-pools-end", MANY_POOLS, {}, [enter, end]],
    ["cluster-filtered", MANY_POOLS, {}, [enter, "/", "unsat", enter]],
    ["pool", ALL_STATES, { rows: 34 }, [down, enter, down, enter]],
    ["pool-with-prices", ALL_STATES, { rows: 34 }, [down, enter, down, down, down, enter]],
    ["pool-not-rendered", ALL_STATES, {}, [down, enter, down, down, down, down, enter]],
    ["node-class", ALL_STATES, {}, [down, enter, end, enter]],
    ["findings-80x24", ALL_STATES, {}, [down, "f"]],
    ["findings-80x24-end", ALL_STATES, {}, [down, "f", end]],
    ["findings-200x50", ALL_STATES, LARGE, [down, "f"]],
    ["findings-held", fleet([ALL_HELD]), {}, ["f"]],
    ["findings-none", ALL_STATES, {}, ["f"]],
    ["findings-broken", ALL_STATES, {}, [down, down, down, "f"]],
    ["log", fleet([HELD, cluster("api")], { log: LOG }), {}, ["l"]],
    ["log-of-cluster", fleet([cluster("api"), HELD], { log: LOG }), {}, [enter, "l"]],
    ["help-80x24", ALL_STATES, {}, ["?"]],
    ["help-200x50", ALL_STATES, LARGE, ["?"]],
    ["docs-fleet", ALL_STATES, { rows: 19 }, [down]],
    ["docs-cluster", ALL_STATES, { rows: 19 }, [down, enter, down]],
    ["back-again", ALL_STATES, {}, [down, enter, enter, escape, escape]],
  ];

describe("frames", () => {
  test.concurrent.for(CASES)("%s", async ([name, view, options, keys], { expect: check }) => {
    const { columns = 80, rows = 24 } = options;
    const terminal = await fakeTerminal(view, options);
    await terminal.type(...keys);
    const frame = terminal.frame();
    await terminal.close();
    const lines = frame.split("\n");
    check(lines).toHaveLength(rows);
    check(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    await check(`${frame}\n`).toMatchFileSnapshot(`frames/${name}.txt`);
  });

  test("docs/watch.md shows the frames unchanged", () => {
    const shown = blocksOf(/^## Dashboard$(.*?)(?=^## |$(?![^]))/ms.exec(readPage("docs/watch.md"))?.[1] ?? "").map(
      ({ lines }) => lines,
    );
    const wanted = ["docs-fleet", "docs-cluster"].map((name) =>
      readFileSync(new URL(`frames/${name}.txt`, import.meta.url), "utf8")
        .trimEnd()
        .split("\n"),
    );
    expect(shown).toEqual(wanted);
  });

  test("colours: only states that need attention have one, and they change no column", async () => {
    const style = processContext().outStyle("always");
    const terminal = await fakeTerminal(ALL_STATES, { style });
    await terminal.type(down);
    const frame = terminal.frame();
    await terminal.close();
    // oxlint-disable-next-line no-control-regex -- the escapes are compared
    const sgr = /\u001b\[([\d;]*)m/g;
    await expect(`${frame.replaceAll(sgr, "‹$1›")}\n`).toMatchFileSnapshot("frames/colours.txt");
    const plain = await fakeTerminal(ALL_STATES);
    await plain.type(down);
    expect(frame.replaceAll(sgr, "")).toBe(plain.frame());
    await plain.close();
  });

  test("resized: every size has its own frame, and the selection stays", async () => {
    const terminal = await fakeTerminal(ALL_STATES);
    await terminal.type(down, down);
    const first = terminal.frame();
    for (const [columns, rows] of [
      [200, 50],
      [40, 10],
      [60, 12],
      [120, 24],
    ] as const) {
      await terminal.resize(columns, rows);
      const lines = terminal.frame().split("\n");
      expect(lines).toHaveLength(rows);
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
    }
    await terminal.resize(80, 24);
    expect(terminal.frame()).toBe(first);
    await terminal.close();
  });
});
