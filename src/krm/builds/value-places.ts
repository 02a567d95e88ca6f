/** Finds the values of a chart that an action of a template wrote into a field. */
import { type EntryPart, type FieldPath, valueAt } from "../places/field-path.ts";
import { locateField } from "../places/locate.ts";
import type { SourceDocument } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { sameValue } from "../values/canonical.ts";
import { isFields } from "../values/fields.ts";
import { EACH, type Step, type Taken } from "./template-text.ts";

/** Values of one file, or of one field of a release. */
export interface Layer {
  readonly document: SourceDocument;
  /** Where the values begin in the document. */
  readonly base: FieldPath;
  readonly value: unknown;
  /** What a subchart's values are below in those of its parent. */
  readonly below: FieldPath;
}

export interface ValuePlace {
  readonly source: Source;
  readonly offset: number;
}

/** Some values that an action may have written: one match of its path. */
interface Match {
  readonly layer: Layer;
  readonly path: FieldPath;
  readonly isKey: boolean;
  /** The entries that `range` goes through to get there. */
  readonly entries: readonly string[];
}

/** Entries of a list or mapping that a path leads to. */
const MOST_MATCHES = 1000;

/** How many comparisons of values are left for a chart. */
export interface Comparisons {
  left: number;
}

export class ValuePlaces {
  readonly #layers: readonly Layer[];
  readonly #object: unknown;
  readonly #comparisons: Comparisons;
  readonly #matches = new Map<string, readonly Match[]>();
  /** For each entry the fields that have its values. */
  readonly #fields = new Map<string, FieldPath[]>();

  constructor(layers: readonly Layer[], object: unknown, comparisons: Comparisons) {
    this.#comparisons = comparisons;
    this.#layers = layers;
    this.#object = object;
  }

  /** Remembers which entries a field may be written from. */
  note(path: FieldPath, part: EntryPart, taken: readonly Taken[]): void {
    const entries = new Set(this.#possible(path, part, taken).flatMap(({ match }) => match.entries));
    for (const entry of entries) {
      const known = this.#fields.get(entry);
      if (known === undefined) this.#fields.set(entry, [path]);
      else known.push(path);
    }
  }

  /** The likeliest place: other fields near it are written from the same entries. */
  find(path: FieldPath, part: EntryPart, taken: readonly Taken[]): ValuePlace | undefined {
    const possible = this.#possible(path, part, taken);
    const scores = possible.map(({ match }) => match.entries.reduce((sum, entry) => sum + this.#near(entry, path), 0));
    const best = scores.indexOf(Math.max(...scores));
    const found = possible[best];
    if (found === undefined) return undefined;
    const { layer, path: own, isKey } = found.match;
    const { document, base } = layer;
    const offset = locateField({ document, base }, [...own, ...found.rest], isKey ? "key" : part);
    return { source: document.source, offset };
  }

  #near(entry: string, path: FieldPath): number {
    let sum = 0;
    for (const other of this.#fields.get(entry) ?? []) {
      const end = path.findIndex((step, at) => step !== other[at]);
      sum += 4 ** Math.min(end === -1 ? path.length : end, 8);
    }
    return sum;
  }

  #possible(path: FieldPath, part: EntryPart, taken: readonly Taken[]): { match: Match; rest: FieldPath }[] {
    const value = valueAt(this.#object, path);
    const exact = taken.flatMap((one) =>
      this.#matchesOf(one).flatMap((match) => {
        this.#comparisons.left -= path.length;
        if (this.#comparisons.left < 0) return [];
        const rest = restOf(this.#object, path, match, value);
        return rest === undefined || (part === "key" && rest.length === 0) ? [] : [{ match, rest }];
      }),
    );
    if (exact.length > 0 || typeof value !== "string") return exact;
    // A part of a text, such as a prefix.
    return taken.flatMap((one) =>
      this.#matchesOf(one).flatMap((match) => {
        const text = textOf(written(match));
        return text !== undefined && text.length > 1 && value.includes(text) ? [{ match, rest: [] }] : [];
      }),
    );
  }

  #matchesOf({ path, isKey }: Taken): readonly Match[] {
    const id = `${isKey}${JSON.stringify(path.map((step) => (step === EACH ? 0 : step)))}`;
    const known = this.#matches.get(id) ?? this.#expand(path).map((one) => ({ ...one, isKey }));
    this.#matches.set(id, known);
    return known;
  }

  /** For each way to go the first layer that has it. */
  #expand(path: readonly Step[]): Omit<Match, "isKey">[] {
    const found = new Map<string, Omit<Match, "isKey">>();
    for (const layer of this.#layers) {
      let ways: { path: FieldPath; entries: readonly string[] }[] = [{ path: layer.below, entries: [] }];
      for (const step of path) {
        ways = ways.flatMap(({ path: from, entries }) => {
          const at = valueAt(layer.value, from);
          if (step !== EACH) return isFields(at) && Object.hasOwn(at, step) ? [{ path: [...from, step], entries }] : [];
          const keys = Array.isArray(at) ? at.map((_one, index) => index) : isFields(at) ? Object.keys(at) : [];
          return keys.map((key) => {
            const inside = [...from, key];
            return { path: inside, entries: [...entries, JSON.stringify(inside.slice(layer.below.length))] };
          });
        });
        if (ways.length > MOST_MATCHES) return [];
      }
      for (const way of ways) {
        const id = JSON.stringify(way.path.slice(layer.below.length));
        if (!found.has(id)) found.set(id, { layer, ...way });
      }
    }
    return [...found.values()];
  }
}

/** What an action writes. */
function written({ layer, path, isKey }: Match): unknown {
  return isKey ? path.at(-1) : valueAt(layer.value, path);
}

/** The end of a field's path that is within the values as well; undefined if they have another value there. */
function restOf(object: unknown, path: FieldPath, match: Match, value: unknown): FieldPath | undefined {
  const own = written(match);
  const text = textOf(own);
  if (text !== undefined) return textOf(value) === text ? [] : undefined;
  const ends = path.map((_step, at) => path.length - at).concat(0);
  const same = ends.find((end) => sameValue(valueAt(object, path.slice(0, end)), own));
  if (same !== undefined) return path.slice(same);
  // Other entries may be written beside it.
  const some = ends.toReversed().find((end) => {
    const rest = path.slice(end);
    return rest.length > 0 && sameValue(valueAt(own, rest), value) && value !== undefined;
  });
  return some === undefined ? undefined : path.slice(some);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "object" || value === undefined ? undefined : String(value);
}
