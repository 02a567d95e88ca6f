/** Finds every regular expression of src: literals, and those that are made at run time. */
import { globSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type CallExpression, type NewExpression, parseSync, Visitor } from "oxc-parser";
import type * as Context from "../../src/commands/cli/context.ts";
import type * as Main from "../../src/main.ts";

/** A regular expression and its place. */
export interface Pattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

/** @returns also the calls that make a pattern but did not run, so that it cannot be checked */
export async function allPatterns(): Promise<{ patterns: Pattern[]; unseen: MakingPlace[] }> {
  const files = globSync("**/*.ts", { cwd: SRC })
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted();
  const found = files.map((file) => patternsIn(file, readFileSync(join(SRC, file), "utf8")));
  const made = await madePatterns(SRC, () => loadAll(files));
  const places = found.flatMap((one) => one.places);
  const unseen = places.filter(
    ({ file, line, lastLine }) => !made.some((one) => one.file === file && line <= one.line && one.line <= lastLine),
  );
  return { patterns: [...found.flatMap((one) => one.patterns), ...made], unseen };
}

/** Models are built on first use, and the CRDs use all of them. */
async function loadAll(files: readonly string[]): Promise<void> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(SRC, file)).href);
  for (const file of files) await load(file);
  const { main } = (await load("main.ts")) as typeof Main;
  const { processContext } = (await load("commands/cli/context.ts")) as typeof Context;
  const quiet = { ...processContext(), stdinIsTerminal: true, writeOut: () => undefined };
  for (const profile of ["hypershift", "karpenter-1.14", "karpenter-1.15"])
    await main(["crds", "--karpenter", "--profile", profile], quiet);
}

/** A call of `RegExp`: the lines of the call. */
interface MakingPlace {
  readonly file: string;
  readonly line: number;
  readonly lastLine: number;
}

/** The literals of a TypeScript text, and its calls of `RegExp`. */
export function patternsIn(file: string, text: string): { patterns: Pattern[]; places: MakingPlace[] } {
  const patterns: Pattern[] = [];
  const places: MakingPlace[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const call = ({ callee, start, end }: CallExpression | NewExpression): void => {
    if (callee.type === "Identifier" && callee.name === "RegExp")
      places.push({ file, line: lineOf(start), lastLine: lineOf(end) });
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  new Visitor({
    Literal: (node) => {
      if ("regex" in node && node.regex !== null)
        patterns.push({ file, line: lineOf(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: call,
    CallExpression: call,
  }).visit(program);
  return { patterns, places };
}

/** Those that files of a folder make with `RegExp` while a function runs. @param folder absolute */
async function madePatterns(folder: string, act: () => Promise<void>): Promise<Pattern[]> {
  const made: Pattern[] = [];
  const { RegExp: Original } = globalThis;
  const record = (pattern: RegExp): RegExp => {
    const place = callerIn(folder);
    if (place !== undefined) made.push({ ...place, source: pattern.source, flags: pattern.flags });
    return pattern;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args: [string, string?]) => record(new target(...args)),
    apply: (target, _self, args: [string, string?]) => record(target(...args)),
  });
  try {
    await act();
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

/** Undefined if a package is the caller. */
function callerIn(folder: string): { file: string; line: number } | undefined {
  // The error's own line, this function, the recorder, the proxy's trap; then the caller.
  const frame = new Error("for its stack").stack?.split("\n")[4] ?? "";
  const [, url, line] = /(file:\/\/[^)]*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  const path = url === undefined ? "" : fileURLToPath(url);
  if (!path.startsWith(folder + sep)) return undefined;
  return { file: relative(folder, path), line: Number(line) };
}
