/** The command that runs the node of a target on this machine, with an emulator if needed. */
import { spawnSync } from "node:child_process";
import { debianLibraries } from "../debian-libraries.ts";
import { Unavailable } from "../build-folder.ts";
import type { Target } from "./targets.ts";

const EMULATORS = { x64: "qemu-x86_64-static", arm64: "qemu-aarch64-static" } as const;
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macOS", win32: "Windows", linux: "Linux" };

/**
 * An executable is built only if it can be run here: building runs it for its code caches, and an executable that was
 * never started should not be released.
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
