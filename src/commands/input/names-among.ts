/** `anp explain web`: names of objects among the paths, as kubectl takes them. */
import type { Context } from "../cli/context.ts";

export interface PathsAndNames {
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

interface Asked {
  /** What the names are of, for people. */
  readonly noun: string;
  /** Of a cluster there are no paths. */
  readonly live?: boolean | undefined;
}

/**
 * What is no file, and could be an object's name, is one. Names alone are asked of the current folder, or of the standard
 * input where something is piped in; that is said, since somebody may have meant a file.
 */
export function namesAmong(
  given: readonly string[],
  { noun, live = false }: Asked,
  { files, stdinIsTerminal, writeError }: Context,
): PathsAndNames {
  const names = given.filter((path) => NAME.test(path) && !MANIFEST.test(path) && !files.exists(path));
  const others = given.filter((path) => !names.includes(path));
  if (names.length === 0 || live) return { paths: others, names };
  const paths = others.length > 0 ? others : [stdinIsTerminal ? "." : "-"];
  const where = paths.map((path) => (path === "-" ? "the standard input" : path)).join(", ");
  writeError(`note: there is no file ${names.join(", ")}: the ${noun} of that name in ${where} is asked for\n`);
  return { paths, names };
}

/** Of objects: labels with points between them. */
const NAME = /^[a-z0-9][a-z0-9.-]*$/;

/** Who writes the ending means a file. */
const MANIFEST = /\.(?:ya?ml|json)$/;
