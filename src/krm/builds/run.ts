/** Runs a program that the operator has on the PATH, on a copy of files in an empty folder. */
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { MAX_INPUT_BYTES } from "../read/input-bytes.ts";

/** How long one run may take, unless the operator says otherwise. */
export const MOST_SECONDS = 10;

export interface Programs {
  /** The folders that programs are searched in, as in `PATH`. */
  readonly path: string;
  /** A folder for temporary files. */
  readonly temporary: string;
  /** The most seconds of a run. */
  readonly seconds: number;
}

/** The absolute path of a program; undefined if there is none. The current folder is never searched. */
export function findProgram(name: string, { path }: Programs): string | undefined {
  const names = process.platform === "win32" ? [`${name}.exe`] : [name];
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => names.map((one) => join(folder, one)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The output, or why there is none. */
export type Ran = { readonly output: string } | { readonly problem: string };

interface Asked {
  readonly program: string;
  readonly args: readonly string[];
  /** Files below the folder that the program runs in, by their paths. */
  readonly files: ReadonlyMap<string, string | Buffer>;
}

/**
 * The program gets no variable but those below, so it finds no other programs, such as git, and no plugins, settings or
 * credentials of the user; a request would go to a proxy that is not there.
 */
export function runProgram({ program, args, files }: Asked, { temporary, seconds }: Programs): Ran {
  const top = mkdtempSync(join(temporary, "anp-"));
  try {
    const [home, work] = [join(top, "home"), join(top, "work")];
    mkdirSync(home);
    mkdirSync(work);
    for (const [path, content] of files) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), content);
    }
    const [command, ...words] = withinMemory(program, args);
    // Loaded here only, because most runs start no program.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const { status, signal, stdout, stderr, error } = spawnSync(command, words, {
      cwd: work,
      env: { ...ALONE, PATH: home, HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
      input: "",
      timeout: seconds * 1000,
      killSignal: "SIGKILL",
      maxBuffer: MAX_INPUT_BYTES,
      windowsHide: true,
    });
    if (error !== undefined) return { problem: problemOf(error, seconds) };
    if (status === 0) return { output: stdout.toString("utf8") };
    if (signal !== null) return { problem: `was ended by ${signal}` };
    return { problem: `says: ${firstLine(stderr.toString("utf8").replaceAll(`${work}/`, ""))}` };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

const SHELL = "/bin/sh";
/** In KiB of address space: a template can double a text again and again. */
const MOST_MEMORY = 4 * 1024 * 1024;

/** The program and its arguments, on Linux within a limit of memory. */
function withinMemory(program: string, args: readonly string[]): [string, ...string[]] {
  if (process.platform !== "linux" || !isProgram(SHELL)) return [program, ...args];
  return [SHELL, "-c", `ulimit -v ${MOST_MEMORY}; exec "$0" "$@"`, program, ...args];
}

const NOWHERE = "http://127.0.0.1:9";

const ALONE = {
  LC_ALL: "C",
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  ALL_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
};

function problemOf({ code, message }: NodeJS.ErrnoException, seconds: number): string {
  if (code === "ETIMEDOUT") return `did not end within ${seconds} s`;
  return code === "ENOBUFS" ? "wrote more than anp reads" : message;
}

const LONGEST = 300;

function firstLine(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  const words = line.replace(/^(?:error|Error): /i, "").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
