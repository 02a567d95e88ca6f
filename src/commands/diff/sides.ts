/** The two sides of `anp diff`, and the mode in which they are compared. */
import type { NodeFacts } from "../../analyze/nodes/node-data.ts";
import type { SideCluster } from "../../analyze/diff/sides.ts";
import { type Finding, hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { inputMode, type InputMode, meansHosted } from "../../model/objects/input-mode.ts";
import { roleOf } from "../../model/objects/role.ts";
import { placeText } from "../../krm/places/location.ts";
import type { Source } from "../../krm/places/source.ts";
import type { SharedOptions } from "../cli/options.ts";
import { fillForAnswer, fillFrom, type Values } from "../input/fill-placeholders.ts";
import { foreignOf, passOver, withPlaceholdersOf } from "../input/load.ts";

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
  /** Files of folders that cannot be parsed; undefined if each counts. */
  readonly broken?: readonly Source[];
  /** What decides about kustomizations that are not built. */
  readonly unbuilt?: readonly Source[];
  /** Files that may be templates of CloudFormation. */
  readonly templates?: readonly Source[];
  /** Objects of Terraform files, which count if neither side has anything to defend. */
  readonly terraform?: Outcome<readonly Resource[]> | undefined;
}

/** The old side of a diff, with the notes on it. */
export interface OldSide {
  readonly old: Side;
  /** How the new side would look in the cluster after a server-side apply. */
  readonly now?: readonly SideCluster[];
  readonly nodes?: readonly NodeFacts[] | undefined;
  /** Notes for the standard error. */
  readonly notes?: readonly string[];
  /** What the API server was not asked, and what that means. */
  readonly notAsked?: readonly string[];
}

/**
 * If one side belongs to a hosted cluster, so does the other: replacing wrappers by raw pools must not bypass their
 * policy. An empty side has the mode of the other side.
 */
export function diffMode(sides: readonly Read[], options: SharedOptions): DiffMode {
  const modes = sides.flatMap((side) => modeOf(side, options) ?? []);
  const mode = STRICTEST_FIRST.find((one) => modes.includes(one)) ?? "hosted";
  return { mode, isMixed: mode === "hosted" && modes.includes("raw") };
}

const STRICTEST_FIRST: readonly InputMode[] = ["hosted", "shipped", "raw"];

interface DiffMode {
  readonly mode: InputMode;
  /** Whether one side alone would be compared as Karpenter's own objects. */
  readonly isMixed: boolean;
}

interface Lenient<T> {
  readonly sides: T;
  /** Files that were passed over and differ between the sides. */
  readonly incomplete: readonly string[];
}

/**
 * Fills placeholders on both sides, and leaves out what has no value, if neither side has anything to defend. Against a
 * cluster, which knows no placeholder, each has to have a value.
 */
export function fillSides<T extends readonly Read[]>(
  sides: T,
  values: Values,
  options: SharedOptions & { readonly live?: boolean },
): T {
  const spelled = sides.map(withPlaceholdersOf);
  if (meansHosted(options) || options.live === true || diffMode(spelled, options).mode !== "raw")
    return sides.map((side) => ({ ...side, resources: fillFrom(side.resources, values) })) as readonly Read[] as T;
  const filled = spelled.map((side) => {
    const { value, findings } = fillForAnswer(side.resources, values);
    return { ...side, resources: value, findings: [...side.findings, ...findings] };
  });
  return filled as readonly Read[] as T;
}

/** Passes over files of both sides that cannot be parsed, if neither side has anything to defend. */
export function passOverSides<T extends readonly Read[]>(sides: T, mode: InputMode, live: boolean): Lenient<T> {
  const broken = sides.flatMap((side) => side.broken ?? []);
  const foreign = new Set(mode === "raw" && !live ? foreignOf(broken) : []);
  const ofSides = sides.map((side) => (side.broken ?? []).filter((source) => foreign.has(source)));
  const read = sides.map((side, at) => ({ ...side, findings: passOver(side.findings, ofSides[at]!) }));
  const unseen = sides.map((side, at) => [...ofSides[at]!, ...(side.unbuilt ?? [])]);
  const incomplete = unseen.flatMap((some, at) => {
    const others = new Set(unseen[1 - at]?.map(({ text }) => text));
    return some.flatMap(({ file, text }) => (others.has(text) ? [] : [file]));
  });
  return { sides: read as readonly Read[] as T, incomplete };
}

/** The old side if only it is invalid: a change that mends a manifest is answered, without what was refused. */
export function mendedSide(now: Side, old: Side): { readonly old: Side; readonly refused: readonly string[] } {
  const errors = old.findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0 || !now.readable || hasErrors(now.findings)) return { old, refused: [] };
  const unknown: SideCluster = { hostedCluster: undefined, objects: [], unsure: "all" };
  return {
    old: {
      clusters: old.readable ? old.clusters : [unknown],
      findings: old.findings.filter(({ severity }) => severity !== "error"),
      readable: true,
    },
    refused: errors.map((finding) => {
      const { resource, message } = finding;
      const place = placeText(finding);
      if (resource === undefined) return `the old side could not be read: ${place} ${message}`;
      return `the old side was refused by Karpenter: ${message} (${place})`;
    }),
  };
}

function modeOf({ resources }: Read, options: SharedOptions): InputMode | undefined {
  // Output of anp belongs to a hosted cluster.
  if (resources.some((resource) => roleOf(resource) === "earlier-output")) return "hosted";
  // With --live, the cluster is the other side.
  const mode = inputMode(resources, { ...options, live: false });
  return mode === "hosted" && resources.every(isUnrelated) ? undefined : mode;
}

/** Whether the side has no object that anp compares in this mode. */
export function holdsNothing({ resources, findings }: Read, mode: InputMode): boolean {
  if (hasErrors(findings)) return false;
  return mode === "raw" ? inputMode(resources, {}) !== "raw" : resources.every(isUnrelated);
}

function isUnrelated(resource: Resource): boolean {
  return roleOf(resource) === "not-ours";
}
