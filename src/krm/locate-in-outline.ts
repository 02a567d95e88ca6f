/** Where fields stand in a document in plain style, found without the library's tree. */
import type { FieldPath } from "./field-path.ts";
import type { Part } from "./locate.ts";
import { DEPTH, ENTRY_SIZE, KEY, NOWHERE, type Outline, VALUE } from "./outline.ts";
import { itemsInBrackets } from "./plain-style.ts";

/** The document as an entry. */
const ROOT = -ENTRY_SIZE;

interface Child {
  readonly key: number;
  readonly value: number;
  /** Undefined of an item of a list in brackets, which holds scalars only. */
  readonly entry: number | undefined;
}

/** By name, or by index. */
type Children = ReadonlyMap<string | number, Child>;

/**
 * A locator of fields, whose answer is undefined where the outline does not tell: the tree does then. Both say the same
 * of a field (test/suites/property/locate.test.ts).
 *
 * @param text which the outline's offsets count in
 */
export function outlineLocator(
  text: string,
  outline: Outline,
): ((path: FieldPath, part: Part) => number | undefined) | undefined {
  const [, first = NOWHERE] = outline;
  // Nothing, or a list.
  if (first === NOWHERE) return undefined;
  const known = new Map<number, Children>();
  // A list can be long, and each of its items be asked about.
  const childrenOf = (entry: number): Children => {
    let children = known.get(entry);
    if (children === undefined) known.set(entry, (children = findChildren(text, outline, entry)));
    return children;
  };
  return (path, part) => {
    let offset = first;
    let children = childrenOf(ROOT);
    for (const segment of path) {
      const inList = children.has(0);
      const child = children.get(inList ? Number(segment) : String(segment));
      if (child === undefined) break;
      children = child.entry === undefined ? NO_CHILDREN : childrenOf(child.entry);
      const byValue = inList || (part === "value" && child.value !== NOWHERE && !isCollection(text, child, children));
      offset = byValue ? child.value : child.key;
    }
    return offset === NOWHERE ? undefined : offset;
  };
}

const NO_CHILDREN: Children = new Map();

function isCollection(text: string, { value }: Child, children: Children): boolean {
  return children.size > 0 || text[value] === "[" || text[value] === "{";
}

function findChildren(text: string, outline: Outline, parent: number): Children {
  const children = new Map<string | number, Child>();
  const depth = parent === ROOT ? 1 : outline[parent + DEPTH]! + 1;
  for (let entry = parent + ENTRY_SIZE; (outline[entry + DEPTH] ?? 0) >= depth; entry += ENTRY_SIZE) {
    if (outline[entry + DEPTH] !== depth) continue;
    const [key, value] = [outline[entry + KEY]!, outline[entry + VALUE]!];
    children.set(key === NOWHERE ? children.size : keyAt(text, key), { key, value, entry });
  }
  if (children.size > 0 || parent === ROOT) return children;
  const value = outline[parent + VALUE]!;
  if (value !== NOWHERE && text[value] === "[")
    for (const offset of itemsInBrackets(text, value))
      children.set(children.size, { key: NOWHERE, value: offset, entry: undefined });
  return children;
}

/** Neither form has escapes. */
function keyAt(text: string, at: number): string {
  const quote = text[at]!;
  if (quote === '"' || quote === "'") return text.slice(at + 1, text.indexOf(quote, at + 1));
  return text.slice(at, text.indexOf(":", at));
}
