/** The offset of a field in the text of its object. */
import type { FieldPath } from "./field-path.ts";
import { outlineLocator } from "./locate-in-outline.ts";
import { treeLocator } from "./locate-in-tree.ts";
import type { Outline } from "./outline.ts";
import { readPlainStyle } from "./plain-style.ts";
import type { Resource, SourceDocument } from "./resource.ts";

type Locator = (path: FieldPath, part: Part) => number;

// What is known of one document is large; the last few are enough, because findings come in the order of the input.
const KEPT = 4;
const kept: { document: SourceDocument; locator: Locator }[] = [];

/** The part of a mapping's entry that a place means: what the user has to change. */
export type Part = "key" | "value";

/**
 * The offset of the field at `path` of `resource` in its source's text. A field that is not written down gives its
 * nearest parent that is. List items are located at their first character, entries with a mapping or list at their key,
 * and entries with a scalar at the scalar, or at the key when `part` says so. Outside the plain style that reads the
 * document once more, so it is only done when a finding or a provenance asks for it.
 */
export function locateField(
  { document, base }: Pick<Resource, "document" | "base">,
  path: FieldPath,
  part: Part = "value",
): number {
  return document.start + locatorOf(document)([...base, ...path], part);
}

function locatorOf(document: SourceDocument): Locator {
  const known = kept.find((one) => one.document === document);
  if (known !== undefined) return known.locator;
  const locator = locatorIn(document);
  kept.unshift({ document, locator });
  kept.length = Math.min(kept.length, KEPT);
  return locator;
}

/** The library's tree takes the longer to build, and knows every style. */
function locatorIn({ source, start, end, outline }: SourceDocument): Locator {
  const text = source.text.slice(start, end);
  const plain = outlineLocator(text, outline ?? outlineOf(text));
  let tree: Locator | undefined;
  return (path, part) => plain?.(path, part) ?? (tree ??= treeLocator(text))(path, part);
}

/** Of a document that its reader gave to the library, as for the style of another one beside it; empty where it is none. */
function outlineOf(text: string): Outline {
  const [document, ...others] = readPlainStyle(text) ?? [];
  return others.length > 0 ? [] : (document?.outline ?? []);
}
