/** A context for `main` within the tests' process: by default no input, no colour and no output. */
import { type Context, FILES, MACHINE } from "../../../src/commands/cli/context.ts";
import { PLAIN } from "../../../src/report/terminal/style.ts";

export function quietContext(given: Partial<Context> = {}): Context {
  return {
    stdinIsTerminal: false,
    readStdin: () => Buffer.alloc(0),
    writeOut: () => undefined,
    writeError: () => undefined,
    writeFile: () => undefined,
    files: FILES,
    env: {},
    machine: MACHINE,
    style: () => PLAIN,
    outStyle: () => PLAIN,
    outWidth: 100,
    ...given,
  };
}
