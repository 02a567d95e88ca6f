/** The process as commands see it: streams, terminal and environment. Nothing else meets node:process. */
import { readFileSync } from "node:fs";
import { styleText } from "node:util";
import { PLAIN, type Style } from "../report/style.ts";
import { writeFileAtomically } from "../krm/write-directory.ts";

export type ColorMode = "auto" | "always" | "never";

export interface Context {
  readonly stdinIsTerminal: boolean;
  readStdin(): Buffer;
  writeOut(text: string): void;
  writeError(text: string): void;
  writeFile(path: string, text: string): void;
  style(mode: ColorMode): Style;
}

export function processContext(): Context {
  // A reader that has seen enough, such as head, closes the pipe: that is no failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }
  return {
    stdinIsTerminal: process.stdin.isTTY === true,
    readStdin: () => readFileSync(0),
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    writeFile: writeFileAtomically,
    style: (mode) => (useColor(mode) ? COLORS : PLAIN),
  };
}

function useColor(mode: ColorMode): boolean {
  if (mode !== "auto") return mode === "always";
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return process.stderr.isTTY === true && TERM !== "dumb";
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
