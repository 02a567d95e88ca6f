/** Reads, parses and gathers paths to bundles, for every command that takes manifests. */
import { type Finding, findingAt, findingOnInput, hasErrors, type Outcome } from "../../krm/finding.ts";
import { parseSources } from "../../krm/parse.ts";
import { readSources } from "../../krm/read.ts";
import type { Resource } from "../../krm/resource.ts";
import type { Gathered } from "../../model/gather.ts";
import { roleOf } from "../../model/role.ts";
import type { Context } from "../cli/context.ts";
import { gatherLoaded, type Loaded } from "./gather-loaded.ts";
import { inputNames, type InputOptions, inputPaths, type NodeDataOption, type SharedOptions } from "../cli/options.ts";

/** An error among the findings means that the bundles do not hold everything that was given. */
export function loadBundles(paths: readonly string[], options: SharedOptions, context: Context): Outcome<Gathered> {
  const { value, findings } = loadResources(paths, options, context);
  return gatherLoaded(value, findings, options.hostedCluster);
}

/** Every object that was given, before anybody asks what it is for. */
export function loadResources(
  paths: readonly string[],
  options: InputOptions & NodeDataOption,
  context: Context,
): Outcome<Loaded> {
  const loaded = loadFiles(inputPaths(paths, paths.length === 0 && context.stdinIsTerminal), options, context);
  if (loaded.value.resources.length > 0 || hasErrors(loaded.findings)) return loaded;
  const names = inputNames(paths);
  const hint = names.includes("<stdin>")
    ? "check what is piped in"
    : "check the path: manifests end in .yaml, .yml or .json";
  const empty = findingOnInput("input-empty", { message: `${names.join(", ")} holds no Kubernetes object`, hint });
  return { ...loaded, findings: [...loaded.findings, empty] };
}

/** Of the paths, which may be none, and of what options name. */
export function loadFiles(
  paths: readonly string[],
  options: InputOptions & NodeDataOption,
  context: Context,
): Outcome<Loaded> {
  const sources = readSources({
    paths,
    policyDir: options.policyDir,
    config: options.config,
    notManifest: options.nodeData,
    root: options.root,
    readStdin: context.readStdin,
  });
  const parsed = parseSources(sources.value);
  const findings: Finding[] = [...sources.findings, ...parsed.findings];
  const fromConfig = parsed.value.filter((resource) => resource.document.source.config);
  const resources = parsed.value.filter((resource) => !resource.document.source.config);
  const config = renderConfigOf(fromConfig, options.config, findings);
  return { value: { resources, config }, findings };
}

function renderConfigOf(
  resources: readonly Resource[],
  file: string | undefined,
  findings: Finding[],
): Resource | undefined {
  const [first, ...others] = resources;
  if (file === undefined || findings.some((finding) => finding.file === file)) return undefined;
  if (first !== undefined && others.length === 0 && roleOf(first) === "render-config") return first;
  const message = `${file} must hold one RenderConfig and nothing else`;
  const hint = "apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig";
  findings.push(
    first === undefined
      ? findingOnInput("render-config-invalid", { message, hint })
      : findingAt("render-config-invalid", first, ["kind"], { message, hint }),
  );
  return undefined;
}
