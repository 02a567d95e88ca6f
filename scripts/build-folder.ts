/** The folder for everything that is built outside dist/: executables, images, releases, downloads. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Creates it if necessary. */
export function buildFolder(...names: readonly string[]): string {
  const folder = join(ROOT, "build", ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The reason why something cannot be built on this machine, shown without a stack trace. */
export class Unavailable extends Error {}
