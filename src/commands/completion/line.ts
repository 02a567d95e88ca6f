/** Completes a typed line at the cursor, from the definitions of commands and options. */
import type { Argument, Command, Option } from "commander";
import { REPORT_FORMATS } from "../../report/findings/format-findings.ts";
import { KIND_NAMES } from "../get/kinds.ts";
import type { TypedLine } from "./words.ts";

/** Only candidates that begin with the typed word. */
export function completeLine(line: TypedLine): Completion {
  const { candidates, ...rest } = everything(line);
  const whole = candidates.map(({ value, description }) => ({ value: `${line.before}${value}`, description }));
  return { ...rest, candidates: whole.filter(({ value }) => value.startsWith(`${line.before}${line.typed}`)) };
}

function everything(line: TypedLine): Completion {
  const { command, option, operands, operandsOnly, typed } = line;
  if (option !== undefined) return ofOption(option, line);
  if (typed.startsWith("-") && !operandsOnly) return words(optionsOf(line));
  if (operands.length === 0 && command.commands.length > 0) return words(withoutSubcommand(line));
  if (operands.length === 1 && operands[0] === "help") return words(commandsOf(command));
  const argument = argumentAt(command, operands.length);
  if (argument !== undefined) return ofArgument(argument, line);
  return words(operandsOnly || operands.length > 0 ? [] : optionsOf(line));
}

/** Commands with an action of their own have no help command. */
function withoutSubcommand(line: TypedLine): Candidate[] {
  const commands = commandsOf(line.command);
  return commands.some(({ value }) => value === "help") ? commands : [...commands, ...optionsOf(line)];
}

function commandsOf(command: Command): Candidate[] {
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((each) => ({ value: each.name(), description: each.description() }));
}

/** Long names, or the typed short name; options that are given already only if they may be repeated. */
function optionsOf({ command, given, typed }: TypedLine): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options
    .filter((option) => mayBeRepeated(option) || !given.has(option.long ?? option.short ?? ""))
    .map(({ long, short, description }) => ({ value: (short === typed ? short : long) ?? short ?? "", description }));
}

/** An option that collects values starts with a list; see `--report` in options.ts. */
function mayBeRepeated({ variadic, defaultValue }: Option): boolean {
  return variadic || Array.isArray(defaultValue);
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic === true ? last : undefined);
}

function ofArgument(argument: Argument, line: TypedLine): Completion {
  if (argument.argChoices !== undefined) return words(asIs(argument.argChoices));
  return valuesOfArgument(argument, line) ?? nothingBut(pathsOf(argument.name()));
}

function ofOption(option: Option, line: TypedLine): Completion {
  if (option.argChoices !== undefined) return words(asIs(option.argChoices));
  return valuesOf(option, line) ?? nothingBut(pathsOf(option.flags));
}

/** What the shell offers for a placeholder: `--output-dir <dir>`, `--config <file>`, `[path...]`. */
function pathsOf(placeholder: string): Completion["paths"] {
  const name = /[<[]([^<[]*)[>\]]$/.exec(placeholder)?.[1] ?? placeholder;
  if (/\b(file|path)/.test(name)) return "files";
  return /\b(dir|folder)/.test(name) ? "folders" : "none";
}

function nothingBut(paths: Completion["paths"]): Completion {
  return { candidates: [], paths, space: true };
}

function words(candidates: readonly Candidate[]): Completion {
  return { candidates, paths: "none", space: true };
}

function asIs(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: "" }));
}

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
function valuesOf({ long }: Option, line: TypedLine): Completion | undefined {
  switch (long) {
    case "--report":
      return reports(line);
    case "--against":
      // A git ref is not in a closed set.
      return { candidates: [], paths: "folders", space: true };
    case "--feature-gates":
      return words(asIs(["AutoNode=true", "AutoNode=false"]));
    default:
      return undefined;
  }
}

/** For `anp get`: several kinds are separated by commas. */
function valuesOfArgument(argument: Argument, { typed }: TypedLine): Completion | undefined {
  if (argument.name() !== "types") return undefined;
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const others = KIND_NAMES.filter((name) => !before.split(",").includes(name));
  return words(asIs(others.map((name) => `${before}${name}`)));
}

/** A format, and a file behind `=`. */
function reports({ typed }: TypedLine): Completion {
  if (typed.includes("=")) return { candidates: [], paths: "files", space: true };
  return { candidates: asIs(REPORT_FORMATS), paths: "none", space: false };
}
