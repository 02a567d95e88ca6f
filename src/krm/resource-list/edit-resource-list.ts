/** Edits a ResourceList in its text; unedited parts keep every byte. */
import { isAlias, isSeq, type Node, parseDocument, visit } from "yaml";
import { annotationSplice, type Splice } from "./annotate-item.ts";
import type { ResourceList } from "./read-resource-list.ts";
import type { ItemSection } from "../yaml/item-sections.ts";
import type { ResourceListLayout } from "./resource-list-layout.ts";
import { toYaml } from "../yaml/write.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";

/** The edits of the items; items that are not named stay as they are. */
export interface ResourceListEdits {
  /** By the item's index. */
  readonly replace: ReadonlyMap<number, unknown>;
  readonly remove: ReadonlySet<number>;
  /** Items that get one more annotation. */
  readonly annotate: ReadonlySet<number>;
  readonly annotation: { readonly name: string; readonly value: string };
  readonly append: readonly unknown[];
  readonly results: readonly unknown[];
}

/**
 * The text with the edits. In block style, as hosts write it, everything else keeps its bytes: comments, order, quotes.
 * In flow style (JSON) the list is written anew. Undefined if the text could not be read either.
 */
export function editResourceList(list: ResourceList, edits: ResourceListEdits): string | undefined {
  const { layout } = list;
  const inPlace = layout === undefined ? undefined : spliced(list, layout, edits);
  if (inPlace !== undefined) return inPlace;
  return list.value === undefined ? undefined : rewritten(list.value, list.items, edits);
}

/** Undefined if a removed part has an alias elsewhere (`*alias`). */
function spliced(list: ResourceList, layout: ResourceListLayout, edits: ResourceListEdits): string | undefined {
  const { text } = list;
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const written = (object: unknown): string => itemText(object, layout.indent, eol);
  const gone: (Node | null)[] = [layout.results?.node ?? null];
  const splices: Splice[] = [];
  const anew = (index: number, { dash, end }: ItemSection, object: unknown): void => {
    gone.push(layout.nodes?.[index] ?? null);
    splices.push({ start: dash, end, text: written(object) });
  };
  layout.each.forEach((section, index) => {
    if (edits.remove.has(index)) {
      gone.push(layout.nodes?.[index] ?? null);
      splices.push({ start: section.start, end: section.end, text: "" });
    } else if (edits.replace.has(index)) anew(index, section, edits.replace.get(index));
    else if (edits.annotate.has(index)) {
      const splice =
        layout.nodes === undefined
          ? plainAnnotationSplice(text, section, edits.annotation, eol)
          : annotationSplice(text, layout.nodes[index] ?? null, edits.annotation, eol);
      if (splice === undefined) anew(index, section, withAnnotation(list.items[index], edits.annotation));
      else splices.push(splice);
    }
  });
  if (list.document !== undefined && areMeantElsewhere(gone, text, list.document.contents)) return undefined;
  const appended = edits.append.map(written).join("");
  const { items, results, end } = layout;
  const whole = appended === "" ? `items: []${eol}` : `items:${eol}${appended}`;
  if (items === undefined) splices.push({ start: end, end, text: whole });
  else if (appended === "" && layout.each.length > 0 && layout.each.length === edits.remove.size)
    splices.splice(0, splices.length, { ...items, text: whole });
  else if (layout.each.length > 0) splices.push({ start: items.end, end: items.end, text: appended });
  // An empty list that stays empty stays as it is written.
  else if (appended !== "") splices.push({ ...items, text: whole });
  if (results !== undefined) splices.push({ start: results.start, end: results.end, text: "" });
  splices.push({ start: end, end, text: resultsText(edits.results, eol) });
  return applied(text, splices, eol);
}

/** In plain style an item's lines mean the same outside the list. */
function plainAnnotationSplice(
  text: string,
  { dash, end }: ItemSection,
  annotation: ResourceListEdits["annotation"],
  eol: string,
): Splice | undefined {
  const own = text.slice(dash, end);
  const { contents } = parseDocument(own, PARSE_OPTIONS);
  const node = isSeq(contents) ? ((contents.items[0] ?? null) as Node | null) : null;
  const splice = annotationSplice(own, node, annotation, eol);
  return splice && { start: dash + splice.start, end: dash + splice.end, text: splice.text };
}

/** In order. Text at the end begins a new line, even if the text lacks its last line break. */
function applied(text: string, splices: readonly Splice[], eol: string): string {
  const parts: string[] = [];
  let at = 0;
  let last = "";
  const add = (part: string): void => {
    if (part === "") return;
    parts.push(part);
    last = part;
  };
  for (const splice of splices.filter(({ start, end, text: by }) => by !== "" || end > start).toSorted(byPlace)) {
    add(text.slice(at, splice.start));
    if (splice.start === text.length && last !== "" && !last.endsWith("\n")) add(eol);
    add(splice.text);
    at = splice.end;
  }
  add(text.slice(at));
  return parts.join("");
}

function byPlace(a: Splice, b: Splice): number {
  return a.start - b.start || a.end - b.end;
}

/** Whether an alias that stays follows an anchor that goes. */
function areMeantElsewhere(gone: readonly (Node | null)[], text: string, contents: Node | null): boolean {
  if (!/(?:^|[\s,[{:?-])&[^\s&]/m.test(text)) return false;
  const going = new Set<unknown>();
  for (const node of gone) if (node !== null) visit(node, { Node: (_key, part) => void going.add(part) });
  const anchors = new Map<string, boolean>();
  let found = false;
  visit(contents, {
    Node: (_key, node) => {
      const { anchor } = node as { anchor?: string };
      if (anchor !== undefined) anchors.set(anchor, going.has(node));
      if (!isAlias(node) || going.has(node) || anchors.get(node.source) !== true) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function resultsText(results: readonly unknown[], eol: string): string {
  return results.length === 0 ? "" : toYaml({ results }).replaceAll("\n", eol);
}

function itemText(object: unknown, indent: string, eol: string): string {
  const lines = toYaml(object).replace(/\n$/, "").split("\n");
  return `${lines.map((line, index) => (line === "" ? "" : `${indent}${index === 0 ? "- " : "  "}${line}`)).join(eol)}${eol}`;
}

function rewritten(
  value: Readonly<Record<string, unknown>>,
  given: readonly unknown[],
  edits: ResourceListEdits,
): string {
  const items = given.flatMap((item, index) => {
    if (edits.remove.has(index)) return [];
    if (edits.replace.has(index)) return [edits.replace.get(index)];
    return [edits.annotate.has(index) ? withAnnotation(item, edits.annotation) : item];
  });
  const { results: _earlier, ...rest } = value;
  return toYaml({
    ...rest,
    items: [...items, ...edits.append],
    ...(edits.results.length === 0 ? {} : { results: edits.results }),
  });
}

function withAnnotation(item: unknown, { name, value }: ResourceListEdits["annotation"]): unknown {
  const object = item as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  const metadata = { ...object.metadata, annotations: { ...object.metadata?.annotations, [name]: value } };
  return { ...object, metadata };
}
