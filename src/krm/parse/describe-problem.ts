/** Turns parser errors and our own refusals of a document into messages. */
import { type Document, isScalar, visit, type YAMLError } from "yaml";
import { type Finding, findingInDocument, type Words } from "../findings/finding.ts";
import type { Refusal } from "./plain-value.ts";
import type { SourceDocument } from "../places/resource.ts";
import { ofBrokenDocument } from "./secret-text.ts";
import { lineText, positionAt } from "../places/source.ts";

/** The longest part of a key or of the parser's message that a finding quotes. */
const MAX_QUOTE = 120;

export function describeProblem(problem: YAMLError, tree: Document, document: SourceDocument): Finding {
  const place = ofBrokenDocument(document);
  const offset = Math.min(problem.pos[0], place.source.text.length);
  const opening = problem.message.startsWith("Missing closing") ? openingQuote(tree, offset) : undefined;
  if (opening === undefined) return findingInDocument("yaml-syntax", place, offset, wordsFor(problem, place, offset));
  return findingInDocument("yaml-syntax", place, opening, { message: "the quote that opens here is never closed" });
}

function wordsFor({ code, message }: YAMLError, place: SourceDocument, offset: number): Words {
  if (code === "TAB_AS_INDENT") {
    return { message: "a tab is used for indentation", hint: "YAML indents with spaces only" };
  }
  if (code === "NON_STRING_KEY") {
    const message = "a key must be a plain string, neither a list, a mapping nor an alias";
    return { message, hint: templateAt(place, offset) };
  }
  if (place.secret) return { message: "is not valid YAML: not shown, because the document holds a secret" };
  const tag = /^Unresolved tag: (.*)/s.exec(message)?.[1]?.replace("tag:yaml.org,2002:", "!!");
  if (tag !== undefined) {
    return { message: `the tag \`${quote(tag)}\` means nothing in a Kubernetes object`, hint: "remove the tag" };
  }
  const words = { message: `is not valid YAML: ${quote(message)}` };
  const hint = hintFor(message, place, offset);
  return hint === undefined ? words : { ...words, hint };
}

function hintFor(message: string, place: SourceDocument, offset: number): string | undefined {
  const { source } = place;
  // One JSON object on each line, as jq -c writes them.
  const second = /[{[]/.test(source.text.charAt(offset)) && message.endsWith(" at node end");
  if (second) return "put a line `---` between two JSON documents";
  return templateAt(place, offset);
}

/** For templates of Helm and other tools, which write `{{ … }}`, and those of Terraform with directives `%{ … }`. */
function templateAt({ source }: SourceDocument, offset: number): string | undefined {
  const line = lineText(source, positionAt(source, offset).line);
  if (line.includes("{{")) return TEMPLATE;
  return line.includes("%{") ? TERRAFORM : undefined;
}

const TEMPLATE =
  "this is a template: give the output of helm template, or exclude it with a line in .krmignore, such as templates/";

const TERRAFORM =
  "this is a template of Terraform: give what it renders, or exclude it with a line in .krmignore, such as templates/";

/** The parser reports the end of the text, which is far from the quote that opens the string. */
function openingQuote(tree: Document, end: number): number | undefined {
  let found: number | undefined;
  visit(tree, (_key, node) => {
    if (isScalar(node) && node.type?.startsWith("QUOTE") && node.range && node.range[1] >= end) found = node.range[0];
  });
  return found;
}

export function describeRefusal({ code, offset, words, key }: Refusal, document: SourceDocument): Finding {
  const place = ofBrokenDocument(document);
  const message =
    key === undefined || place.secret ? words.message : words.message.replace("key", () => `key \`${quote(key)}\``);
  const hint = key === "apiVersion" && startsLine(place, offset) ? TWO_OBJECTS : words.hint;
  return findingInDocument(code, place, offset ?? place.start, hint === undefined ? { message } : { message, hint });
}

/** Applies to an object that is a document of its own, not to an item of a List. */
function startsLine({ source, start }: SourceDocument, offset: number = start): boolean {
  return offset > 0 && source.text.charAt(offset - 1) === "\n";
}

const TWO_OBJECTS = "put a line `---` before it if another object begins here; otherwise keep one of the two";

/**
 * YAML and JSON forbid these characters and kubectl refuses them, but the library accepts them and reads a lone CR as
 * text.
 */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\r(?!\n)/;

export function findControlCharacter(document: SourceDocument): Finding | undefined {
  const { source, start, end } = document;
  const found = CONTROL.exec(source.text.slice(start, end));
  if (found === null) return undefined;
  const place = ofBrokenDocument(document);
  return findingInDocument("yaml-syntax", place, start + found.index, describeControl(found[0].charCodeAt(0)));
}

function describeControl(code: number): Words {
  if (code === 0x0d) {
    return { message: "a line ends in CR without LF", hint: "save the file with LF or CRLF at the ends of its lines" };
  }
  const message = `holds the control character U+${code.toString(16).toUpperCase().padStart(4, "0")}, which YAML forbids`;
  const escaped = "remove it, or write it as an escape in double quotes";
  return { message, hint: code === 0 ? "save the file as UTF-8: this is UTF-16, or no text at all" : escaped };
}

/** Shortens the user's text or the parser's message to one line. */
function quote(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line;
}
