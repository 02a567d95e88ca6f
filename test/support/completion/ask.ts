/** Words up to the cursor in, the answer of `anp __complete` out: its candidates, what the shell adds, and what went wrong. */
import { type Run, runAnp } from "../process/run-anp.ts";

export interface Answer {
  /** Each with its description, if any, behind a tab. */
  readonly lines: readonly string[];
  readonly shell: string;
}

export async function ask(cwd: string, ...words: readonly string[]): Promise<Answer> {
  return answerOf(await runAnp(["__complete", "--", ...words], { cwd }));
}

/** As bash asks. */
export async function askLine(cwd: string, line: string, replaced: string): Promise<Answer> {
  return answerOf(await runAnp(["__complete", "--line", line, "--replaced", replaced], { cwd }));
}

/** The candidates without their descriptions. */
export async function values(cwd: string, ...words: readonly string[]): Promise<string[]> {
  return (await ask(cwd, ...words)).lines.map((line) => line.split("\t")[0] ?? "");
}

function answerOf({ exit, stdout, stderr }: Run): Answer {
  if (exit !== 0 || stderr !== "") throw new Error(`exit ${exit}, and a user would read: ${stderr}`);
  const lines = stdout.split("\n");
  if (lines.pop() !== "" || lines.at(-1)?.startsWith(":") !== true) throw new Error(`not an answer: ${stdout}`);
  return { shell: lines.pop() ?? "", lines };
}
