/** `anp migrate` fails if a file cannot be written, and names the file. */
import { expect, it } from "vitest";
import { folderWith } from "../../test/support/process/inputs.ts";
import { runMain } from "../../test/support/process/run-anp.ts";

it("exits with 1 if a file cannot be written, and names it", async () => {
  const folder = folderWith({
    "pool.yaml": `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {nodeClassRef: {name: default}, requirements: []}}}
`,
  });
  const { exit, stdout, stderr } = await runMain(["migrate", "--write", "pool.yaml"], folder, {
    writeFile: () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    },
  });
  expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
  expect(stderr).toContain("pool.yaml: error: cannot be written: ENOSPC [output-unwritable]");
});
