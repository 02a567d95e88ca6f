/** Runs the steps of an action as a runner of GitHub Actions does, with a shell. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Contexts, filledIn, truthy, valueOf } from "./expression.ts";

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Surroundings {
  /** The checkout. */
  readonly workspace: string;
  /** A folder of the runner's own. */
  readonly temporary: string;
  readonly path: string;
  readonly contexts: Contexts;
  /** The runner's own variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly exit: number | null;
  /** Of the last step that ran. */
  readonly step: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: string;
  /** By the id of the step. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Step by step, each with files of its own for outputs, paths and summary, until one fails. */
export function runSteps(steps: readonly Step[], surroundings: Surroundings): Ran {
  const { workspace, temporary, contexts, env: said = {} } = surroundings;
  let { path } = surroundings;
  let ran: Ran = { exit: 0, step: "", stdout: "", stderr: "", summary: "", outputs: {} };
  mkdirSync(temporary, { recursive: true });
  for (const [index, { name = "", id = `step-${index}`, if: condition, run, shell, env = {} }] of steps.entries()) {
    const now = { ...contexts, steps: Object.fromEntries(Object.entries(ran.outputs).map(asContext)) };
    if (condition !== undefined && !truthy(valueOf(condition, now))) continue;
    if (run === undefined || shell !== "bash") throw new Error(`only bash is run here: ${name}`);
    const file = (kind: string): string => join(temporary, `${kind}-${index}`);
    for (const kind of ["summary", "output", "path"]) writeFileSync(file(kind), "");
    writeFileSync(file("script"), run);
    const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, filledIn(value, now)]));
    const ended = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", file("script")], {
      encoding: "utf8",
      cwd: workspace,
      env: {
        ...process.env,
        ...said,
        ...own,
        PATH: path,
        GITHUB_STEP_SUMMARY: file("summary"),
        GITHUB_OUTPUT: file("output"),
        GITHUB_PATH: file("path"),
        RUNNER_TEMP: temporary,
      },
      timeout: 60_000,
    });
    path = [...linesOf(file("path")), path].join(delimiter);
    ran = {
      exit: ended.status,
      step: name,
      stdout: ran.stdout + ended.stdout,
      stderr: ran.stderr + ended.stderr,
      summary: ran.summary + readFileSync(file("summary"), "utf8"),
      outputs: { ...ran.outputs, [id]: Object.fromEntries(linesOf(file("output")).map(keyAndValue)) },
    };
    if (ended.status !== 0) break;
  }
  return ran;
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function keyAndValue(line: string): [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}

function asContext([id, outputs]: [string, unknown]): [string, unknown] {
  return [id, { outputs }];
}
