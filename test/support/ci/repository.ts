/** Git repositories as a CI checks them out: an origin with two commits, and a shallow clone of the second. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { addFiles, folderWith } from "../process/inputs.ts";
import { commitAll, git } from "../process/repositories.ts";

type Files = Readonly<Record<string, string>>;

export interface Checkout {
  readonly workspace: string;
  /** A folder beside it. */
  readonly temporary: string;
  /** The commit before, which the checkout does not have. */
  readonly base: string;
}

export function checkOut(after: Files, before: Files = after): Checkout {
  const folder = folderWith({ "origin/.gitattributes": "" });
  const origin = join(folder, "origin");
  git(origin, "init", "--quiet", "--initial-branch=main");
  // As the hosts do: they serve any commit.
  git(origin, "config", "uploadpack.allowAnySHA1InWant", "true");
  const base = commit(origin, before);
  for (const path of Object.keys(before)) rmSync(join(origin, path));
  commit(origin, after);
  git(folder, "clone", "--quiet", "--depth=1", `file://${origin}`, "workspace");
  return { workspace: join(folder, "workspace"), temporary: join(folder, "runner"), base };
}

function commit(repository: string, files: Files): string {
  addFiles(repository, files);
  return commitAll(repository);
}
