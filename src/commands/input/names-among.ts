/** `anp explain web`: accepts names of objects among the paths, as kubectl does. */
import type { Context } from "../cli/context.ts";

export interface PathsAndNames {
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

interface Asked {
  /** The kind of the named objects, for messages. */
  readonly noun: string;
  /** A cluster is the input, so no argument is a path. */
  readonly live?: boolean | undefined;
}

/**
 * An argument that is no file, and could be an object's name, is a name. If all arguments are names, the current folder or
 * the piped standard input is read. A note says so, because the user may have meant a file.
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
  writeError(`note: there is no file ${names.join(", ")}: anp looks for the ${noun} of that name in ${where}\n`);
  return { paths, names };
}

/** Names of objects: labels separated by dots. */
const NAME = /^[a-z0-9][a-z0-9.-]*$/;

/** An argument with this ending is a file. */
const MANIFEST = /\.(?:ya?ml|json)$/;
