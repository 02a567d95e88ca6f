/** The effects of keys: the screens they open, and the actions they request. */
import { describe, expect, test } from "vitest";
import type { ClusterView } from "../../../src/report/dashboard/fleet-view.ts";
import { screenOf } from "../../../src/report/dashboard/screen-of.ts";
import { PLAIN } from "../../../src/report/terminal/style.ts";
import { drive, driveEach, selectedOf, type Typed } from "../../support/dashboard/drive.ts";
import {
  cluster,
  FAILED,
  fleet,
  HELD,
  LOG,
  manyClusters,
  PAUSED,
  passed,
  starting,
} from "../../support/dashboard/sample-fleet.ts";
import { manyPools } from "../../support/dashboard/sample-pools.ts";

const THREE = fleet([cluster("a"), HELD, FAILED], { log: LOG });
const MANY = fleet(manyClusters(300));
const POOLS = fleet([cluster("c1", { pass: passed({ opened: manyPools(120) }) })]);
const type = (text: string): Typed => ({ type: text });

describe("moving", () => {
  test.each<[readonly Typed[], string]>([
    [[], "tenant-001"],
    [["down"], "tenant-002"],
    [["up"], "tenant-001"],
    [["down", "down", "up"], "tenant-002"],
    [[type("jjk")], "tenant-002"],
    [["end"], "tenant-300"],
    [["end", "down"], "tenant-300"],
    [["end", "home"], "tenant-001"],
    [[type("G")], "tenant-300"],
    [[type("Gg")], "tenant-001"],
    // 14 rows fit; one of the old page stays.
    [["pageDown"], "tenant-014"],
    [["pageDown", "pageDown"], "tenant-027"],
    [["end", "pageUp"], "tenant-287"],
    [["pageUp"], "tenant-001"],
  ])("%j", (keys, selected) => {
    const driven = drive(MANY, keys);
    expect(selectedOf(driven)).toBe(selected);
    expect(driven.screen.body.filter((line) => line.startsWith(" ▸ "))).toEqual([
      expect.stringMatching(`^ ▸ ${selected} `),
    ]);
  });

  test("every row can be reached, and is then visible", () => {
    const seen = driveEach(MANY, [type("j".repeat(299))]);
    expect(seen.map(selectedOf)).toEqual(MANY.clusters.map(({ name }) => name));
    for (const driven of seen) expect(driven.screen.body.join("\n")).toContain(` ▸ ${selectedOf(driven)!} `);
  });

  test("pools and node classes are one list; headings are never selected", () => {
    const [, ...seen] = driveEach(POOLS, ["enter", type("j".repeat(121))]);
    const pools = Array.from({ length: 120 }, (_, index) => `NodePool/pool-${String(index + 1).padStart(3, "0")}`);
    expect(seen.map(selectedOf)).toEqual([...pools, "EC2NodeClass/default", "EC2NodeClass/gpu"]);
  });

  test("the selection of a removed row moves to the next one", () => {
    const { ui } = drive(THREE, ["down"]);
    const look = { columns: 80, rows: 24, style: PLAIN };
    const without = (...left: readonly ClusterView[]) => screenOf(fleet(left), ui, look).content;
    expect(without(cluster("a"), FAILED)).toMatchObject({ selected: "search-us" });
    expect(without(cluster("a"))).toMatchObject({ selected: "a" });
    expect(without()).toMatchObject({ selected: undefined });
  });
});

describe("screens", () => {
  const kinds = (keys: readonly Typed[], view = THREE) => drive(view, keys).ui.screens.map(({ kind }) => kind);

  test.each<[readonly Typed[], readonly string[]]>([
    [[], ["fleet"]],
    [["enter"], ["fleet", "cluster"]],
    [
      ["right", "right"],
      ["fleet", "cluster", "object"],
    ],
    [["enter", "escape"], ["fleet"]],
    [["enter", "enter", "left", "left"], ["fleet"]],
    [["escape"], ["fleet"]],
    [[type("f")], ["fleet", "findings"]],
    [[type("ff")], ["fleet"]],
    [
      ["enter", type("f"), "escape"],
      ["fleet", "cluster"],
    ],
    [[type("l")], ["fleet", "log"]],
    [[type("ll")], ["fleet"]],
    [[type("?")], ["fleet", "help"]],
    [[type("??")], ["fleet"]],
    [
      ["enter", type("?"), "escape"],
      ["fleet", "cluster"],
    ],
    // Nothing to open, and keys without a meaning.
    [
      ["enter", "enter", "enter"],
      ["fleet", "cluster", "object"],
    ],
    [[type("xyz")], ["fleet"]],
  ])("%j leads to %j", (keys, screens) => {
    expect(kinds(keys)).toEqual(screens);
  });

  test("without clusters there is nothing to open", () => {
    expect(kinds(["enter", type("fpr"), "down", "end"], fleet([]))).toEqual(["fleet"]);
    expect(drive(fleet([]), ["enter", type("fpr")]).actions).toEqual([]);
  });

  test("going back selects the row that was opened", () => {
    expect(selectedOf(drive(MANY, ["pageDown", "pageDown", "enter", "down", "escape"]))).toBe("tenant-027");
  });

  test("the log scrolls with new lines only at its end", () => {
    const log = Array.from({ length: 60 }, (_, index) => ({
      cluster: "a",
      level: "info" as const,
      text: `line ${index}`,
    }));
    const longer = [...log, { cluster: "a", level: "info" as const, text: "the newest" }];
    const bodies = (keys: readonly Typed[], lines: typeof longer) =>
      drive(fleet([cluster("a")], { log: lines }), keys).screen.body;
    expect(bodies([type("l")], log).at(-1)).toBe(" line 59");
    expect(bodies([type("l")], longer).at(-1)).toBe(" the newest");
    expect(bodies([type("l"), "up"], longer).at(-1)).toBe(" line 59");
    expect(bodies([type("l"), "home"], longer)[0]).toBe(" line 0");
    expect(drive(fleet([cluster("a")], { log }), [type("l"), "up", "down"]).ui.screens.at(-1)).toMatchObject({
      top: "end",
    });
  });
});

describe("actions", () => {
  test.each<[readonly Typed[], readonly object[]]>([
    [[type("p")], [{ do: "pause", cluster: "a" }]],
    [["down", type("r")], [{ do: "reconcile", cluster: "payments-eu" }]],
    [["down", "enter", type("p")], [{ do: "pause", cluster: "payments-eu" }]],
    [["down", "enter", "enter", type("r")], [{ do: "reconcile", cluster: "payments-eu" }]],
    [["down", type("f"), type("p")], [{ do: "pause", cluster: "payments-eu" }]],
    [["end", type("r")], []],
    [["end", type("p")], [{ do: "resume", cluster: "c1" }]],
    [[type("q")], [{ do: "quit" }]],
    [
      ["ctrl-c", "ctrl-c"],
      [{ do: "quit" }, { do: "quit" }],
    ],
    // The log is of all clusters, so no cluster is selected.
    [[type("lp")], []],
    // Characters of the filter trigger no action.
    [[type("/prq"), "enter"], []],
    [[type("/"), "ctrl-c"], [{ do: "quit" }]],
  ])("%j asks for %j", (keys, actions) => {
    expect(drive(fleet([cluster("a"), HELD, PAUSED]), keys).actions).toEqual(actions);
  });

  test("a note explains an impossible action", () => {
    expect(drive(fleet([PAUSED]), [type("r")]).ui.note).toBe("c1 is paused: p resumes it");
    const standby = fleet([cluster("c1", { phase: "standby" })]);
    expect(drive(standby, [type("r")])).toMatchObject({
      ui: { note: "another replica holds the lease and reconciles" },
      actions: [],
    });
    expect(drive(fleet([PAUSED]), [type("r"), "down"]).ui.note).toBe("");
  });
});

describe("filter", () => {
  const rows = (keys: readonly Typed[], view = THREE) => {
    const { content } = drive(view, keys).screen;
    return content.kind === "list" ? content.rows : [];
  };

  test.each<[string, readonly string[]]>([
    ["held", ["payments-eu"]],
    ["FAILED", ["search-us"]],
    ["clusters-pay", ["payments-eu"]],
    ["outside apply", ["payments-eu"]],
    ["hold", ["search-us"]],
    ["no nodes", ["payments-eu"]],
    ["unsatisfiable", ["payments-eu"]],
    ["narrowed", ["payments-eu"]],
    ["nowhere", []],
    ["  ", ["a", "payments-eu", "search-us"]],
  ])("%j", (text, names) => {
    expect(rows([type(`/${text}`)])).toEqual(names);
    expect(rows([type(`/${text}`), "enter"])).toEqual(names);
    expect(rows([type(`/${text}`), "enter", "escape"])).toHaveLength(3);
    expect(rows([type(`/${text}`), "escape"])).toHaveLength(3);
  });

  test("typed characters can be deleted", () => {
    expect(rows([type("/heldx"), "backspace"])).toEqual(["payments-eu"]);
    expect(rows([type("/heldx"), "ctrl-u"])).toHaveLength(3);
    expect(drive(THREE, [type("/x"), "backspace", "backspace"]).ui.filtering).toBe(false);
  });

  test("the filter finds verdicts in an opened cluster", () => {
    expect(rows(["enter", type("/unsat"), "enter"], POOLS)).toHaveLength(20);
    expect(rows(["enter", type("/gpu"), "enter"], POOLS)).toEqual(["EC2NodeClass/gpu"]);
  });

  test("screens of text have no filter", () => {
    expect(drive(THREE, [type("l/")]).ui.filtering).toBe(false);
  });

  test("a cluster that has not run yet is found by its phase", () => {
    expect(rows([type("/starting")], fleet([cluster("a"), starting("b")]))).toEqual(["b"]);
  });
});
