/** The process as commands see it: streams, terminal and environment. Nothing else meets node:process. */
import { lstatSync, readSync, writeFileSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { styleText } from "node:util";
import { PLAIN, type Style } from "../report/style.ts";
import { writeFileAtomically } from "../krm/write-directory.ts";
import { EXIT } from "./exit-codes.ts";

export type ColorMode = "auto" | "always" | "never";

export interface Context {
  readonly stdinIsTerminal: boolean;
  readonly readStdin: () => Buffer;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly writeFile: (path: string, text: string) => void;
  readonly style: (mode: ColorMode) => Style;
}

export function processContext(): Context {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as head, closes the pipe: that is no failure.
    if (error.code === "EPIPE") process.exit();
    writeSync(2, `anp: the standard output cannot be written: ${error.code ?? error.message}\n`);
    process.exit(EXIT.no);
  });
  // Where nobody can read the findings, the exit code still tells.
  process.stderr.on("error", () => undefined);
  return {
    // Not process.stdin: to touch it makes the pipe non-blocking, and reading one that is still being filled then fails.
    stdinIsTerminal: isatty(0),
    readStdin,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    writeFile,
    style: (mode) => (useColor(mode) ? COLORS : PLAIN),
  };
}

/** The standard input to its end; a pipe that somebody else made non-blocking is waited for. */
function readStdin(): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readWaiting(chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

const CHUNK_BYTES = 65_536;

function readWaiting(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Devices, pipes and links, such as /dev/null, are written to: put a file in their place, and the machine is broken. */
function writeFile(path: string, text: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) writeFileSync(path, text);
  else writeFileAtomically(path, text);
}

function useColor(mode: ColorMode): boolean {
  if (mode !== "auto") return mode === "always";
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return process.stderr.isTTY && TERM !== "dumb";
}

const paint =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false });

const COLORS: Style = {
  error: paint(["bold", "red"]),
  warning: paint(["bold", "yellow"]),
  info: paint("cyan"),
  strong: paint("bold"),
  faint: paint("dim"),
};
