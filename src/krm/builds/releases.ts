/** Reads HelmReleases of Flux and Applications of Argo CD with a chart of their repository. */
import { posix } from "node:path";
import { parseSources } from "../parse/parse.ts";
import { type FieldPath, valueAt } from "../places/field-path.ts";
import { groupOf, type Resource, type SourceDocument } from "../places/resource.ts";
import { scalarSource } from "../places/scalar-source.ts";
import type { Source } from "../places/source.ts";
import { below, type FilesBeside } from "../read/file-tree.ts";
import { utf8Text } from "../read/input-bytes.ts";
import { type Fields, fieldsOf, listOf } from "../values/fields.ts";
import { type Chart, type ChartProblem, type ChartReader, textSource } from "./chart.ts";
import { valueIn, wholeOf } from "./whole-file.ts";

/** A chart with the values and names that it is installed with. */
export interface Release {
  readonly chart: Chart;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Later ones count before earlier ones. */
  readonly values: readonly ReleaseValues[];
  /** Whether the chart's own values count. */
  readonly withDefaults: boolean;
  /** `NAME=VALUE`, with the option for each. */
  readonly parameters: readonly string[];
  /** The file and folder that findings about the whole are in. */
  readonly of: Pick<Source, "file" | "folder">;
  /** A cluster of its own in answers. */
  readonly built: string;
  readonly problem: ChartProblem | undefined;
  /** Values that are not in the files. */
  readonly unknown: string | undefined;
}

export interface ReleaseValues {
  readonly document: SourceDocument;
  /** Where they begin in the document. */
  readonly base: FieldPath;
  readonly value: unknown;
  /** What helm reads. */
  readonly text: string;
}

/** The values of a file. */
export function fileValues(source: Source): ReleaseValues {
  return { document: wholeOf(source), base: [], value: valueIn(source), text: source.text };
}

/** What helm takes as the name of a release; anything else could mean an option. */
export function isReleaseName(text: unknown): text is string {
  return typeof text === "string" && text.length <= 53 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text);
}

/** Whether a file may have a HelmRelease or an Application. */
export function mayInstall({ text }: Source): boolean {
  return text.includes("HelmRelease") || (text.includes("Application") && text.includes("argoproj.io"));
}

/** Those among the sources, each once. */
export function releasesIn(sources: readonly Source[], files: FilesBeside, reader: ChartReader): Release[] {
  return parseSources(sources.filter(mayInstall)).value.flatMap((resource) => {
    const { apiVersion, kind } = resource;
    const group = groupOf(apiVersion);
    if (group === "helm.toolkit.fluxcd.io" && kind === "HelmRelease")
      return ofFlux(new Repository(resource, files, reader));
    return group === "argoproj.io" && kind === "Application" ? ofArgo(new Repository(resource, files, reader)) : [];
  });
}

/** The repository around a file, as tools know it: paths begin at its top. */
class Repository {
  readonly resource: Resource;
  readonly #files: FilesBeside;
  readonly #reader: ChartReader;
  #root: string | undefined;

  constructor(resource: Resource, files: FilesBeside, reader: ChartReader) {
    this.resource = resource;
    this.#files = files;
    this.#reader = reader;
  }

  /** The chart of a folder; the outermost folder in which the path leads to one is the top. */
  chartAt(path: unknown): Chart | undefined {
    if (typeof path !== "string" || path === "" || !isInside(path)) return undefined;
    const { folder } = this.resource.document.source;
    for (let end = 0; end !== -1;) {
      end = folder.indexOf("/", end + 1);
      const root = end === -1 ? folder : folder.slice(0, end);
      const found = this.#sourceAt(below(posix.join(root, path), "Chart.yaml"));
      if (typeof found === "string") continue;
      this.#root = root;
      return this.#reader.read(found);
    }
    return undefined;
  }

  /** A file of values, by its path from the top; a text says why there is none. */
  valuesAt(path: string): ReleaseValues | string {
    if (!isInside(path)) return `takes values of ${JSON.stringify(path)}, which is not in the repository`;
    const found = this.#sourceAt(posix.join(this.#root ?? "", path));
    return typeof found === "string" ? `takes values of ${path}, which ${found}` : fileValues(found);
  }

  /** Values that are written into the object. */
  inline(path: FieldPath): ReleaseValues[] {
    const { document, base, value } = this.resource;
    const found = valueAt(value, path);
    if (found === undefined || found === null) return [];
    if (typeof found === "string") return [fileValues(scalarSource({ document, base }, path, found))];
    return [{ document, base: [...base, ...path], value: found, text: JSON.stringify(found, plainNumbers) }];
  }

  /** The path of a chart from the top. */
  pathOf(chart: Chart): string {
    return posix.relative(this.#root ?? "", chart.top.folder);
  }

  #sourceAt(place: string): Source | string {
    const near = this.resource.document.source;
    const found = this.#files.at(place, near);
    if (found === "folder") return "is a folder";
    if ("problem" in found) return found.problem;
    const text = utf8Text(found.bytes);
    return typeof text === "string" ? textSource(near, this.#files.fileOf(place, near), place, text) : text.message;
  }
}

function isInside(path: string): boolean {
  return !/[:\\\0]/.test(path) && !posix.isAbsolute(path) && !posix.normalize(path).startsWith("..");
}

function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function ofFlux(repository: Repository): Release[] {
  const { resource } = repository;
  const spec = fieldsOf(valueAt(resource.value, ["spec"]));
  const { chart: path, sourceRef, valuesFiles } = fieldsOf(fieldsOf(spec["chart"])["spec"]);
  const chart = fieldsOf(sourceRef)["kind"] === "GitRepository" ? repository.chartAt(path) : undefined;
  if (chart === undefined) return [];
  const { targetNamespace } = spec;
  const namespace = targetNamespace ?? resource.namespace;
  const ownName = typeof targetNamespace === "string" ? `${targetNamespace}-${resource.name}` : resource.name;
  const files = listOf(valuesFiles).map(String);
  const read = files.map((file) => repository.valuesAt(file));
  const unknown = listOf(spec["valuesFrom"]).map(
    (one) => `${String(fieldsOf(one)["kind"])} ${String(fieldsOf(one)["name"])}`,
  );
  return [
    releaseOf(repository, chart, {
      name: spec["releaseName"] ?? ownName,
      namespace,
      values: [...read, ...repository.inline(["spec", "values"])],
      withDefaults: files.length === 0,
      problem: Object.hasOwn(spec, "postRenderers") ? "has postRenderers, which anp does not run" : undefined,
      unknown: unknown.length === 0 ? undefined : unknown.join(", "),
    }),
  ];
}

function ofArgo(repository: Repository): Release[] {
  const { resource } = repository;
  const spec = fieldsOf(valueAt(resource.value, ["spec"]));
  const sources = [
    { source: fieldsOf(spec["source"]), at: ["spec", "source"] },
    ...listOf(spec["sources"]).map((one, index) => ({ source: fieldsOf(one), at: ["spec", "sources", index] })),
  ];
  return sources.flatMap(({ source, at }) => {
    const chart = repository.chartAt(source["path"]);
    if (chart === undefined) return [];
    const helm = fieldsOf(source["helm"]);
    const others = sources.map((one) => one.source);
    const files = listOf(helm["valueFiles"]).map((file) => valueFile(repository, chart, String(file), source, others));
    const isOptional = helm["ignoreMissingValueFiles"] === true;
    const inline = Object.hasOwn(helm, "valuesObject") ? "valuesObject" : "values";
    return releaseOf(repository, chart, {
      name: helm["releaseName"] ?? resource.name,
      namespace: fieldsOf(spec["destination"])["namespace"],
      values: [
        ...files.filter((one) => !isOptional || typeof one !== "string"),
        ...repository.inline([...at, "helm", inline]),
      ],
      withDefaults: true,
      parameters: listOf(helm["parameters"]).map(parameterOf),
      problem: Object.hasOwn(helm, "fileParameters") ? "has fileParameters, which anp does not read" : undefined,
      unknown: undefined,
    });
  });
}

/** Relative to the chart; `$NAME/` begins at the top of another source, which may be the same repository. */
function valueFile(
  repository: Repository,
  chart: Chart,
  path: string,
  source: Fields,
  others: readonly Fields[],
): ReleaseValues | string {
  const [, name, rest = ""] = /^\$([\w-]+)\/(.*)$/.exec(path) ?? [];
  if (name === undefined) return repository.valuesAt(posix.join(repository.pathOf(chart), path));
  const other = others.find(({ ref }) => ref === name);
  if (other?.["repoURL"] === source["repoURL"]) return repository.valuesAt(rest);
  return `takes values of ${JSON.stringify(path)}, which is in another repository`;
}

/** In a value, commas mean the next one to helm. */
function parameterOf(one: unknown): string {
  const { name, value, forceString } = fieldsOf(one);
  const text = String(value ?? "").replaceAll(/(?<!\\),/g, String.raw`\,`);
  return `${forceString === true ? "--set-string" : "--set"}=${String(name)}=${text}`;
}

interface Written {
  readonly name: unknown;
  readonly namespace: unknown;
  readonly values: readonly (ReleaseValues | string)[];
  readonly withDefaults: boolean;
  readonly parameters?: readonly string[];
  readonly problem: string | undefined;
  readonly unknown: string | undefined;
}

function releaseOf({ resource }: Repository, chart: Chart, written: Written): Release {
  const { name, namespace, values, withDefaults, parameters = [], unknown } = written;
  const { file, folder } = resource.document.source;
  const isNamed = isReleaseName(name) && (namespace === undefined || isReleaseName(namespace));
  const unreadable = values.find((one) => typeof one === "string");
  const problem =
    written.problem ??
    (isNamed ? unreadable : "has a name or namespace that Helm does not take") ??
    (parameters.some((one) => one.includes("\0")) ? "has a parameter that no program takes" : undefined);
  return {
    chart,
    name: isReleaseName(name) ? name : "release-name",
    namespace: isReleaseName(namespace) ? namespace : undefined,
    values: values.filter((one) => typeof one !== "string"),
    withDefaults,
    parameters,
    of: { file, folder },
    built: below(folder, resource.name),
    problem: problem === undefined ? chart.problem : { message: `${resource.kind} ${resource.name} ${problem}` },
    unknown: unknown && `${resource.kind} ${resource.name} takes values from ${unknown}, which are not in the answer`,
  };
}
