/** Finds every regular expression of src: literals, and those that are made at run time. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Context from "../../src/commands/cli/context.ts";
import type * as Main from "../../src/main.ts";
import { madePatterns } from "./made-patterns.ts";
import type { Pattern } from "./pattern.ts";
import { type MakingPlace, patternsIn } from "./patterns-in.ts";

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
