/** Words up to the cursor in, the answer of `anp __complete` out: its candidates, what the shell adds, and what went wrong. */
import { anp } from "../process/built.ts";

export interface Answer {
  /** Each with its description, if any, behind a tab. */
  readonly lines: readonly string[];
  readonly shell: string;
}

export function ask(cwd: string, ...words: readonly string[]): Answer {
  return answerOf(anp(["__complete", "--", ...words], { cwd }));
}

/** As bash asks. */
export function askLine(cwd: string, line: string, replaced: string): Answer {
  return answerOf(anp(["__complete", "--line", line, "--replaced", replaced], { cwd }));
}

/** The candidates without their descriptions. */
export function values(cwd: string, ...words: readonly string[]): string[] {
  return ask(cwd, ...words).lines.map((line) => line.split("\t")[0] ?? "");
}

function answerOf({ exit, stdout, stderr }: ReturnType<typeof anp>): Answer {
  if (exit !== 0 || stderr !== "") throw new Error(`exit ${exit}, and a user would read: ${stderr}`);
  const lines = stdout.split("\n");
  if (lines.pop() !== "" || lines.at(-1)?.startsWith(":") !== true) throw new Error(`not an answer: ${stdout}`);
  return { shell: lines.pop() ?? "", lines };
}
