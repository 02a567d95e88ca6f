/** Lets a Go program be built with a few lines of a module changed. */
import { chmod, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { goModuleDir } from "./module-dir.ts";

export interface ChangedModule {
  readonly module: string;
  readonly version: string;
  /** In the module. */
  readonly file: string;
  /** What is written instead of a line, wherever it stands. */
  readonly lines: Readonly<Record<string, string>>;
  /** Go code at the end of the file. */
  readonly more: string;
}

/**
 * Go does not change files of its module cache, so the program is built with a copy.
 *
 * @param own the go.mod of the program, which has a `replace` for the module
 * @param folder for the copy
 * @returns the go.mod to build with. @throws Error if the module's file lacks one of the lines
 */
export async function changedModule(changed: ChangedModule, own: string, folder: string): Promise<string> {
  const { module, version, file, lines, more } = changed;
  const copy = join(folder, "module");
  await cp(await goModuleDir(module, version), copy, { recursive: true, filter: (path) => !path.endsWith("_test.go") });
  const place = join(copy, file);
  let text = await readFile(place, "utf8");
  for (const [line, instead] of Object.entries(lines)) {
    if (!text.includes(line)) throw new Error(`${module}@${version} ${file}: no ${line}`);
    text = text.replaceAll(line, instead);
  }
  // Files of the cache are read-only.
  await chmod(place, 0o644);
  await writeFile(place, `${text}\n${more}\n`);
  const replaced = `${module} => ${module} ${version}`;
  const modules = await readFile(own, "utf8");
  if (!modules.includes(replaced)) throw new Error(`${own}: no replace ${replaced}`);
  const modfile = join(folder, "changed.mod");
  await writeFile(modfile, modules.replace(replaced, `${module} => ${copy}`));
  await cp(own.replace(/mod$/, "sum"), join(folder, "changed.sum"));
  return modfile;
}
