/** Gives a document of the input another value; unchanged parts keep their bytes. */
import { type Node, parseDocument } from "yaml";
import { DocumentEditor, type EditOptions } from "./document-editor.ts";
import { jsonText } from "../values/exact-integer.ts";
import { plainValue } from "../parse/plain-value.ts";
import { lineStart } from "../yaml/item-sections.ts";
import { sameValue } from "../values/canonical.ts";
import { toYaml } from "../yaml/write.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";

export interface EditedDocument {
  readonly text: string;
  /** False if the document had to be written anew, without its comments. */
  readonly inPlace: boolean;
}

export function editDocument(text: string, wanted: unknown, options: EditOptions = {}): EditedDocument {
  const json = asJson(text, wanted);
  if (json !== undefined) return { text: json, inPlace: true };
  const document = parseDocument(text, PARSE_OPTIONS);
  const contents = document.contents as Node | null;
  const plain = plainValue(contents);
  const editor = new DocumentEditor(text, options);
  if ("value" in plain) editor.change(contents, plain.value, wanted, []);
  const edited = editor.result();
  if (edited !== undefined && holds(edited, wanted)) return { text: edited, inPlace: true };
  const start = contents?.range?.[0] ?? 0;
  const rest = contents === null ? "" : text.slice(Math.min(document.range[1], text.length));
  return {
    text: text.slice(0, lineStart(text, start)) + toYaml(wanted) + rest.trimStart(),
    inPlace: false,
  };
}

/** JSON is valid YAML, but readers of the file may only understand JSON. */
function asJson(text: string, wanted: unknown): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    JSON.parse(text);
    const [, indent = ""] = /\n([ \t]+)"/.exec(text) ?? [];
    return `${jsonText(wanted, indent)}${text.slice(text.trimEnd().length)}`;
  } catch {
    return undefined;
  }
}

function holds(text: string, wanted: unknown): boolean {
  const document = parseDocument(text, PARSE_OPTIONS);
  if (document.errors.length > 0) return false;
  const plain = plainValue(document.contents);
  return "value" in plain && sameValue(plain.value, wanted);
}
