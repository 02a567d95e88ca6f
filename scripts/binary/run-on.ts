/** How the node of a target is run on this machine: the target in, the first words of the command out. */
import { spawnSync } from "node:child_process";
import { debianLibraries } from "../debian-libraries.ts";
import { Unavailable } from "../unavailable.ts";
import type { Target } from "./targets.ts";

const EMULATORS = { x64: "qemu-x86_64-static", arm64: "qemu-aarch64-static" } as const;
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macOS", win32: "Windows", linux: "Linux" };

/**
 * An executable is built only where it can be run: its code caches are made by running it, and nobody should get what
 * nobody has ever started.
 *
 * @throws Unavailable
 */
export function runOn(target: Target): readonly string[] {
  if (target.platform !== process.platform)
    throw new Unavailable(
      `it cannot be run here, to make its code caches and to try it: build it on ${systemOf(target)}`,
    );
  if (target.arch === process.arch) return [];
  if (target.platform !== "linux") throw new Unavailable(`it cannot be run here: build it on ${systemOf(target)}`);
  const emulator = EMULATORS[target.arch];
  if (spawnSync(emulator, ["--version"]).status !== 0)
    throw new Unavailable(`${emulator} is missing, to run it for its code caches (Debian's package qemu-user-static)`);
  return [emulator, "-L", debianLibraries(target.arch).folder];
}

function systemOf({ platform, arch }: Target): string {
  return `${SYSTEMS[platform]} (${arch})`;
}
