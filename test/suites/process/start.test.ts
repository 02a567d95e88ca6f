/** What a start does not load, because it takes time: other commands, and parts of node. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { main } from "../../../src/main.ts";
import { anp, BIN, buildOnce, NODE, QUICKSTART } from "../../support/process/built.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { copyOf } from "../../support/process/programs.ts";
import { quietContext } from "../../support/process/quiet-context.ts";
import { repository } from "../../support/process/repositories.ts";

beforeAll(buildOnce);

vi.mock(import("../../../src/commands/crds.ts"), () => {
  throw new Error("the command crds is loaded");
});

it.each<[readonly string[], number]>([
  [["render", QUICKSTART], 0],
  [["render", "--help"], 0],
  [["--version"], 0],
  // These need all of them, so the test would notice.
  [["crds"], 70],
  [["--help"], 70],
])("%j exits with %i if crds cannot be loaded", async (args, exit) => {
  expect(await main(args, quietContext())).toBe(exit);
});

/** Modules of node that anp does not need for an output that is not a terminal. */
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

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{name: nowhere, cluster: {server: "https://127.0.0.1:9"}}]
users: [{name: reader, user: {token: t}}]
contexts: [{name: nowhere, context: {cluster: nowhere, user: reader}}]
current-context: nowhere
`;

const WATCH = ["watch", QUICKSTART, "--hosted-cluster", "clusters-c1", "--guest-kubeconfig", "kubeconfig"];

/** Clusters, and ink with React, are files of their own in dist/. */
it.each<[string, readonly string[], readonly string[]]>([
  ["render", ["render", QUICKSTART], []],
  ["fn", ["fn"], []],
  ["mcp", ["mcp", QUICKSTART], ["run-mcp.cjs"]],
  ["watch --once", [...WATCH, "--once"], ["run-watch.cjs", "kube-config.cjs"]],
  ["watch", WATCH, ["run-watch.cjs", "kube-config.cjs"]],
])("%s without a terminal loads no more than it needs", async (_name, args, needed) => {
  const cwd = folderWith({ kubeconfig: KUBECONFIG });
  const hook = join(cwd, "hook.cjs");
  const list = join(cwd, "loaded.json");
  const files = "JSON.stringify(Object.keys(require.cache))";
  writeFileSync(hook, `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(list)}, ${files}))`);
  const child = spawn(NODE, ["-r", hook, BIN, ...args], { cwd, stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.end("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n");
  let isTold = false;
  child.stderr.on("data", (text: Buffer) => {
    // A process that is ending may no longer handle a signal, and would die of it.
    if (isTold || !text.includes("msg=reconciled") || args.includes("--once")) return;
    isTold = true;
    child.kill("SIGTERM");
  });
  await once(child, "exit");
  const loaded = JSON.parse(readFileSync(list, "utf8")) as string[];
  const names = loaded.map((file) => basename(file)).filter((file) => file !== "hook.cjs");
  expect(names).toStrictEqual(["anp.js", ...needed]);
});

it("needs the code that reads clusters for diff --live alone", () => {
  const installed = copyOf("bin", "dist");
  rmSync(join(installed, "dist/live-queries.cjs"));
  const folder = repository({ "in/policy.yaml": policy(), "in/web.yaml": pool("web") }, { "in/web.yaml": pool("api") });
  const run = (args: string[], input?: string) =>
    anp(args, { cwd: folder, bin: join(installed, "bin/anp.js"), ...(input === undefined ? {} : { input }) });
  expect(run(["render", "in"]).exit).toBe(0);
  expect(run(["diff", "in", "--against", "main"]).exit).toBe(1);
  const items = run(["render", "in", "-o", "resourcelist"]).stdout;
  expect(run(["fn"], items).exit).toBe(anp(["fn"], { cwd: folder, input: items }).exit);
  expect(run(["diff", "in", "--live"])).toMatchObject({
    exit: 70,
    stderr: expect.stringContaining("live-queries.cjs") as string,
  });
});
