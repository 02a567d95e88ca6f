/** Asks Karpenter 1.0.8 itself: questions in, one reply for each out, all in one run of the oracle. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { KarpenterVersion } from "../../src/karpenter/convert-object.ts";
import type { Fields } from "../../src/karpenter/plain-fields.ts";
import { buildGoProgram } from "../go/build.ts";

export type Question =
  /** What its webhook makes of an object. */
  | {
      readonly op: "convert";
      readonly to: KarpenterVersion;
      readonly object: Fields;
      readonly nodePools: readonly Fields[];
    }
  /** An object as it would write it itself. */
  | { readonly op: "read"; readonly object: Fields };

export interface Reply {
  readonly object?: Fields;
  readonly error?: string;
  readonly panic?: string;
}

export async function askConversionOracle(questions: readonly Question[]): Promise<Reply[]> {
  const built = await buildGoProgram({ module: import.meta.dirname, package: ".", name: "oracle-v1beta1" });
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
