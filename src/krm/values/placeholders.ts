/** Recognises placeholders of templates in texts, such as `${X}`, and fills them. */

/** A placeholder with the name that a value is given for. */
export interface Placeholder {
  readonly index: number;
  readonly text: string;
  readonly name: string;
  /** envsubst and Flux take it if there is no value: `${X:-default}`, `${X:=default}`. */
  readonly fallback: string | undefined;
}

/** `${X}`, `$X`, `{{ X }}`, `<<X>>`, `__X__`, and `$<X>`, as which `withPlainPlaceholders` spells `${X}`. */
const FORMS = [
  String.raw`\$\{([^{}\n]+)\}`,
  String.raw`\$([A-Z_][A-Z0-9_]*)\b`,
  String.raw`\{\{([^{}\n]+)\}\}`,
  String.raw`<<([^<>\n]+)>>`,
  String.raw`__([A-Z0-9]+(?:_[A-Z0-9]+)*)__`,
  String.raw`\$<([^<>\n]+)>`,
];
const PLACEHOLDER = new RegExp(FORMS.join("|"), "g");

/** A name of a shell variable, and the default in `${X:-default}`. */
const WITH_DEFAULT = /^([A-Za-z_]\w*):?[-=](.*)$/;

/** Most texts have none, and no sign of any. */
const SIGN = /[${]|<<|__/;

/** Whether a file may have placeholders in its values: an escape can spell one. */
export function mayHavePlaceholders(text: string): boolean {
  return SIGN.test(text) || text.includes("\\");
}

/** The placeholders of a text, in their order. */
export function placeholdersIn(text: string): Placeholder[] {
  if (!SIGN.test(text)) return [];
  return [...text.matchAll(PLACEHOLDER)].flatMap((match) => {
    const { index } = match;
    const [found, ...names] = match;
    // As in `$${X}`, which templates write as `${X}`.
    if (text[index - 1] === "$" && found.startsWith("$")) return [];
    const inside = names.find((one) => one !== undefined) ?? "";
    const [, name, fallback] = found.startsWith("$") ? (WITH_DEFAULT.exec(inside) ?? []) : [];
    return [{ index, text: found, name: name ?? inside.trim(), fallback }];
  });
}

/** The text with what the values know in place of their placeholders. */
export function filled(text: string, valueOf: (placeholder: Placeholder) => string | undefined): string {
  const placeholders = placeholdersIn(text);
  if (placeholders.length === 0) return text;
  let filledText = "";
  let at = 0;
  for (const placeholder of placeholders) {
    const start = placeholder.index;
    filledText += text.slice(at, start) + (valueOf(placeholder) ?? placeholder.text);
    at = start + placeholder.text.length;
  }
  return filledText + text.slice(at);
}

/**
 * A text of the same length in which placeholders without quotes are plain scalars: `{{ X }}` would be a mapping, and
 * in brackets so would `${X}`. Undefined if there are none.
 */
export function withPlainPlaceholders(text: string): string | undefined {
  const lines = text.split("\n").map((line) => {
    // A line of its own controls the template, or stands for any number of lines.
    const isControl = /^[\s-]*\{\{/.test(line) && !/^\s*- +\{\{/.test(line);
    const plain = isControl
      ? line
      : line.replace(/\{\{(?!-?\s*(?:if|else|end|range|with|define|block)\b)([^{}#]+)\}\}/g, "<<$1>>");
    return plain.replace(/\$\{([^{}#]+)\}/g, "$<$1>");
  });
  const plain = lines.join("\n");
  return plain === text ? undefined : plain;
}

/** A text with its placeholders as the file has them. */
export function asWritten(text: string, written: string): string {
  return text.replace(PLACEHOLDER, (placeholder) => {
    if (written.includes(placeholder)) return placeholder;
    const [, angles, brackets] = /^\$?<<([^]*)>>$|^\$<([^]*)>$/.exec(placeholder) ?? [];
    if (brackets !== undefined) return `\${${brackets}}`;
    return angles === undefined ? placeholder : `{{${angles}}}`;
  });
}

/** An answer with what is written in place of each value, apart from the parts that are kept. */
export function withoutValues<T>(given: T, filled: Filled | undefined, isKept: IsKept = () => false): T {
  return filled === undefined || filled.size === 0 ? given : (inside(given, filled, isKept) as T);
}

type Filled = ReadonlyMap<string, string>;
type IsKept = (key: string, part: unknown) => boolean;

function inside(given: unknown, filled: Filled, isKept: IsKept): unknown {
  if (typeof given === "string") return textWithout(given, filled);
  if (typeof given === "number" || typeof given === "boolean") return filled.get(String(given)) ?? given;
  if (Array.isArray(given)) return given.map((item: unknown) => inside(item, filled, isKept));
  if (typeof given !== "object" || given === null) return given;
  const parts = Object.entries(given).map(([key, part]) => [
    key,
    isKept(key, part) ? part : inside(part, filled, isKept),
  ]);
  return Object.fromEntries(parts);
}

/** The values by their parts: with many values, none is looked for by itself. */
interface Parts {
  readonly next: Map<string, Parts>;
  /** What is shown for the value that ends here. */
  shown?: string;
}

/** Of a longer value the beginning is looked for, and all that follows it is hidden. */
const MOST_PARTS = 200;

const known = new WeakMap<Filled, Parts>();

function partsOf(filled: Filled): Parts {
  const made = known.get(filled);
  if (made !== undefined) return made;
  const root: Parts = { next: new Map() };
  for (const [value, shown] of filled) {
    if (value === "") continue;
    let at = root;
    for (const part of splitWords(value).slice(0, MOST_PARTS)) {
      const next: Parts = at.next.get(part) ?? { next: new Map() };
      at.next.set(part, next);
      at = next;
    }
    at.shown = shown;
  }
  known.set(filled, root);
  return root;
}

/** Words, and what is between them character by character. */
function splitWords(text: string): readonly string[] {
  return text.match(/\w+|\W/g) ?? [];
}

/** A value counts as a whole word, and the longest of several. */
function textWithout(text: string, filled: Filled): string {
  const root = partsOf(filled);
  const parts = splitWords(text);
  let shown = "";
  let at = 0;
  while (at < parts.length) {
    const found = isWord(parts[at - 1]) ? undefined : longestAt(parts, at, root);
    shown += found?.shown ?? parts[at];
    at = found?.end ?? at + 1;
  }
  return shown;
}

function longestAt(parts: readonly string[], start: number, root: Parts) {
  let found: { readonly shown: string; readonly end: number } | undefined;
  let inside: Parts | undefined = root;
  for (let at = start; at < parts.length; at++) {
    inside = inside.next.get(parts[at]!);
    if (inside === undefined) break;
    if (inside.shown !== undefined && at - start === MOST_PARTS - 1) return { shown: inside.shown, end: parts.length };
    if (inside.shown !== undefined && !isWord(parts[at + 1])) found = { shown: inside.shown, end: at + 1 };
  }
  return found;
}

function isWord(part: string | undefined): boolean {
  return part !== undefined && /^\w/.test(part);
}
