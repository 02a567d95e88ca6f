/** Reads kustomization files: which files a build takes, and what would make it use the network. */
import type { Source } from "../places/source.ts";
import { type Fields, fieldsOf, isFields, listOf } from "../values/fields.ts";
import { valueIn } from "./whole-file.ts";

/** What a kustomization takes from a path. */
export interface Reference {
  readonly path: string;
  /** `resource`: objects; `plugin`: the configuration of a generator, transformer or validator. */
  readonly as: "resource" | "component" | "patch" | "plugin" | "data";
}

export interface Kustomization {
  readonly value: Fields;
  readonly references: readonly Reference[];
  readonly isComponent: boolean;
  /** Why a build of it is refused. */
  readonly refusal: string | undefined;
}

/** A kustomization with all that it takes. */
export interface Tree {
  readonly top: Source;
  /** Those that it takes, itself first, and after each the ones that it takes. */
  readonly kustomizations: readonly { readonly source: Source; readonly read: Kustomization }[];
  /** By place: what is read, and as what. */
  readonly files: ReadonlyMap<string, { readonly source: Source; readonly as: Reference["as"] | "kustomization" }>;
  /** Why it cannot be built. */
  readonly problem: string | undefined;
}

/** Fields without paths, as far as anp knows them: an unknown field may take a path, so it is refused. */
const WITHOUT_PATHS = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "namespace",
  "namePrefix",
  "nameSuffix",
  "commonLabels",
  "commonAnnotations",
  "labels",
  "images",
  "replicas",
  "vars",
  "generatorOptions",
  "buildMetadata",
  "sortOptions",
]);

type Read = (value: unknown) => readonly Reference[];

const pathsAs =
  (as: Reference["as"]): Read =>
  (value) =>
    textsIn(value).map((path) => ({ path, as }));

/** A text with a line break, or an object, is the content itself. */
const pathsOrInline =
  (as: Reference["as"]): Read =>
  (value) =>
    textsIn(value).flatMap((path) => (isInline(path) ? [] : [{ path, as }]));

const pathsOfEach =
  (as: Reference["as"]): Read =>
  (value) =>
    listOf(value).flatMap((one) => pathsAs(as)([fieldsOf(one)["path"]]));

/** `files: [KEY=PATH]`, `envs: [PATH]`, `env: PATH`. */
const ofGenerator: Read = (value) =>
  listOf(value).flatMap((one) => {
    const { files, envs, env } = fieldsOf(one);
    const named = textsIn(files).map((file) => file.slice(file.indexOf("=") + 1));
    return pathsAs("data")([...named, ...textsIn(envs), ...textsIn([env])]);
  });

const WITH_PATHS: Readonly<Record<string, Read>> = {
  resources: pathsAs("resource"),
  bases: pathsAs("resource"),
  components: pathsAs("component"),
  crds: pathsAs("data"),
  configurations: pathsAs("data"),
  openapi: (value) => pathsAs("data")([fieldsOf(value)["path"]]),
  patches: pathsOfEach("patch"),
  patchesJson6902: pathsOfEach("patch"),
  patchesStrategicMerge: pathsOrInline("patch"),
  replacements: pathsOfEach("data"),
  configMapGenerator: ofGenerator,
  secretGenerator: ofGenerator,
  generators: pathsOrInline("plugin"),
  transformers: pathsOrInline("plugin"),
  validators: pathsOrInline("plugin"),
};

/** The fields of entries that may have paths. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  openapi: ["path"],
  patches: ["path", "patch", "target", "options"],
  patchesJson6902: ["path", "patch", "target", "options"],
  replacements: ["path", "source", "targets"],
  configMapGenerator: ["name", "namespace", "behavior", "files", "envs", "env", "literals", "options"],
  secretGenerator: ["name", "namespace", "behavior", "files", "envs", "env", "literals", "options", "type"],
};

/** Also of a kustomization that is refused, as far as it can be read. */
export function readKustomization(source: Source): Kustomization {
  const value = valueIn(source);
  const fields = fieldsOf(value);
  const all = Object.entries(WITH_PATHS).flatMap(([name, read]) => read(fields[name]));
  return {
    value: fields,
    references: all.filter(({ path }) => !isRemote(path)),
    isComponent: fields["kind"] === "Component",
    refusal: isFields(value) ? refusalOf(fields, all) : "is no kustomization that anp can read",
  };
}

function refusalOf(fields: Fields, references: readonly Reference[]): string | undefined {
  const names = Object.keys(fields);
  const chart = names.find((name) => /^helm/i.test(name));
  if (chart !== undefined) return `has ${chart}, and kustomize downloads charts`;
  const remote = references.find(({ path }) => isRemote(path));
  if (remote !== undefined) return `takes ${remote.path}, and anp fetches nothing: only plain paths are built`;
  const unknown = names.find((name) => !WITHOUT_PATHS.has(name) && !Object.hasOwn(WITH_PATHS, name));
  // Kustomize takes a key in any case.
  const inner = Object.entries(KEYS).flatMap(([name, known]) =>
    [fields[name]].flat().flatMap((one) => Object.keys(fieldsOf(one)).filter((key) => !known.includes(key))),
  );
  const field = unknown ?? inner[0];
  if (field !== undefined) return `has the field ${field}, and anp does not know what it reads`;
  const plugins = ["generators", "transformers", "validators"].flatMap((name) =>
    textsIn(fields[name]).filter(isInline),
  );
  return plugins.map(refusedPlugin).find((one) => one !== undefined);
}

/** Why the configuration of a plugin is refused. Kustomize loads any path in it, also from the network. */
export function refusedPlugin(text: string): string | undefined {
  if (text.includes("config.kubernetes.io/function") || text.includes("config.k8s.io/function"))
    return "has a function, which is a program";
  // Escapes can spell the same.
  if (/helm/i.test(text)) return "has a generator for Helm charts, which kustomize downloads";
  return /:\/\/|github\.com|git@|git::|\\/i.test(text) ? "has an address in a plugin: anp fetches nothing" : undefined;
}

/**
 * What kustomize may take for an address: it has a scheme, a host before a colon, a query, or the name of a
 * repository, whether a file of that name is there or not (`git.NewRepoSpecFromURL`).
 */
function isRemote(path: string): boolean {
  return (
    path === "" ||
    path.startsWith("/") ||
    /[:?\\\0\r\n@]|\/\/|^\s|\s$|^(?:www\.)?github\.com|^gh:|\.git(?:\/|$)|_git(?:\/|$)/i.test(path)
  );
}

function isInline(text: string): boolean {
  return text.includes("\n");
}

function textsIn(value: unknown): string[] {
  return listOf(value).filter((one): one is string => typeof one === "string");
}
