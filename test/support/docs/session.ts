/** Runs the commands of a page: one folder per page, anp in this process, everything else by the shell. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Context } from "../../../src/commands/cli/context.ts";
import type { Ended } from "../process/built.ts";
import { runMain } from "../process/run-anp.ts";
import { REPOSITORY } from "./page.ts";

/** The folders of a clone that readers use. */
const IN_A_CLONE = ["fixtures/quickstart", "fixtures/eks"];

export class Session {
  readonly #folder = mkdtempSync(join(tmpdir(), "anp-docs-"));
  #exit: number | null = 0;

  constructor() {
    for (const name of IN_A_CLONE) cpSync(join(REPOSITORY, name), join(this.#folder, name), { recursive: true });
  }

  end(): void {
    rmSync(this.#folder, { recursive: true });
  }

  write(path: string, text: string): void {
    const file = join(this.#folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** A file of the page's folder, or of the repository. */
  read(path: string): string {
    const own = join(this.#folder, path);
    return readFileSync(existsSync(own) ? own : join(REPOSITORY, path), "utf8");
  }

  /** The output of a command line on both streams, as a terminal shows it. */
  async type(line: string): Promise<string> {
    return this.#type(line, this.#folder);
  }

  /** The same in a copy of a folder of the repository. */
  async typeIn(folder: string, line: string): Promise<string> {
    const copy = join(this.#folder, folder);
    cpSync(join(REPOSITORY, folder), copy, { recursive: true });
    return this.#type(line, copy);
  }

  async #type(line: string, folder: string): Promise<string> {
    const [, pipeline = line, target] = /^(.*?) > (\S+)$/.exec(line) ?? [];
    let shown = "";
    let piped: string | undefined;
    for (const command of pipeline.split(" | ")) {
      const [, assigned = "", own] = /^((?:\w+='[^']*' )*)(?:npx )?(anp .*)$/.exec(command) ?? [];
      const run =
        own === undefined
          ? this.#inShell(folder, command, piped)
          : await inProcess(folder, words(own).slice(1), piped, environment(assigned));
      shown += run.stderr;
      piped = run.stdout;
      this.#exit = run.exit;
    }
    if (target === undefined) return shown + piped;
    writeFileSync(join(folder, target), piped ?? "");
    return shown;
  }

  #inShell(folder: string, command: string, input = ""): Ended {
    const text = command.replaceAll("$?", String(this.#exit));
    // The order of names from ls and sort depends on the locale.
    const env = { ...process.env, LC_ALL: "C" };
    const { stdout, stderr, status } = spawnSync("sh", ["-c", text], { cwd: folder, input, env, encoding: "utf8" });
    return { stdout, stderr, exit: status };
  }
}

/** @param piped the standard input; a terminal if undefined */
function inProcess(
  folder: string,
  args: readonly string[],
  piped: string | undefined,
  env: Context["env"],
): Promise<Ended> {
  return runMain(args, folder, {
    stdinIsTerminal: piped === undefined,
    readStdin: () => Buffer.from(piped ?? ""),
    writeFile: (path, text) => writeFileSync(path, text),
    env,
  });
}

/** Assignments before a command: `NAME='value' `, any number of times. */
function environment(assigned: string): Context["env"] {
  return Object.fromEntries([...assigned.matchAll(/(\w+)='([^']*)'/g)].map(([, name = "", value]) => [name, value]));
}

/** The words of a command line; quotes keep spaces together. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
}
