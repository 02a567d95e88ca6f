/** `anp completion` for shells, and the hidden command that its scripts call at each TAB. */
import { Argument, type Command } from "commander";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode } from "./cli/exit-codes.ts";
import { type Candidate, completeLine, type Completion } from "./completion/line.ts";
import { COMPLETION_SCRIPTS, type Shell } from "./completion/scripts.ts";
import { typedLine, wordsOfShellLine } from "./completion/words.ts";

export function addCompletion(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  // Words behind `__complete` belong to another command line, so none of them is an option here.
  program.enablePositionalOptions();
  program
    .command("completion")
    .description("print the script that makes a shell complete commands, options and their values")
    .addArgument(new Argument("<shell>", "the shell to print it for").choices(Object.keys(COMPLETION_SCRIPTS)))
    .addHelpText("after", EXAMPLES)
    .action((shell: Shell) => {
      context.writeOut(COMPLETION_SCRIPTS[shell]);
      exit(EXIT.done);
    });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]", "behind the program's name, up to the cursor")
    .option("--line <line>", "the same as a line, for shells that split words differently")
    .option("--replaced <text>", "the part of the last word that such a shell replaces", "")
    .helpOption(false)
    .action((words: string[], { line, replaced }: CompleteOptions) => {
      const typed = line === undefined ? words : wordsOfShellLine(line).slice(1);
      const word = typed.at(-1) ?? "";
      const form = line === undefined ? described : replacing(word, replaced);
      context.writeOut(answer(completeLine(typedLine(program, typed)), form));
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

/** A line for each candidate, then one with a colon for what the shell adds itself. */
function answer({ candidates, paths, space }: Completion, form: (candidate: Candidate) => string): string {
  return `${[...candidates.map(form), `:${paths}${space ? "" : " nospace"}`].join("\n")}\n`;
}

function described({ value, description }: Candidate): string {
  return description === "" ? value : `${value}\t${description}`;
}

/** bash replaces only the text behind the last `=` or `:` of a word, and shows no descriptions. */
function replacing(word: string, replaced: string): (candidate: Candidate) => string {
  const kept = word.endsWith(replaced) ? word.length - replaced.length : 0;
  return ({ value }) => value.slice(kept);
}
