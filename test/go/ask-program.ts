/** Asks a Go program: questions in, one reply for each out, all in one run of it, a line of JSON each. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { buildGoProgram, type GoProgram } from "./build.ts";

/** @throws Error where the program cannot be built, or did not answer every question */
export async function askProgram<R>(program: GoProgram, questions: readonly object[]): Promise<R[]> {
  const { name } = program;
  const built = await buildGoProgram(program);
  if ("skipped" in built) throw new Error(`no ${name}: ${built.skipped}`);
  const started = spawn(built.path, [], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    started.on("error", reject);
    started.on("close", resolve);
  });
  // It ends early when it cannot read a question, and says why on stderr.
  started.stdin.on("error", () => {});
  started.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const [exitCode, stdout, stderr] = await Promise.all([ended, text(started.stdout), text(started.stderr)]);
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
  const replies = stdout.split("\n").slice(0, -1);
  if (replies.length !== questions.length)
    throw new Error(`${replies.length} replies to ${questions.length} questions`);
  return replies.map((line) => JSON.parse(line) as R);
}
