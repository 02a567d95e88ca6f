/** Attributes gained and lost types, zones and capacity types to changed entries and limits. */
import type { Asked } from "./pool-offer.ts";

/** An added or removed entry, by its index in the list of its side. */
export interface EntryChange {
  readonly side: "before" | "after";
  readonly index: number;
}

/** The names that a list of demands admits. */
export type Admits = (demands: readonly Asked[]) => ReadonlySet<string>;

interface Question {
  readonly before: readonly Asked[];
  /** The entries added and removed between the lists. */
  readonly entryChanges: readonly EntryChange[];
  readonly after: readonly Asked[];
  /** The names that a whole list admits. */
  readonly together: Admits;
  /** The names that a single demand admits. */
  readonly alone: Admits;
}

/** The limit of evaluated lists for one pair of pools. Beyond it, all added and removed entries are named. */
const MAX_QUESTIONS = 2_000;

/**
 * By name, the responsible entries. If the changed entries that refuse the name alone make the difference together,
 * these are named. Otherwise it is a minimal set, because a contradiction may admit what each of its entries refuses
 * (docs/upstream/karpenter.md#absent-labels).
 */
export function attributeChanges(
  names: readonly string[],
  gained: boolean,
  question: Question,
): ReadonlyMap<string, EntryChange[]> {
  const { entryChanges } = question;
  const evaluate = evaluatorOf(question);
  const candidates = entryChanges.filter(({ side }) => side === (gained ? "before" : "after"));
  const refusing = candidates.map((entryChange) => ({
    entryChange,
    admits: question.alone([demandAt(question, entryChange)]),
  }));
  const makesDifference = (some: readonly EntryChange[], name: string): boolean => evaluate(some).has(name) === gained;
  return new Map(
    names.map((name) => {
      const likely = refusing.filter(({ admits }) => !admits.has(name)).map(({ entryChange }) => entryChange);
      const done =
        likely.length > 0 && makesDifference(likely, name)
          ? likely
          : smallest(entryChanges, (some) => makesDifference(some, name));
      return [name, done];
    }),
  );
}

/** A subset that suffices and from which no entry can be removed. */
function smallest(
  entryChanges: readonly EntryChange[],
  suffices: (some: readonly EntryChange[]) => boolean,
): EntryChange[] {
  return entryChanges.reduce<EntryChange[]>(
    (left, entryChange) => {
      const others = left.filter((other) => other !== entryChange);
      return suffices(others) ? others : left;
    },
    [...entryChanges],
  );
}

/** Evaluates the old list with some of the entries added and removed. */
function evaluatorOf(question: Question): (some: readonly EntryChange[]) => ReadonlySet<string> {
  const { before, entryChanges, after, together } = question;
  const known = new Map<string, ReadonlySet<string>>();
  return (some) => {
    const done = new Set(some);
    const key = entryChanges.map((entryChange) => (done.has(entryChange) ? "1" : "0")).join("");
    const answered = known.get(key);
    if (answered !== undefined) return answered;
    // Beyond the limit, no smaller set counts as sufficient.
    if (known.size >= MAX_QUESTIONS) return together(before);
    const gone = new Set(some.filter(({ side }) => side === "before").map(({ index }) => index));
    const come = some.filter(({ side }) => side === "after").map(({ index }) => after[index]!);
    const answer = together([...before.filter((_demand, index) => !gone.has(index)), ...come]);
    known.set(key, answer);
    return answer;
  };
}

function demandAt({ before, after }: Question, { side, index }: EntryChange): Asked {
  return (side === "before" ? before : after)[index]!;
}
