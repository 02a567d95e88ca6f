/** The parameters of an Argo CD application: their announcement, and the checks of their values. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { kebab, offered, type Setting, withDefault } from "./settings.ts";

const { hostedCluster, profile, policyDir, ...others } = offered("parameter");

/** In the order of the announcement, without `paths`, which comes first. */
export const PARAMETERS = { hostedCluster, profile, policyDir, ...others };

const BY_NAME = new Map(Object.entries<Setting>(PARAMETERS).map(([name, setting]) => [kebab(name), setting]));

export const PARAMETER_NAMES = ["paths", ...BY_NAME.keys()] as const;

/** Argo CD announces defaults and does not send them (docs/upstream/hosts.md#argo-cd). */
export const DEFAULT_PATHS: readonly string[] = ["."];

/** One string, or the items of an array. */
export type ParameterValue = string | readonly string[];

/** How many folders above the application's are in the part of the repository that Argo CD sends. */
type Depth = number;

/** A message about an invalid value; undefined if it is valid. */
export function parameterProblem(name: string, value: ParameterValue, depth: Depth): string | undefined {
  const setting = BY_NAME.get(name);
  if (setting === undefined)
    return [value]
      .flat()
      .map((path) => pathProblem(path, depth))
      .find((problem) => problem !== undefined);
  if (typeof value !== "string") return "it is one string, not an array";
  // A variable that is not set must not turn a rule off.
  if (value === "") return "it is empty: give it a value, or leave it out";
  const { placeholder, choices, accepts, parameter: [, , wrong] = [] } = setting;
  if (placeholder === "path") return pathProblem(value, depth);
  if (placeholder === undefined)
    return value === "true" || value === "false" ? undefined : `${quoted(value)} is neither true nor false`;
  if (choices !== undefined) return choices.includes(value) ? undefined : noChoice(value, choices);
  return accepts?.[0](value) === false ? `${quoted(value)} ${wrong ?? accepts[1]}` : undefined;
}

/**
 * Without this check, the author of an Application could read other repositories that Argo CD has unpacked, or the
 * secrets of the sidecar: a finding shows the line that it is about.
 */
function pathProblem(path: string, depth: Depth): string | undefined {
  if (path === "") return "a path is empty: check whether a variable is unset";
  if (path === "-") return "the standard input (-) cannot be read: Argo CD sends none";
  if (path.startsWith("/")) return `${quoted(path)} must be relative to the application's folder`;
  return leavesRepository(path, depth)
    ? `${quoted(path)} leads out of the part of the repository that Argo CD sends`
    : undefined;
}

/**
 * A flag applies to every Application, and a relative path would lead to a folder of each Application's author.
 * Undefined if the path is valid.
 */
export function flagPathProblem(path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  return `${quoted(path)} is relative, so the author of an Application decides its content: give an absolute path to a folder that comes with the plugin`;
}

function noChoice(value: string, choices: readonly string[]): string {
  const nearest = nearestWord(value, choices);
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  return `${quoted(value)} is not one of ${choices.join(", ")}${meant}`;
}

/** On one line, whatever its characters. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** As in Argo CD's reposerver/repository/repository.proto, ParameterAnnouncement. */
interface Announcement {
  readonly name: string;
  readonly title: string;
  readonly tooltip: string;
  readonly required: boolean;
  readonly itemType: "string" | "boolean";
  readonly collectionType: "string" | "array";
  readonly string?: string;
  readonly array?: readonly string[];
}

/** What Argo CD's form shows. @param hostedClusters all that the input names, whichever is selected */
export function announceParameters(hostedClusters: readonly string[]): readonly Announcement[] {
  const [only, ...more] = hostedClusters;
  const isOne = only !== undefined && more.length === 0;
  const names = ` The input names ${hostedClusters.join(", ") || "none"}.`;
  const paths = announcement("paths", "Paths", "Files and folders to read, relative to the application's folder.");
  return [
    { ...paths, collectionType: "array", array: DEFAULT_PATHS },
    ...[...BY_NAME].map(([name, setting]): Announcement => {
      const [title = "", sentence = ""] = setting.parameter ?? [];
      const tooltip = withDefault(sentence, setting);
      if (setting === hostedCluster)
        return {
          ...announcement(name, title, `${tooltip}${names}`),
          required: more.length > 0,
          ...(isOne ? { string: only } : {}),
        };
      const announced = announcement(name, title, tooltip);
      return setting.placeholder === undefined ? { ...announced, itemType: "boolean", string: "false" } : announced;
    }),
  ];
}

function announcement(name: string, title: string, tooltip: string): Announcement {
  return { name, title, tooltip, required: false, itemType: "string", collectionType: "string" };
}

/**
 * @param folder absolute: where the commands of the plugin run
 * @param sourcePath the application's folder in the repository (`ARGOCD_APP_SOURCE_PATH`). Argo CD may send less than
 * the whole repository (`manifest-generate-paths`): only the common end of both paths is certain to belong to it.
 * Folders above it hold other applications.
 */
export function repositoryDepth(folder: string, sourcePath: string | undefined): number {
  const actual = segments(folder);
  const expected = segments(sourcePath ?? "");
  let depth = 0;
  while (depth < expected.length && expected.at(-1 - depth) === actual.at(-1 - depth)) depth += 1;
  return depth;
}

/** The topmost folder that is known to belong to the repository. */
export function repositoryRoot(folder: string, sourcePath: string | undefined): string {
  const all = segments(folder);
  return `/${all.slice(0, all.length - repositoryDepth(folder, sourcePath)).join("/")}`;
}

/** Whether a relative path climbs over the topmost folder on its way. */
export function leavesRepository(path: string, depth: number): boolean {
  let level = depth;
  for (const segment of segments(path)) {
    level += segment === ".." ? -1 : 1;
    if (level < 0) return true;
  }
  return false;
}

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
