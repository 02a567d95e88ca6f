/** Builds a Go program of the tests once and caches it. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ChangedModule, copyChanged, modfileForCopy } from "./changed-module.ts";
import { cacheFolder, goVersion, runGo } from "./toolchain.ts";
import { withLock } from "./lock.ts";

export interface GoProgram {
  /** Absolute folder that holds the go.mod. */
  module: string;
  /** Import path, or "." for the module's own main package. */
  package: string;
  /** Name of the program, the first part of its file name in the cache. */
  name: string;
  /** A second go.mod of the folder, for the same sources against other versions; its name ends in `.mod`. */
  modfile?: string;
  /** A build tag: which of the folder's files are for that go.mod. */
  tag?: string;
  /** The Go that the modules ask for, as GOTOOLCHAIN names it. Without it, the one that is installed. */
  toolchain?: string;
  /** A module that is changed in some places. */
  changed?: ChangedModule;
  /** Whether the program is the tests of `package` in the changed module; the folder needs no go.mod then. */
  tests?: boolean;
}

/** @throws Error if there is no Go to build it with, or with the compiler's output */
export async function buildGoProgram(program: GoProgram): Promise<string> {
  const path = await builtPath(program);
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  // Two builds of the same program would only halve each other's speed, so the second one waits for the first.
  await withLock(`${path}.lock`, async () => {
    if (!existsSync(path)) await build(program, path);
  });
  return path;
}

/** Changes with the program's source, its modules and the version of Go. */
export async function builtPath(program: GoProgram): Promise<string> {
  return join(cacheFolder(), `${program.name}-${await fingerprint(program)}`);
}

async function build(program: GoProgram, path: string): Promise<void> {
  // Written under a temporary name and renamed, so that an incomplete program is never started.
  const unfinished = `${path}.${randomUUID()}.tmp`;
  const { modfile, tag, toolchain, changed, tests = false } = program;
  const folder = `${unfinished}.modules`;
  const copy = join(folder, "module");
  try {
    if (changed !== undefined) await copyChanged(changed, program.module, copy, tests);
    const own = tests || changed === undefined ? undefined : join(program.module, "go.mod");
    const flags = [
      "-trimpath",
      "-buildvcs=false",
      "-ldflags=-s -w",
      "-o",
      unfinished,
      ...(modfile === undefined ? [] : [`-modfile=${modfile}`]),
      ...(tag === undefined ? [] : ["-tags", tag]),
      ...(own === undefined ? [] : [`-modfile=${await modfileForCopy(changed!, own, folder)}`]),
    ];
    const { exitCode, stdout, stderr } = tests
      ? await runGo(["test", "-c", ...flags, program.package], copy, toolchain)
      : await runGo(["build", ...flags, program.package], program.module, toolchain);
    if (exitCode !== 0) {
      throw new Error(`go build of ${program.name} ended with ${exitCode}:\n${stdout}${stderr}`);
    }
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function fingerprint(program: GoProgram): Promise<string> {
  const { modfile = "go.mod", toolchain, changed } = program;
  const version = toolchain ?? (await goVersion());
  const hash = createHash("sha256").update(`${version}\0${program.package}\0`);
  if (changed !== undefined) hash.update(`${JSON.stringify(changed)}\0`);
  const files = await readdir(program.module, { recursive: true });
  const sources = files.filter((file) => file.endsWith(".go")).toSorted();
  const added = (changed?.files ?? []).flatMap(({ from = "" }) => (sources.includes(from) ? [] : from));
  for (const file of [modfile, modfile.replace(/mod$/, "sum"), ...sources, ...added.filter((file) => file !== "")]) {
    const content = await readFile(join(program.module, file)).catch(() => "");
    hash.update(`${file}\0`).update(content).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
