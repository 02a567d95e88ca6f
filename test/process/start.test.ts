/** What a start leaves alone, because it takes its time: commands that nobody asked for, and parts of node. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { type Context, FILES, MACHINE } from "../../src/commands/context.ts";
import { main } from "../../src/main.ts";
import { PLAIN } from "../../src/report/style.ts";
import { BIN, buildOnce, NODE, QUICKSTART } from "./built.ts";
import { folderWith } from "./inputs.ts";

beforeAll(buildOnce);

vi.mock(import("../../src/commands/crds.ts"), () => {
  throw new Error("the command crds is loaded");
});

it.each<[readonly string[], number]>([
  [["render", QUICKSTART], 0],
  [["render", "--help"], 0],
  [["--version"], 0],
  // These need all of them: so the test would notice.
  [["crds"], 70],
  [["--help"], 70],
])("%j ends with %i where crds cannot be loaded", async (args, exit) => {
  const silent: Context = {
    stdinIsTerminal: false,
    readStdin: () => Buffer.alloc(0),
    writeOut: () => undefined,
    writeError: () => undefined,
    writeFile: () => undefined,
    files: FILES,
    env: {},
    machine: MACHINE,
    style: () => PLAIN,
    outStyle: () => PLAIN,
    outWidth: 100,
  };
  expect(await main(args, silent)).toBe(exit);
});

/** The modules of node that nothing of ours needs on the way to an output that is no terminal. */
const SLOW = ["child_process", "net", "tty", "stream", "crypto"];

it.each([["render", QUICKSTART], ["--version"]])("%s loads nothing slow of node", (...args) => {
  const hook = join(folderWith({}), "hook.cjs");
  const list = "process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join()))";
  writeFileSync(hook, list);
  const { status, stderr } = spawnSync(NODE, ["-r", hook, BIN, ...args], { encoding: "utf8" });
  const loaded = stderr.split(",").map((module) => module.replace("NativeModule ", ""));
  expect({ status, slow: SLOW.filter((name) => loaded.includes(name)) }).toStrictEqual({ status: 0, slow: [] });
  expect(loaded).toContain("vm");
});
