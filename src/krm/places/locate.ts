/** Finds the offset of a field in the text of its object. */
import type { EntryPart, FieldPath } from "./field-path.ts";
import { outlineLocator } from "./locate-in-outline.ts";
import { treeLocator } from "./locate-in-tree.ts";
import type { Outline } from "../yaml/outline.ts";
import { readPlainStyle } from "../yaml/plain-style.ts";
import type { Resource, SourceDocument } from "./resource.ts";

type Locator = (path: FieldPath, part: EntryPart) => number;

// Locators are large; the last few are enough, because findings come in the order of the input.
const KEPT = 4;
const kept: { document: SourceDocument; locator: Locator }[] = [];

/**
 * The offset of the field at `path` of `resource` in its source's text. A field that is not written down gives its
 * nearest parent that is. List items are located at their first character, entries with a mapping or list at their key,
 * and entries with a scalar at the scalar, or at the key when `part` says so. Outside the plain style this parses the
 * document once more, so it is only done when a finding or a provenance needs it.
 */
export function locateField(
  { document, base }: Pick<Resource, "document" | "base">,
  path: FieldPath,
  part: EntryPart = "value",
): number {
  return document.start + locatorOf(document)([...base, ...path], part);
}

function locatorOf(document: SourceDocument): Locator {
  const known = kept.findIndex((one) => one.document === document);
  // A long document that is used again and again stays cached, however many short ones are used in between.
  const [one] = known === -1 ? [{ document, locator: locatorIn(document) }] : kept.splice(known, 1);
  kept.unshift(one!);
  kept.length = Math.min(kept.length, KEPT);
  return one!.locator;
}

/** The library's tree takes longer to build, and knows every style. */
function locatorIn({ source, start, end, outline }: SourceDocument): Locator {
  const text = source.text.slice(start, end);
  const plain = outlineLocator(text, outline ?? outlineOf(text));
  let tree: Locator | undefined;
  return (path, part) => plain?.(path, part) ?? (tree ??= treeLocator(text))(path, part);
}

/**
 * The outline of a document that the library has read, for example because another document of its file has another
 * style; empty if this one is not in plain style either.
 */
function outlineOf(text: string): Outline {
  const [document, ...others] = readPlainStyle(text) ?? [];
  return others.length > 0 ? [] : (document?.outline ?? []);
}
