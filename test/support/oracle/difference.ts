/** Compares our answer to a question with Karpenter's; undefined if they agree. */
import { isDeepStrictEqual } from "node:util";
import { WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { normalizeKey } from "../../../src/karpenter/requirements/requirement.ts";
import type { KarpenterVersion } from "../go/programs.ts";
import type { Reply } from "./ask.ts";
import { ourAnswer } from "./our-answer.ts";
import type { Answers, Question } from "./question.ts";

export interface Difference {
  readonly question: Question;
  readonly ours: unknown;
  readonly karpenter: unknown;
}

export function differenceOf(question: Question, reply: Reply, version: KarpenterVersion): Difference | undefined {
  // A comparison without a value: Karpenter's validation refuses it, its algebra does not check.
  if (reply.panic !== undefined && question.op !== "validate") {
    const expected = reply.panic.includes("index out of range") && entriesOf(question).some(lacksBound);
    return expected ? undefined : { question, ours: ourAnswer(question, version), karpenter: reply };
  }
  const ours = ourAnswer(question, version);
  return agree(question, ours, reply.answer) ? undefined : { question, ours, karpenter: reply.answer };
}

function agree(question: Question, ours: unknown, karpenter: unknown): boolean {
  switch (question.op) {
    case "merge": {
      const [mine, theirs] = [ours as Answers["merge"], karpenter as Answers["merge"]];
      return mine.text === theirs.text && isDeepStrictEqual(byKey(mine.keys), byKey(theirs.keys));
    }
    case "intersects": {
      const [mine, theirs] = [ours as Answers["intersects"], karpenter as Answers["intersects"]];
      return sameErrors(mine.error, theirs.error);
    }
    case "compatible":
      return agreeOnCompatible(question, (ours as Answers["compatible"]).error, karpenter as Answers["compatible"]);
    case "minValues": {
      const { error, ...theirs } = karpenter as Answers["minValues"];
      return isDeepStrictEqual(ours, theirs) && (error === null) === (theirs.short === null);
    }
    case "validate": {
      const [mine, theirs] = [ours as Answers["validate"], karpenter as Answers["validate"]];
      // Our rules combine the CRD's and the run time's: what we accept, Karpenter must accept.
      if (mine.error === null || theirs.error !== null) return (mine.error === null) === (theirs.error === null);
      return question.entries.some(refusedByCrd);
    }
    default:
      return isDeepStrictEqual(ours, karpenter);
  }
}

/** Values that only the CRDs refuse. */
function refusedByCrd({ key, minValues = 1 }: NodeSelectorRequirement): boolean {
  const ofRestrictedDomain = /^[^/]*(karpenter\.sh|karpenter\.k8s\.aws)(\/|$)/.test(key) && !WELL_KNOWN_LABELS.has(key);
  return ofRestrictedDomain || minValues < 1 || minValues > 50;
}

/** Karpenter names its keys in random order. */
function sameErrors(ours: string | null, karpenter: string | null): boolean {
  if (ours === null || karpenter === null) return ours === karpenter;
  return isDeepStrictEqual(ours.split("; ").toSorted(), karpenter.split("; ").toSorted());
}

type Compatible = Extract<Question, { op: "compatible" }>;

const UNKNOWN = /^label ".*" does not have known values/s;

/** Karpenter takes a random one of several unknown keys or typo guesses; ours is the first by name. */
function agreeOnCompatible(question: Compatible, ours: string | null, karpenter: Answers["compatible"]): boolean {
  const unknown = karpenter.alone.filter((text) => UNKNOWN.test(text));
  if (unknown.length === 0) return sameErrors(ours, karpenter.error);
  if (ours === null || karpenter.error === null) return false;
  const first = withoutHint(unknown[0]!);
  if (withoutHint(ours) !== first || !unknown.map(withoutHint).includes(withoutHint(karpenter.error))) return false;
  const guesses = guessesAt(/^label "(.*)" does/s.exec(first)![1]!, question);
  return guesses.length < 2 ? ours === unknown[0] : guesses.some((guess) => ours === `${first} (typo of "${guess}"?)`);
}

function withoutHint(error: string): string {
  return error.replace(/ \(typo of ".*"\?\)$/s, "");
}

function guessesAt(key: string, { a, allowWellKnown }: Compatible): string[] {
  const name = key.slice(key.indexOf("/") + 1);
  const near = (known: string): boolean => known.includes(key) || known.endsWith(name);
  const wellKnown = allowWellKnown ? [...WELL_KNOWN_LABELS].filter(near) : [];
  return wellKnown.length > 0 ? wellKnown : [...new Set(a.map((entry) => normalizeKey(entry.key)))].filter(near);
}

function byKey<T extends { readonly key: string }>(forms: readonly T[]): T[] {
  return forms.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function entriesOf(question: Question): readonly NodeSelectorRequirement[] {
  if ("entries" in question) return question.entries;
  if ("a" in question) return [...question.a, ...question.b];
  return [...question.types.flat(), ...question.requirements];
}

function lacksBound({ operator, values = [] }: NodeSelectorRequirement): boolean {
  return ["Gt", "Lt", "Gte", "Lte"].includes(operator) && values.length === 0;
}
