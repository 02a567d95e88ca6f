/** The executable and licence of a target's node: npm's package, downloaded once, checked, unpacked, stripped. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildFolder, Unavailable } from "../build-folder.ts";
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

/** Offsets in the header of a 64-bit file, and in each header of a section. */
const FILE = { sections: 0x28, count: 0x3c, names: 0x3e } as const;
const SECTION = { size: 64, type: 4, flags: 8, offset: 24, bytes: 32 } as const;
/** The section is in memory when the program runs. */
const ALLOC = 2n;
/** A section of zeros, which has no bytes in the file. */
const NO_BITS = 8;

/**
 * Removes the sections for debuggers, a fifth of node. GNU strip only knows the machines that it was built for, and its
 * output depends on its version. This cuts the end of the file instead: sections that are not loaded come after all
 * loaded ones, followed by the section headers.
 * @throws if the file has another layout
 */
function stripElf(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1) throw new Error("not a 64-bit ELF file");
  const start = Number(file.readBigUInt64LE(FILE.sections));
  const headers = Array.from({ length: file.readUInt16LE(FILE.count) }, (_, index) =>
    file.subarray(start + index * SECTION.size, start + (index + 1) * SECTION.size),
  );
  const isLoaded = (header: Buffer): boolean => (header.readBigUInt64LE(SECTION.flags) & ALLOC) !== 0n;
  // The first header is empty.
  const loaded = headers.filter((header, index) => index === 0 || isLoaded(header));
  if (headers.slice(0, loaded.length).some((header, index) => index > 0 && !isLoaded(header)))
    throw new Error("sections for debuggers are among the others");
  const end = Math.max(...loaded.map(endOf));
  // The names of sections do not change, so that each keeps its index.
  const named = headers[file.readUInt16LE(FILE.names)];
  if (named === undefined) throw new Error("the sections have no names");
  const table = file.subarray(startOf(named), endOf(named));
  const own = Buffer.from(named);
  own.writeBigUInt64LE(BigInt(end), SECTION.offset);
  const gap = Buffer.alloc((8 - ((end + table.length) % 8)) % 8);
  const stripped = Buffer.concat([file.subarray(0, end), table, gap, ...loaded, own]);
  stripped.writeBigUInt64LE(BigInt(end + table.length + gap.length), FILE.sections);
  stripped.writeUInt16LE(loaded.length + 1, FILE.count);
  stripped.writeUInt16LE(loaded.length, FILE.names);
  return stripped;
}

function startOf(header: Buffer): number {
  return Number(header.readBigUInt64LE(SECTION.offset));
}

function endOf(header: Buffer): number {
  const bytes = header.readUInt32LE(SECTION.type) === NO_BITS ? 0n : header.readBigUInt64LE(SECTION.bytes);
  return startOf(header) + Number(bytes);
}
