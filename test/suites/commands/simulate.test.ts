/** `anp simulate` end to end: inputs, streams, widths, colours, exit codes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, pool } from "../../support/process/inputs.ts";

const CASES = join(ROOT, "fixtures/cases/simulate");
const WEEK = ["simulate", "in", "--from", "2026-11-23", "--to", "+7d", "--nodes", "web=9"];
const cwd = join(CASES, "timeline");
const dump = readFileSync(join(CASES, "dump/dump.json"), "utf8");

const widest = (text: string): number => Math.max(...text.split("\n").map((line) => [...line].length));
/** Escape sequences that start and end colours. */
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");

describe("where pools and nodes come from", () => {
  it("a piped dump, and the same dump as node data without PATH, give the same answer", async () => {
    const at = ["--at", "2026-11-23T09:30:00Z"];
    const piped = await runAnp(["simulate", ...at, "-o", "json"], { input: dump });
    expect(piped).toMatchObject({ exit: 0, stderr: "" });
    const named = await runAnp(["simulate", "--node-data", "dump.json", ...at, "-o", "json"], {
      cwd: join(CASES, "dump"),
    });
    expect(named).toStrictEqual(piped);
    expect(JSON.parse(piped.stdout)).toStrictEqual({
      schemaVersion: 1,
      mode: "raw",
      at: "2026-11-23T09:30:00Z",
      nodePools: [
        {
          name: "web",
          nodes: 6,
          limit: { nodes: 4, mode: "Soft" },
          headroom: 0,
          provisioning: "blocked",
          messages: ["Failed to schedule pod, all available instance types exceed limits for nodepool (NodePool=web)"],
          disruption: ["Empty", "Drifted", "Underutilized"].map((reason) => ({
            reason,
            budget: 3,
            allowed: 1,
            blockedBy: null,
          })),
          deprovision: [],
          settles: {
            until: "open",
            earliest: "2026-11-23T09:40:00Z",
            latest: null,
            why: "web-e is being deleted already, and its pods may block that",
            steps: [
              { at: "2026-11-23T09:30:00Z", gone: 1 },
              { at: "2026-11-23T09:35:00Z", gone: 4 },
              { at: "2026-11-23T09:40:00Z", gone: 6 },
            ],
          },
        },
      ],
    });
  });

  it("--nodepool can be given for several pools", async () => {
    const cwd = folderWith({ "pools.yaml": ["a", "b", "c"].map((name) => pool(name)).join("---\n") });
    const shown = async (...names: string[]): Promise<string[]> => {
      const flags = names.flatMap((name) => ["--nodepool", name]);
      const { stdout } = await runAnp(["simulate", "pools.yaml", ...flags, "-o", "json"], { cwd });
      return (JSON.parse(stdout) as { nodePools: { name: string }[] }).nodePools.map(({ name }) => name);
    };
    expect([await shown(), await shown("b"), await shown("c", "a")]).toStrictEqual([
      ["a", "b", "c"],
      ["b"],
      ["a", "c"],
    ]);
    const unknown = await runAnp(["simulate", "pools.yaml", "--nodepool", "a", "--nodepool", "d"], { cwd });
    expect(unknown).toMatchObject({ exit: 2, stdout: "" });
    expect(unknown.stderr).toContain("anp: the input has no node pool d\n");
  });

  it("without --at, the time is now", async () => {
    const before = Date.now();
    const { at } = JSON.parse((await runAnp(["simulate", "in", "-o", "json"], { cwd })).stdout) as { at: string };
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  });
});

describe("how it looks", () => {
  it.each([80, 100, 200])("in %i columns the timeline fits, with the same content", async (columns) => {
    const { stdout, exit } = await runAnp(WEEK, { cwd, env: { COLUMNS: String(columns) } });
    expect(exit).toBe(0);
    expect(widest(stdout)).toBeLessThanOrEqual(columns);
    const bars = stdout.split("\n").filter((line) => /[█▆▄▂▒░]{20}/u.test(line) && !line.includes("room"));
    expect(bars).toHaveLength(3);
    expect(widest(bars.join("\n"))).toBeLessThanOrEqual(columns);
    expect(stdout).toContain("no Drifted node may go for 2d 2h of 7d, 5 times");
  });

  it("colours do not change the text", async () => {
    const plain = (await runAnp([...WEEK, "--color", "never"], { cwd })).stdout;
    const colored = (await runAnp([...WEEK, "--color", "always"], { cwd })).stdout;
    expect(colored).not.toBe(plain);
    expect(colored.replaceAll(COLOR, "")).toBe(plain);
  });
});

describe("exit codes", () => {
  it.each([
    ["nothing is wrong with a warning", ["in", "--tz", "Europe/Berlin", "--nodes", "web=1"], 0, "budget-window-shifts"],
    [
      "unless --fail-on asks for it",
      ["in", "--tz", "Europe/Berlin", "--nodes", "web=1", "--fail-on", "warning"],
      1,
      "budget-window-shifts",
    ],
    ["no policy where one is required", ["in", "--require-policy"], 1, "[policy-required]"],
    ["nor for one pool", ["in", "--require-policy", "--nodepool", "web"], 1, "[policy-required]"],
    ["no such file", ["nowhere"], 3, "does not exist"],
    ["no such node data", ["in", "--node-data", "nowhere.json"], 3, "nowhere.json does not exist"],
    [
      "a file without node data",
      ["in", "--node-data", "in/pools.yaml"],
      3,
      "holds neither NodeClaims nor Nodes nor NodePools",
    ],
    ["no such zone", ["in", "--tz", "Europe/Atlantis"], 2, "time zone of the IANA database"],
    ["no such time", ["in", "--at", "tomorrow"], 2, "--at tomorrow is no time"],
    ["a moment and a span", ["in", "--at", "now", "--to", "+1d"], 2, "give one of them"],
    ["a span backwards", ["in", "--from", "2026-11-23", "--to", "2026-11-22"], 2, "--to must be later than --from"],
    ["a span without end", ["in", "--to", "+500d"], 2, "at most 400 days"],
    ["no such pool", ["in", "--nodepool", "wep"], 2, "no node pool wep"],
    ["an invalid number", ["in", "--nodes", "web=ten"], 2, "Write POOL=NUMBER"],
    ["a window without zone", ["--local-window", "mon-fri 08:00-18:00"], 2, "--local-window needs --tz"],
    ["an invalid window", ["--local-window", "workdays", "--tz", "Europe/Berlin"], 2, "write days and times"],
  ])("%s", async (_name, args, exit, words) => {
    const ended = await runAnp(["simulate", ...args], { cwd });
    expect(ended.exit).toBe(exit);
    expect(ended.stderr).toContain(words);
    expect(ended.stdout === "").toBe(exit > 1);
  });
});
