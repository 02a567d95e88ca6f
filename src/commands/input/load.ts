/** Reads, parses and gathers paths to bundles, for every command that takes manifests. */
import {
  type Finding,
  findingAt,
  findingInFile,
  findingOnInput,
  hasErrors,
  type Outcome,
  type Words,
} from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { isKustomizationFile } from "../../krm/read/manifest-names.ts";
import { filesOnDisk } from "../../krm/read/disk-tree.ts";
import { readSources } from "../../krm/read/read.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { inputMode, isKarpenters, isOfHostedCluster, meansHosted } from "../../model/objects/input-mode.ts";
import { roleOf } from "../../model/objects/role.ts";
import { mayBeTemplate } from "../../model/objects/cdk-template.ts";
import type { Context } from "../cli/context.ts";
import { isChartFile } from "../../krm/builds/chart.ts";
import { type Builds, NAMES_HOSTED, withBuilds } from "./builds.ts";
import { type ObjectsOfTerraform, objectsOfTerraform } from "./terraform.ts";
import {
  fillForAnswer,
  fillFrom,
  type FillOptions,
  type Values,
  valuesOf,
  withReadablePlaceholders,
} from "./fill-placeholders.ts";
import { withEmbedded } from "./embedded.ts";
import { gatherLoaded, type Loaded } from "./gather-loaded.ts";
import { inputNames, type InputOptions, inputPaths, type NodeDataOption, type SharedOptions } from "../cli/options.ts";

type ReadOptions = InputOptions &
  FillOptions &
  NodeDataOption & {
    /** Files that options name for another purpose, beside the dump. */
    readonly notManifests?: readonly string[] | undefined;
    /** Whether objects of Karpenter in files of kustomize and kpt count. */
    readonly ofOtherTools?: boolean | undefined;
    /** Whether rule files of Prometheus count. */
    readonly alertRules?: boolean | undefined;
    /** Whether files that cannot be parsed may be passed over: only a question is answered, and no rule is defended. */
    readonly lenient?: boolean | undefined;
    /** How kustomizations are built, if what they make is part of the answer. */
    readonly builds?: Builds | undefined;
  };

export interface LoadedFiles extends Outcome<Loaded> {
  /** Files of folders that cannot be parsed. */
  readonly broken: readonly Source[];
  /** What decides about kustomizations that are not built. */
  readonly unbuilt: readonly Source[];
  /** Files that may be templates of CloudFormation. */
  readonly templates: readonly Source[];
  /** Objects of Terraform files, which a lenient reading has among its own. */
  readonly terraform: ObjectsOfTerraform | undefined;
}

/** An error among the findings means that the bundles do not contain the whole input. */
export function loadBundles(paths: readonly string[], options: SharedOptions, context: Context): Outcome<Gathered> {
  const { value, findings } = loadResources(paths, options, context);
  return gatherLoaded(value, findings, options.hostedCluster, { nodePools: options.nodePools });
}

/** Every object of the input, whatever its kind. */
export function loadResources(paths: readonly string[], options: ReadOptions, context: Context): LoadedFiles {
  const loaded = loadFiles(inputPaths(paths, paths.length === 0 && context.stdinIsTerminal), options, context);
  if (loaded.value.resources.length > 0 || loaded.terraform !== undefined || hasErrors(loaded.findings)) return loaded;
  const names = inputNames(paths);
  const hint = names.includes("<stdin>") ? "check what is piped in" : whereObjectsAre(loaded.findings);
  const empty = findingOnInput("input-empty", { message: `${names.join(", ")} holds no Kubernetes object`, hint });
  return { ...loaded, findings: [...loaded.findings, empty] };
}

function whereObjectsAre(findings: readonly Finding[]): string {
  const fileOf = (isIt: (file: string) => boolean) => findings.find(({ file = "" }) => isIt(file))?.file;
  const kustomization = fileOf(isKustomizationFile);
  if (kustomization !== undefined)
    return `${kustomization} takes its objects from elsewhere: pass what \`kustomize build\` prints`;
  const chart = fileOf(isChartFile);
  if (chart !== undefined)
    return `${chart} brings none: anp doctor says whether it is rendered, and --values FILE gives it other values`;
  return "check the path: manifests end in .yaml, .yml or .json";
}

/** Loads the paths, which may be none, and the files that options name. */
export function loadFiles(paths: readonly string[], options: Partial<ReadOptions>, context: Context): LoadedFiles {
  const builds = meansHosted(options) ? undefined : options.builds;
  const all = readSources({
    paths,
    policyDir: options.policyDir,
    config: options.config,
    notManifests: [
      ...(options.notManifests ?? []),
      ...(options.nodeData === undefined ? [] : [options.nodeData]),
      ...(options.builds?.values ?? []).map(({ file }) => file),
    ],
    ofOtherTools: options.ofOtherTools,
    ofKustomize: builds !== undefined,
    root: options.root,
    readStdin: context.readStdin,
  });
  const given = [...paths, ...(options.root === undefined ? [] : [options.root])];
  const terraform =
    builds === undefined || builds.strict
      ? undefined
      : objectsOfTerraform(readTerraform(paths, options), filesOnDisk(given), all.value);
  const read = terraform === undefined ? all : { ...all, value: all.value.filter((one) => !terraform.isTaken(one)) };
  const built = builds === undefined ? undefined : withBuilds(read, filesOnDisk(given), builds);
  const values = valuesOf(options, context);
  const loaded = built === undefined ? undefined : loadSources(built, options, values, terraform);
  // Where there is something to defend, files are read as they are.
  if (loaded !== undefined && !loaded.value.resources.some(isOfHostedCluster))
    return { ...loaded, unbuilt: built?.unbuilt ?? [], terraform };
  const isRead = ({ ofOtherTool }: Source) => ofOtherTool !== true || options.ofOtherTools === true;
  const sources = { ...read, value: read.value.filter(isRead) };
  return { ...loadSources(sources, options, values, terraform), unbuilt: [], terraform };
}

/** Apart from manifests, since where there is something to defend they are no input. */
function readTerraform(paths: readonly string[], { root }: Partial<ReadOptions>): readonly Source[] {
  const files = paths.filter((path) => path !== "-");
  return readSources({ paths: files, ofTerraform: true, root, readStdin: () => Buffer.alloc(0) }).value;
}

function loadSources(
  sources: Outcome<readonly Source[]>,
  options: Partial<ReadOptions>,
  values: Values,
  terraform: Outcome<readonly Resource[]> | undefined,
): Omit<LoadedFiles, "unbuilt" | "terraform"> {
  const { alertRules = false, lenient = false } = options;
  const mayPass = lenient && !meansHosted(options);
  const { true: objectless = [], false: given = [] } = Object.groupBy(sources.value, (one) =>
    String(mayPass && isLargeWithoutObjects(one)),
  );
  const texts = alertRules ? given.map((one) => ({ ...one, alertRules })) : given;
  const strict = parseAll(texts);
  const templates = texts.filter(mayBeTemplate);
  const spelled = mayPass ? withEmbedded(withTerraform(withPlaceholders(strict, texts), terraform), templates) : strict;
  // The objects that only this reading finds must not hide that there is something to defend.
  const isRaw = mayPass && inputMode(spelled.value.filter(isManifest), options) === "raw";
  const unread = !isRaw && mayPass ? (terraform?.findings ?? []) : [];
  const parsed = isRaw ? spelled : { ...strict, findings: [...strict.findings, ...unread] };
  const fromConfig = parsed.value.filter((resource) => !isManifest(resource));
  // Beside a policy or an object of a hosted cluster, each file has to be readable.
  const onObjectless = isRaw
    ? objectless.map(({ file }) => findingInFile("file-skipped", file, WITHOUT_OBJECTS))
    : parseAll(objectless).findings;
  const findings: Finding[] = [...sources.findings, ...onObjectless, ...parsed.findings];
  const config = renderConfigOf(fromConfig, options.config, findings);
  const broken = brokenOf(findings, sources.value);
  const foreign = isRaw ? foreignOf(broken) : [];
  const resources = parsed.value.filter(isManifest);
  const filled = isRaw ? fillForAnswer(resources, values) : { value: fillFrom(resources, values), findings: [] };
  return {
    value: { resources: filled.value, config },
    findings: [...passOver(findings, foreign), ...filled.findings],
    broken,
    templates,
  };
}

/** Nothing of them counts beside an object of a hosted cluster. */
function withTerraform(
  read: Outcome<Resource[]>,
  terraform: Outcome<readonly Resource[]> | undefined,
): Outcome<Resource[]> {
  if (terraform === undefined || read.value.some(isOfHostedCluster)) return read;
  return { value: [...read.value, ...terraform.value], findings: [...read.findings, ...terraform.findings] };
}

/** Reads files again that cannot be parsed because of placeholders without quotes. */
function withPlaceholders(strict: Outcome<Resource[]>, sources: readonly Source[]): Outcome<Resource[]> {
  const broken = new Set(strict.findings.flatMap(({ severity, file = "" }) => (severity === "error" ? [file] : [])));
  const isOurs = ({ file, text }: Source) => broken.has(file) && NAMES_OURS.test(text);
  const again = sources.filter(isOurs).flatMap((source) => withReadablePlaceholders(source) ?? []);
  if (again.length === 0) return strict;
  const { value, findings } = parseAll(again);
  const files = new Set(again.map(({ file }) => file));
  const isOther = (file: string | undefined) => !files.has(file ?? "");
  return {
    value: [...strict.value.filter(({ document: { source } }) => isOther(source.file)), ...value],
    findings: [...strict.findings.filter(({ file }) => isOther(file)), ...findings],
  };
}

/** The objects of a side that may be compared leniently, as `loadFiles` reads them. */
export function withPlaceholdersOf<T extends Readable>(side: T): T {
  const { broken = [], templates = [] } = side;
  const spelled = withPlaceholders({ value: [...side.resources], findings: side.findings }, broken);
  const { value, findings } = withEmbedded(withTerraform(spelled, side.terraform), templates);
  return { ...side, resources: value, findings, broken: brokenOf(findings, broken) };
}

interface Readable {
  readonly resources: readonly Resource[];
  readonly findings: readonly Finding[];
  readonly broken?: readonly Source[];
  readonly templates?: readonly Source[];
  readonly terraform?: Outcome<readonly Resource[]> | undefined;
}

function isManifest({ document: { source } }: Resource): boolean {
  return !source.config;
}

/** Files of folders that cannot be parsed. */
export function brokenOf(findings: readonly Finding[], sources: readonly Source[]): readonly Source[] {
  const files = new Set(findings.flatMap(({ severity, file }) => (severity === "error" ? [file] : [])));
  return sources.filter(({ file, explicit }) => !explicit && files.has(file));
}

/**
 * Files that cannot be parsed and name nothing that anp answers for. None if one of them may hold a policy, or an object
 * of a hosted cluster: these make every file count.
 */
export function foreignOf(broken: readonly Source[]): readonly Source[] {
  const texts = broken.map((source) => [source, withoutEscapedBreaks(source.text)] as const);
  if (texts.some(([, text]) => NAMES_HOSTED.test(text))) return [];
  return texts.flatMap(([source, text]) => (NAMES_OURS.test(text) ? [] : [source]));
}

/** In double quotes, YAML leaves out an escaped end of line with the indent that follows. Scripts have such ends, too. */
function withoutEscapedBreaks(text: string): string {
  return text.replaceAll(/\\(?:\r\n?|\n)[\t ]*/g, "");
}

/** The findings with an info in place of the errors of each foreign file. */
export function passOver(findings: readonly Finding[], foreign: readonly Source[]): readonly Finding[] {
  const files = new Set(foreign.map(({ file }) => file));
  const rest = findings.filter(({ severity, file }) => severity !== "error" || !files.has(file ?? ""));
  return [...rest, ...[...files].map((file) => findingInFile("file-passed-over", file, PASSED_OVER))];
}

/** Parsing a large file takes longer than all others together. Each object has an apiVersion. */
function isLargeWithoutObjects({ text, explicit, config, ofPolicyDir }: Source): boolean {
  const isNamed = explicit || config || ofPolicyDir === true;
  return !isNamed && text.length > LARGE && !text.includes("apiVersion") && !SPELLS_OTHERWISE.test(text);
}

const LARGE = 64 * 1024;

const WITHOUT_OBJECTS: Words = { message: "has no apiVersion anywhere, so it holds no Kubernetes object" };

/** What can spell a name otherwise: escapes, tags, and other encodings. */
const SPELLS_OTHERWISE = /\\[uUx\r\n]|!!|!<|%TAG|[\0\u{FEFF}]/u;

/** Names of groups and kinds. */
const NAMES_OURS = /karpenter|node(?:pool|class|claim|overlay)|\\[uUx]|!!|!<|%TAG|[\0\u{FEFF}]/iu;

const PASSED_OVER: Words = {
  message: "cannot be parsed, and names nothing of Karpenter: passed over",
  hint: "what it holds, such as DaemonSets, is not in the answer: render it first, such as with helm template",
};

/** Findings on files of kustomize and kpt are already reported; other objects in such files belong to those tools. */
function parseAll(sources: readonly Source[]): Outcome<Resource[]> {
  const { value, findings } = parseSources(sources.filter(({ ofOtherTool }) => ofOtherTool !== true));
  const theirs = parseSources(sources.filter(({ ofOtherTool }) => ofOtherTool === true));
  return {
    value: [...value, ...theirs.value.filter(isKarpenters)],
    findings: [...findings, ...theirs.findings.filter(({ severity }) => severity === "error")],
  };
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
