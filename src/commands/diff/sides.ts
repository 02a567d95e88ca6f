/** What the two sides of `anp diff` are, and in which mode they are compared. */
import type { NodeFacts } from "../../analyze/nodes/node-data.ts";
import type { SideCluster } from "../../analyze/diff/compare-clusters.ts";
import { type Finding, hasErrors } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { inputMode, type InputMode } from "../../model/input-mode.ts";
import { roleOf } from "../../model/role.ts";
import type { SharedOptions } from "../cli/options.ts";

export interface Side {
  readonly clusters: readonly SideCluster[];
  readonly findings: readonly Finding[];
  /** Whether everything could be read, so that there is an answer. */
  readonly readable: boolean;
}

export interface Read {
  readonly resources: readonly Resource[];
  readonly config: Resource | undefined;
  readonly findings: readonly Finding[];
}

/** The old side of a diff, and what is known with it. */
export interface OldSide {
  readonly old: Side;
  /** What the new side comes to in a cluster. */
  readonly now?: readonly SideCluster[];
  readonly nodes?: readonly NodeFacts[] | undefined;
  /** For the standard error. */
  readonly notes?: readonly string[];
}

/**
 * Where one side is a hosted cluster's, so is the other: replacing wrappers by raw pools must not get them out of their
 * policy. A side that holds nothing is what the other is.
 */
export function diffMode(sides: readonly Read[], options: SharedOptions): DiffMode {
  const modes = sides.flatMap((side) => modeOf(side, options) ?? []);
  const mode = modes.length > 0 && modes.every((one) => one === "raw") ? "raw" : "hosted";
  return { mode, isMixed: mode === "hosted" && modes.includes("raw") };
}

interface DiffMode {
  readonly mode: InputMode;
  /** Whether a side alone would be compared as it stands. */
  readonly isMixed: boolean;
}

function modeOf({ resources }: Read, options: SharedOptions): InputMode | undefined {
  // What anp has rendered is of a hosted cluster.
  if (resources.some((resource) => roleOf(resource) === "earlier-output")) return "hosted";
  // The cluster of --live is the other side.
  const mode = inputMode(resources, { ...options, live: false });
  return mode === "hosted" && resources.every(isNobodys) ? undefined : mode;
}

/** Nothing that anp would look at in this mode. */
export function holdsNothing({ resources, findings }: Read, mode: InputMode): boolean {
  if (hasErrors(findings)) return false;
  return mode === "raw" ? inputMode(resources, {}) !== "raw" : resources.every(isNobodys);
}

function isNobodys(resource: Resource): boolean {
  return roleOf(resource) === "not-ours";
}
