/** `anp cmp discover`: lists the files that make the current folder an application for anp. */
import { readSources } from "../../krm/read/read.ts";
import { type Discovered, discoverApplication } from "../../model/inputs/discover-application.ts";
import { printable, printableLines } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";

/** Argo CD asks this for every application, so unreadable files are not an error: they may belong to another tool. */
export function runDiscover(context: Context): ExitCode {
  const { files } = discovered();
  context.writeOut(files.map((file) => `${printableLines(printable(file))}\n`).join(""));
  return EXIT.done;
}

export function discovered(): Discovered {
  const { value: sources, findings } = readSources({ paths: ["."], readStdin: () => Buffer.alloc(0) });
  const seen = [...sources, ...findings].flatMap(({ file }) => (file === undefined ? [] : [file]));
  return discoverApplication(sources, seen);
}
