/** Finds fields in a document in plain style, without the library's tree. */
import type { EntryPart, FieldPath } from "./field-path.ts";
import { beginsFlow, readFlow } from "../yaml/flow-style.ts";
import { DEPTH, ENTRY_SIZE, KEY, NOWHERE, type Outline, VALUE } from "../yaml/outline.ts";
import { MAX_DEPTH } from "../yaml/yaml-options.ts";

/** The document as an entry. */
const ROOT = -ENTRY_SIZE;

interface Child {
  readonly key: number;
  readonly value: number;
  /** Undefined if it is in brackets or braces. */
  readonly entry: number | undefined;
}

/** By name or index. */
type Children = ReadonlyMap<string | number, Child>;

/**
 * Locates fields; undefined if the outline cannot tell, so that the tree has to. Both give the same place
 * (test/suites/property/locate.test.ts).
 * @param text the text that the outline's offsets count in
 */
export function outlineLocator(
  text: string,
  outline: Outline,
): ((path: FieldPath, part: EntryPart) => number | undefined) | undefined {
  const [, first = NOWHERE] = outline;
  // Nothing, or a list.
  if (first === NOWHERE) return undefined;
  // Kept: a list can be long, and callers ask for each of its items.
  const block = onceEach((entry) => findChildren(text, outline, entry));
  const flow = onceEach((value) => childrenInFlow(text, value));
  const childrenOf = ({ entry, value }: Child): Children => {
    const children = entry === undefined ? NO_CHILDREN : block(entry);
    return children.size === 0 && beginsFlow(text, value) ? flow(value) : children;
  };
  return (path, part) => {
    let offset = first;
    let children = block(ROOT);
    for (const segment of path) {
      const inList = children.has(0);
      const child = children.get(inList ? Number(segment) : String(segment));
      if (child === undefined) break;
      children = childrenOf(child);
      const byValue = inList || (part === "value" && child.value !== NOWHERE && !isCollection(text, child, children));
      offset = byValue ? child.value : child.key;
    }
    return offset === NOWHERE ? undefined : offset;
  };
}

const NO_CHILDREN: Children = new Map();

function isCollection(text: string, { value }: Child, children: Children): boolean {
  return children.size > 0 || beginsFlow(text, value);
}

function findChildren(text: string, outline: Outline, parent: number): Children {
  const children = new Map<string | number, Child>();
  const depth = parent === ROOT ? 1 : outline[parent + DEPTH]! + 1;
  for (let entry = parent + ENTRY_SIZE; (outline[entry + DEPTH] ?? 0) >= depth; entry += ENTRY_SIZE) {
    if (outline[entry + DEPTH] !== depth) continue;
    const [key, value] = [outline[entry + KEY]!, outline[entry + VALUE]!];
    children.set(key === NOWHERE ? children.size : keyAt(text, key), { key, value, entry });
  }
  return children;
}

/** The list or mapping at an offset, which the reader has accepted already. */
function childrenInFlow(text: string, at: number): Children {
  const children = new Map<string | number, Child>();
  readFlow(text, at, NOWHERE, MAX_DEPTH, (name, key, value) => children.set(name, { key, value, entry: undefined }));
  return children;
}

function onceEach(childrenAt: (at: number) => Children): (at: number) => Children {
  const known = new Map<number, Children>();
  return (at) => {
    let children = known.get(at);
    if (children === undefined) known.set(at, (children = childrenAt(at)));
    return children;
  };
}

/** Neither form has escapes. */
function keyAt(text: string, at: number): string {
  const quote = text[at]!;
  if (quote === '"' || quote === "'") return text.slice(at + 1, text.indexOf(quote, at + 1));
  return text.slice(at, text.indexOf(":", at));
}
