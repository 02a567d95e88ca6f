/** What the oracle can be asked about requirements, and the shape of what it answers; both programs use the same words. */
import type { NodeSelectorRequirement } from "../../../src/model/requirement.ts";

type Entries = readonly NodeSelectorRequirement[];

export type Question =
  | { readonly op: "merge"; readonly entries: Entries }
  /** All entries of one key. */
  | { readonly op: "has"; readonly entries: Entries; readonly values: readonly string[] }
  /** All entries of one key. */
  | { readonly op: "intersection"; readonly a: Entries; readonly b: Entries }
  | { readonly op: "intersects"; readonly a: Entries; readonly b: Entries }
  | { readonly op: "compatible"; readonly a: Entries; readonly b: Entries; readonly allowWellKnown: boolean }
  | { readonly op: "minValues"; readonly types: readonly Entries[]; readonly requirements: Entries }
  | { readonly op: "validate"; readonly entries: Entries };

export type Operation = Question["op"];

/** One key of merged entries: its print form, and the entries Karpenter writes for it. */
export interface KeyForm {
  readonly key: string;
  readonly operator: string;
  readonly text: string;
  readonly entries: Entries;
}

export interface Verdict {
  readonly error: string | null;
}

export interface Answers {
  readonly merge: { readonly keys: readonly KeyForm[]; readonly text: string };
  readonly has: readonly boolean[];
  readonly intersection: { readonly both: KeyForm; readonly hasIntersection: boolean };
  readonly intersects: Verdict;
  /** Karpenter stops at a random one of the keys that are not known: `alone` is what it says of each key by itself. */
  readonly compatible: Verdict & { readonly alone: readonly string[] };
  readonly minValues: Verdict & { readonly needed: number; readonly short: Readonly<Record<string, number>> | null };
  readonly validate: Verdict;
}
