/** The process as commands see it: streams, terminal and environment. */
import {
  accessSync,
  constants,
  fstatSync,
  lstatSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  write,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { styleText } from "node:util";
import { PLAIN, type Style } from "../../report/terminal/style.ts";
import { isWithin } from "../../krm/read/git-repository.ts";
import { readWithinLimit } from "../../krm/read/read-file.ts";
import { refuseLinks, writeFileAtomically } from "../../krm/write/write-files.ts";
import { EXIT } from "./exit-codes.ts";

export type ColorMode = "auto" | "always" | "never";

export interface Context {
  readonly stdinIsTerminal: boolean;
  readonly readStdin: () => Buffer;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Resolves when the text is written, or cannot be. Wait for it before the next call. */
  readonly writeErrorLater?: (text: string) => Promise<void>;
  readonly writeFile: (path: string, text: string) => void;
  readonly files: Files;
  /** Environment variables. Hosts such as Argo CD pass parameters in them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: Machine;
  /** Style of the standard error. */
  readonly style: (mode: ColorMode) => Style;
  /** Style of the standard output. */
  readonly outStyle: (mode: ColorMode) => Style;
  /** Columns of the standard output; a readable width if it is no terminal. */
  readonly outWidth: number;
  /** Columns of the terminal that the standard output or error is; undefined if it is none. */
  readonly outColumns?: number | undefined;
  readonly errorColumns?: number | undefined;
}

/** Files other than manifests, which krm/read/read.ts reads. Errors of node:fs say why a file cannot be read. */
interface Files {
  readonly read: (path: string) => Buffer;
  /** Whether anything is there, even if the user may not read it. */
  readonly exists: (path: string) => boolean;
  /** The day a file was written, as 2026-11-20. */
  readonly written: (path: string) => string;
  /** A file that the package ships in dist/, and the executable contains. */
  readonly readShipped: (name: string) => string;
}

/** Facts about the process and its machine, as `anp cmp doctor` reports them. */
interface Machine {
  /** The current folder, absolute. */
  readonly folder: () => string;
  readonly temporaryFolder: () => string;
  readonly isWritable: (path: string) => boolean;
  /** Undefined on a system without numeric user IDs. */
  readonly userId: () => number | undefined;
  /** The version of the program's own Node, such as 26.10.0. */
  readonly nodeVersion: () => string;
  /** The platform, such as linux-x64. */
  readonly platform: () => string;
  /** Milliseconds since the start of the process. */
  readonly milliseconds: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether input and output are a terminal that can draw a dashboard. */
  readonly isInteractive: () => boolean;
  /** Calls the function repeatedly, until the returned function is called. */
  readonly every: (milliseconds: number, act: () => void) => () => void;
  /** Ends the process at once. */
  readonly leave: (code: number) => void;
}

/** The only code that reads node:process. */
export function processContext(): Context {
  return {
    get stdinIsTerminal() {
      return isTerminal(0);
    },
    readStdin,
    writeOut,
    writeError,
    writeErrorLater,
    writeFile,
    files: FILES,
    env: process.env,
    machine: MACHINE,
    style: (mode) => styleFor(mode, process.env, () => isTerminal(2)),
    outStyle: (mode) => styleFor(mode, process.env, () => isTerminal(1)),
    get outWidth() {
      return process.stdout.columns || Number(process.env["COLUMNS"]) || PAGE_WIDTH;
    },
    get outColumns() {
      return isTerminal(1) ? process.stdout.columns || undefined : undefined;
    },
    get errorColumns() {
      return isTerminal(2) ? process.stderr.columns || undefined : undefined;
    },
  };
}

/**
 * The context of a command that answers an agent (src/mcp): it reads no file outside of the current folder, also not
 * through a link, and writes none. Node itself refuses the rest, so it has to run with `--permission`.
 *
 * @throws Error without it
 */
export function confinedContext(context: Context): Context {
  const { permission } = process;
  if (permission === undefined || permission.has("fs.write", process.cwd()))
    throw new Error("node runs without --permission");
  const root = realpathSync(process.cwd());
  const denied = (): never => {
    throw Object.assign(new Error("outside of the folder"), { code: "EACCES" });
  };
  return {
    ...context,
    readStdin: () => Buffer.alloc(0),
    writeFile: denied,
    files: { ...context.files, read: (path) => (isWithin(realpathSync(path), root) ? readWhole(path) : denied()) },
  };
}

export const FILES: Files = {
  read: readWhole,
  exists: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  written: (path) => statSync(path).mtime.toISOString().slice(0, 10),
  readShipped: (name) => {
    const { isSea, getAssetKeys, getAsset } = process.getBuiltinModule("node:sea");
    if (isSea() && getAssetKeys().includes(name)) return getAsset(name, "utf8");
    return readFileSync(shippedPath(name), "utf8");
  },
};

/** Bounded, because a RenderConfig may name an endless device as its baseline. */
function readWhole(path: string): Buffer {
  const kind = statSync(path);
  if (kind.isFile() || kind.isDirectory()) return readFileSync(path);
  const bytes = readWithinLimit(path, MAX_STREAM_BYTES);
  if (Buffer.isBuffer(bytes)) return bytes;
  throw Object.assign(new Error("too large"), { code: "EFBIG" });
}

const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

export const MACHINE: Machine = {
  folder: () => process.cwd(),
  temporaryFolder: () => process.getBuiltinModule("node:os").tmpdir(),
  isWritable: (path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
  userId: () => process.getuid?.(),
  nodeVersion: () => process.versions.node,
  platform: () => `${process.platform}-${process.arch}`,
  milliseconds: () => performance.now(),
  now: () => Date.now(),
  isInteractive: () => {
    const { CI = "", TERM = "" } = process.env;
    const drawn = process.platform === "win32" || (TERM !== "" && TERM !== "dumb");
    return drawn && ["", "0", "false"].includes(CI) && [0, 1, 2].every(isTerminal);
  },
  every: (milliseconds, act) => {
    const timer = setInterval(act, milliseconds);
    return () => clearInterval(timer);
  },
  leave: (code) => process.exit(code),
};

/** Beside the bundle, or in dist/ when the sources run unbuilt. */
function shippedPath(name: string): string {
  const folder = import.meta.dirname as string | undefined;
  return folder === undefined ? require.resolve(`./${name}`) : join(folder, "../../../dist", name);
}

// Descriptors are used, because loading node's streams takes a tenth of a cold start, and touching process.stdin makes a
// pipe non-blocking, so that reading a pipe fails while it is still being filled.

/** node:tty takes 7 ms to load, so it is loaded only for a device that may be a terminal. */
function isTerminal(descriptor: number): boolean {
  const device = fstatSync(descriptor);
  if (!device.isCharacterDevice()) return false;
  const isNull =
    device.rdev !== 0 &&
    device.rdev === statSync(process.getBuiltinModule("node:os").devNull, { throwIfNoEntry: false })?.rdev;
  return !isNull && process.getBuiltinModule("node:tty").isatty(descriptor);
}

function readStdin(): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = waiting(() => readSync(0, chunk));
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

const CHUNK_BYTES = 65_536;

function writeOut(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // EPIPE: a reader such as head has stopped reading or has crashed. The two look the same, and the rest of the output is lost.
    const why = code === "EPIPE" ? "it was closed before all of it was read" : (code ?? message);
    writeError(`anp: the standard output cannot be written: ${why}\n`);
    process.exit(EXIT.no);
  }
}

function writeError(text: string): void {
  try {
    writeAll(2, text);
  } catch {
    // If the standard error cannot be written, the exit code still reports the result.
  }
}

/** Node's own stream blocks on files, and makes pipes non-blocking for every process that shares them. */
async function writeErrorLater(text: string): Promise<void> {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    const { error, written } = await writtenOf(rest);
    if (error === null) rest = rest.subarray(written);
    else if (error.code === "EAGAIN") await new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
    else return;
  }
}

function writtenOf(bytes: Uint8Array): Promise<{ error: NodeJS.ErrnoException | null; written: number }> {
  return new Promise((resolve) => {
    write(2, bytes, (error, written) => resolve({ error, written }));
  });
}

const RETRY_MS = 10;

function writeAll(descriptor: number, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(waiting(() => writeSync(descriptor, rest)));
}

/** Tries again while a pipe, which another process has made non-blocking, is not ready. */
function waiting(act: () => number): number {
  for (;;) {
    try {
      return act();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/**
 * Devices and pipes are written to, because replacing one by a file would break the machine. A link may come from the input
 * as well as from the user, so it is replaced and not followed, except links of the system such as /dev/stdout.
 */
function writeFile(path: string, text: string): void {
  refuseLinks(path);
  const kind = lstatSync(path, { throwIfNoEntry: false });
  const isLink = kind?.isSymbolicLink() === true && !isOfTheSystem(path);
  if (kind === undefined || kind.isFile() || isLink) writeFileAtomically(path, text);
  else writeFileSync(path, text);
}

function isOfTheSystem(path: string): boolean {
  return /^\/(?:dev|proc)(?:\/|$)/.test(realpathSync(dirname(path)));
}

const PAGE_WIDTH = 100;

/** Colours are used if the stream is a terminal, or if an option or a variable asks for them. */
export function styleFor(mode: ColorMode, env: Context["env"], goesToTerminal: () => boolean): Style {
  return useColor(mode, env, goesToTerminal) ? COLORS : PLAIN;
}

function useColor(mode: ColorMode, env: Context["env"], goesToTerminal: () => boolean): boolean {
  if (mode !== "auto") return mode === "always";
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return goesToTerminal() && TERM !== "dumb";
}

const paint =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false });

const COLORS: Style = {
  error: paint(["bold", "red"]),
  warning: paint(["bold", "yellow"]),
  info: paint("cyan"),
  good: paint(["bold", "green"]),
  strong: paint("bold"),
  faint: paint("dim"),
};
