/** Where fields stand in a document in plain style, found without the library's tree. */
import type { FieldPath } from "./field-path.ts";
import type { Part } from "./locate.ts";
import { type Placed, readPlainStyle } from "./plain-style.ts";

/** Of the two either is known first. */
interface Place {
  key: number | undefined;
  value: number | undefined;
}

type Places = Map<string | number, Place>;

/**
 * Undefined for a text in another style, and a locator's answer where lines do not tell: the tree does then. Both say
 * the same of a field (test/suites/property/locate.test.ts).
 *
 * @param text one document
 */
export function plainLocator(text: string): ((path: FieldPath, part: Part) => number | undefined) | undefined {
  const places = new Map<object, Places>();
  const placed: Placed = (container, segment, part, offset) => {
    let known = places.get(container);
    if (known === undefined) places.set(container, (known = new Map<string | number, Place>()));
    const place = known.get(segment);
    if (place !== undefined) place[part] = offset;
    else known.set(segment, part === "key" ? { key: offset, value: undefined } : { key: undefined, value: offset });
  };
  const [document, ...others] = readPlainStyle(text, placed) ?? [];
  const root = others.length > 0 ? undefined : document?.value;
  if (typeof root !== "object" || root === null || Array.isArray(root)) return undefined;
  const [first] = places.get(root)?.values() ?? [];
  return (path, part) => {
    let container: unknown = root;
    let offset = first?.key;
    for (const segment of path) {
      if (typeof container !== "object" || container === null) break;
      const inList = Array.isArray(container);
      const name = inList ? Number(segment) : String(segment);
      if (!Object.hasOwn(container, name)) break;
      const place = places.get(container)?.get(name);
      const value = (container as Record<string | number, unknown>)[name];
      const isCollection = typeof value === "object" && value !== null;
      offset = inList ? place?.value : ((part === "value" && !isCollection ? place?.value : undefined) ?? place?.key);
      container = value;
    }
    return offset;
  };
}
