/** Reads golden cases: arguments, inputs and expected outputs; and runs them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type Run, runMain } from "../process/run-anp.ts";

const CASES = fileURLToPath(new URL("../../../fixtures/cases", import.meta.url));

export interface GoldenCase {
  /** `<theme>/<condition>`. */
  readonly name: string;
  readonly folder: string;
  readonly what: string;
  readonly args: readonly string[];
  readonly exit: number;
  /** False if the folders of the input decide, or if the input is not text: a stream has none. */
  readonly stream: boolean;
}

export function goldenCases(): GoldenCase[] {
  return readdirSync(CASES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === "case.yaml")
    .map((entry) => readCase(entry.parentPath))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readCase(folder: string): GoldenCase {
  const { what, args, exit, stream } = parse(readFileSync(join(folder, "case.yaml"), "utf8")) as Omit<
    GoldenCase,
    "name" | "folder"
  >;
  return {
    name: relative(CASES, folder),
    folder,
    what,
    // YAML reads the 3 of `--batch 3` as a number.
    args: args?.map(String) ?? ["render", "in"],
    exit: exit ?? 0,
    stream: stream ?? true,
  };
}

/**
 * Runs anp in the folder, in this process, and writes no file: tests of the built program cover that.
 * @param stdin the list of the case when left out
 */
export async function run(folder: string, args: readonly string[], stdin = givenTo(folder, args)): Promise<Run> {
  return runMain(args, folder, { readStdin: () => Buffer.from(stdin) });
}

/** The list of the case, if a command reads the standard input. */
export function givenTo(folder: string, [command, ...args]: readonly string[]): string {
  if (command !== "fn" && !args.includes("-")) return "";
  const file = ["in/list.yaml", "in/list.json"].find((name) => existsSync(join(folder, name)));
  return file === undefined ? "" : readFileSync(join(folder, file), "utf8");
}

/** The file of a command's standard output: manifests are YAML, answers are text. */
export function stdoutFile([command = ""]: readonly string[]): "stdout.yaml" | "stdout.txt" {
  return ["check", "diff", "doctor", "explain", "get", "plan", "rollout", "simulate", "upgrade", "why"].includes(
    command,
  )
    ? "stdout.txt"
    : "stdout.yaml";
}

/** A file of the case, or an empty text: an unexpected output has no file. */
export function expected(folder: string, file: string): string {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Every YAML file below `in/` as one stream. */
export function asStream(folder: string): string {
  return readdirSync(join(folder, "in"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => readFileSync(path, "utf8"))
    .join("\n---\n");
}
