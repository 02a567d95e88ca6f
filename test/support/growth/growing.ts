/** Whether the work of a run grows with its input, and not with the square of it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addFiles } from "../process/inputs.ts";
import type { Counted, CountedRun } from "./count-process.ts";

/** The files of an input of so many things; `-` is the standard input. */
export type FilesOf = (count: number) => Readonly<Record<string, string>>;

/** Functions that V8 has optimised count nothing. */
const FLAGS = ["--no-opt", "--no-maglev", "--no-sparkplug", "--no-flush-bytecode"];

/** What is linear doubles; searching by halves and sorting are a little more. */
const MOST = 2.4;

/** What runs less often is no matter, whatever it grows by. */
const FEW = 1500;

export class WorkCounter {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL("count-process.ts", import.meta.url)), [], {
    execArgv: FLAGS,
    serialization: "advanced",
  });

  /** The functions whose work more than doubles with the input, at two sizes in a row: a cache that fills up does so once. */
  async growing(filesOf: FilesOf, args: readonly string[], count: number): Promise<readonly string[]> {
    await this.#count(filesOf(3), args);
    const [few, some] = [await this.#count(filesOf(count), args), await this.#count(filesOf(2 * count), args)];
    if (growth(few, some).size === 0) return [];
    const many = growth(some, await this.#count(filesOf(4 * count), args));
    return [...growth(few, some)].flatMap(([name, more]) =>
      many.has(name) ? [`${args.join(" ")}: ${name}: ${more}, ${many.get(name)!}`] : [],
    );
  }

  end(): void {
    this.#child.kill();
  }

  async #count(files: Readonly<Record<string, string>>, args: readonly string[]): Promise<Counted> {
    const folder = mkdtempSync(join(tmpdir(), "anp-growth-"));
    try {
      const { "-": stdin = "", ...others } = files;
      addFiles(folder, others);
      const run: CountedRun = { args: args.map((arg) => arg.replaceAll("{}", folder)), stdin, folder };
      this.#child.send(run);
      const [counted] = (await once(this.#child, "message")) as [Counted];
      if (counted.exit > 1) throw new Error(`${args.join(" ")} ended with ${counted.exit}`);
      return counted;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

function growth(before: Counted, after: Counted): ReadonlyMap<string, string> {
  const all = new Map([...after.work, ["what is written", after.written] as const]);
  return new Map(
    [...all].flatMap(([name, more]) => {
      const less = name === "what is written" ? before.written : (before.work.get(name) ?? 0);
      return more > FEW && more > MOST * less ? [[name, `${less} -> ${more}`]] : [];
    }),
  );
}
