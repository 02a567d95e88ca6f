/** `--against`: reads the old side of `anp diff` from a directory or a git commit. */
import { type Finding, findingInFile } from "../../krm/findings/finding.ts";
import { GitFailure } from "../../krm/git/run.ts";
import { filesInCommit, type GitPath, gitSources, standsInCommit } from "../../krm/git/sources.ts";
import { type GitProblem, isCommit, isSamePlace, openGitTree, standsOnDisk } from "../../krm/git/tree.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { withSlashes } from "../../krm/read/disk-tree.ts";
import { readSources, splitPattern } from "../../krm/read/read.ts";
import { mayBeTemplate } from "../../model/objects/cdk-template.ts";
import { meansHosted } from "../../model/objects/input-mode.ts";
import { roleOf } from "../../model/objects/role.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError, UsageError } from "../cli/exit-codes.ts";
import type { NodeDataOption, SharedOptions } from "../cli/options.ts";
import { type Builds, withBuilds } from "../input/builds.ts";
import { brokenOf, loadResources } from "../input/load.ts";
import { objectsOfTerraform } from "../input/terraform.ts";
import type { Read } from "./sides.ts";

type Options = SharedOptions & NodeDataOption & { readonly builds: Builds };
type Flags = Pick<GitPath, "trusted" | "config" | "ofPolicyDir" | "pattern">;

const FORCED = /^ref:/;
/** A full commit hash never means a directory of that name. */
const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * A path on disk takes precedence over a branch of the same name; `ref:NAME` selects the branch. A full hash is always
 * a commit.
 *
 * @throws UsageError if neither exists
 */
export function readAgainst(against: string, paths: readonly string[], options: Options, context: Context): Read {
  if (against === "-") {
    if (paths.length === 0 || paths.includes("-")) throw new UsageError(ONE_STREAM);
    return readDirectory("-", paths, options, context);
  }
  try {
    if (!FORCED.test(against) && !FULL_HASH.test(against) && standsOnDisk(against)) {
      if (isRefToo(against, paths))
        context.writeError(
          `note: ${against} is a directory here and also a git ref: --against ref:${against} selects the ref\n`,
        );
      if (paths.length === 1 && isSamePlace(paths[0]!, against))
        context.writeError(`note: --against ${against} is the new side itself\n`);
      return readDirectory(against, paths, options, context);
    }
    return readCommit(against, paths, options, context);
  } catch (error) {
    if (error instanceof GitFailure) throw new UnreadableError(`--against ${against}:`, error.message, error.hint);
    throw error;
  }
}

const ONE_STREAM =
  "the standard input is one side only: give the other one as a file, such as --against <(kustomize build base)";

function isRefToo(against: string, [first = "-"]: readonly string[]): boolean {
  return first !== "-" && isCommit(first, against);
}

/** A directory without manifests is valid: nothing has been rendered to it yet. */
function readDirectory(against: string, paths: readonly string[], options: Options, context: Context): Read {
  const policyDir = rulesBelow(against, paths, options.policyDir);
  const read = loadResources([against], policyDir === undefined ? options : { ...options, policyDir }, context);
  const findings = read.findings.filter(({ code }) => code !== "input-empty");
  const own = read.value.resources.filter(({ document }) => document.source.ofPolicyDir !== true);
  // Output of anp is compared unchanged: with policies beside it, it would look like a hosted cluster without wrappers.
  return {
    ...read.value,
    resources: isOutput(own) ? own : read.value.resources,
    findings,
    broken: read.broken,
    unbuilt: read.unbuilt,
    templates: read.templates,
    terraform: read.terraform,
  };
}

/** If the policy directory is inside the new side, the old side has its own at the same relative path. */
function rulesBelow(against: string, [path, ...others]: readonly string[], policyDir?: string): string | undefined {
  if (path === undefined || others.length > 0 || policyDir === undefined) return policyDir;
  const top = path === "." ? "" : `${withSlashes(path)}/`;
  const rules = withSlashes(policyDir);
  if (!rules.startsWith(top) || rules.startsWith("/") !== top.startsWith("/")) return policyDir;
  const there = `${withSlashes(against)}/${rules.slice(top.length)}`;
  return standsOnDisk(splitPattern(there).path) ? there : policyDir;
}

function readCommit(against: string, paths: readonly string[], options: Options, { readStdin }: Context): Read {
  if (paths.length === 0 || paths.includes("-"))
    throw new UsageError("the standard input has no earlier version in git: give paths, or compare with a directory");
  const ref = against.replace(FORCED, "");
  const { policyDir, config, nodeData } = options;
  const open = (path: string, flags: Flags): GitPath | GitProblem => {
    const opened = openGitTree(path, ref);
    return "problem" in opened ? opened : { ...opened, ...flags };
  };
  const must = (opened: GitPath | GitProblem, path: string): GitPath => {
    if ("problem" in opened) throw refused(against, path, opened);
    return opened;
  };
  const split = policyDir === undefined ? undefined : splitPattern(policyDir);
  // A rule outside the repository has no earlier version, so both sides use the same one.
  const rules = [
    ...(config === undefined ? [] : [{ path: config, opened: open(config, { trusted: true, config: true }), config }]),
    ...(split === undefined ? [] : [{ path: split.path, opened: open(split.path, ofRules(split)), policyDir }]),
  ];
  const newer = new Set(rules.filter(({ opened }) => !("problem" in opened) && !standsInCommit(opened)));
  // Before the policy directory existed, rules applied wherever they were.
  const trusted = !rules.some((rule) => "policyDir" in rule && !newer.has(rule));
  const inGit = rules.flatMap((rule) => ("problem" in rule.opened || newer.has(rule) ? [] : [rule.opened]));
  const onDisk = Object.assign(
    {},
    ...rules.filter((rule) => "problem" in rule.opened || ("config" in rule && newer.has(rule))),
  );
  const given = paths.map((path) => must(open(path, { trusted, config: false }), path));
  const dump = nodeData === undefined ? undefined : openGitTree(nodeData, ref);
  const all = [...inGit, ...given];
  const excluded = dump === undefined || "problem" in dump ? undefined : dump;
  const inCommit = gitSources(ref, all, excluded, { ofKustomize: true });
  const beside = filesInCommit(ref, all);
  const terraform = meansHosted(options)
    ? undefined
    : objectsOfTerraform(gitSources(ref, given, undefined, { ofTerraform: true }).value, beside, inCommit.value);
  const read = { ...inCommit, value: inCommit.value.filter((one) => terraform?.isTaken(one) !== true) };
  const fromDisk = readSources({ paths: [], config: onDisk.config, policyDir: onDisk.policyDir, readStdin });
  const built = meansHosted(options) ? undefined : withBuilds(read, beside, buildsOfCommit(ref, options));
  const fromGit = built ?? { ...read, value: read.value.filter(({ ofOtherTool }) => ofOtherTool !== true) };
  const parsed = parseSources([...fromDisk.value, ...fromGit.value]);
  const findings: Finding[] = [...fromDisk.findings, ...fromGit.findings, ...parsed.findings];
  const resources = parsed.value.filter((resource) => !resource.document.source.config);
  const configs = parsed.value.filter((resource) => resource.document.source.config);
  const [renderConfig] = configs;
  if (configs.length > 1 || (renderConfig !== undefined && roleOf(renderConfig) !== "render-config"))
    findings.push(
      findingInFile("render-config-invalid", `${ref}:${config}`, {
        message: "must hold one RenderConfig and nothing else",
      }),
    );
  return {
    resources,
    config: renderConfig,
    findings,
    broken: brokenOf(findings, fromGit.value),
    unbuilt: built?.unbuilt ?? [],
    templates: fromGit.value.filter(mayBeTemplate),
    terraform,
  };
}

/** Values that the commit does not have are the same on both sides. */
function buildsOfCommit(ref: string, { builds }: Options): Builds {
  const values = builds.values.map((source) => {
    const opened = openGitTree(source.file, ref);
    if ("problem" in opened || !standsInCommit(opened)) return source;
    return gitSources(ref, [{ ...opened, trusted: false, config: false }]).value[0] ?? source;
  });
  return { ...builds, values };
}

function ofRules({ pattern }: Pick<GitPath, "pattern">): Flags {
  return { trusted: true, config: false, ofPolicyDir: true, pattern };
}

/** Matches `HEAD~1`, `main^` and `1a2b3c4`: a shallow clone may lack such commits. */
const RELATIVE = /^HEAD\b|[~^@]|^[0-9a-f]{7,64}$/;

function refused(against: string, path: string, { problem, message }: GitProblem): UsageError {
  const ref = against.replace(FORCED, "");
  switch (problem) {
    case "no-commit":
      return new UsageError(
        `--against ${against}: there is no directory ${ref} here, and no branch, tag or commit of that name in the repository of ${path}\n${RELATIVE.test(ref) ? "a shallow clone lacks older commits: git fetch --unshallow" : `fetch it first: git fetch origin ${ref.replace(/^origin\//, "")}`}`,
      );
    case "no-repository":
      return new UsageError(
        `--against ${against}: there is no directory ${ref} here, and ${path} is in no git repository (${message})`,
      );
    case "no-git":
      return new UsageError(`--against ${against}: there is no directory ${ref} here, and git is not installed`);
  }
}

/** True if every object was written by anp, so that there is nothing to render. */
export function isOutput(resources: readonly Resource[]): boolean {
  const roles = resources.map((resource) => roleOf(resource));
  return roles.includes("earlier-output") && roles.every((role) => role === "earlier-output" || role === "not-ours");
}
