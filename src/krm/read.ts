/** The reading door, which alone reads manifests: paths and the standard input to sources. */
import { DiskTree, LEADS_OUTSIDE, placeOf, STDIN, withSlashes } from "./disk-tree.ts";
import { type Finding, findingInFile, findingOnInput, type Outcome } from "./finding.ts";
import { realOf } from "./git-repository.ts";
import { linkOutOn, Reach } from "./reach.ts";
import { type Given, readTree } from "./read-tree.ts";
import type { Source } from "./source.ts";

export interface ReadRequest {
  /** Files and directories in the order given; `-` is the standard input. */
  readonly paths: readonly string[];
  /** The only place rules are read from, when given (`--policy-dir`): a path, in which `*` stands for every folder. */
  readonly policyDir?: string | undefined;
  /** The file of a RenderConfig that the user names (`--config`). */
  readonly config?: string | undefined;
  /** A file that an option names for something else: wherever a PATH leads to it, it is no manifest. */
  readonly notManifest?: string | undefined;
  /** The folder that links may lead to beside what was given and its git repository. */
  readonly root?: string | undefined;
  /** Reads the standard input to its end. */
  readonly readStdin: () => Buffer;
}

/** Every source once in each folder that paths and links lead to; directories sorted by name. */
export function readSources({
  paths,
  policyDir,
  config,
  notManifest,
  root,
  readStdin,
}: ReadRequest): Outcome<Source[]> {
  const rules = policyDir === undefined ? undefined : splitPattern(policyDir);
  const named = [...paths, rules?.path, config, root];
  const reach = new Reach(named.filter((path): path is string => path !== undefined && path !== "" && path !== "-"));
  const trusted = policyDir === undefined;
  const given = [
    // First, so that a PATH which holds the file as well does not give it twice.
    ...(config === undefined ? [] : [givenPath(config, { trusted: true, config: true })]),
    // Before the paths, so that a file which one of them reaches as well is known as trusted.
    ...(rules === undefined
      ? []
      : [givenPath(rules.path, { trusted: true, config: false, ofPolicyDir: true, pattern: rules.pattern })]),
    ...paths.map((path) =>
      path === "-"
        ? { at: STDIN, shown: "<stdin>", place: "", trusted, config: false }
        : givenPath(path, { trusted, config: false }),
    ),
  ];
  // Where it is not there, whoever reads it says so.
  const excluded = notManifest === undefined ? undefined : realOf(notManifest);
  return readTree(new DiskTree(reach, readStdin), given, excluded && withSlashes(excluded));
}

/** A path up to its first `*`, and what follows. */
export function splitPattern(path: string): { readonly path: string; readonly pattern: readonly string[] | undefined } {
  const parts = withSlashes(path).split("/");
  const first = parts.indexOf("*");
  if (first === -1) return { path, pattern: undefined };
  const before = parts.slice(0, first).join("/");
  return { path: before === "" ? (path.startsWith("/") ? "/" : ".") : before, pattern: parts.slice(first) };
}

function givenPath(
  path: string,
  flags: Pick<Given<string>, "trusted" | "config" | "ofPolicyDir" | "pattern">,
): Given<string> | Finding {
  if (path === "")
    return findingOnInput("file-unreadable", {
      message: "one of the paths is empty",
      hint: "a variable may not be set",
    });
  const shown = withSlashes(path);
  // A link in a repository is made by whoever writes there, also where the user has named it.
  const link = linkOutOn(shown);
  if (link !== undefined) return findingInFile(LEADS_OUTSIDE.code, link, LEADS_OUTSIDE.words);
  return { at: shown, shown, place: placeOf(shown), ...flags };
}
