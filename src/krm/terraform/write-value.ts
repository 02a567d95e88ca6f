/** Writes values as YAML in which each character leads to where it was written. */
import { type Budget, joined, type Piece, type Place, unknownPiece, type Value } from "./values.ts";

/** A value as YAML in lines, as `yamlencode` means it. */
export function yamlPieces(value: Value, budget: Budget): Piece[] {
  const pieces: Piece[] = [];
  new Writer(pieces, budget).block(value, 0);
  return pieces;
}

/** A value on one line, as `jsonencode` means it. */
export function jsonPieces(value: Value, budget: Budget): Piece[] {
  const pieces: Piece[] = [];
  new Writer(pieces, budget, true).flow(value);
  return pieces;
}

class Writer {
  readonly #pieces: Piece[];
  readonly #budget: Budget;
  readonly #isJson: boolean;

  constructor(pieces: Piece[], budget: Budget, isJson = false) {
    this.#pieces = pieces;
    this.#budget = budget;
    this.#isJson = isJson;
  }

  /** @param isBegun whether the first line has its indent already */
  block(value: Value, indent: number, isBegun = false): void {
    this.#budget.nested(1 + indent, () => {
      let isFirst = isBegun;
      const begin = (place: Place): void => {
        if (!isFirst) this.#add(" ".repeat(indent), place);
        isFirst = false;
      };
      if (value.is === "list" && value.items.length > 0)
        for (const item of value.items) {
          begin(item.place);
          this.#add("- ", item.place);
          this.block(item, indent + 2, true);
        }
      else if (value.is === "object" && value.entries.size > 0)
        for (const [key, entry] of value.entries) {
          begin(entry.place);
          this.#key(key, entry.place);
          const isNested = isFilled(entry.value);
          this.#add(isNested ? ":\n" : ": ", entry.place);
          this.block(entry.value, indent + 2, !isNested);
        }
      else {
        begin(value.place);
        this.flow(value);
        this.#add("\n", value.place);
      }
    });
  }

  flow(value: Value): void {
    this.#budget.nested(1, () => this.#flow(value));
  }

  #flow(value: Value): void {
    const { place } = value;
    switch (value.is) {
      case "plain":
        this.#add(String(value.value), place, value.hidden);
        break;
      case "text":
        this.#text(value.pieces, place);
        break;
      case "list":
        this.#add("[", place);
        for (const [index, item] of value.items.entries()) {
          if (index > 0) this.#add(",", place);
          this.flow(item);
        }
        this.#add("]", place);
        break;
      case "object": {
        this.#add("{", place);
        let isFirst = true;
        for (const [key, entry] of [...value.entries].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          if (!isFirst) this.#add(",", place);
          isFirst = false;
          this.#add(JSON.stringify(key), entry.place);
          this.#add(":", entry.place);
          this.flow(entry.value);
        }
        this.#add("}", place);
        break;
      }
      case "unknown":
        this.#pieces.push(unknownPiece(value.name, place));
        break;
      default:
        this.#pieces.push(unknownPiece("yamldecode()", place));
    }
  }

  #key(key: string, place: Place): void {
    this.#add(/^[A-Za-z_][\w./-]*$/.test(key) && !WORDS.test(key) ? key : JSON.stringify(key), place);
  }

  /** Always in quotes: it is text, whatever it looks like. */
  #text(pieces: readonly Piece[], place: Place): void {
    const [first] = pieces;
    this.#add('"', first !== undefined && pieces.length === 1 ? first.place : place);
    // An escape is longer than what it stands for: each piece leads to where it begins.
    for (const piece of pieces) this.#pieces.push({ ...piece, text: this.#escaped(piece.text) });
    this.#add('"', place);
    this.#budget.spend(joined(pieces).length);
  }

  /** `jsonencode` escapes three characters more. */
  #escaped(text: string): string {
    const quoted = JSON.stringify(text).slice(1, -1);
    if (!this.#isJson) return quoted;
    return quoted.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
  }

  #add(text: string, place: Place, hidden?: string): void {
    if (text !== "") this.#pieces.push({ text, place, ...(hidden === undefined ? {} : { hidden }) });
  }
}

/** What YAML takes for another value than a text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

function isFilled(value: Value): boolean {
  return (value.is === "list" && value.items.length > 0) || (value.is === "object" && value.entries.size > 0);
}
