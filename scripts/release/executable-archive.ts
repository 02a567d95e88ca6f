/** Packs an executable and the licences of its content into an archive for download. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { nodePackage } from "../binary/node-package.ts";
import type { Target } from "../binary/targets.ts";
import { ROOT } from "../build-folder.ts";
import { tar } from "./tar.ts";

export function archiveName({ name }: Target, version: string): string {
  return `anp-${version}-${name}.tar.gz`;
}

/** @param time seconds since 1970 */
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
