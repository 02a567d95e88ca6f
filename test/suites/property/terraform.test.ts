/** One field of random Terraform files is changed: the finding and the change stand at its file and line. */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addFiles, folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { seedOf } from "../../support/property/seed.ts";
import { type ChangedFiles, changedFiles } from "../../support/terraform/changed-field.ts";

describe("a changed field of a Terraform file", () => {
  it("is reported at the line that wrote it", { timeout: 300_000 }, async () => {
    const cases = fc.sample(changedFiles, { seed: seedOf("terraform", 20_261_128), numRuns: 200 });
    const wrong: object[] = [];
    for (const one of cases) wrong.push(...(await problemsOf(one)));
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

async function problemsOf(one: ChangedFiles): Promise<object[]> {
  const folder = folderWith({});
  try {
    for (const name of ["old", "changed", "refused"] as const)
      addFiles(folder, Object.fromEntries(Object.entries(one[name]).map(([file, text]) => [`${name}/${file}`, text])));
    const checked = await runAnp(["check", "refused", "-o", "json"], { cwd: folder });
    const { findings } = JSON.parse(checked.stdout) as { findings: Found[] };
    const found = findings.filter(({ severity }) => severity !== "info").map(({ file, line }) => `${file}:${line}`);
    const diff = await runAnp(["diff", "changed", "--against", "old"], { cwd: folder });
    const words = diff.stdout.split(/[\s,]/);
    const isIn = [one.at, one.entry ?? one.at].some(({ file, line }) => words.includes(`changed/${file}:${line}`));
    const isFound = found.length > 0 && found.every((at) => at === `refused/${one.at.file}:${one.at.line}`);
    return [...(isFound ? [] : [{ found, ...one }]), ...(isIn ? [] : [{ diff: diff.stdout + diff.stderr, ...one }])];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Found {
  readonly severity: string;
  readonly file: string;
  readonly line: number;
}
