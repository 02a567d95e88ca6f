/** Reads JSON as values with places, only where asked: a plan may have many megabytes. */
import type { Source } from "../places/source.ts";
import { type Budget, type Entry, plainOf, textOf, type Value } from "./values.ts";

/** A text that `JSON.parse` has taken: its members and items are found without building them. */
export class JsonText {
  readonly #source: Source;
  readonly #text: string;

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  /** The offset of the first value. */
  start(): number {
    return this.#space(0);
  }

  /** The names of an object with the offsets of their values; none of anything else. */
  *members(at: number): Generator<readonly [string, number]> {
    if (this.#text[at] !== "{") return;
    let next = this.#space(at + 1);
    while (this.#text[next] === '"') {
      const end = this.#endOfText(next);
      const name = JSON.parse(this.#text.slice(next, end)) as string;
      const value = this.#space(this.#space(end) + 1);
      yield [name, value];
      next = this.#space(this.end(value));
      if (this.#text[next] === ",") next = this.#space(next + 1);
    }
  }

  /** The offsets of the items of a list; none of anything else. */
  *items(at: number): Generator<number> {
    if (this.#text[at] !== "[") return;
    let next = this.#space(at + 1);
    while (next < this.#text.length && this.#text[next] !== "]") {
      yield next;
      next = this.#space(this.end(next));
      if (this.#text[next] === ",") next = this.#space(next + 1);
    }
  }

  member(at: number, name: string): number | undefined {
    for (const [one, value] of this.members(at)) if (one === name) return value;
    return undefined;
  }

  value(at: number, budget: Budget): Value {
    return budget.nested(1, () => {
      const place = { source: this.#source, offset: at };
      switch (this.#text[at]) {
        case "{": {
          const entries = new Map<string, Entry>();
          for (const [name, value] of this.members(at))
            entries.set(name, { place: { ...place, offset: value }, value: this.value(value, budget) });
          return { is: "object", entries, place };
        }
        case "[":
          return { is: "list", items: [...this.items(at)].map((item) => this.value(item, budget)), place };
        case '"':
          return textOf(JSON.parse(this.#text.slice(at, this.#endOfText(at))) as string, place);
        default:
          return plainOf(JSON.parse(this.#text.slice(at, this.end(at))) as number | boolean | null, place);
      }
    });
  }

  /** The offset after a value. */
  end(at: number): number {
    const text = this.#text;
    if (text[at] === '"') return this.#endOfText(at);
    if (text[at] !== "{" && text[at] !== "[") {
      let end = at;
      while (end < text.length && !",]} \t\r\n".includes(text[end]!)) end += 1;
      return end;
    }
    let depth = 0;
    let next = at;
    do {
      const char = text[next];
      if (char === '"') {
        next = this.#endOfText(next);
        continue;
      }
      if (char === "{" || char === "[") depth += 1;
      else if (char === "}" || char === "]") depth -= 1;
      next += 1;
    } while (depth > 0 && next < text.length);
    return next;
  }

  #endOfText(at: number): number {
    for (let next = at + 1; ; next++) {
      if (this.#text[next] === "\\") next += 1;
      else if (this.#text[next] === '"' || next >= this.#text.length) return next + 1;
    }
  }

  #space(at: number): number {
    let next = at;
    while (" \t\r\n".includes(this.#text[next] ?? "x")) next += 1;
    return next;
  }
}
