/** The model of an answer: blocks of content, which each form of output draws in its own way. */
import type { Column } from "../terminal/table.ts";
import type { Style } from "../terminal/style.ts";

export type Form = "terminal" | "markdown" | "github" | "html";

export type Tone = keyof Style;

/** A piece of a line as it was read: each form escapes it. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Whether it is from a file, such as a key or a schedule. */
  readonly code?: boolean;
  /** The id of a section of the page. */
  readonly link?: string;
}

export type Words = string | readonly (string | Span)[];

export type Block = Heading | Paragraph | Facts | List | Entries | Table | Code | Bar | Picture | Gap | Section;

interface OfForms {
  /** The forms that have it; by default all. */
  readonly forms?: readonly Form[];
}

/** `~ clusters-a NodePool web  replaces all nodes: 3 of 9  pools.yaml:4`. */
export interface Heading extends OfForms {
  readonly kind: "heading";
  /** What was done to it: a sign before the name, or the word in HTML. */
  readonly sign?: { readonly text: string; readonly tone: Tone; readonly word: string };
  readonly hostedCluster?: string | undefined;
  readonly name: string;
  /** Faint behind the name, such as a kind and a count. */
  readonly about?: string;
  readonly verdict?: Verdict | undefined;
  /** As `placeText` has it. */
  readonly place?: string;
  /** Whether a terminal does not wrap it. */
  readonly oneLine?: boolean;
  /** Columns of a terminal before it. */
  readonly indent?: number;
}

export interface Verdict {
  readonly words: string;
  readonly tone?: Tone | undefined;
  /** Behind a colon. */
  readonly more?: string;
}

export interface Paragraph extends OfForms {
  readonly kind: "paragraph";
  readonly words: Words;
  /** Of the whole text. */
  readonly tone?: Tone | undefined;
  /** Faint behind the text; in a terminal on a line of its own if it does not fit. */
  readonly aside?: string;
  readonly indent?: number;
  /** Whether a terminal does not wrap it, such as a line that programs read. */
  readonly oneLine?: boolean;
}

/** Names and their values, in two columns. A fact without values is left out. */
export interface Facts extends OfForms {
  readonly kind: "facts";
  readonly facts: readonly Fact[];
  /** The tone of the names; by default faint. */
  readonly tone?: Tone;
  /** The width of the names in a terminal; by default that of the widest. */
  readonly nameWidth?: number;
  readonly indent?: number;
}

/** A name with a tone has its own. */
export type Fact = readonly [name: string | Span, values: string | readonly Words[]];

export interface List extends OfForms {
  readonly kind: "list";
  readonly items: readonly Words[];
  /** Whether several items share a line, as names do. */
  readonly inline?: boolean;
  /** Columns of a terminal before the later lines of an item, in addition to the indent. */
  readonly hanging?: number;
  readonly indent?: number;
}

/**
 * Entries below the keys or sentences that they belong to, in terminals and HTML; in a terminal, all groups share their
 * columns.
 */
export interface Entries extends OfForms {
  readonly kind: "entries";
  readonly groups: readonly { readonly head: Words; readonly rows: readonly EntryRow[] }[];
}

export interface EntryRow {
  readonly who: keyof typeof WHO;
  readonly requirement: string;
  readonly place?: string;
  readonly effect?: string;
  /** On a line of its own below. */
  readonly note?: string;
}

/** The authors of entries; `result` is what they merge to. */
export const WHO = { policy: "policy", user: "pool", label: "label", class: "class", result: "result" } as const;

export interface Table extends OfForms {
  readonly kind: "table";
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly id?: string;
  /** Whether a terminal leaves out the heads, because the rows explain themselves. */
  readonly bare?: boolean;
  /** The first column that a terminal puts on a line of its own if the rows do not fit. */
  readonly below?: number;
  readonly indent?: number;
}

export interface TableColumn extends OfForms, Omit<Column<never>, "cell" | "tone"> {}

export interface TableRow {
  readonly cells: readonly Words[];
  /** Forms with a limited length show the highest first. */
  readonly rank?: number;
}

/** Lines of a file, or of a difference. */
export interface Code extends OfForms {
  readonly kind: "code";
  readonly language: "diff" | "yaml";
  readonly lines: readonly CodeLine[];
  /** A sentence on it. Markdown and HTML fold the lines below it. */
  readonly caption?: string;
  readonly indent?: number;
}

export interface CodeLine {
  readonly text: string;
  readonly mark?: "+" | "-" | " ";
  /** A comment behind the line. */
  readonly note?: string;
}

/** A share from 0 to 1, and the words beside it. */
export interface Bar extends OfForms {
  readonly kind: "bar";
  readonly share: number;
  readonly words: Words;
  readonly tone?: Tone;
  readonly indent?: number;
}

/** The place of a drawing that HTML looks up by its id. A terminal may have its own. */
interface Picture extends OfForms {
  readonly kind: "picture";
  readonly id: string;
  readonly terminal?: (look: Look) => readonly string[];
}

/** An empty line in a terminal. */
interface Gap extends OfForms {
  readonly kind: "gap";
}

/** Blocks on one subject. In a terminal, an empty line separates it from others. */
export interface Section extends OfForms {
  readonly kind: "section";
  readonly id: string;
  readonly heading: Heading;
  readonly blocks: readonly Block[];
  /** Whether Markdown folds the blocks below the heading. */
  readonly folded?: boolean;
  /** Forms with a limited length show the highest first. */
  readonly rank?: number;
  /** Its annotations in GitHub, one for each place. */
  readonly notes?: () => readonly Note[];
}

export interface Note {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly heading: Heading;
  readonly blocks: readonly Block[];
  readonly rank: number;
}

/** How a terminal shows blocks. */
export interface Look {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
}

export function blocksOf(blocks: readonly Block[], form: Form): readonly Block[] {
  return blocks.filter(({ forms }) => forms === undefined || forms.includes(form));
}

export function spansOf(words: Words): readonly Span[] {
  return typeof words === "string"
    ? [{ text: words }]
    : words.map((one) => (typeof one === "string" ? { text: one } : one));
}

export function textOf(words: Words): string {
  return spansOf(words)
    .map(({ text }) => text)
    .join("");
}

/** `replaces all nodes: 3 of 9`. */
export function verdictText({ words, more = "" }: Verdict): string {
  return more === "" ? words : `${words}: ${more}`;
}

/** `clusters-a NodePool web: replaces all nodes: 3 of 9`. */
export function headingText({ hostedCluster, name, verdict }: Heading): string {
  const whose = hostedCluster === undefined ? name : `${hostedCluster} ${name}`;
  return verdict === undefined ? whose : `${whose}: ${verdictText(verdict)}`;
}

/** The values of each fact that has some. */
export function valuesOf({ facts }: Facts): (readonly [name: Span, values: readonly Words[]])[] {
  const nameOf = (name: string | Span): Span => (typeof name === "string" ? { text: name } : name);
  return facts
    .map(
      ([name, values]) =>
        [nameOf(name), typeof values === "string" ? (values === "" ? [] : [values]) : values] as const,
    )
    .filter(([, values]) => values.length > 0);
}

export function byRank<T extends { readonly rank?: number }>(some: readonly T[]): T[] {
  return some.toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
}

/** The columns that a form has, with their positions; without those that are empty in each row. */
export function columnsOf(
  { columns, rows }: Table,
  form: Form,
): { readonly column: TableColumn; readonly at: number }[] {
  return columns
    .map((column, at) => ({ column, at }))
    .filter(({ column: { forms }, at }) => {
      const isOfForm = forms === undefined || forms.includes(form);
      return isOfForm && rows.some(({ cells }) => textOf(cells[at] ?? "") !== "");
    });
}
