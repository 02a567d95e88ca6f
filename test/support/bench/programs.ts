/** The measured programs: anp as source, bundle and binary, and other tools of this machine. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goProgram, type ProgramName } from "../go/programs.ts";
import type { Command } from "./measure.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The output of `npm run binary`. */
const BINARY = join(ROOT, `build/binary/anp-linux-${process.arch}`);

/** Starts a program with these arguments. */
export type Program = (...args: string[]) => Command;

const program =
  (path: string, ...first: string[]): Program =>
  (...args) => ({ program: path, args: [...first, ...args], cwd: ROOT });

const FROM_SOURCE = "import(process.argv[1]).then(({ main }) => main(process.argv.slice(2))).then(process.exit)";

export const bareNode = program(process.execPath);
export const bundle = program(process.execPath, join(ROOT, "bin/anp.js"));
export const source = program(process.execPath, "-e", FROM_SOURCE, join(ROOT, "src/main.ts"));
export const binary = existsSync(BINARY) ? program(BINARY) : undefined;

/** By name; missing ones are reported on the standard error and left out. */
export interface Peers {
  readonly kustomize: Program | undefined;
  readonly yq: Program | undefined;
  readonly kubeconform: Program | undefined;
  readonly kpt: Program | undefined;
}

export async function peers(): Promise<Peers> {
  return {
    kustomize: await built("kustomize"),
    yq: await built("yq"),
    kubeconform: await built("kubeconform"),
    kpt: onPath("kpt", "version"),
  };
}

async function built(name: ProgramName): Promise<Program | undefined> {
  try {
    return program(await goProgram(name));
  } catch (error) {
    console.error(`without ${name}: ${(error as Error).message}`);
    return undefined;
  }
}

function onPath(name: string, ...args: string[]): Program | undefined {
  const { error, status } = spawnSync(name, args);
  if (error === undefined && status === 0) return program(name);
  console.error(`without ${name}: not on the PATH`);
  return undefined;
}
