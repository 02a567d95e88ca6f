/** Checks whether the repository is ready for a release, and reads the changelog. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build-folder.ts";
import { git } from "../commit.ts";
import { otherAddresses, pagesWithAddress, statedAddress } from "./address.ts";

export interface Readiness {
  readonly problems: readonly string[];
  /** The changelog's section of the version, or the unreleased one. */
  readonly notes: string;
}

export function readiness(version: string): Readiness {
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) problems.push(`package.json: ${version} is not a version`);
  const changed = git("status", "--porcelain");
  if (changed === undefined) problems.push("this is not a git repository");
  else if (changed !== "") problems.push(`there are changes that are not committed: ${firstOf(changed.split("\n"))}`);
  const tag = git("rev-parse", "--verify", "--quiet", `refs/tags/v${version}^{commit}`);
  if (tag !== undefined && tag !== git("rev-parse", "HEAD"))
    problems.push(`the tag v${version} is another commit: raise the version in package.json`);
  const address = statedAddress();
  if (address === undefined)
    problems.push("package.json has no repository: npm run address -- https://github.com/<owner>/anp");
  else
    for (const page of pagesWithAddress())
      for (const other of otherAddresses(readFileSync(join(ROOT, page), "utf8"), address))
        problems.push(`${page} has ${other}, package.json ${address}: npm run address writes one`);
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const notes = sectionOf(changelog, version);
  if (notes === undefined) problems.push(`CHANGELOG.md has no section "## [${version}] - <date>"`);
  return { problems, notes: notes ?? sectionOf(changelog, "Unreleased") ?? "" };
}

/** In the format of Keep a Changelog; without its heading. Undefined if it is missing, empty, or has no date. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const date = version === "Unreleased" ? "" : String.raw` - \d{4}-\d{2}-\d{2}`;
  const heading = new RegExp(String.raw`^## \[${version.replaceAll(".", String.raw`\.`)}\]${date}$`, "m").exec(
    changelog,
  );
  if (heading === null) return undefined;
  const rest = changelog.slice(heading.index + heading[0].length);
  const end = rest.search(/^## \[/m);
  const text = rest.slice(0, end === -1 ? undefined : end).trim();
  return text === "" ? undefined : `${text}\n`;
}

function firstOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first.trim() : `${first.trim()} and ${others.length} more`;
}
