/** Validates the arguments of library functions. */
import { posix } from "node:path";
import { nearestWord } from "../krm/values/nearest-word.ts";
import { offered, type Setting } from "../model/settings/settings.ts";
import type { InputFile, Options } from "./types.ts";

/** A type, or the allowed values. */
type Expected = "string" | "boolean" | readonly string[];

const SHARED = Object.entries<Setting>(offered("option"));

const EXPECTED: Readonly<Record<string, Expected>> = Object.fromEntries(
  SHARED.map(([name, { choices, placeholder }]) => [
    name,
    choices ?? (placeholder === undefined ? "boolean" : "string"),
  ]),
);

/** @throws TypeError */
export function checkFiles(files: readonly InputFile[]): void {
  if (!Array.isArray(files)) throw new TypeError("the files must be a list of { path, text }");
  const seen = new Set<string>();
  for (const [place, file] of (files as readonly unknown[]).entries()) {
    const { path, text } = (file ?? {}) as Partial<InputFile>;
    if (typeof path !== "string" || path === "" || typeof text !== "string")
      throw new TypeError(`files[${place}] must be { path, text }, both strings`);
    if (leadsOut(path)) throw new TypeError(`files[${place}]: ${path} ${OUT}`);
    const whole = posix.normalize(path);
    if (seen.has(whole)) throw new TypeError(`files[${place}]: ${path} is listed twice`);
    seen.add(whole);
  }
}

/**
 * A misspelled option must not silently disable a rule.
 *
 * @param more options of this function besides the shared ones
 * @throws TypeError
 */
export function checkOptions(options: Options, more: Readonly<Record<string, Expected>>): void {
  const known = { ...EXPECTED, ...more };
  for (const [name, value] of Object.entries(options)) {
    const expected = Object.hasOwn(known, name) ? known[name] : undefined;
    if (expected === undefined) throw new TypeError(unknownOption(name, Object.keys(known)));
    if (value === undefined) continue;
    if (typeof expected === "string" ? typeof value !== expected : !expected.includes(String(value)))
      throw new TypeError(`the option ${name} must be ${words(expected)}, not ${JSON.stringify(value)}`);
  }
  for (const [name, { accepts }] of SHARED) {
    const value = options[name as keyof Options];
    if (value === undefined || accepts === undefined || accepts[0](String(value))) continue;
    throw new TypeError(`the option ${name}: ${accepts[1]}`);
  }
  const { policyDir } = options;
  if (policyDir === "") throw new TypeError("the option policyDir must be a folder; use `.` for the root");
  if (policyDir !== undefined && leadsOut(policyDir)) throw new TypeError(`the option policyDir: ${policyDir} ${OUT}`);
}

/** If users choose file names, `../provider/policy.yaml` must not count as a file of the folder `provider`. */
function leadsOut(path: string): boolean {
  return posix.isAbsolute(path) || /^\.\.(\/|$)/.test(posix.normalize(path));
}

const OUT = "must be relative and stay within the files";

function unknownOption(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known, 3);
  return `the option ${name} is unknown${nearest === undefined ? `; known options are ${known.join(", ")}` : `: did you mean ${nearest}?`}`;
}

function words(expected: Expected): string {
  if (expected === "string") return "a string";
  return expected === "boolean" ? "true or false" : `one of ${expected.join(", ")}`;
}
