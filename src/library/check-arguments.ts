/** Checks of what a caller hands over, in words where it is wrong. */
import { posix } from "node:path";
import { nearestWord } from "../krm/nearest-word.ts";
import { HOSTED_CLUSTER_NAME } from "../model/hosted-clusters.ts";
import { PROFILES } from "../model/profile.ts";
import type { InputFile, Options } from "./library.ts";

/** A kind of value, or the words to choose from. */
type Expected = "string" | "boolean" | readonly string[];

const SHARED: Readonly<Record<string, Expected>> = {
  hostedCluster: "string",
  policyDir: "string",
  requirePolicy: "boolean",
  profile: PROFILES,
};

/** @throws TypeError */
export function checkFiles(files: readonly InputFile[]): void {
  if (!Array.isArray(files)) throw new TypeError("the files must be a list of { path, text }");
  const seen = new Set<string>();
  for (const [place, file] of (files as readonly unknown[]).entries()) {
    const { path, text } = (file ?? {}) as Partial<InputFile>;
    if (typeof path !== "string" || path === "" || typeof text !== "string")
      throw new TypeError(`files[${place}] must be { path, text }, both of them texts`);
    if (leadsOut(path)) throw new TypeError(`files[${place}]: ${path} ${OUT}`);
    const whole = posix.normalize(path);
    if (seen.has(whole)) throw new TypeError(`files[${place}]: ${path} is there twice`);
    seen.add(whole);
  }
}

/**
 * A misspelt option must not turn a rule off in silence.
 *
 * @param more what a function takes beside the options that all share
 * @throws TypeError
 */
export function checkOptions(options: Options, more: Readonly<Record<string, Expected>>): void {
  const known = { ...SHARED, ...more };
  for (const [name, value] of Object.entries(options)) {
    const expected = Object.hasOwn(known, name) ? known[name] : undefined;
    if (expected === undefined) throw new TypeError(unknownOption(name, Object.keys(known)));
    if (value === undefined) continue;
    if (typeof expected === "string" ? typeof value !== expected : !expected.includes(String(value)))
      throw new TypeError(`the option ${name} must be ${words(expected)}, not ${JSON.stringify(value)}`);
  }
  const { hostedCluster, policyDir } = options;
  if (hostedCluster !== undefined && !HOSTED_CLUSTER_NAME.test(hostedCluster))
    throw new TypeError("the option hostedCluster must be a namespace, such as clusters-my-cluster");
  if (policyDir === "") throw new TypeError("the option policyDir must be a folder; the top one is `.`");
  if (policyDir !== undefined && leadsOut(policyDir)) throw new TypeError(`the option policyDir: ${policyDir} ${OUT}`);
}

/** Where users name files, `../provider/policy.yaml` must not pass for one of the folder `provider`. */
function leadsOut(path: string): boolean {
  return posix.isAbsolute(path) || /^\.\.(\/|$)/.test(posix.normalize(path));
}

const OUT = "must be relative and stay within the files";

function unknownOption(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known, 3);
  return `the option ${name} is not known${nearest === undefined ? `; there are ${known.join(", ")}` : `: did you mean ${nearest}?`}`;
}

function words(expected: Expected): string {
  if (expected === "string") return "a text";
  return expected === "boolean" ? "true or false" : `one of ${expected.join(", ")}`;
}
