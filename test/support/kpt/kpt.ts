/** Runs the kpt on the PATH, or reports why there is none. */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import type { Ended } from "../process/built.ts";
import { folderWith } from "../process/inputs.ts";
import { programsIn } from "../process/programs.ts";

/** Why the suites are skipped; also printed. kpt is not a verifiable Go module, so it is not built here. */
export function kptMissing(): string | undefined {
  const { error, status } = spawnSync("kpt", ["version"], { encoding: "utf8" });
  if (error === undefined && status === 0) return undefined;
  const reason = `kpt is not on the PATH (${error?.message ?? `kpt version ends with ${status}`})`;
  console.warn(`tests with kpt are skipped: ${reason}`);
  return reason;
}

/** Runs kpt with `anp` on the PATH. Times are removed from its output. */
export function kpt(args: readonly string[], cwd: string): Ended {
  const programs = programsIn(folderWith({}));
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}` };
  const { status, stdout, stderr, error } = spawnSync("kpt", args, { encoding: "utf8", cwd, env, timeout: 60_000 });
  if (error !== undefined) throw error;
  return { exit: status, stdout, stderr: withoutTimes(stderr) };
}

export function withoutTimes(text: string): string {
  return text.replaceAll(/ in [\d.]+m?s$/gm, "");
}
