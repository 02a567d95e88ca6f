/** Closed sets of values that the definition of an option or argument does not contain. */
import type { Argument, Option } from "commander";
import { REPORT_FORMATS } from "../../report/findings/format-findings.ts";
import { KIND_NAMES } from "../get/kinds.ts";
import type { TypedLine } from "./words.ts";

export interface Candidate {
  /** The whole word, including its typed part. */
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** What the shell itself offers besides them; in a word with `=`, behind the last `=`. */
  readonly paths: "files" | "folders" | "none";
  /** Whether the word ends with the candidate. */
  readonly space: boolean;
}

/** Undefined if the definition says what the option takes. */
export function valuesOf({ long }: Option, line: TypedLine): Completion | undefined {
  switch (long) {
    case "--report":
      return reports(line);
    case "--against":
      // A git ref is not in a closed set.
      return { candidates: [], paths: "folders", space: true };
    case "--feature-gates":
      return words(["AutoNode=true", "AutoNode=false"]);
    default:
      return undefined;
  }
}

/** For `anp get`: several kinds are separated by commas. */
export function valuesOfArgument(argument: Argument, { typed }: TypedLine): Completion | undefined {
  if (argument.name() !== "types") return undefined;
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const others = KIND_NAMES.filter((name) => !before.split(",").includes(name));
  return words(others.map((name) => `${before}${name}`));
}

/** A format, and a file behind `=`. */
function reports({ typed }: TypedLine): Completion {
  if (typed.includes("=")) return { candidates: [], paths: "files", space: true };
  return { candidates: plain(REPORT_FORMATS), paths: "none", space: false };
}

function words(values: readonly string[]): Completion {
  return { candidates: plain(values), paths: "none", space: true };
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: "" }));
}
