/** The program: arguments in, exit code out. */
import { Command, CommanderError, Help, Option } from "commander";
import { type Context, processContext } from "./commands/cli/context.ts";
import { EXIT, type ExitCode, UnreadableError, UsageError } from "./commands/cli/exit-codes.ts";
import { commandMeant, takeFilenames } from "./commands/cli/kubectl-arguments.ts";
import { helpExamples } from "./commands/cli/help-examples.ts";
import { printableLines } from "./report/terminal/printable.ts";
import { version } from "./version.ts";

type AddCommand = (program: Command, context: Context, exit: (code: ExitCode) => void) => void;

/** In the order of the help. Each is loaded, with all that only it needs, when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  render: async () => (await import("./commands/render.ts")).addRender,
  check: async () => (await import("./commands/check.ts")).addCheck,
  explain: async () => (await import("./commands/explain.ts")).addExplain,
  plan: async () => (await import("./commands/plan.ts")).addPlan,
  why: async () => (await import("./commands/why.ts")).addWhy,
  diff: async () => (await import("./commands/diff.ts")).addDiff,
  rollout: async () => (await import("./commands/rollout.ts")).addRollout,
  simulate: async () => (await import("./commands/simulate.ts")).addSimulate,
  collect: async () => (await import("./commands/collect.ts")).addCollect,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  adopt: async () => (await import("./commands/adopt.ts")).addAdopt,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrate,
  upgrade: async () => (await import("./commands/upgrade.ts")).addUpgrade,
  cmp: async () => (await import("./commands/cmp.ts")).addCmp,
  fn: async () => (await import("./commands/fn.ts")).addFn,
  get: async () => (await import("./commands/get.ts")).addGet,
  guard: async () => (await import("./commands/guard.ts")).addGuard,
  crds: async () => (await import("./commands/crds.ts")).addCrds,
  watch: async () => (await import("./commands/watch.ts")).addWatch,
  webhook: async () => (await import("./commands/webhook.ts")).addWebhook,
  mcp: async () => (await import("./commands/mcp.ts")).addMcp,
  catalogue: async () => (await import("./commands/catalogue.ts")).addCatalogue,
  completion: async () => (await import("./commands/completion.ts")).addCompletion,
  version: async () => (await import("./commands/version.ts")).addVersion,
};

/**
 * What a user did wrong is one line; only our own fault shows where it happened.
 *
 * @param args what follows the program's name
 */
export async function main(args: readonly string[], context: Context = processContext()): Promise<ExitCode> {
  if (args.length === 0 && !context.stdinIsTerminal) {
    const input = await functionInput(context);
    if (input !== undefined) return main(["fn"], { ...context, readStdin: () => input });
  }
  let code: ExitCode = EXIT.done;
  const program = programFor(context);
  try {
    const [first = "", second = ""] = args;
    const meant = Object.hasOwn(COMMANDS, first) ? undefined : commandMeant(first);
    if (meant !== undefined) throw new UsageError(`there is no command ${first}: anp ${meant} does that`);
    if (first === "help" && (await import("./commands/help.ts")).explainFinding(second, context)) return code;
    for (const load of commandsFor(args)) {
      const addCommand = await load();
      addCommand(program, context, (result) => {
        code = result;
      });
    }
    for (const command of program.commands)
      command
        .exitOverride()
        .copyInheritedSettings(program)
        .addHelpText("after", () => helpExamples(command.name()));
    await program.parseAsync(takeFilenames(args, program.commands), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof UsageError) {
      context.writeError(`anp: ${printableLines(error.message)}\n${usageOf(program, args, error.showHelp)}`);
      return EXIT.usage;
    }
    if (error instanceof UnreadableError) {
      context.writeError(`anp: ${printableLines(error.message)}\n`);
      return EXIT.unreadable;
    }
    context.writeError(
      `anp: internal error, please report it with these lines\n${printableLines(String((error as Error).stack ?? error))}\n`,
    );
    return EXIT.internal;
  }
}

/** The standard input of a KRM function: hosts start one without arguments. Undefined for anything else. */
async function functionInput({ readStdin }: Context): Promise<Buffer | undefined> {
  const { looksLikeResourceList } = await import("./krm/resource-list/looks-like-resource-list.ts");
  try {
    const input = readStdin();
    return looksLikeResourceList(input.toString()) ? input : undefined;
  } catch {
    // Closed, or a directory: there is no input.
    return undefined;
  }
}

/** The help and its advice on misspelt names need every command, the version needs none. */
function commandsFor([first = ""]: readonly string[]): readonly (() => Promise<AddCommand>)[] {
  if (first === "-V" || first === "--version") return [];
  const asked = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  return asked === undefined ? Object.values(COMMANDS) : [asked];
}

/** Without the defaults that only the program needs: an empty list, and the value of an option without one. */
function optionDescription(option: Option): string {
  const hidden = Array.isArray(option.defaultValue) && option.defaultValueDescription === undefined;
  const shown = Object.assign(new Option(option.flags, option.description), option, { presetArg: undefined });
  return new Help().optionDescription(hidden ? Object.assign(shown, { defaultValue: undefined }) : shown);
}

function programFor(context: Context): Command {
  return new Command("anp")
    .description("Shows what Karpenter makes of NodePools, and renders AutoNodePolicy to them.")
    .version(version, "-V, --version")
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ optionDescription })
    .configureOutput({ writeOut: context.writeOut, writeErr: context.writeError })
    .addHelpText("after", EXAMPLES);
}

const EXAMPLES = `
Examples:
  anp check ./manifests                        everything that is wrong or surprising
  anp explain ./manifests --nodepool web       which instance types a pool gets, and why
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
