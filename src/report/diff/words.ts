/** Texts for changes: effects, counts and durations. */
import { counted, someOf, tally } from "../../krm/values/counted.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { fleetConvergence } from "../../analyze/diff/change-convergence.ts";
import { EFFECTS, type Effect, REPLACING } from "../../analyze/diff/change-effect.ts";
import type { FieldChange } from "../../analyze/diff/compare-objects.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { formatGoDuration } from "../../model/values/go-duration.ts";

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  none: "touches no node",
  behavioural: "Karpenter acts differently, nodes stay",
  "new-nodes": "concerns new nodes only",
  "replaces-some": "replaces the nodes that no longer fit",
  unknown: "its effect on nodes is unknown",
  "replaces-all": "replaces all nodes",
  "removes-nodes": "removes nodes",
};

/** `replaces all nodes, for ever`. */
export function effectWords({ effect, forever, fields }: Pick<Change, "effect" | "forever" | "fields">): string {
  const words = mayReplace({ effect, fields })
    ? EFFECT_WORDS[effect].replace(/^replaces/, "may replace")
    : EFFECT_WORDS[effect];
  return forever ? `${words}, for ever` : words;
}

/** Whether only the cloud knows what the changed terms find. */
export function mayReplace({ effect, fields }: Pick<Change, "effect" | "fields">): boolean {
  const deciding = fields.filter((field) => field.effect === effect);
  const byTerms = Map.groupBy(deciding, ({ path }) => TERMS.exec(path)?.[0]);
  return deciding.length > 0 && [...byTerms].every(([terms, some]) => terms !== undefined && !some.every(isOfIds));
}

/**
 * Drift compares what selectors and aliases find, not their texts (docs/upstream/karpenter.md#drift): other tags may
 * find the same subnets. Only IDs decide by themselves.
 */
const TERMS = /^spec\.(?:subnet|securityGroup|capacityReservation|ami)SelectorTerms\b/;

/** Whether each side is absent, or terms with nothing but an ID. */
function isOfIds({ path, from, to }: FieldChange): boolean {
  return path.endsWith(".id") || [from, to].every(isIds);
}

function isIds(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isIds);
  return value === undefined || value === null || (isFields(value) && Object.keys(value).every((key) => key === "id"));
}

export function nameOf({ resource, hostedCluster }: Change): string {
  return `${hostedCluster === undefined ? "" : `${hostedCluster} `}${resource.kind} ${resource.name}`;
}

/** `3 of 9 nodes, at least 15m`; empty if nodes are not counted, or none is affected. */
export function nodesWords({
  effect,
  fields,
  nodes: { total, affected, minDuration },
}: Pick<Change, "effect" | "fields" | "nodes">): string {
  if (total === null || !REPLACING.has(effect)) return "";
  if (total === 0) return "there are none";
  if (affected === 0) return `none of ${total}`;
  const worst = affected !== null && mayReplace({ effect, fields }) ? "at worst " : "";
  const count = `${worst}${affected ?? "an unknown number"} of ${counted(total, "node")}`;
  if (affected === null) return count;
  return `${count}, ${minDuration === null ? "and drift takes none" : `at least ${shortDuration(minDuration)}`}`;
}

/** `done by 2026-12-23 09:00 UTC, not before 2026-11-23 09:20 UTC`; empty if no running node is affected. */
export function settlesWords({ settles }: Pick<Change, "settles">): string {
  if (settles === undefined) return "";
  const { until, earliest, latest } = settles;
  const bound = earliest === undefined ? "" : `not before ${momentText(earliest)}`;
  switch (until) {
    case "at-once":
      return "done at once";
    case "by":
      return `done by ${momentText(latest!)}${bound === "" ? "" : `, ${bound}`}`;
    case "open":
      return `${bound === "" ? "" : `done ${bound}, `}no latest time`;
    case "never":
      return "never done";
  }
}

/** `2026-11-23 09:00 UTC`, with seconds unless they are zero. */
export function momentText(at: number): string {
  return `${formatRfc3339(at).slice(0, 19).replace("T", " ").replace(/:00$/, "")} UTC`;
}

/** At most this many nodes are named, and the others counted. */
const MOST_NODES = 10;

/** `nodes web-1, web-2 and 7 others`; empty if they are unknown, or none is affected. */
export function nodeNames({ effect, nodes: { names } }: Pick<Change, "effect" | "nodes">): string {
  if (names === null || names.length === 0 || !REPLACING.has(effect)) return "";
  return `${names.length === 1 ? "node" : "nodes"} ${someOf(names, MOST_NODES)}`;
}

/** `15m` and not `15m0s`. */
function shortDuration(nanoseconds: bigint): string {
  const text = formatGoDuration(nanoseconds);
  return text.replace(/(?<=[hm])0s$/, "").replace(/(?<=h)0m$/, "");
}

const ACTIONS = ["added", "changed", "removed"] as const;

/** `2 changed, 1 removed (removes-nodes 1, none 2); no latest time (terminationGracePeriod is not set)`. */
export function summaryOf(changes: readonly Change[]): string {
  const actions = tally(ACTIONS, changes, ({ action }) => action).map(([action, count]) => `${count} ${action}`);
  const effects = tally(EFFECTS.toReversed(), changes, ({ effect }) => effect);
  const all = `${actions.join(", ")} (${effects.map(([effect, count]) => `${effect} ${count}`).join(", ")})`;
  const last = fleetConvergence(changes);
  if (last === undefined) return all;
  const missing = last.missing === undefined ? "" : ` (${last.missing})`;
  return `${all}; ${settlesWords({ settles: last })}${missing}`;
}

/** The owner of a field that only the wrapper has, or of a part of a list. */
export function ownerOf({ ofWrapper, part }: Pick<FieldChange, "ofWrapper" | "part">): string {
  if (ofWrapper) return "of the wrapper";
  return part === undefined ? "" : PARTS[part];
}

const PARTS = { guard: "the policy's guard", pool: "the pool's own" } as const;
