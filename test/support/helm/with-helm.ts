/** Runs anp with a real helm on the PATH: version 4, or 3 for odd turns. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { goProgram } from "../go/programs.ts";
import type { Ended } from "../process/built.ts";
import { runAnp } from "../process/run-anp.ts";

const VERSIONS = ["helm", "helm-3"] as const;

export type RunWithHelm = (turn: number, cwd: string, args: readonly string[], seconds?: number) => Promise<Ended>;

/** For the suite that calls it. */
export function runnerWithHelm(): RunWithHelm {
  const folders: string[] = [];
  beforeAll(async () => {
    for (const name of VERSIONS) {
      const folder = mkdtempSync(join(tmpdir(), "anp-programs-"));
      symlinkSync(await goProgram(name), join(folder, "helm"));
      folders.push(folder);
    }
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  // git is needed for the old side.
  return (turn, cwd, args, seconds = 600) =>
    runAnp(args, {
      cwd,
      env: { PATH: `${folders[turn % VERSIONS.length]}:${process.env["PATH"] ?? ""}`, ANP_BUILD_SECONDS: `${seconds}` },
    });
}
