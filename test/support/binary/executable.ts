/** The executable of a target for the tests, built once for what stands in dist/: its path, or why there is none here. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../../../scripts/binary/build-binary.ts";
import { runOn } from "../../../scripts/binary/run-on.ts";
import { binaryName, TARGETS } from "../../../scripts/binary/targets.ts";
import { buildFolder, Unavailable } from "../../../scripts/build-folder.ts";
import { withLock } from "../go/lock.ts";
import { buildOnce, ROOT } from "../process/built.ts";

export interface Executable {
  /** Starts it: the program itself, or an emulator with it. */
  readonly command: readonly string[];
}

/** @param suites for the reason that is printed where they are skipped */
export async function executable(name: string, suites: string): Promise<Executable | { readonly skipped: string }> {
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  try {
    const first = runOn(target);
    await buildOnce();
    const folder = join(buildFolder("test"), `${name}-${fingerprint()}`);
    const path = join(folder, binaryName(target));
    await withLock(join(tmpdir(), `anp-binary-${name}.lock`), async () => {
      if (existsSync(path)) return;
      for (const earlier of readdirSync(buildFolder("test")).filter((entry) => entry.startsWith(`${name}-`)))
        rmSync(join(buildFolder("test"), earlier), { recursive: true });
      await buildBinary(target, folder);
    });
    return { command: [...first, path] };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`${suites} are skipped: ${error.message}`);
    return { skipped: error.message };
  }
}

/** The executable for this machine; there is one for Linux. */
export const OWN = `linux-${process.arch}`;

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const folder of ["dist", "scripts/binary"])
    for (const name of readdirSync(join(ROOT, folder)).toSorted())
      hash.update(`${name}\0`).update(readFileSync(join(ROOT, folder, name)));
  return hash.digest("hex").slice(0, 16);
}
