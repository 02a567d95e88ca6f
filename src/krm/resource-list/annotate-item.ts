/** Writes an annotation into the text of a YAML object. */
import { isMap, isScalar, type Node, type Pair, visit, type YAMLMap } from "yaml";
import { lineStart } from "../yaml/item-sections.ts";
import { doubleQuoted } from "../yaml/yaml-scalar.ts";

/** The replacement for a part of another text. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Undefined if the object is written so that the annotation has no place of its own. */
export function annotationSplice(
  text: string,
  item: Node | null,
  annotation: { readonly name: string; readonly value: string },
  eol: string,
): Splice | undefined {
  if (!isMap(item) || sharesParts(item)) return undefined;
  const entry = `${annotation.name}: ${doubleQuoted(annotation.value)}`;
  const metadata = pairOf(item, "metadata")?.value;
  if (!isMap(metadata)) return undefined;
  const annotations = pairOf(metadata, "annotations");
  if (annotations === undefined) {
    return inserted(text, metadata, {
      flow: `annotations: {${entry}}`,
      block: (indent) => `${indent}annotations:${eol}${indent}  ${entry}${eol}`,
    });
  }
  if (!isMap(annotations.value)) return undefined;
  const own = pairOf(annotations.value, annotation.name);
  if (own === undefined)
    return inserted(text, annotations.value, { flow: entry, block: (indent) => `${indent}${entry}${eol}` });
  const range = isScalar(own.value) ? own.value.range : undefined;
  if (!range || /\n/.test(text.slice(range[0], range[1])) || range[0] === range[1]) return undefined;
  return { start: range[0], end: range[1], text: doubleQuoted(annotation.value) };
}

/** An alias in the list may refer to the same node. */
function sharesParts(item: Node): boolean {
  let shares = false;
  visit(item, {
    Node: (_key, node) => {
      if ((node as { anchor?: string }).anchor === undefined) return undefined;
      shares = true;
      return visit.BREAK;
    },
  });
  return shares;
}

/** As the first entry of a mapping: its column is known there. */
function inserted(
  text: string,
  map: YAMLMap,
  entry: { readonly flow: string; readonly block: (indent: string) => string },
): Splice | undefined {
  const start = map.range![0];
  if (map.flow === true) {
    if (text[start] !== "{") return undefined;
    return { start: start + 1, end: start + 1, text: `${entry.flow}${map.items.length > 0 ? ", " : ""}` };
  }
  const line = lineStart(text, start);
  const indent = text.slice(line, start);
  return indent.trim() === "" ? { start: line, end: line, text: entry.block(indent) } : undefined;
}

function pairOf(map: YAMLMap, name: string): Pair<unknown, Node | null> | undefined {
  return (map.items as Pair<unknown, Node | null>[]).find(({ key }) => isScalar(key) && key.value === name);
}
