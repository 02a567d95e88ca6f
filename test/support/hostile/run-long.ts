/** Runs anp on an input in a worker and reports its exit code. */
import { parentPort } from "node:worker_threads";
import { main } from "../../../src/main.ts";
import { quietContext } from "../process/quiet-context.ts";

export interface LongRun {
  readonly args: readonly string[];
  readonly stdin: string;
}

parentPort!.on("message", ({ args, stdin }: LongRun) => {
  const context = quietContext({ readStdin: () => Buffer.from(stdin) });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a worker, which has no origin
  void main(args, context).then((exit) => parentPort!.postMessage(exit));
});
