/** The parameters that an Argo CD application may give anp, and the checks of their values. */
import { nearestWord } from "../krm/nearest-word.ts";
import { GUARD_ACTIONS } from "./guard-action.ts";
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

/** How many folders above the application's are in the part of the repository that Argo CD sends. */
type Depth = number;

/** A message about an invalid value; undefined if it is valid. */
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
        : `${quoted(value)} is not a namespace, such as clusters-my-cluster`;
    case "profile":
      return (PROFILES as readonly string[]).includes(value) ? undefined : noProfile(value);
    case "policy-dir":
      return pathProblem(value, depth);
    case "require-policy":
    case "allow-empty":
      return value === "true" || value === "false" ? undefined : `${quoted(value)} is neither true nor false`;
    case "guard":
      return (GUARD_ACTIONS as readonly string[]).includes(value)
        ? undefined
        : `${quoted(value)} is not one of ${GUARD_ACTIONS.join(", ")}`;
  }
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

function noProfile(value: string): string {
  const nearest = nearestWord(value, PROFILES);
  const meant = nearest === undefined ? "" : `: did you mean ${nearest}?`;
  return `${quoted(value)} is not one of ${PROFILES.join(", ")}${meant}`;
}

/** On one line, whatever its characters. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
