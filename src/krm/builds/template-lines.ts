/** Finds for each line of a rendered document the line of a template that wrote it. */
import type { TemplateLine } from "./template-text.ts";

/** A line of a template, or of one that it includes, after the line that includes it. */
export interface Candidate<T> {
  readonly line: TemplateLine;
  readonly of: T;
  readonly isIncluded: boolean;
}

/** More than that are not compared: lines of the document times lines of templates. */
const MOST_CELLS = 2_000_000;
const MOST_CHARACTERS = 50_000_000;

const UNKNOWN = -1;
/** Costs: an equal text counts most, and what comes next in the template is likely to come next. */
const COST = { otherIndent: 2, pattern: 2, weakPattern: 4, indented: 2, action: 5, continued: 1, unlike: 18 };
const STEP = { forward: 3, elsewhere: 6 };
const NEVER = 1_000_000_000;

/**
 * The cheapest way through the candidates; the index of one for each line, `-1` where there is none.
 * @returns undefined if there are too many
 */
export function alignLines<T>(rendered: readonly string[], candidates: readonly Candidate<T>[]): number[] | undefined {
  const count = candidates.length;
  if (count === 0 || count * rendered.length > MOST_CELLS) return undefined;
  const sizeOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length + 1, 0);
  const size = sizeOf(rendered) * count + sizeOf(candidates.flatMap(({ line }) => line.literals)) * rendered.length;
  if (size > MOST_CHARACTERS) return undefined;
  const shapes = candidates.map(shapeOf);
  const from = new Int32Array(count * rendered.length);
  let costs = new Int32Array(count);
  rendered.forEach((text, row) => {
    const next = new Int32Array(count);
    const trimmed = text.trim();
    const indent = indentOf(text);
    const best = row === 0 ? 0 : indexOfLeast(costs);
    let before = 0;
    for (let at = 0; at < count; at += 1) {
      const own = costOf(shapes[at]!, trimmed, indent);
      // Only lines before the last one: the last one comes without a cost.
      if (at > 1 && costs[at - 2]! < costs[before]!) before = at - 2;
      let least = row === 0 ? 0 : costs[best]! + STEP.elsewhere;
      let origin = best;
      const consider = (cost: number, source: number): void => {
        if (cost >= least) return;
        least = cost;
        origin = source;
      };
      if (row > 0 && at > 0) consider(costs[at - 1]!, at - 1);
      if (row > 0 && at > 1) consider(costs[before]! + STEP.forward, before);
      let total = own + least;
      // The same line again: the rest of what an action writes, or what nothing explains.
      const again = mayContinue(shapes[at]!, indent) ? COST.continued : COST.unlike;
      const stay = row === 0 ? COST.unlike : costs[at]! + again;
      if (stay < total) {
        total = stay;
        origin = at;
      }
      next[at] = Math.min(total, NEVER);
      from[row * count + at] = origin;
    }
    costs = next;
  });
  const found: number[] = [];
  let at = rendered.length === 0 ? UNKNOWN : indexOfLeast(costs);
  for (let row = rendered.length - 1; row >= 0; row -= 1) {
    const shape = shapes[at]!;
    const isLike = costOf(shape, rendered[row]!.trim(), indentOf(rendered[row]!)) < NEVER || shape.hasAction;
    found[row] = isLike ? at : UNKNOWN;
    at = from[row * count + at]!;
  }
  return found;
}

interface Shape {
  readonly literals: readonly string[];
  /** Undefined if the line that includes it decides. */
  readonly indent: number | undefined;
  readonly hasAction: boolean;
  readonly nindent: number | undefined;
  /** The number of characters that are literal. */
  readonly size: number;
}

function shapeOf<T>({ line: { literals, action, nindent }, isIncluded }: Candidate<T>): Shape {
  const trimmed = literals.map((text, at) => {
    const start = at === 0 ? text.trimStart() : text;
    return at === literals.length - 1 ? start.trimEnd() : start;
  });
  const size = trimmed.reduce((sum, text) => sum + text.trim().length, 0);
  const indent = isIncluded ? undefined : indentOf(literals[0]!);
  return {
    literals: trimmed,
    indent,
    hasAction: action !== undefined,
    size,
    nindent: isIncluded ? undefined : nindent,
  };
}

/** Whether a line may be the rest of what the actions of a template's line wrote. */
function mayContinue({ hasAction, nindent = 0 }: Shape, indentOfText: number): boolean {
  return hasAction && indentOfText >= nindent;
}

function costOf({ literals, indent, size, nindent }: Shape, text: string, indentOfText: number): number {
  const [first = "", ...others] = literals;
  const other = indent === undefined || indent === indentOfText ? 0 : COST.otherIndent;
  if (others.length === 0) return first === text ? other : NEVER;
  if (size === 0) return nindent === undefined ? COST.action : indentOfText < nindent ? NEVER : COST.indented;
  // An action may write line breaks, and before them nothing is left of a space.
  if (!text.startsWith(first.trimEnd())) return NEVER;
  let at = first.trimEnd().length;
  for (const literal of others.slice(0, -1)) {
    const found = text.indexOf(literal, at);
    if (found === -1) return text.length === first.trimEnd().length ? COST.weakPattern + other : NEVER;
    at = found + literal.length;
  }
  const last = others.at(-1)!;
  if (text.length - last.length < at || !text.endsWith(last)) return NEVER;
  return other + (size < 3 ? COST.weakPattern : COST.pattern);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

function indexOfLeast(costs: Int32Array): number {
  let best = 0;
  for (let at = 1; at < costs.length; at += 1) if (costs[at]! < costs[best]!) best = at;
  return best;
}
