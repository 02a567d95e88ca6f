/** Reads paths and the standard input as sources; only this file reads manifests. */
import { DiskTree, LEADS_OUTSIDE, placeOf, STDIN, withSlashes } from "./disk-tree.ts";
import { type Finding, findingInFile, findingOnInput, type Outcome } from "../findings/finding.ts";
import { realOf } from "./git-repository.ts";
import { linkOutOn, LinkBoundary } from "./link-boundary.ts";
import { type Given, readTree } from "./read-tree.ts";
import type { Source } from "../places/source.ts";

export interface ReadRequest {
  /** Files and directories in the order given; `-` is the standard input. */
  readonly paths: readonly string[];
  /**
   * The only place that rules are read from, when given (`--policy-dir`): a path, in which `*` stands for every folder.
   */
  readonly policyDir?: string | undefined;
  /** The file of a RenderConfig that the user names (`--config`). */
  readonly config?: string | undefined;
  /** Files that options name for another purpose: they are not read as manifests, even if a PATH leads to them. */
  readonly notManifests?: readonly string[] | undefined;
  /** Whether configuration files of kustomize and kpt are read too, for the objects in them. */
  readonly ofOtherTools?: boolean | undefined;
  /** Whether kustomizations are read too, unless `.krmignore` names them. */
  readonly ofKustomize?: boolean | undefined;
  /** Whether files of Terraform are read in place of manifests. */
  readonly ofTerraform?: boolean | undefined;
  /** One more folder that links may lead to, beside the given paths and their git repositories. */
  readonly root?: string | undefined;
  /** Reads the standard input to its end. */
  readonly readStdin: () => Buffer;
}

/** Every source once in each folder that paths and links lead to; directories sorted by name. */
export function readSources({
  paths,
  policyDir,
  config,
  notManifests = [],
  ofOtherTools,
  ofKustomize,
  ofTerraform,
  root,
  readStdin,
}: ReadRequest): Outcome<Source[]> {
  const rules = policyDir === undefined ? undefined : splitPattern(policyDir);
  const named = [...paths, rules?.path, config, root];
  const reach = new LinkBoundary(
    named.filter((path): path is string => path !== undefined && path !== "" && path !== "-"),
  );
  const trusted = policyDir === undefined;
  const given = [
    // First, so that a PATH that holds the file does not give it a second time.
    ...(config === undefined ? [] : [givenPath(config, { trusted: true, config: true })]),
    // Before the paths, so that a file that a PATH reaches too is known as trusted.
    ...(rules === undefined
      ? []
      : [givenPath(rules.path, { trusted: true, config: false, ofPolicyDir: true, pattern: rules.pattern })]),
    ...paths.map((path) =>
      path === "-"
        ? { at: STDIN, shown: "<stdin>", place: "", trusted, config: false }
        : givenPath(path, { trusted, config: false }),
    ),
  ];
  // If one does not exist, its own reader reports that.
  const excluded = notManifests.flatMap((path) => realOf(path) ?? []);
  return readTree(new DiskTree(reach, readStdin), given, {
    notManifests: new Set(excluded.map(withSlashes)),
    ofOtherTools,
    ofKustomize,
    ofTerraform,
  });
}

/** A path up to its first `*`, and the rest. */
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
      hint: "check whether a variable is unset",
    });
  const shown = withSlashes(path);
  // Any committer can make a link in a repository, even at a path that the user has named.
  const link = linkOutOn(shown);
  if (link !== undefined) return findingInFile(LEADS_OUTSIDE.code, link, LEADS_OUTSIDE.words);
  return { at: shown, shown, place: placeOf(shown), ...flags };
}
