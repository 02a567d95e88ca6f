/** A world with nodes that Karpenter may disrupt, the time, and the feature gates that decide about it. */
import type { Manifest, World } from "../plan-worlds/world.ts";

export interface DisruptionWorld extends World {
  /** RFC 3339. */
  readonly now: string;
  readonly gates: { readonly spotToSpot: boolean; readonly terminateFirstDrift: boolean };
  readonly style: Style;
}

/** What the nodes of a world have in common, so that each kind of command is frequent. */
export const STYLES = [
  "mixed",
  "packed",
  "packed",
  "sparse",
  "spot",
  "spot",
  "drifted",
  "static",
  "balanced",
  "balanced",
  "held",
] as const;

export type Style = (typeof STYLES)[number];

export const NOW = "2026-11-01T12:00:00Z";

/** @param minutes before the time of the worlds */
export function ago(minutes: number): string {
  return new Date(Date.parse(NOW) - minutes * 60_000).toISOString().replace(".000Z", "Z");
}

export interface WorldPool extends Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec: { readonly taints?: readonly Manifest[]; readonly requirements: readonly Manifest[] };
    };
  } & Manifest;
}
