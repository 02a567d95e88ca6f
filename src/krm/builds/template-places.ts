/** Finds the file and line of a template, or of values, that wrote a field of a rendered object. */
import { parseSources } from "../parse/parse.ts";
import { originOf, type Source } from "../places/source.ts";
import { spotAt, spotsIn } from "./field-spots.ts";
import { alignLines, type Candidate } from "./template-lines.ts";
import { readTemplate, type TemplateLine, type TemplateText } from "./template-text.ts";
import { type Comparisons, type Layer, type ValuePlace, ValuePlaces } from "./value-places.ts";

type Origins = NonNullable<Source["origin"]>;

/** The templates of a chart, and its values, the last ones first. */
export interface Templates {
  /** All templates by name: the path in the chart. */
  readonly texts: ReadonlyMap<string, Source>;
  readonly layersOf: (template: string) => readonly Layer[];
}

/** The work of one chart, in lines of documents times lines of templates. */
const MOST_CELLS = 20_000_000;
const MOST_CANDIDATES = 20_000;
/** Templates that include each other. */
const MOST_INCLUDED = 8;
const MOST_COMPARISONS = 5_000_000;

export class TemplatePlaces {
  readonly #templates: Templates;
  readonly #read = new Map<string, TemplateText>();
  readonly #candidates = new Map<string, readonly Candidate<Source>[]>();
  #definedIn: ReadonlyMap<string, string> | undefined;
  readonly #comparisons: Comparisons = { left: MOST_COMPARISONS };
  #cells = 0;

  constructor(templates: Templates) {
    this.#templates = templates;
  }

  /** @param name the template that wrote the text, if it is one of the chart */
  originsOf(text: string, name: string | undefined, fallback: Source): Origins {
    const template = name === undefined ? undefined : this.#templates.texts.get(name);
    if (name === undefined || template === undefined) return () => ({ source: fallback, offset: 0 });
    const rendered = text.split("\n");
    const rows = rendered.flatMap((line, at) => (line.trim() === "" || line.startsWith("# Source: ") ? [] : [at]));
    const candidates = this.#candidatesOf(name);
    this.#cells += rows.length * candidates.length;
    const aligned =
      this.#cells > MOST_CELLS
        ? undefined
        : alignLines(
            rows.map((row) => rendered[row]!),
            candidates,
          );
    if (aligned === undefined) return () => ({ source: template, offset: 0 });
    const byRow = new Map(rows.map((row, at) => [row, candidates[aligned[at]!]]));
    const starts = startsOf(rendered);
    const first = rows.map((row) => byRow.get(row)).find((one) => one !== undefined);
    const begin = { source: template, offset: first?.of === template ? first.line.start : 0 };
    let values: ReturnType<typeof valuesFor> | undefined;
    return (offset) => {
      const row = rowAt(starts, offset);
      const candidate = byRow.get(row);
      if (candidate === undefined) return begin;
      values ??= valuesFor(
        text,
        this.#templates.layersOf(name),
        (at) => byRow.get(rowAt(starts, at)),
        this.#comparisons,
      );
      const value = candidate.line.taken.length === 0 ? undefined : values(offset);
      if (value !== undefined) return originOf(value.source, value.offset);
      const { line, of } = candidate;
      const column = offset - starts[row]! - indentOf(rendered[row]!) + indentOf(of.text.slice(line.start, line.end));
      return { source: of, offset: Math.min(line.start + Math.max(column, 0), line.action ?? line.end) };
    };
  }

  #candidatesOf(name: string): readonly Candidate<Source>[] {
    const known = this.#candidates.get(name);
    if (known !== undefined) return known;
    const candidates: Candidate<Source>[] = [];
    const add = (file: string, lines: readonly TemplateLine[], depth: number): void => {
      const of = this.#templates.texts.get(file)!;
      for (const line of lines) {
        if (candidates.length >= MOST_CANDIDATES) return;
        candidates.push({ line, of, isIncluded: depth > 0 });
        for (const included of depth < MOST_INCLUDED ? line.included : []) {
          const definedIn = this.#defining(included);
          if (definedIn !== undefined) add(definedIn, this.#textOf(definedIn).defined.get(included) ?? [], depth + 1);
        }
      }
    };
    add(name, this.#textOf(name).lines, 0);
    this.#candidates.set(name, candidates);
    return candidates;
  }

  #textOf(name: string): TemplateText {
    const known = this.#read.get(name) ?? readTemplate(this.#templates.texts.get(name)!.text);
    this.#read.set(name, known);
    return known;
  }

  /** The template that defines another one. */
  #defining(name: string): string | undefined {
    this.#definedIn ??= new Map(
      [...this.#templates.texts.keys()].flatMap((file) =>
        [...this.#textOf(file).defined.keys()].map((one) => [one, file]),
      ),
    );
    return this.#definedIn.get(name);
  }
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => (at += line.length + 1) - line.length - 1);
}

function rowAt(starts: readonly number[], offset: number): number {
  return starts.findLastIndex((start) => start <= offset);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Objects with more fields are not compared with values. */
const MOST_SPOTS = 1000;

/** Where values stand that actions wrote: by offsets in the text. */
function valuesFor(
  text: string,
  layers: readonly Layer[],
  candidateAt: (offset: number) => Candidate<Source> | undefined,
  comparisons: Comparisons,
): (offset: number) => ValuePlace | undefined {
  const source: Source = { file: "", folder: "", text, explicit: false, trusted: false, config: false };
  const [object] = parseSources([source]).value;
  if (object === undefined) return () => undefined;
  const spots = spotsIn(text);
  if (spots.length > MOST_SPOTS) return () => undefined;
  const places = new ValuePlaces(layers, object.value, comparisons);
  const takenAt = (offset: number) => candidateAt(offset)?.line.taken ?? [];
  for (const { offset, path, part } of spots) if (part === "value") places.note(path, part, takenAt(offset));
  return (offset) => {
    const { path, part } = spotAt(spots, offset);
    return places.find(path, part, takenAt(offset));
  };
}
