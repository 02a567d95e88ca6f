/** `anp mcp`: answers agents, and the hidden command that each of their questions runs. */
import { Command } from "commander";
import { version } from "../version.ts";
import { confinedContext, type Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "./cli/exit-codes.ts";
import { addLiveOptions, checkLiveOptions, type LiveInputOptions } from "./input/live-input.ts";

interface McpOptions extends LiveInputOptions {
  readonly allowExec?: boolean;
  readonly render?: boolean;
}

export function addMcp(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  const command = program
    .command("mcp")
    .description("answer questions of agents about a folder, over the Model Context Protocol on the standard input")
    .argument("[dir]", "the folder that everything is read from; nothing outside of it is", ".")
    .option("--render", "build kustomizations and charts with the programs on the PATH");
  addLiveOptions(command, "let agents ask about a cluster, too")
    .option("--allow-exec", "with --live: let your own kubeconfig run programs and read files, as kubectl does")
    .addHelpText("after", EXAMPLES)
    .action(async (folder: string, options: McpOptions) => {
      checkLiveOptions(options);
      if (options.allowExec === true && options.live !== true) throw new UsageError("--allow-exec goes with --live");
      if (context.stdinIsTerminal)
        throw new UsageError("anp mcp is started by an agent's client: see docs/mcp.md", true);
      const { live = false, kubeconfig, context: kubeContext, allowExec = false, render = false } = options;
      // The protocol and its packages are loaded only here.
      const { isExecutable, runMcp } = await import("../mcp/run-mcp.ts");
      if (isExecutable()) throw new UsageError(IN_EXECUTABLE);
      await runMcp(folder, { live, kubeconfig, context: kubeContext, allowExec, render }, version);
      exit(EXIT.done);
    });
  addAnswer(program, context, exit);
}

/** Each question needs options of node (docs/decisions/0027-questions-of-agents-in-confined-processes.md). */
const IN_EXECUTABLE =
  "this executable takes no options of node, and anp mcp answers each question under node's permissions: install the package, with Node 22.19 or newer, or run npx anp mcp in a clone (docs/mcp.md)";

const EXAMPLES = `
Examples:
  anp mcp ./clusters                           in the configuration of an agent's client
  anp mcp ./clusters --live --context prod     its agents may also ask about that cluster`;

/** Runs a command that reads nothing outside of the current folder, in a process that node lets do nothing else. */
function addAnswer(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  // Options behind `__answer` belong to the other command.
  program.enablePositionalOptions();
  program
    .command("__answer", { hidden: true })
    .argument("<command>")
    .argument("[words...]")
    .passThroughOptions()
    .helpOption(false)
    .action(async (name: string, words: string[]) => {
      const load = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
      if (load === undefined) throw new UsageError(`anp mcp does not run anp ${name}`);
      const confined = confinedContext(context);
      const inner = new Command("anp")
        .exitOverride()
        .configureOutput({ writeOut: context.writeOut, writeErr: context.writeError });
      (await load())(inner, confined, exit);
      for (const command of inner.commands) command.exitOverride().copyInheritedSettings(inner);
      await inner.parseAsync([name, ...words], { from: "user" });
    });
}

type AddCommand = typeof addMcp;

/** The commands that the tools of src/mcp/tools.ts run. */
const ANSWERS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  explain: async () => (await import("./explain.ts")).addExplain,
  check: async () => (await import("./check.ts")).addCheck,
  diff: async () => (await import("./diff.ts")).addDiff,
  simulate: async () => (await import("./simulate.ts")).addSimulate,
  plan: async () => (await import("./plan.ts")).addPlan,
  why: async () => (await import("./why.ts")).addWhy,
};
