/** A NodePool in a file or folder named Kptfile. Not a golden case, because kpt at the repository root reads every Kptfile. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const CASE = join(import.meta.dirname, "../../../fixtures/cases/raw-input/policy-objects-in-kustomize-files");
const textOf = (path: string): string => readFileSync(join(CASE, path), "utf8");
const POOL = textOf("in/package/Kustomization");

it.each([
  ["a file", { "in/Kptfile": POOL }, "in/Kptfile"],
  ["a file of a package", { "in/Kptfile": `apiVersion: kpt.dev/v1\nkind: Kptfile\n---\n${POOL}` }, "in/Kptfile"],
  ["a file in a folder", { "in/Kptfile/pool.yaml": POOL }, "in/Kptfile/pool.yaml"],
  ["a file that .krmignore names", { "in/x/.krmignore": "Kptfile\n", "in/x/Kptfile": POOL }, "in/x/Kptfile"],
])("is checked against the policy: %s", async (_what, files, path) => {
  const cwd = folderWith({ "policy.yaml": textOf("policy.yaml"), ...files });
  const { exit, stdout, stderr } = await runAnp(["check", "in", "--policy", "policy.yaml"], { cwd });
  const errors = `${stdout}${stderr}`.match(/^\S+: error: NodePool \S+ (has no requirement|admits by)/gm);
  expect({ exit, errors: errors?.map((line) => line.replace(/:\d+:\d+:/, "")) }).toStrictEqual({
    exit: 1,
    errors: [`${path} error: NodePool package has no requirement`, `${path} error: NodePool package admits by`],
  });
});
