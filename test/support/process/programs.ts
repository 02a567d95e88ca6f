/** The built program as installed: `anp` in a folder of the PATH, or a copy that may be broken. */
import { chmodSync, cpSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { BIN, NODE, ROOT } from "./built.ts";
import { folderWith } from "./inputs.ts";

/** The node of the repository: the one of the machine may be too old. */
export const ANP = `exec '${NODE}' '${BIN}' "$@"`;

/** The PATH of the test run with anp, or with other programs given by their scripts; removed after the test. */
export function pathWith(programs?: Readonly<Record<string, string>>): string {
  return [programsIn(folderWith({}), programs), process.env["PATH"]].join(delimiter);
}

/** The folder, with anp in it, or with other programs given by their scripts. */
export function programsIn(folder: string, programs: Readonly<Record<string, string>> = { anp: ANP }): string {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** Parts of the repository in a folder of their own, as installed. */
export function copyOf(...parts: readonly string[]): string {
  const folder = folderWith({});
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  return folder;
}
