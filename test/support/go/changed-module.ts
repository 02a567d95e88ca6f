/** Lets a Go program be built with a module that is changed in a few places. */
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { goModuleDir } from "./module-dir.ts";

export interface ChangedModule {
  readonly module: string;
  readonly version: string;
  readonly files: readonly ChangedFile[];
}

export interface ChangedFile {
  /** In the module. */
  readonly file: string;
  /** A file of the program, relative to its folder, that is added; without it the module's own file is changed. */
  readonly from?: string;
  /** What is written instead of a line, wherever it stands. */
  readonly lines?: Readonly<Record<string, string>>;
  /** Go code at the end of the file. */
  readonly more?: string;
}

/**
 * Go does not change files of its module cache, so the program is built with a copy.
 *
 * @param program the folder of the program
 * @param folder for the copy
 * @param tests whether the module's tests are copied
 * @throws Error if a file lacks one of the lines
 */
export async function copyChanged(
  { module, version, files }: ChangedModule,
  program: string,
  folder: string,
  tests = false,
): Promise<void> {
  const filter = (path: string): boolean => tests || !path.endsWith("_test.go");
  await cp(await goModuleDir(module, version), folder, { recursive: true, filter });
  for (const { file, from, lines = {}, more = "" } of files) {
    const place = join(folder, file);
    let text = await readFile(from === undefined ? place : join(program, from), "utf8");
    for (const [line, instead] of Object.entries(lines)) {
      if (!text.includes(line)) throw new Error(`${module}@${version} ${file}: no ${line}`);
      text = text.replaceAll(line, instead);
    }
    // Files and folders of the cache are read-only.
    if (from === undefined) await chmod(place, 0o644);
    else await makeWritable(dirname(place));
    await writeFile(place, `${text}\n${more}\n`);
  }
}

async function makeWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}

/**
 * @param own the go.mod of the program, which has a `replace` for the module
 * @param folder with the copy of the module in `module`
 * @returns the go.mod to build with
 */
export async function modfileForCopy({ module, version }: ChangedModule, own: string, folder: string): Promise<string> {
  const replaced = `${module} => ${module} ${version}`;
  const modules = await readFile(own, "utf8");
  if (!modules.includes(replaced)) throw new Error(`${own}: no replace ${replaced}`);
  const modfile = join(folder, "changed.mod");
  await writeFile(modfile, modules.replace(replaced, `${module} => ${join(folder, "module")}`));
  await cp(own.replace(/mod$/, "sum"), join(folder, "changed.sum"));
  return modfile;
}
