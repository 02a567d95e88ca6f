/** Git repositories, made by the real git. */
import { execFileSync } from "node:child_process";
import { addFiles, folderWith } from "./inputs.ts";

/** As a user without settings of their own. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", env, stdio: "pipe" });
}

/** A repository whose branch `main` holds the files, with other ones in the work tree. */
export function repository(
  committed: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>> = {},
): string {
  const folder = folderWith(committed);
  git(folder, "init", "--quiet", "--initial-branch=main");
  commitAll(folder);
  addFiles(folder, now);
  return folder;
}

export function commitAll(folder: string): string {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=all");
  return git(folder, "rev-parse", "HEAD").trim();
}
