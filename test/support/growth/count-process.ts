/** A process that runs anp and counts its work: how often each function of it runs a block, by V8's precise coverage. */
import { Session } from "node:inspector/promises";
import { quietContext } from "../process/quiet-context.ts";
import { countSearches } from "./searches.ts";

export interface CountedRun {
  readonly args: readonly string[];
  readonly stdin: string;
  /** Of the files, where the command runs. */
  readonly folder: string;
}

export interface Counted {
  readonly exit: number;
  /** Characters that were written. */
  readonly written: number;
  /** By function, and by built-in function that goes through a list. */
  readonly work: ReadonlyMap<string, number>;
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
// Before the sources are loaded: what is compiled already has no counters.
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { main } = await import("../../../src/main.ts");

process.on("message", (run: CountedRun) => {
  void count(run).then((counted) => process.send!(counted));
});

async function count({ args, stdin, folder }: CountedRun): Promise<Counted> {
  process.chdir(folder);
  let written = 0;
  const write = (text: string): void => void (written += text.length);
  const context = quietContext({ readStdin: () => Buffer.from(stdin), writeOut: write, writeError: write });
  await session.post("Profiler.takePreciseCoverage");
  const searches = countSearches();
  const exit = await main(args, context);
  const work = new Map<string, number>(searches.end());
  const { result } = await session.post("Profiler.takePreciseCoverage");
  for (const { url, functions } of result) {
    const file = /(?:\/src|\/node_modules)\/.*/.exec(url)?.[0];
    if (file === undefined || !url.startsWith("file:")) continue;
    for (const { functionName, ranges } of functions) {
      const name = `${file} ${functionName || String(ranges[0]!.startOffset)}`;
      const blocks = ranges.reduce((sum, range) => sum + range.count, 0);
      work.set(name, (work.get(name) ?? 0) + blocks);
    }
  }
  return { exit, written, work };
}
