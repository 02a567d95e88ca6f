/** Generates random questions for the oracle, every operation equally often. */
import fc from "fast-check";
import { entries, entriesOfOneKey, twoListsOfOneKey, typeEntries, value } from "./entries.ts";
import type { Operation, Question } from "./question.ts";
import { poolEntries } from "./pool-entries.ts";

const byOperation: { readonly [op in Operation]: fc.Arbitrary<Extract<Question, { op: op }>> } = {
  merge: entries.map((entries) => ({ op: "merge", entries })),
  has: fc
    .tuple(entriesOfOneKey, fc.array(value, { minLength: 1, maxLength: 8 }))
    .map(([entries, values]) => ({ op: "has", entries, values })),
  intersection: twoListsOfOneKey.map(([a, b]) => ({ op: "intersection", a, b })),
  intersects: fc.tuple(entries, entries).map(([a, b]) => ({ op: "intersects", a, b })),
  compatible: fc
    .tuple(entries, entries, fc.boolean())
    .map(([a, b, allowWellKnown]) => ({ op: "compatible", a, b, allowWellKnown })),
  minValues: fc
    .tuple(fc.array(typeEntries, { maxLength: 5 }), entries)
    .map(([types, requirements]) => ({ op: "minValues", types, requirements })),
  validate: poolEntries.map((entries) => ({ op: "validate", entries })),
};

export const question: fc.Arbitrary<Question> = fc.oneof(...Object.values(byOperation));
