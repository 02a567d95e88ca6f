/** The places of items and results in a ResourceList in plain style. */
import { eachItem, lineEnd, type Section } from "../yaml/item-sections.ts";
import type { ResourceListLayout } from "./resource-list-layout.ts";

/**
 * In this style only mappings and lists span several lines, so lines give the place of everything. Undefined if they do
 * not; then the tree is needed.
 * @param text one document that readPlainStyle reads
 */
export function plainLayoutOf(text: string, value: Readonly<Record<string, unknown>>): ResourceListLayout | undefined {
  const fields = fieldsOf(text);
  if (fields.size !== Object.keys(value).length) return undefined;
  const end = text.length;
  const results = fields.get("results");
  const items = fields.get("items");
  if (items === undefined) return { items: undefined, each: [], nodes: undefined, indent: "", results, end };
  const given = value["items"];
  if (!Array.isArray(given) || given.length === 0) {
    const section = { start: items.start, end: lineEnd(text, items.start) };
    return { items: section, each: [], nodes: undefined, indent: "", results, end };
  }
  const first = firstDash(text, items);
  if (first === undefined) return undefined;
  const each = eachItem(text, { start: first.line, end: items.end }, first.indent);
  if (each.length !== given.length) return undefined;
  const section = { start: items.start, end: each.at(-1)!.end };
  return { items: section, each, nodes: undefined, indent: first.indent, results, end };
}

/** The top-level fields by name, each from its key's line to the next one's. */
function fieldsOf(text: string): Map<string, Section> {
  const found = [...text.matchAll(/^(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z_][\w./-]*)):/gm)];
  return new Map(
    found.map(({ 1: double, 2: single, 3: plain, index }, at) => [
      double ?? single ?? plain ?? "",
      { start: index, end: found[at + 1]?.index ?? text.length },
    ]),
  );
}

/** The line after the key that begins the list; undefined if the list begins in the key's own line. */
function firstDash(text: string, { start, end }: Section): { line: number; indent: string } | undefined {
  for (let line = lineEnd(text, start); line < end; line = lineEnd(text, line)) {
    const rest = text.slice(line, lineEnd(text, line)).trimEnd();
    const [, indent] = /^( *)-(?: |$)/.exec(rest) ?? [];
    if (indent !== undefined) return { line, indent };
    if (rest.trim() !== "" && !rest.trim().startsWith("#")) return undefined;
  }
  return undefined;
}
