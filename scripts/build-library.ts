/** Builds the library: one bundle for import and require, and types that import nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";
import * as z from "zod/mini";
import * as library from "../src/library/library.ts";
import { fieldsOf } from "../src/model/settings/settings.ts";
import { type OutputName, outputSchemas, schemaFile } from "./output-schemas.ts";
import { declarationOf } from "./schema-types.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "src/library/library.ts";
const TYPES = "src/library/types.ts";

/**
 * The program and the library share nearly all of their code, so one bundle holds both; the program does not load it.
 */
export const WHOLE_ENTRY: BuildOptions = {
  stdin: {
    contents: `export { main } from "./src/main.ts";\nexport const loadLibrary = () => require("./${ENTRY}");`,
    resolveDir: ROOT,
    loader: "ts",
  },
};

/** Written name by name, as node detects the exports of an imported CommonJS module. */
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
    const [types, functions] = [TYPES, ENTRY].map((file) =>
      readFileSync(join(folder, file.replace(/\.ts$/, ".d.ts")), "utf8"),
    );
    return withoutImports([functions!.replace(OF_TYPES, ""), types!].join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports and exports of the types, which become part of the same file. */
const OF_TYPES = /^(import|export) type .* from "\.\/types\.ts";\n/gm;

/** The types of other files, which are declared by the schemas that they are made of. */
const SCHEMAS: Readonly<Record<string, () => object>> = {
  DescribedDiff: () => answerSchema("diff"),
  ExplainAnswer: () => answerSchema("explain"),
  FindingsAnswer: () => answerSchema("findings"),
  PlanAnswer: () => answerSchema("plan"),
  SharedSettings: () => z.toJSONSchema(z.object(fieldsOf("option"))),
};

function answerSchema(output: OutputName): object {
  return outputSchemas()[schemaFile(output)]!;
}

/** @throws if a type of another file is used: the package has no other file of types */
function withoutImports(declarations: string): string {
  const imported = /^import type \{ (\w+) \} from "[^"]+";\n/gm;
  const declared = [...declarations.matchAll(imported)].map(([, name]) => {
    const schema = SCHEMAS[name!];
    if (schema === undefined) throw new Error(`${ENTRY} exports ${name}, which has no schema`);
    return declarationOf(name!, schema());
  });
  const types = [declarations.replaceAll(imported, ""), ...declared].join("");
  const line = types.split("\n").find((text) => /^import |import\(| from "/.test(text));
  if (line !== undefined) throw new Error(`${ENTRY} exports a type of another file: ${line}`);
  return types;
}
