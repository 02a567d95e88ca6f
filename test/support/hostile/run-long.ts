/** A worker that runs anp on an input, and says with which code it ended. */
import { parentPort } from "node:worker_threads";
import { FILES, MACHINE } from "../../../src/commands/cli/context.ts";
import { main } from "../../../src/main.ts";
import { PLAIN } from "../../../src/report/terminal/style.ts";

export interface LongRun {
  readonly args: readonly string[];
  readonly stdin: string;
}

parentPort!.on("message", ({ args, stdin }: LongRun) => {
  const context = {
    stdinIsTerminal: false,
    readStdin: () => Buffer.from(stdin),
    writeOut: () => undefined,
    writeError: () => undefined,
    writeFile: () => undefined,
    files: FILES,
    env: {},
    machine: MACHINE,
    style: () => PLAIN,
    outStyle: () => PLAIN,
    outWidth: 100,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a worker, which has no origin
  void main(args, context).then((exit) => parentPort!.postMessage(exit));
});
