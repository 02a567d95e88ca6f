/** kustomize, built of its Go module: a folder with a kustomization in, what `kustomize build` answers out. */
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildGoProgram } from "../go/build.ts";
import type { Ended } from "../process/built.ts";

/** @returns undefined where there is no Go to build it with */
export async function kustomizeProgram(): Promise<string | undefined> {
  const built = await buildGoProgram({
    module: dirname(fileURLToPath(import.meta.url)),
    package: "sigs.k8s.io/kustomize/kustomize/v5",
    name: "kustomize",
  });
  return "path" in built ? built.path : undefined;
}

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
