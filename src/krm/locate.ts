/** The offset of a field in the text of its object. */
import type { FieldPath } from "./field-path.ts";
import { plainLocator } from "./locate-in-lines.ts";
import { treeLocator } from "./locate-in-tree.ts";
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
 * and entries with a scalar at the scalar, or at the key when `part` says so. That reads the document once more, so it
 * is only done when a finding or a provenance asks for it.
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
  const locator = locatorIn(document.source.text.slice(document.start, document.end));
  kept.unshift({ document, locator });
  kept.length = Math.min(kept.length, KEPT);
  return locator;
}

/** The library's tree takes the longer to build, and knows every style. */
function locatorIn(text: string): Locator {
  const plain = plainLocator(text);
  let tree: Locator | undefined;
  return (path, part) => plain?.(path, part) ?? (tree ??= treeLocator(text))(path, part);
}
