/** Runs Karpenter's own tests of its scheduler and of disruption once, and keeps what they gave to it and what came out. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { startControlPlane } from "../controlplane/control-plane.ts";
import { withLock } from "../go/lock.ts";
import { goProgram, type ProgramName, programPath } from "../go/programs.ts";
import { cacheFolder } from "../go/toolchain.ts";

const TESTS = {
  scheduler: ["tables-of-scheduling", "tables-of-provisioning"],
  disruption: ["tables-of-disruption"],
} as const satisfies Readonly<Record<string, readonly ProgramName[]>>;

type Part = keyof typeof TESTS;

/** The usual time on two processors. */
export const RECORDING_MINUTES = { scheduler: 4, disruption: 3 } as const satisfies Readonly<Record<Part, number>>;

/** @returns a file with a line of JSON for each round, or run of a method, and for each list of instance types */
export async function recordedTables(of: Part): Promise<string> {
  const path = await recordPath(of);
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  await withLock(`${path}.lock`, async () => {
    if (!existsSync(path)) await record(path, TESTS[of]);
  });
  return path;
}

export async function isRecorded(of: Part): Promise<boolean> {
  return existsSync(await recordPath(of));
}

/** Changes with the programs. */
async function recordPath(of: Part): Promise<string> {
  const programs = await Promise.all(TESTS[of].map(programPath));
  const prints = programs.map((program) => basename(program).split("-").at(-1));
  return join(cacheFolder(), `karpenter-tables-${prints.join("-")}.jsonl`);
}

const run = promisify(execFile);

async function record(path: string, tests: readonly ProgramName[]): Promise<void> {
  const programs = await Promise.all(tests.map(goProgram));
  const unfinished = `${path}.${randomUUID()}.tmp`;
  const folder = await mkdtemp(join(tmpdir(), "anp-karpenter-tables-"));
  const controlPlane = await startControlPlane();
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, controlPlane.kubeconfig("system:admin"), { mode: 0o600 });
    for (const program of programs) {
      const part = join(folder, "part.jsonl");
      await runTests(program, folder, { USE_EXISTING_CLUSTER: "true", KUBECONFIG: kubeconfig, ANP_RECORD: part });
      await appendFile(unfinished, await readFile(part));
    }
    await rename(unfinished, path);
  } finally {
    await controlPlane.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(unfinished, { force: true });
  }
}

/** Karpenter's tests wait for its controllers, each for some seconds: on a busy machine one may give up. */
const ATTEMPTS = 3;

/** @throws Error with the output of the last attempt */
async function runTests(program: string, cwd: string, added: { readonly ANP_RECORD: string; [name: string]: string }) {
  for (let attempt = 1; ; attempt++) {
    await rm(added.ANP_RECORD, { force: true });
    try {
      const options = { cwd, env: { ...process.env, ...added }, maxBuffer: 2 ** 28 };
      return await run(program, ["-ginkgo.succinct", "-ginkgo.no-color"], options);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.log(`Karpenter's tests failed, attempt ${attempt} of ${ATTEMPTS}`);
    }
  }
}
