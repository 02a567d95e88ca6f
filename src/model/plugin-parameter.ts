/** The parameters that an Argo CD application may give anp, and what is wrong with a value. */
import { nearestWord } from "../krm/nearest-word.ts";
import { GUARD_WISHES } from "./guard-wish.ts";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { PROFILES } from "./profile.ts";
import { leavesRepository } from "./repository-depth.ts";

/** In the order of the announcement. */
export const PARAMETER_NAMES = [
  "paths",
  "hosted-cluster",
  "profile",
  "policy-dir",
  "require-policy",
  "allow-empty",
  "guard",
] as const;

export type ParameterName = (typeof PARAMETER_NAMES)[number];

export function isParameterName(name: string): name is ParameterName {
  return (PARAMETER_NAMES as readonly string[]).includes(name);
}

/** One string, or the items of an array. */
export type ParameterValue = string | readonly string[];

/** How many folders stand above the application's in what Argo CD sends of the repository. */
type Depth = number;

/** What is wrong with the value; undefined when nothing is. */
export function parameterProblem(name: ParameterName, value: ParameterValue, depth: Depth): string | undefined {
  if (name === "paths")
    return [value]
      .flat()
      .map((path) => pathProblem(path, depth))
      .find((problem) => problem !== undefined);
  if (typeof value !== "string") return "it is one string, not an array";
  // A variable that is not set must not turn a rule off.
  if (value === "") return "it is empty: give it a value, or leave it out";
  switch (name) {
    case "hosted-cluster":
      return HOSTED_CLUSTER_NAME.test(value)
        ? undefined
        : `${quoted(value)} is no namespace, such as clusters-my-cluster`;
    case "profile":
      return (PROFILES as readonly string[]).includes(value) ? undefined : noProfile(value);
    case "policy-dir":
      return pathProblem(value, depth);
    case "require-policy":
    case "allow-empty":
      return value === "true" || value === "false" ? undefined : `${quoted(value)} is neither true nor false`;
    case "guard":
      return (GUARD_WISHES as readonly string[]).includes(value)
        ? undefined
        : `${quoted(value)} is none of ${GUARD_WISHES.join(", ")}`;
  }
}

/**
 * Whoever writes an Application could else read what Argo CD has unpacked beside it, or the secrets of the sidecar: a
 * finding shows the line that it is about.
 */
function pathProblem(path: string, depth: Depth): string | undefined {
  if (path === "") return "a path is empty: a variable may not be set";
  if (path === "-") return "the standard input (-) is nobody's: Argo CD gives none";
  if (path.startsWith("/")) return `${quoted(path)} must be relative to the application's folder`;
  return leavesRepository(path, depth)
    ? `${quoted(path)} leads out of what Argo CD sends of the repository`
    : undefined;
}

/**
 * A flag holds for every Application, and a relative path leads each of them to a folder that its author fills. Undefined
 * when nothing is wrong.
 */
export function flagPathProblem(path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  return `${quoted(path)} is relative, so whoever writes an Application decides what stands there: give an absolute path, of a folder that comes with the plugin`;
}

function noProfile(value: string): string {
  const nearest = nearestWord(value, PROFILES);
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  return `${quoted(value)} is none of ${PROFILES.join(", ")}${meant}`;
}

/** On one line, whatever it holds. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
