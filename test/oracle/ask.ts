/** Asks Karpenter itself: questions in, one reply for each out, all in one run of the oracle. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { buildGoProgram } from "../go/build.ts";

export interface Reply {
  readonly answer?: unknown;
  /** What Karpenter panicked with, on input that its validation would have refused. */
  readonly panic?: string;
}

/** @param questions objects with the `op` that the program knows them by */
export async function askOracle(questions: readonly { readonly op: string }[]): Promise<Reply[]> {
  const built = await buildGoProgram({ module: import.meta.dirname, package: ".", name: "oracle" });
  if ("skipped" in built) throw new Error(`no oracle: ${built.skipped}`);
  const oracle = spawn(built.path, [], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    oracle.on("error", reject);
    oracle.on("close", resolve);
  });
  // It ends early when it cannot read a question, and says why on stderr.
  oracle.stdin.on("error", () => {});
  oracle.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const [exitCode, stdout, stderr] = await Promise.all([ended, text(oracle.stdout), text(oracle.stderr)]);
  if (exitCode !== 0) throw new Error(`the oracle ended with ${exitCode}: ${stderr}`);
  const replies = stdout.split("\n").slice(0, -1);
  if (replies.length !== questions.length)
    throw new Error(`${replies.length} replies to ${questions.length} questions`);
  return replies.map((line) => JSON.parse(line) as Reply);
}
