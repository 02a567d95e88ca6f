/** Runs Karpenter's own tests of its scheduler once, and keeps what they gave to it and what came out. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { startControlPlane } from "../controlplane/control-plane.ts";
import { withLock } from "../go/lock.ts";
import { goProgram, type ProgramName, programPath } from "../go/programs.ts";
import { cacheFolder } from "../go/toolchain.ts";

const TESTS = ["tables-of-scheduling", "tables-of-provisioning"] as const satisfies readonly ProgramName[];

/** The usual time on two processors. */
export const RECORDING_MINUTES = 4;

/** @returns a file with a line of JSON for each round and for each list of instance types */
export async function recordedTables(): Promise<string> {
  const path = await recordPath();
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  await withLock(`${path}.lock`, async () => {
    if (!existsSync(path)) await record(path);
  });
  return path;
}

export async function isRecorded(): Promise<boolean> {
  return existsSync(await recordPath());
}

/** Changes with the programs. */
async function recordPath(): Promise<string> {
  const programs = await Promise.all(TESTS.map(programPath));
  const prints = programs.map((program) => basename(program).split("-").at(-1));
  return join(cacheFolder(), `karpenter-tables-${prints.join("-")}.jsonl`);
}

const run = promisify(execFile);

async function record(path: string): Promise<void> {
  const programs = await Promise.all(TESTS.map(goProgram));
  const unfinished = `${path}.${randomUUID()}.tmp`;
  const folder = await mkdtemp(join(tmpdir(), "anp-karpenter-tables-"));
  const controlPlane = await startControlPlane();
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, controlPlane.kubeconfig("system:admin"), { mode: 0o600 });
    const env = { ...process.env, USE_EXISTING_CLUSTER: "true", KUBECONFIG: kubeconfig, ANP_RECORD: unfinished };
    for (const program of programs)
      await run(program, ["-ginkgo.succinct", "-ginkgo.no-color"], { cwd: folder, env, maxBuffer: 2 ** 28 });
    await rename(unfinished, path);
  } finally {
    await controlPlane.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(unfinished, { force: true });
  }
}
