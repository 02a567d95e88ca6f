/** Where everything that is built beside dist/ goes: executables, images, releases, and what was downloaded for them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Made when it is not there. */
export function buildFolder(...names: readonly string[]): string {
  const folder = join(ROOT, "build", ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
