/** Limits where links in the input may lead. */
import { statSync } from "node:fs";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { entryAt, findRepository, isWithin, realOf } from "./git-repository.ts";

/**
 * The allowed area: the given paths, and the git repositories that hold them. Authors of manifests can make links, but
 * must not show or change files outside with them.
 */
export class LinkBoundary {
  readonly #roots: readonly string[];

  /** @param given paths as the user wrote them; missing ones are left out */
  constructor(given: readonly string[]) {
    this.#roots = [...new Set(given.map(realOf).flatMap((real) => (real === undefined ? [] : [real, ...topOf(real)])))];
  }

  /** @param real a real path */
  holds(real: string): boolean {
    return this.#roots.some((root) => isWithin(real, root) && !isGitsOwn(real, root));
  }
}

/**
 * The first link on the way to a path that is inside a git repository and leads out of it. Outside a repository the
 * path is the user's own.
 */
export function linkOutOn(path: string): string | undefined {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep === "/" ? sep : /[/\\]/);
  let way = root;
  for (const part of parts) {
    way = join(way, part);
    if (entryAt(way)?.isSymbolicLink() !== true) continue;
    const holder = realOf(dirname(way));
    const real = realOf(way);
    const [top] = holder === undefined ? [] : topOf(holder);
    if (top !== undefined && real !== undefined && (!isWithin(real, top) || isGitsOwn(real, top))) return way;
  }
  return undefined;
}

/** The first link on the way from a folder to a path below it. */
export function linkBelow(folder: string, path: string): string | undefined {
  let way = folder;
  for (const part of relative(folder, path).split(sep)) {
    way = join(way, part);
    if (part !== "" && entryAt(way)?.isSymbolicLink() === true) return way;
  }
  return undefined;
}

/** The link that led from the given paths to a file, which may be the file itself. */
export function linkTo(file: string, given: readonly string[]): string | undefined {
  if (entryAt(file)?.isSymbolicLink() === true) return file;
  const links = given
    .filter((folder) => isWithin(resolve(file), resolve(folder)))
    .map((folder) => linkBelow(folder, file));
  return links.includes(undefined) ? undefined : links[0];
}

/** `.git` holds credentials, and hooks that git runs. */
function isGitsOwn(real: string, root: string): boolean {
  return real
    .slice(root.length)
    .split(sep)
    .some((part) => part.toLowerCase() === ".git");
}

function topOf(real: string): string[] {
  const isFolder = statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = findRepository(isFolder ? real : dirname(real));
  return "refusal" in found ? [] : [found.top];
}
