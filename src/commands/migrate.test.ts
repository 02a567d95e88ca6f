/** That `anp migrate` fails where a file cannot be written, and says which. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { main } from "../main.ts";
import { quietContext } from "../../test/support/process/quiet-context.ts";

it("ends with 1 when a file cannot be written, and says which", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anp-migrate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "pool.yaml");
  writeFileSync(
    file,
    `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {nodeClassRef: {name: default}, requirements: []}}}
`,
  );
  let [stdout, stderr] = ["", ""];
  const context = quietContext({
    stdinIsTerminal: true,
    writeOut: (text) => void (stdout += text),
    writeError: (text) => void (stderr += text),
    writeFile: () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    },
  });
  expect(await main(["migrate", "--write", file], context)).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain(`${file}: error: cannot be written: ENOSPC [output-unwritable]`);
});
