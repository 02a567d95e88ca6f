/** What builds of kustomizations and charts share: request, limits, program and version. */
import { posix } from "node:path";
import type { Outcome } from "../findings/finding.ts";
import type { Source } from "../places/source.ts";
import { below, type FilesBeside } from "../read/file-tree.ts";
import { findProgram, type Programs, type Ran, runProgram } from "./run.ts";

export interface BuildRequest {
  /** The kustomizations, or the files of charts, of the input. */
  readonly tops: readonly Source[];
  /** All files of the input. */
  readonly sources: readonly Source[];
  readonly files: FilesBeside;
  /** Undefined if no program may run. */
  readonly programs: Programs | undefined;
  readonly budget: Budget;
  /** Whether a text is of interest. */
  readonly isOurs: (text: string) => boolean;
  /** Whether each one counts, and not only those that no other one takes. */
  readonly each: boolean;
}

export interface BuiltInput extends Outcome<readonly Source[]> {
  /** Places of files that are in what was built, or that are no manifests before a build. */
  readonly taken: ReadonlySet<string>;
  /** The files of kustomizations that are in the findings. */
  readonly told: ReadonlySet<string>;
  /** What decides about that which is not built. */
  readonly unbuilt: readonly Source[];
}

/** How the message about a kustomization or chart begins whose output is read. */
export const BUILT_WITH = "is built with";

export const TOO_LARGE = "it brings the input to more than anp reads";

/** More than any repository has; each run takes a tenth of a second. */
const MOST_BUILDS = 100;
/** All builds may take as long as six that each take the most. */
const BUILDS_IN_ALL = 6;

/** The runs that are left for an input. */
export class Budget {
  readonly #seconds: number;
  readonly #until: number;
  #builds = 0;

  constructor(programs: Programs | undefined) {
    this.#seconds = BUILDS_IN_ALL * (programs?.seconds ?? 0);
    this.#until = performance.now() + this.#seconds * 1000;
  }

  /** Takes one run; a text says why there is none. */
  take(): string | undefined {
    this.#builds += 1;
    if (this.#builds > MOST_BUILDS) return `more than ${MOST_BUILDS} builds are not made in one run`;
    return performance.now() > this.#until ? `the builds before it took ${this.#seconds} s` : undefined;
  }
}

interface Program {
  readonly name: string;
  readonly ofVersion: readonly string[];
}

/** The first of some programs that is on the PATH. */
export class Builder {
  /** Undefined if there is none. */
  readonly name: string | undefined;
  readonly #run: (args: readonly string[], files: ReadonlyMap<string, string | Buffer>) => Ran;
  readonly #budget: Budget;
  readonly #ofVersion: readonly string[];
  readonly #absent: string;
  #version: string | undefined;

  constructor(known: readonly Program[], { programs, budget }: Pick<BuildRequest, "programs" | "budget">) {
    const found = programs && known.map((one) => ({ ...one, program: findProgram(one.name, programs) }));
    const first = found?.find((one) => one.program !== undefined);
    this.name = first?.name;
    this.#ofVersion = first?.ofVersion ?? [];
    this.#budget = budget;
    this.#absent = programs === undefined ? "--no-render is given" : absent(known);
    this.#run = (args, files) =>
      first?.program === undefined
        ? { problem: this.#absent }
        : runProgram({ program: first.program, args, files }, programs!);
  }

  /** The output, or why there is none. */
  build(args: readonly string[], files: () => ReadonlyMap<string, string | Buffer>): Ran {
    if (this.name === undefined) return { problem: this.#absent };
    const spent = this.#budget.take();
    if (spent !== undefined) return { problem: spent };
    const ran = this.#run(args, files());
    return "problem" in ran ? { problem: `${this.name} ${ran.problem}` } : ran;
  }

  /** Its name and version. */
  version(): string {
    const { name = "" } = this;
    if (this.#version !== undefined) return this.#version;
    const answer = this.#run(this.#ofVersion, new Map());
    const number = "output" in answer ? /\bv\d[\w.+-]*/.exec(answer.output)?.[0] : undefined;
    return (this.#version = number === undefined ? name : `${name} ${number}`);
  }
}

function absent(known: readonly Program[]): string {
  return `there is ${known.map(({ name }) => `no ${name}`).join(" and ")} on the PATH`;
}

/** The absolute path of a file. */
export function placeOf({ folder, file }: Source): string {
  return below(folder, posix.basename(file));
}

/** The names of files, of many only the first ones. */
export function someNames(files: readonly string[]): string {
  const names = files.map((file) => posix.basename(file));
  return (names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names).join(", ");
}
