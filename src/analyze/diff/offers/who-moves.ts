/** Which entries let something in or keep it out: those whose coming or going does it. */
import type { AskedRequirement } from "../../../resolve/demands.ts";

/** An entry of a side, by its place in the list of that side. */
export interface Flip {
  readonly side: "before" | "after";
  readonly index: number;
}

/** What a list of demands lets come, by name. */
export type Admits = (demands: readonly AskedRequirement[]) => ReadonlySet<string>;

interface Question {
  readonly before: readonly AskedRequirement[];
  /** What came and went between the lists. */
  readonly flips: readonly Flip[];
  readonly after: readonly AskedRequirement[];
  /** What all of a list lets come. */
  readonly together: Admits;
  /** What one demand lets come that is alone. */
  readonly alone: Admits;
}

/** As many lists are asked about for one pair of pools: of more than anybody writes, all that came or went is named. */
const MAX_QUESTIONS = 2_000;

/**
 * By name, the entries that did it. Where an entry that came or went refuses it by itself, and all of those make the
 * difference, it is they; else a set from which none can be left out, since a contradiction may let in what each of its
 * entries keeps out (docs/upstream/karpenter.md#absent-labels).
 */
export function whoMoves(names: readonly string[], gained: boolean, question: Question): ReadonlyMap<string, Flip[]> {
  const { flips } = question;
  const asker = askerOf(question);
  const suspects = flips.filter(({ side }) => side === (gained ? "before" : "after"));
  const refusing = suspects.map((flip) => ({ flip, admits: question.alone([demandAt(question, flip)]) }));
  const moved = (some: readonly Flip[], name: string): boolean => asker(some).has(name) === gained;
  return new Map(
    names.map((name) => {
      const likely = refusing.filter(({ admits }) => !admits.has(name)).map(({ flip }) => flip);
      const done = likely.length > 0 && moved(likely, name) ? likely : smallest(flips, (some) => moved(some, name));
      return [name, done];
    }),
  );
}

/** From which none can be left out. */
function smallest(flips: readonly Flip[], suffices: (some: readonly Flip[]) => boolean): Flip[] {
  return flips.reduce<Flip[]>(
    (left, flip) => {
      const others = left.filter((other) => other !== flip);
      return suffices(others) ? others : left;
    },
    [...flips],
  );
}

/** What comes once some of the entries have come and gone. */
function askerOf(question: Question): (some: readonly Flip[]) => ReadonlySet<string> {
  const { before, flips, after, together } = question;
  const known = new Map<string, ReadonlySet<string>>();
  return (some) => {
    const done = new Set(some);
    const key = flips.map((flip) => (done.has(flip) ? "1" : "0")).join("");
    const answered = known.get(key);
    if (answered !== undefined) return answered;
    // Nothing is moved by nobody.
    if (known.size >= MAX_QUESTIONS) return together(before);
    const gone = new Set(some.filter(({ side }) => side === "before").map(({ index }) => index));
    const come = some.filter(({ side }) => side === "after").map(({ index }) => after[index]!);
    const answer = together([...before.filter((_demand, index) => !gone.has(index)), ...come]);
    known.set(key, answer);
    return answer;
  };
}

function demandAt({ before, after }: Question, { side, index }: Flip): AskedRequirement {
  return (side === "before" ? before : after)[index]!;
}
