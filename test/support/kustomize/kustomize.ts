/** Runs `kustomize build` on a folder. */
import { spawnSync } from "node:child_process";
import type { Ended } from "../process/built.ts";

/** With executables as functions, which kustomize must allow. */
export function kustomizeBuild(program: string, folder: string): Ended {
  const { status, stdout, stderr, error } = spawnSync(
    program,
    ["build", ".", "--enable-alpha-plugins", "--enable-exec"],
    { encoding: "utf8", cwd: folder, timeout: 60_000 },
  );
  if (error !== undefined) throw error;
  return { exit: status, stdout, stderr };
}
