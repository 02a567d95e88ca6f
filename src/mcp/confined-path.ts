/** Paths in requests: each has to stay in the folder that the server was started for. */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { isWithin } from "../krm/read/git-repository.ts";

/** A request that the server does not pass on. */
export class Refused extends Error {}

/**
 * The path from the folder, for a program that runs in it.
 *
 * @param root a real path
 * @throws Refused if it leads out of the folder, also through a link, or to what git keeps
 */
export function confinedPath(root: string, path: string): string;
/** @returns undefined if nothing is there */
export function confinedPath(root: string, path: string, missing: "mayBeMissing"): string | undefined;
export function confinedPath(root: string, path: string, missing?: "mayBeMissing"): string | undefined {
  const place = resolve(root, path);
  if (path === "-") throw new Refused("- is the standard input, which holds the protocol: name a file");
  // Its real name may have been given, or one of the folder's other names.
  const inFolder =
    isAbsolute(path) && !isWithin(place, root) ? relative(root, realOf(place) ?? place) : relative(root, place);
  if (inFolder.split(sep)[0] === ".." || isAbsolute(inFolder)) throw outside(path);
  if (inFolder.split(sep).some((part) => part.toLowerCase() === ".git"))
    throw new Refused(`${path} is among the files that git keeps, and anp mcp reads none of them`);
  const here = resolve(root, inFolder);
  const real = realOf(here);
  if (real === undefined) {
    if (missing !== undefined) return undefined;
    throw new Refused(`${path} does not exist in the folder`);
  }
  if (!isWithin(real, root)) throw outside(path);
  if (inFolder === "") return ".";
  return inFolder.startsWith("-") ? `./${inFolder}` : inFolder;
}

function outside(path: string): Refused {
  return new Refused(`${path} leads out of the folder that anp mcp was started for`);
}

function realOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}
