/** Archives of executables and images, with the same bytes on every machine, which tar itself does not guarantee. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Header } from "tar";
import { nodePackage } from "../binary/node-package.ts";
import type { Target } from "../binary/targets.ts";
import { ROOT } from "../build-folder.ts";

interface ArchivedFile {
  /** At most 100 characters. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable?: boolean;
}

const BLOCK = 512;

/** @param time seconds since 1970, of every file */
export function tar(files: readonly ArchivedFile[], time: number): Buffer {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root" };
  const parts = files.flatMap(({ name, bytes, executable = false }) => {
    const mode = executable ? 0o755 : 0o644;
    const mtime = new Date(time * 1000);
    const header = new Header({ path: name, type: "File", mode, size: bytes.length, mtime, ...owner });
    // True if a value does not fit.
    if (header.encode()) throw new Error(`${name} is too long a name for this archive`);
    return [header.block!, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

export function archiveName({ name }: Target, version: string): string {
  return `anp-${version}-${name}.tar.gz`;
}

/** An executable and the licences of its content, for download. @param time seconds since 1970 */
export function executableArchive(target: Target, binary: string, time: number): Buffer {
  const files = [
    { name: target.platform === "win32" ? "anp.exe" : "anp", bytes: readFileSync(binary), executable: true },
    { name: "LICENSE", bytes: readFileSync(join(ROOT, "LICENSE")) },
    { name: "licenses.txt", bytes: readFileSync(join(ROOT, "dist/licenses.txt")) },
    { name: "node-LICENSE", bytes: readFileSync(nodePackage(target).license) },
  ];
  const archive = gzipSync(tar(files, time), { level: 9 });
  // The system that packed it, which zlib writes there.
  archive[9] = 255;
  return archive;
}
