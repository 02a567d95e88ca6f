/** The commit that is built: its name, and its time, which all built files carry instead of the clock's. */
import { execFileSync } from "node:child_process";
import { ROOT } from "./build-folder.ts";

export interface Commit {
  /** Undefined outside of a git repository. */
  readonly revision: string | undefined;
  /** Seconds since 1970. */
  readonly time: number;
}

/** SOURCE_DATE_EPOCH, if it is set, is the time. @throws if there is neither */
export function commit(): Commit {
  const { SOURCE_DATE_EPOCH: given = "" } = process.env;
  const [revision, time = ""] = git("log", "-1", "--format=%H %ct")?.split(" ") ?? [];
  const seconds = Number(given === "" ? time : given);
  if (!Number.isSafeInteger(seconds) || (given === "" && time === ""))
    throw new Error("there is no commit to take the time of: set SOURCE_DATE_EPOCH to seconds since 1970");
  return { revision, time: seconds };
}

/** Undefined if git fails. */
export function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
