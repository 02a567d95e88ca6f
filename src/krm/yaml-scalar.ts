/** One scalar as YAML text: a value and the indentation of its lines in, plain, quoted or block text out. */
import { stringify } from "yaml";

const STYLE = {
  version: "1.2",
  // Strings that readers of YAML 1.1 (kubectl among them) would take for something else are quoted: "on", "1e3", "0o7".
  compat: "yaml-1.1",
  lineWidth: 0,
  defaultStringType: "PLAIN",
} as const;

/** Words and paths that no reader of any version takes for anything but a string. */
const PLAIN_FOR_EVERYBODY = /^[A-Za-z/][A-Za-z0-9/_-]*(?:\.[A-Za-z/_-][A-Za-z0-9/_-]*)*$/;
/** Sentences and expressions: no number of any version has a space, and nothing in them ends them or is a comment. */
const SENTENCE = /^[A-Za-z](?!.*(?:: | #|[: ]$))[!-~]* [ -~]*$/;
/** What manifests are full of beside words: instance types, amounts and durations, cron schedules. */
const PLAIN_TERM = /^(?:[a-z][a-z0-9-]*\.\d+xlarge|[1-9]\d*(?:[KMGT]i|[hms])|\d[\d/,-]*(?: [\dA-Za-z*/,-]+){4})$/;
/** What would not be a string without quotes, and needs no escape within them. */
const QUOTED_TERM = /^(?:\d+|true|false|\*|'[ !#-[\]-~]*)$/;
const RESERVED_WORD = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|e[-+]?[0-9_]+)$/i;

/** What readers take for something else beyond both versions: kubectl's for numbers (`-0o7`, `0o1_7`), Python's `=` and tabs. */
const MISREAD = /^(?:=|[-+.\d](?=.*\d)(?:0?[box][\da-f_]+|[\d_]*\.?[\d_]*(?:e[-+]?[\d_]+)?))$/i;

/** Lines that a literal block keeps as they are: no indentation at the start, no trailing space, nothing unprintable. */
const LITERAL = /^[!-~¡-퟿](?:[^\n]*[^\s])?(?:\n(?:[ -~¡-퟿]*[!-~¡-퟿])?)*\n*$/;

/** What readers drop, fold or refuse when it stands there as it is: line breaks of YAML 1.1, byte order marks, controls. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const EXOTIC = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/gu;

// The same keys and values come again in every object; deciding on quotes is the dear part. The first question alone
// takes a tenth of a cold start, so what manifests are made of is decided above, in the library's way.
const known = new Map<string, string>();

export function yamlScalar(value: unknown, indent: string): string {
  if (typeof value !== "string") return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  if (value.search(EXOTIC) !== -1) return doubleQuoted(value);
  if (value.includes("\n")) return LITERAL.test(value) ? literal(value, indent) : doubleQuoted(value);
  if (PLAIN_FOR_EVERYBODY.test(value) && !RESERVED_WORD.test(value)) return value;
  if (SENTENCE.test(value) || PLAIN_TERM.test(value)) return value;
  if (QUOTED_TERM.test(value)) return `"${value}"`;
  if (value.includes("\t") || MISREAD.test(value)) return doubleQuoted(value);
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  const text = stringify(value, STYLE).replace(/\n$/, "");
  // What the library would fold or turn into a block needs the indentation that it does not know here.
  const result = text.includes("\n") ? doubleQuoted(value) : text;
  known.set(value, result);
  return result;
}

/** Keys stand on one line. */
export function yamlKey(key: string): string {
  return key.includes("\n") ? doubleQuoted(key) : yamlScalar(key, "");
}

/** JSON's strings are YAML's double-quoted ones, but for characters that JSON leaves as they are. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    EXOTIC,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function literal(text: string, indent: string): string {
  const body = text.replace(/\n*$/, "");
  const breaks = text.length - body.length;
  const chomp = breaks === 0 ? "-" : breaks === 1 ? "" : "+";
  const lines = text.slice(0, breaks === 0 ? undefined : -1).split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}
