/** One scalar as YAML text: plain, quoted or a block. */
import { memoizeString } from "../values/memoize-string.ts";
import { withoutEnding } from "../values/without-ending.ts";
import { stringify } from "yaml";

const STYLE = {
  version: "1.2",
  // Strings that readers of YAML 1.1 (kubectl among them) would read as another type are quoted: "on", "1e3", "0o7".
  compat: "yaml-1.1",
  lineWidth: 0,
  defaultStringType: "PLAIN",
} as const;

/** Words and paths that readers of every version read as a string. */
const PLAIN_FOR_EVERYBODY = /^[A-Za-z/][A-Za-z0-9/_-]*(?:\.[A-Za-z/_-][A-Za-z0-9/_-]*)*$/;
/** Words of sentences and expressions. */
const PRINTABLE = /^[A-Za-z][ -~]*$/;
/** Other common values of manifests: instance types, amounts and durations, cron schedules. */
const PLAIN_TERM = /^(?:[a-z][a-z0-9-]*\.\d+xlarge|[1-9]\d*(?:[KMGT]i|[hms])|\d[\d/,-]*(?: [\dA-Za-z*/,-]+){4})$/;
/** Texts that need quotes to be a string, and no escape within them. */
const QUOTED_TERM = /^(?:\d+|true|false|\*|'[ !#-[\]-~]*)$/;
const RESERVED_WORD = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|e[-+]?[0-9_]+)$/i;

/** Texts that kubectl's reader takes for a number, without their underscores: `0XFF`, `0b+1`, `-0o7`, `+1.5e3`. */
const WITH_BASE = /^[-+]?0[box][-+]?[\da-f]+$/i;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Characters that readers drop, fold or refuse: line breaks of YAML 1.1, byte order marks, controls. Also those that
 * are invisible or reorder text: zero-width characters, other directions of writing.
 */
const EXOTIC =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\p{Surrogate}]/gu;

/** Text that a runner of GitHub or Azure obeys anywhere in a line, also in a manifest that is printed. */
const RUNNER_COMMAND = /##(?:\[|vso\[)/g;

export function yamlScalar(value: unknown, indent: string): string {
  if (typeof value !== "string") return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  if (value.search(EXOTIC) !== -1 || value.startsWith("::") || value.search(RUNNER_COMMAND) !== -1)
    return doubleQuoted(value);
  if (value.includes("\n")) return fitsLiteral(value) ? literalBlock(value, indent) : doubleQuoted(value);
  if (PLAIN_FOR_EVERYBODY.test(value) && !RESERVED_WORD.test(value)) return value;
  if (isSentence(value) || PLAIN_TERM.test(value)) return value;
  if (QUOTED_TERM.test(value)) return `"${value}"`;
  if (value.includes("\t") || isMisread(value)) return doubleQuoted(value);
  return byTheLibrary(value);
}

/** The library's first answer takes a tenth of a cold start, so common values are decided above, in the same way. */
const byTheLibrary = memoizeString((value) => {
  const text = stringify(value, STYLE).replace(/\n$/, "");
  // The library would need the indentation for folded or block text, which is not known here.
  return text.includes("\n") ? doubleQuoted(value) : text;
});

/** Keys are on one line. */
export function yamlKey(key: string): string {
  return key.includes("\n") ? doubleQuoted(key) : yamlScalar(key, "");
}

/** JSON's strings are YAML's double-quoted ones, but for characters that JSON leaves as they are. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text)
    .replace(EXOTIC, escapeOf)
    .replace(RUNNER_COMMAND, (marks) => escapeOf(marks.charAt(0)) + marks.slice(1));
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** No number of any version has a space, and no part of a sentence ends it or is a comment. */
function isSentence(text: string): boolean {
  if (!text.includes(" ") || !PRINTABLE.test(text)) return false;
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":") && !text.endsWith(" ");
}

/** Beyond both versions: Go's readers have numbers of their own, Python's the sign `=`. */
function isMisread(text: string): boolean {
  if (text === "=") return true;
  if (!/^[-+.\d]/.test(text)) return false;
  const digits = text.replaceAll("_", "");
  return WITH_BASE.test(digits) || DECIMAL.test(digits);
}

/**
 * Lines that a literal block keeps as they are: no indentation at the start, no trailing space, no unprintable
 * characters.
 */
function fitsLiteral(text: string): boolean {
  const [first = "", ...others] = text.split("\n");
  if (hasCommandLine(text)) return false;
  if (!/^[!-~¡-퟿]/.test(first) || (first.length > 1 && !/\S$/.test(first))) return false;
  return others.every((line) => line === "" || (/^[ -~¡-퟿]*$/.test(line) && !line.endsWith(" ")));
}

/** A runner obeys such a line also in the middle of a manifest that is printed (report/terminal/printable.ts). */
function hasCommandLine(text: string): boolean {
  return /^[^\S\n\r\u2028\u2029]*::/m.test(text);
}

function literalBlock(text: string, indent: string): string {
  const breaks = text.length - withoutEnding(text, "\n").length;
  const chomp = breaks === 0 ? "-" : breaks === 1 ? "" : "+";
  const lines = text.slice(0, breaks === 0 ? undefined : -1).split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}

/** Writes a value as YAML on one line, such as `{ a: [1, x] }`. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    if (entries.length === 0) return "{}";
    return `{ ${entries.map(([key, item]) => `${inFlow(yamlKey(key), key)}: ${flowText(item)}`).join(", ")} }`;
  }
  return inFlow(yamlScalar(value, ""), value);
}

/** Commas and brackets are plain text elsewhere, but not in flow style. */
function inFlow(text: string, value: unknown): string {
  return typeof value === "string" && (/[\n,[\]{}]/.test(text) || text === "") ? doubleQuoted(value) : text;
}
