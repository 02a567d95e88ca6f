/** What `anp explain --event` refuses, and its exit codes. */
import { expect, it } from "vitest";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const KNOWN = "Can't replace with a cheaper node";
const FILES = { "cluster.yaml": `${policy()}---\n${pool("web")}`, "broken.yaml": "a: [", "pods.yaml": "" };

const REFUSED: readonly (readonly [args: readonly string[], message: string])[] = [
  [[KNOWN, "cluster.yaml", "-o", "html"], "--event answers in text or json"],
  [[KNOWN, "-o", "wide"], "--event answers in text or json"],
  [[KNOWN, "cluster.yaml", "--pods", "pods.yaml"], "leave --pods, --nodepool, --types and --policy out"],
  [[KNOWN, "cluster.yaml", "--nodepool", "web"], "leave --pods, --nodepool, --types and --policy out"],
  [[KNOWN, "cluster.yaml", "--types"], "leave --pods, --nodepool, --types and --policy out"],
  [["-", "-"], "--event - reads the standard input: name the manifests as files"],
  [[" "], "--event needs the text of an event: it is empty"],
];

it.each(REFUSED)("refuses %j", async (args, message) => {
  const { exit, stdout, stderr } = await runAnp(["explain", "--event", ...args], { cwd: folderWith(FILES) });
  expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain(message);
});

it.each([
  ["a known message", [KNOWN], 0],
  ["a known message, with manifests", [KNOWN, "cluster.yaml"], 0],
  ["an unknown one", ["hello"], 1],
  ["manifests that cannot be read", [KNOWN, "broken.yaml"], 3],
] as const)("exit code for %s", async (_case, args, exit) => {
  expect((await runAnp(["explain", "--event", ...args], { cwd: folderWith(FILES) })).exit).toBe(exit);
});
