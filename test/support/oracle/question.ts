/** Defines questions about requirements and answers of the oracle, in the format of both programs. */
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";

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

/** One key of merged entries: its printed form, and the entries that Karpenter writes for it. */
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
  /** Karpenter stops at a random unknown key: `alone` is its error for each key alone. */
  readonly compatible: Verdict & { readonly alone: readonly string[] };
  readonly minValues: Verdict & { readonly needed: number; readonly short: Readonly<Record<string, number>> | null };
  readonly validate: Verdict;
}
