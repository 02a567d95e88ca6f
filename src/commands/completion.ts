/** `anp completion` for shells, and the hidden command that its scripts ask at each TAB. */
import { Argument, type Command } from "commander";
import { type Candidate, completeLine, type Completion } from "./completion/line.ts";
import { COMPLETION_SCRIPTS, type Shell } from "./completion/scripts.ts";
import { wordsOfShellLine } from "./completion/shell-line.ts";
import { typedLine } from "./completion/words.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode } from "./cli/exit-codes.ts";

export function addCompletion(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  // What follows `__complete` are words of another command line: none of them is an option here.
  program.enablePositionalOptions();
  program
    .command("completion")
    .description("print the script that makes a shell complete commands, options and names of the input")
    .addArgument(new Argument("<shell>", "the shell to print it for").choices(Object.keys(COMPLETION_SCRIPTS)))
    .addHelpText("after", EXAMPLES)
    .action((shell: Shell) => {
      context.writeOut(COMPLETION_SCRIPTS[shell]);
      exit(EXIT.done);
    });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]", "behind the program's name, up to the cursor")
    .option("--line <line>", "the same as a line, for shells that cut words where others do not")
    .option("--replaced <text>", "what of the last word such a shell replaces", "")
    .helpOption(false)
    .action((words: string[], { line, replaced }: CompleteOptions) => {
      const typed = line === undefined ? words : wordsOfShellLine(line).slice(1);
      const word = typed.at(-1) ?? "";
      const form = line === undefined ? described : replacing(word, replaced);
      context.writeOut(answer(tryToComplete(program, typed, context), word, form));
      exit(EXIT.done);
    });
}

interface CompleteOptions {
  readonly line?: string;
  readonly replaced: string;
}

const EXAMPLES = `
Examples:
  source <(anp completion bash)                                in ~/.bashrc
  source <(anp completion zsh)                                 in ~/.zshrc, after compinit
  anp completion fish > ~/.config/fish/completions/anp.fish`;

/** A line for each candidate, then one that begins with a colon: what the shell adds itself. */
function answer(
  { candidates, paths, space }: Completion,
  word: string,
  form: (candidate: Candidate) => string,
): string {
  const harmless = candidates.filter(({ value }) => PLAIN_TEXT.test(value.slice(word.length)));
  return `${[...harmless.map(form), `:${paths}${space ? "" : " nospace"}`].join("\n")}\n`;
}

/** Names come from files that anybody may have written: what a shell would take for more than text is not offered. */
const PLAIN_TEXT = /^[\w.:/=@%+,-]*$/;

function described({ value, description }: Candidate): string {
  return description === "" ? value : `${value}\t${description.replaceAll(/\s+/g, " ")}`;
}

/** bash replaces only what stands behind the last `=` or `:` of a word, and shows no descriptions. */
function replacing(word: string, replaced: string): (candidate: Candidate) => string {
  const kept = word.endsWith(replaced) ? word.length - replaced.length : 0;
  return ({ value }) => value.slice(kept);
}

/** Nobody who presses TAB wants to read why there is nothing to offer. */
function tryToComplete(program: Command, words: readonly string[], context: Context): Completion {
  try {
    return completeLine(typedLine(program, words), context);
  } catch {
    return { candidates: [], paths: "files", space: true };
  }
}
