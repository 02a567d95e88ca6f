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

const longestFirst = new WeakMap<Filled, readonly string[]>();

function valuesIn(filled: Filled): readonly string[] {
  const known = longestFirst.get(filled);
  const values = known ?? [...filled.keys()].filter(Boolean).toSorted((a, b) => b.length - a.length);
  longestFirst.set(filled, values);
  return values;
}

/** A value counts as a whole word. */
function textWithout(text: string, filled: Filled): string {
  const values = valuesIn(filled);
  let shown = "";
  let at = 0;
  while (at < text.length) {
    const isStart = !isWord(text, at - 1);
    const found = isStart
      ? values.find((one) => text.startsWith(one, at) && !isWord(text, at + one.length))
      : undefined;
    shown += found === undefined ? text[at] : filled.get(found);
    at += found?.length ?? 1;
  }
  return shown;
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text[at] ?? "");
}
