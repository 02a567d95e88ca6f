/** Which text may never be shown: documents with a secret in, yes or no out; it errs on the side of silence. */
import type { SourceDocument } from "./resource.ts";
import type { Source } from "./source.ts";

/** Broken documents cannot be asked for their kind, so this looks at the text. */
export function holdsSecret(text: string): boolean {
  return /\bsecret(?:list)?\b|user-?data/i.test(text);
}

/** Whether a value is a Secret, or a list that holds one, however its kind is written in the text. */
export function isSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind === "string" && /^secret(?:list)?$/i.test(kind)) return true;
  return Array.isArray(items) && items.some(isSecret);
}

/**
 * The document of a finding that speaks of no object: a secret may have broken out of its own document (`---` in a
 * script), or hide behind escapes.
 */
export function ofBrokenDocument(document: SourceDocument): SourceDocument {
  if (document.secret || !mayBeSecret(document)) return document;
  return { ...document, secret: true };
}

const secretSources = new WeakMap<Source, boolean>();

function mayBeSecret({ source, start, end }: SourceDocument): boolean {
  const known = secretSources.get(source);
  const inSource = known ?? holdsSecret(source.text);
  if (known === undefined) secretSources.set(source, inSource);
  return inSource || holdsSecret(withoutEscapes(source.text.slice(start, end)));
}

/** The text as double quotes read it, near enough to find a word in it. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|\r?\n[ \t]*)/gi, (_escape, two?: string, four?: string) => {
    const code = two ?? four;
    return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
  });
}
