/** Values of Terraform expressions: each part has a place, and may be unknown. */
import type { Source } from "../places/source.ts";

export interface Place {
  readonly source: Source;
  readonly offset: number;
}

/** A part of a text that was written in one place, character by character. */
export interface Piece {
  readonly text: string;
  readonly place: Place;
  /** Set if the value is not known: `text` is then the placeholder. */
  readonly isUnknown?: boolean;
  /** A folder of the machine, which is no value of a manifest. */
  readonly isPath?: boolean;
  /** Set if answers must not show it: what they show in its place. */
  readonly hidden?: string;
}

export interface Entry {
  /** Of its key. */
  readonly place: Place;
  readonly value: Value;
}

type Entries = ReadonlyMap<string, Entry>;

export type Value =
  | { readonly is: "text"; readonly pieces: readonly Piece[]; readonly place: Place }
  | { readonly is: "plain"; readonly value: Plain; readonly place: Place; readonly hidden?: string }
  | { readonly is: "list"; readonly items: readonly Value[]; readonly isSet?: boolean; readonly place: Place }
  | { readonly is: "object"; readonly entries: Entries; readonly place: Place }
  /** The objects of a YAML text. */
  | { readonly is: "decoded"; readonly pieces: readonly Piece[]; readonly place: Place }
  | {
      readonly is: "unknown";
      readonly name: string;
      readonly place: Place;
      /** Stands for any number of entries of its list. */
      readonly isMany?: boolean;
    };

export type Plain = number | boolean | null;

const MAX_DEPTH = 300;

/** Reached by input that would take too long or too much memory. */
export class LimitReached extends Error {}

/** Counts the work of reading the input: values can be multiplied by references to references. */
export class Budget {
  #left: number;
  #depth = 0;

  constructor(left: number) {
    this.#left = left;
  }

  /** @throws LimitReached */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new LimitReached();
  }

  /**
   * Values of values can be deeper than any text is.
   * @throws LimitReached
   */
  nested<T>(count: number, act: () => T): T {
    this.spend(count);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new LimitReached();
    try {
      return act();
    } finally {
      this.#depth -= 1;
    }
  }
}

/** As much of an expression as fits into a placeholder, in characters that YAML takes anywhere. */
export function placeholderName(expression: string): string {
  const plain = expression
    .slice(0, 4 * LONGEST_NAME)
    .replaceAll(/\[\s*"([\w./-]+)"\s*\]/g, ".$1")
    .replaceAll(/\[\s*(\d+)\s*\]/g, ".$1")
    .replaceAll(/\s+/g, "")
    .replaceAll(/[^\w.()*+/-]/g, "_");
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}_` : plain || "_";
}

const LONGEST_NAME = 60;

/** The placeholder of an unknown value, as `withPlainPlaceholders` spells `${NAME}`. */
export function unknownPiece(name: string, place: Place): Piece {
  return { text: `$<${name}>`, place, isUnknown: true };
}

export function textOf(text: string, place: Place, hidden?: string): Value {
  return {
    is: "text",
    pieces: text === "" ? [] : [{ text, place, ...(hidden === undefined ? {} : { hidden }) }],
    place,
  };
}

export function plainOf(value: Plain, place: Place): Value {
  return { is: "plain", value, place };
}

/** The text of pieces without an unknown one. */
export function knownText(value: Value): string | undefined {
  if (value.is === "plain") return value.value === null ? undefined : String(value.value);
  if (value.is !== "text" || value.pieces.some(({ isUnknown }) => isUnknown)) return undefined;
  return joined(value.pieces);
}

export function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** The pieces of a value in a text; undefined if it is no text. */
export function piecesOf(value: Value): readonly Piece[] | undefined {
  if (value.is === "text") return value.pieces;
  if (value.is === "plain" && value.value !== null) {
    const { place, hidden } = value;
    return [{ text: String(value.value), place, ...(hidden === undefined ? {} : { hidden }) }];
  }
  return value.is === "unknown" ? [unknownPiece(value.name, value.place)] : undefined;
}

/** The part of a text between two of its characters. */
export function sliceOf(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, piece.text.length);
    at += piece.text.length;
    if (start >= end) return [];
    if (start === 0 && end === piece.text.length) return [piece];
    const { source, offset } = piece.place;
    return [{ ...piece, text: piece.text.slice(start, end), place: { source, offset: offset + start } }];
  });
}

/** Whether nothing in it is unknown. */
export function isKnown(value: Value, budget: Budget): boolean {
  return budget.nested(1, () => isKnownInside(value, budget));
}

function isKnownInside(value: Value, budget: Budget): boolean {
  switch (value.is) {
    case "plain":
      return true;
    case "text":
      return value.pieces.every(({ isUnknown }) => isUnknown !== true);
    case "list":
      return value.items.every((item) => isKnown(item, budget));
    case "object":
      return [...value.entries].every(([key, entry]) => !key.includes("$<") && isKnown(entry.value, budget));
    default:
      return false;
  }
}

/** Undefined if either is unknown. */
export function isEqual(a: Value, b: Value, budget: Budget): boolean | undefined {
  budget.spend(1);
  if (a.is === "plain" && a.value === null) return isNull(b);
  if (b.is === "plain" && b.value === null) return isNull(a);
  if (!isKnown(a, budget) || !isKnown(b, budget)) return undefined;
  if (a.is === "list" && b.is === "list") {
    if (a.items.length !== b.items.length) return false;
    return a.items.every((item, index) => isEqual(item, b.items[index]!, budget) === true);
  }
  if (a.is === "object" && b.is === "object") {
    if (a.entries.size !== b.entries.size) return false;
    return [...a.entries].every(([key, { value }]) => {
      const other = b.entries.get(key)?.value;
      return other !== undefined && isEqual(value, other, budget) === true;
    });
  }
  if (a.is === "plain" && b.is === "plain") return a.value === b.value;
  return a.is === "text" && b.is === "text" ? joined(a.pieces) === joined(b.pieces) : false;
}

/** Of values of several types, Terraform makes texts. */
export function asOneType(value: Value, others: readonly Value[]): Value {
  const isMixed = value.is === "plain" && value.value !== null && others.some(({ is }) => is === "text");
  return isMixed ? textOf(String(value.value), value.place, value.hidden) : value;
}

/** Whether all entries of a list are there one by one. */
export function isCounted({ items }: Value & { readonly is: "list" }): boolean {
  return items.every((item) => item.is !== "unknown" || item.isMany !== true);
}

export function isNull(value: Value): boolean | undefined {
  if (value.is === "unknown") return undefined;
  return value.is === "plain" && value.value === null;
}

/** The same value with its scalars hidden. */
export function hide(value: Value, name: string, budget: Budget): Value {
  return budget.nested(1, () => hideInside(value, name, budget));
}

function hideInside(value: Value, name: string, budget: Budget): Value {
  switch (value.is) {
    case "text":
      return { ...value, pieces: value.pieces.map((piece) => (piece.isUnknown ? piece : { ...piece, hidden: name })) };
    case "plain":
      return { ...value, hidden: name };
    case "list":
      return { ...value, items: value.items.map((item) => hide(item, name, budget)) };
    case "object": {
      const entries = [...value.entries].map(
        ([key, entry]) => [key, { ...entry, value: hide(entry.value, name, budget) }] as const,
      );
      return { ...value, entries: new Map(entries) };
    }
    default:
      return value;
  }
}
