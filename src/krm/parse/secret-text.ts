/** Decides which text is never shown because it may be secret, and takes user data out of texts. */
import type { SourceDocument } from "../places/resource.ts";
import type { Source } from "../places/source.ts";

const KEY = /^(\s*(?:- )*)(?:userData|"userData"|'userData')\s*:/;

const SHOWN = "(not shown, because it is a secret)";

/** A broken document has no kind, and a kind can be misspelt, so this searches the text; in doubt it is a secret. */
export function holdsSecret(text: string): boolean {
  return /\bsecret(?:list)?\b|stringData|user-?data/i.test(text);
}

/** Whether a value is a Secret, or a list that holds one, however its kind is written in the text. */
export function isSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind === "string" && /^secret(?:list)?$/i.test(kind)) return true;
  return Array.isArray(items) && items.some(isSecret);
}

/**
 * The document of a finding about no object: a secret may have broken out of its own document (`---` in a script), or
 * be hidden by escapes.
 */
export function ofBrokenDocument(document: SourceDocument): SourceDocument {
  if (document.secret) return document;
  let known = brokenDocuments.get(document);
  if (known === undefined) {
    known = mayBeSecret(document) ? { ...document, secret: true } : document;
    brokenDocuments.set(document, known);
  }
  return known;
}

/** Cached: a document can have thousands of findings, and a source thousands of documents. */
const brokenDocuments = new WeakMap<SourceDocument, SourceDocument>();
const secretSources = new WeakMap<Source, boolean>();

function mayBeSecret({ source, start, end }: SourceDocument): boolean {
  let inSource = secretSources.get(source);
  if (inSource === undefined) {
    inSource = holdsSecret(source.text);
    secretSources.set(source, inSource);
  }
  return inSource || holdsSecret(withoutEscapes(source.text.slice(start, end)));
}

/** Decodes escapes as double quotes do, well enough to find a word. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|\r?\n[ \t]*)/gi, (_escape, two?: string, four?: string) => {
    const code = two ?? four;
    return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
  });
}

/** Whole lines in block style, values in JSON; any other line that may hold it loses its rest. */
export function withoutUserDataText(text: string): string {
  const lines: string[] = [];
  let inside: number | undefined;
  for (const line of text.split("\n")) {
    const column = line.search(/\S/);
    if (inside !== undefined && (column === -1 || column > inside)) continue;
    inside = undefined;
    const key = KEY.exec(line);
    if (key === null) lines.push(line.replace(/(userData(?:\\*["'])?\s*:)[^]*$/, `$1 ${SHOWN}`));
    else {
      inside = key[1]!.length;
      lines.push(`${key[0]} ${SHOWN}`);
    }
  }
  return lines.join("\n");
}
