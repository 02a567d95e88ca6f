/** A folder with inputs in `in/` and the output of `anp render in --output-dir out` in `out/`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Ended } from "./built.ts";
import { runAnp } from "./run-anp.ts";
import { folderWith, policy, pool, textsIn } from "./inputs.ts";

export const OK = { "in/policy.yaml": policy(), "in/web.yaml": pool("web"), "in/batch.yaml": pool("batch") };
export const POLICIES = ["ec2nodeclass", "nodeclaim", "nodepool", "status"].flatMap((name) => [
  `validatingadmissionpolicy-karpenter.${name}.hypershift.io.yaml`,
  `validatingadmissionpolicybinding-karpenter-binding.${name}.hypershift.io.yaml`,
]);
export const FILES = (...pools: string[]) => [...pools.map((name) => `nodepool-${name}.yaml`), ...POLICIES].toSorted();

export const render = (cwd: string, ...args: string[]): Promise<Ended> =>
  runAnp(["render", "in", "--output-dir", "out", ...args], { cwd });
export const list = (folder: string, path = "out"): string[] => readdirSync(join(folder, path)).toSorted();
export const read = (folder: string, path: string): string => readFileSync(join(folder, "out", path), "utf8");
export async function written(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderWith(files);
  expect(await render(folder)).toMatchObject({ exit: 0, stdout: "" });
  return folder;
}

/** No file may change, neither anp's earlier output nor others. */
export async function refuses(folder: string, exit: number, says: string, ...args: string[]): Promise<void> {
  const before = textsIn(folder);
  const result = await render(folder, ...args);
  expect(result).toMatchObject({ exit, stdout: "" });
  expect(result.stderr).toContain(says);
  expect(textsIn(folder)).toStrictEqual(before);
}
