/** A folder for the PATH in which the built program is called `anp`, as it is where somebody has installed it. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { BIN, NODE } from "../process/built.ts";

/** The PATH of the test run with anp, and with the other programs given by their scripts; gone after the test. */
export function pathWith(programs: Readonly<Record<string, string>> = { anp: ANP }): string {
  const folder = mkdtempSync(join(tmpdir(), "anp-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return [folder, process.env["PATH"]].join(delimiter);
}

/** The node of the repository: the one of the machine may be too old. */
export const ANP = `exec "${NODE}" "${BIN}" "$@"`;
