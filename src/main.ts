/** The program: arguments in, exit code out. What a user did wrong is one line; only our own fault shows where it happened. */
// First: a schema asks for it when it is made.
import "./model/interpret-schemas.ts";
import { Command, CommanderError } from "commander";
import { type Context, processContext } from "./commands/context.ts";
import { addCrds } from "./commands/crds.ts";
import { EXIT, type ExitCode, UsageError } from "./commands/exit-codes.ts";
import { addRender } from "./commands/render.ts";
import { version } from "./version.ts";

/** @param args what follows the program's name */
export async function main(args: readonly string[], context: Context = processContext()): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = build(context, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof UsageError) {
      context.writeError(`anp: ${error.message}\n${usageOf(program, args, error.showHelp)}`);
      return EXIT.usage;
    }
    context.writeError(
      `anp: internal error, please report it with these lines\n${String((error as Error).stack ?? error)}\n`,
    );
    return EXIT.internal;
  }
}

function build(context: Context, exit: (code: ExitCode) => void): Command {
  const program = new Command("anp")
    .description("Renders AutoNodePolicy: a policy and wrapper manifests in, Karpenter manifests out.")
    .version(version, "-V, --version")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: context.writeOut, writeErr: context.writeError })
    .addHelpText("after", EXAMPLES);
  addRender(program, context, exit);
  addCrds(program, context, exit);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

const EXAMPLES = `
Examples:
  anp render ./manifests                       render a directory
  anp render ./manifests --output-dir ./out    one file an object
  kubectl get onp,oec2nc -o yaml | anp render policy.yaml -
  anp crds | kubectl apply -f -                install the CRDs

Exit codes: 0 done, 1 findings, 2 wrong use, 3 unreadable input, 4 cluster trouble, 70 our fault`;

/** The help of the command that was meant, or where to find it. */
function usageOf(program: Command, args: readonly string[], whole: boolean): string {
  const command = program.commands.find((candidate) => candidate.name() === args[0]) ?? program;
  if (whole) return `\n${command.helpInformation()}`;
  return `See anp ${command === program ? "" : `${command.name()} `}--help.\n`;
}
