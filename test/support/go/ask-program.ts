/** Sends questions to a Go program and returns its replies, in one run, as a line of JSON each. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { goProgram, type ProgramName } from "./programs.ts";

/** @throws Error if the program cannot be built, or did not answer every question */
export async function askProgram<R>(name: ProgramName, questions: readonly object[]): Promise<R[]> {
  const started = spawn(await goProgram(name), [], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    started.on("error", reject);
    started.on("close", resolve);
  });
  // It ends early if it cannot read a question, and prints the reason on stderr.
  started.stdin.on("error", () => {});
  started.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const [exitCode, stdout, stderr] = await Promise.all([ended, text(started.stdout), text(started.stderr)]);
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
  const replies = stdout.split("\n").slice(0, -1);
  if (replies.length !== questions.length)
    throw new Error(`${replies.length} replies to ${questions.length} questions`);
  return replies.map((line) => JSON.parse(line) as R);
}
