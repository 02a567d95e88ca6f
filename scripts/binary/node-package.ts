/** The executable and licence of a target's node: npm's package, downloaded once, checked, unpacked. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildFolder } from "../build-folder.ts";
import { Unavailable } from "../unavailable.ts";
import { stripElf } from "./strip-elf.ts";
import { executableIn, NODE_VERSION, type Target } from "./targets.ts";

export interface NodePackage {
  readonly node: string;
  /** The licence of node and of everything in it. */
  readonly license: string;
}

/** @throws Unavailable */
export function nodePackage(target: Target): NodePackage {
  const name = `${target.package}-${NODE_VERSION}`;
  const folder = join(buildFolder("cache"), name);
  // Written last, so that an incomplete package is not used.
  const whole = join(folder, "whole");
  if (!existsSync(whole)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    unpack(target, folder);
    writeFileSync(whole, "");
  }
  return { node: join(folder, "package", executableIn(target)), license: join(folder, "package/LICENSE") };
}

function unpack(target: Target, folder: string): void {
  const spec = `${target.package}@${NODE_VERSION}`;
  const windows = process.platform === "win32";
  const args = ["pack", spec, "--prefer-offline", "--silent"];
  if (spawnSync("npm", args, { cwd: folder, shell: windows }).status !== 0)
    throw new Unavailable(`npm pack ${spec} does not bring node`);
  const file = join(folder, `${target.package}-${NODE_VERSION}.tgz`);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (integrity !== target.integrity)
    throw new Unavailable(`${spec} has changed: its integrity is ${integrity}, not ${target.integrity}`);
  const kept = [`package/${executableIn(target)}`, "package/LICENSE"];
  if (spawnSync("tar", ["-xzf", file, "-C", folder, ...kept]).status !== 0)
    throw new Unavailable("tar cannot unpack it");
  rmSync(file);
  if (target.platform !== "linux") return;
  const node = join(folder, "package", executableIn(target));
  writeFileSync(node, stripElf(readFileSync(node)));
}
