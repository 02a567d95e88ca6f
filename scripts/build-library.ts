/** The library entry of the package: its bundle, for import and require alike, and its types, which import nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";
import * as library from "../src/library/library.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "src/library/library.ts";

/** The program and the library share nearly all of their code, so one bundle holds both; the program does not load it. */
export const WHOLE_ENTRY: BuildOptions = {
  stdin: {
    contents: `export { main } from "./src/main.ts";\nexport const loadLibrary = () => require("./${ENTRY}");`,
    resolveDir: ROOT,
    loader: "ts",
  },
};

/** Name by name, as node looks for the exports of a CommonJS module that somebody imports. */
export function libraryText(): string {
  const names = Object.keys(library).toSorted();
  const lines = names.map((name) => `exports.${name} = library.${name};`);
  return ['"use strict";', 'const library = require("./anp.cjs").loadLibrary();', ...lines, ""].join("\n");
}

export function libraryTypes(): string {
  const folder = mkdtempSync(join(tmpdir(), "anp-types-"));
  try {
    const compilerOptions = {
      declaration: true,
      emitDeclarationOnly: true,
      noEmit: false,
      noCheck: true,
      outDir: folder,
    };
    const typeRoots = [join(ROOT, "node_modules/@types")];
    const config = join(folder, "tsconfig.json");
    const extended = { extends: join(ROOT, "tsconfig.json"), files: [join(ROOT, ENTRY)], include: [] };
    writeFileSync(
      config,
      JSON.stringify({ ...extended, compilerOptions: { ...compilerOptions, rootDir: ROOT, typeRoots } }),
    );
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]);
    return withoutImports(readFileSync(join(folder, ENTRY.replace(/\.ts$/, ".d.ts")), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws where a type of another file got in: the package holds no other file of types */
function withoutImports(types: string): string {
  const line = types.split("\n").find((text) => /^import |import\(/.test(text));
  if (line !== undefined) throw new Error(`${ENTRY} exports a type of another file: ${line}`);
  return types;
}
