/** Accepts arguments of kubectl and other tools: another name of a command, or `-f FILE`. */
import type { Command } from "commander";

/** Names of commands in other tools, and the command of anp. */
const MEANT: Readonly<Record<string, string>> = {
  apply: "watch",
  build: "render",
  convert: "migrate",
  describe: "explain",
  generate: "render",
  import: "adopt",
  lint: "check",
  list: "get",
  ls: "get",
  plan: "diff",
  template: "render",
  test: "check",
  validate: "check",
  verify: "check",
  vet: "check",
  why: "explain",
};

/** The command that a word means in other tools; undefined for an unknown word. */
export function commandMeant(word: string): string | undefined {
  return Object.hasOwn(MEANT, word) ? MEANT[word] : undefined;
}

/**
 * Takes `-f FILE` as kubectl does, if the command takes files: FILE becomes the last argument. Everything behind
 * `--` stays.
 */
export function takeFilenames(args: readonly string[], commands: readonly Command[]): string[] {
  const command = commands.find((candidate) => candidate.name() === args[0]);
  const takesFiles = command?.registeredArguments.some((argument) => FILES.includes(argument.name())) ?? false;
  if (!takesFiles) return [...args];
  const files: string[] = [];
  const rest: string[] = [];
  let isOption = true;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    const next = args[index + 1];
    isOption &&= arg !== "--";
    const [, joined] = /^(?:-f=?|--filename=)(.+)$/s.exec(arg) ?? [];
    if (isOption && joined !== undefined) files.push(joined);
    else if (isOption && (arg === "-f" || arg === "--filename") && next !== undefined) {
      files.push(next);
      index += 1;
    } else rest.push(arg);
  }
  return [...rest, ...files];
}

/** Names of arguments that take files. */
const FILES: readonly string[] = ["path", "policy"];
