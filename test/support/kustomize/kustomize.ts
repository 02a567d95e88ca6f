/** kustomize as people run it: the program and a folder with a kustomization in, what `kustomize build` answers out. */
import { spawnSync } from "node:child_process";
import type { Ended } from "../process/built.ts";

/** With executables as functions, which kustomize has to be allowed. */
export function kustomizeBuild(program: string, folder: string): Ended {
  const { status, stdout, stderr, error } = spawnSync(
    program,
    ["build", ".", "--enable-alpha-plugins", "--enable-exec"],
    { encoding: "utf8", cwd: folder, timeout: 60_000 },
  );
  if (error !== undefined) throw error;
  return { exit: status, stdout, stderr };
}
