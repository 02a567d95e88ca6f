/** The folder of a Go module's files, by path and version. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder, runGo } from "./toolchain.ts";
import { unzip } from "./unzip.ts";

interface Download {
  Dir?: string;
  Zip?: string;
  Error?: string;
}

const known = new Map<string, Promise<string>>();

/** A folder to read only: mostly one of Go's module cache. */
export function goModuleDir(path: string, version: string): Promise<string> {
  const module = `${path}@${version}`;
  const dir = known.get(module) ?? findModule(module);
  known.set(module, dir);
  return dir;
}

async function findModule(module: string): Promise<string> {
  const { stdout, stderr } = await runGo(["mod", "download", "-json", module], tmpdir());
  const download = (stdout === "" ? {} : JSON.parse(stdout)) as Download;
  if (download.Dir !== undefined) return download.Dir;
  // Go checks and keeps the archive of a module that needs a newer Go than this one, but does not unpack it.
  if (download.Zip !== undefined && existsSync(download.Zip)) return unpack(module, download.Zip);
  throw new Error(`go mod download ${module}: ${download.Error ?? stderr}`);
}

async function unpack(module: string, archive: string): Promise<string> {
  const folder = join(cacheFolder(), "modules", module);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${randomUUID()}.tmp`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    await unzip(archive, `${module}/`, unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process was faster; the content is the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
