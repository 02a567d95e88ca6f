/** Runs anp within the tests' process: arguments, input and environment, exit code and streams. */
import { type Context, processContext, styleFor } from "../../../src/commands/cli/context.ts";
import { main } from "../../../src/main.ts";
import type { Ended, Surroundings } from "./built.ts";
import { quietContext } from "./quiet-context.ts";

/** No signal ends this process. */
export interface Run extends Ended {
  readonly exit: number;
}

/**
 * None of its streams is a terminal. Runs are sequential: the folder and the environment belong to the whole process.
 */
export function runAnp(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const run = earlier.then(() => runAlone(args, surroundings));
  earlier = run.catch(() => undefined);
  return run;
}

let earlier: Promise<unknown> = Promise.resolve();

async function runAlone(args: readonly string[], { cwd = ".", input = "", env = {} }: Surroundings): Promise<Run> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    const style: Context["style"] = (mode) => styleFor(mode, process.env, () => false);
    return await runMain(args, cwd, {
      readStdin: () => Buffer.from(input),
      writeFile: processContext().writeFile,
      env: process.env,
      style,
      outStyle: style,
      outWidth: Number(process.env["COLUMNS"]) || 100,
    });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/** Runs the program in a folder, and keeps what it writes to its streams. */
export async function runMain(args: readonly string[], folder: string, given: Partial<Context>): Promise<Run> {
  let stdout = "";
  let stderr = "";
  const context = quietContext({
    writeOut: (text) => void (stdout += text),
    writeError: (text) => {
      if (stdout !== "") throw new Error("on a terminal, what goes to the standard error stands before the answer");
      stderr += text;
    },
    ...given,
  });
  const before = process.cwd();
  process.chdir(folder);
  try {
    const exit = await main(args, context);
    // Every answer in JSON must match its schema.
    if (args.some((arg) => /json$|^parameters$/.test(arg)))
      (await import("../golden/judge-answer.ts")).judgeAnswer(args, stdout);
    return { exit, stdout, stderr };
  } finally {
    process.chdir(before);
  }
}
