/** Git repositories, made by the real git. */
import { execFileSync } from "node:child_process";
import { addFiles, folderWith } from "./inputs.ts";

/** As a user without settings of their own. */
export function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...SETTINGS, ...args], { cwd: folder, encoding: "utf8", env, stdio: "pipe" });
}

const SETTINGS = [
  "user.name=t",
  "user.email=t@example.com",
  "protocol.file.allow=always",
  // Each commit would start another git that looks whether there is something to tidy up.
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** A repository whose branch `main` holds the files, with other ones in the work tree. */
export function repository(
  committed: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>> = {},
): string {
  const folder = folderWith(committed);
  git(folder, "init", "--quiet", "--initial-branch=main");
  commit(folder);
  addFiles(folder, now);
  return folder;
}

/** @returns the commit */
export function commitAll(folder: string): string {
  commit(folder);
  return git(folder, "rev-parse", "HEAD").trim();
}

function commit(folder: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=all");
}
