/** Writes sources anew as texts in which some objects have changed. */
import type { Fields } from "../values/fields.ts";
import { isMap, isSeq, type Node, parseDocument } from "yaml";
import type { EditOptions } from "./document-editor.ts";
import { editDocument } from "./edit-document.ts";
import { type FieldPath, formatFieldPath, valueAt } from "../places/field-path.ts";
import { plainValue } from "../parse/plain-value.ts";
import { lineStart } from "../yaml/item-sections.ts";
import type { Resource, SourceDocument } from "../places/resource.ts";
import type { Source } from "../places/source.ts";
import { PARSE_OPTIONS } from "../yaml/yaml-options.ts";
import { type BlockPair, linesOfPair, pairNamed, withoutIndent } from "../yaml/block-lines.ts";

interface NewObject {
  readonly value: Fields;
  /** A field of the object that takes its text, with comments, from another object. */
  readonly carried?: {
    readonly path: FieldPath;
    readonly from: { readonly resource: Resource; readonly path: FieldPath };
  };
}

export interface ObjectEdit extends NewObject {
  readonly resource: Resource;
  /** Objects to insert after it. */
  readonly added: readonly NewObject[];
}

interface RewrittenSources {
  readonly texts: ReadonlyMap<Source, string>;
  /** Objects of documents that had to be written anew, without their comments. */
  readonly anew: readonly Resource[];
}

export function rewriteSources(edits: readonly ObjectEdit[], renamed: EditOptions["renamed"]): RewrittenSources {
  const anew: Resource[] = [];
  const bySource = Map.groupBy(edits, ({ resource }) => resource.document.source);
  const texts = new Map<Source, string>();
  for (const [source, some] of bySource) {
    const documents = [...Map.groupBy(some, ({ resource }) => resource.document)];
    let text = "";
    let at = 0;
    for (const [place, all] of documents.toSorted(([a], [b]) => a.start - b.start)) {
      const rewritten = rewriteDocument(place, all, renamed ?? {});
      if (!rewritten.inPlace) anew.push(...all.map(({ resource }) => resource));
      text += source.text.slice(at, place.start) + rewritten.text;
      at = place.end;
    }
    texts.set(source, text + source.text.slice(at));
  }
  return { texts, anew };
}

function rewriteDocument(
  place: SourceDocument,
  edits: readonly ObjectEdit[],
  renamed: Readonly<Record<string, string>>,
): { text: string; inPlace: boolean } {
  const text = place.source.text.slice(place.start, place.end);
  const plain = plainValue(parseDocument(text, PARSE_OPTIONS).contents);
  const before = "value" in plain ? plain.value : undefined;
  const whole = edits.find(({ resource }) => resource.base.length === 0);
  const options: EditOptions = { renamed, textFor: carriedLines(edits) };
  if (whole === undefined) return editDocument(text, listWith(before as Fields, edits), options);
  if (whole.added.length > 0 && isJson(text)) {
    const items = [whole.value, ...whole.added.map(({ value }) => value)];
    return editDocument(text, { apiVersion: "v1", kind: "List", items }, options);
  }
  const own = editDocument(text, whole.value, options);
  const others = whole.added.map((added) => {
    const textFor = carriedLines([{ ...added, resource: whole.resource }]);
    return editDocument(withoutHeader(text), added.value, { renamed, textFor });
  });
  const inPlace = own.inPlace && others.every((other) => other.inPlace);
  return { text: [own, ...others].map((one) => one.text).reduce(joined), inPlace };
}

/** A list with its changed items, and the new ones at its end. */
function listWith(before: Fields, edits: readonly ObjectEdit[]): Fields {
  const root = structuredClone(before);
  for (const { resource, value, added } of edits) {
    const { base } = resource;
    const items = valueAt(root, base.slice(0, -1)) as unknown[];
    const index = base.at(-1) as number;
    const given = items[index] as Fields;
    items[index] = likeItem(given, value);
    items.push(...added.map((one) => likeItem(given, one.value)));
  }
  const [first] = edits;
  const typed = root["kind"] !== "List" && root["kind"] !== "ResourceList" && String(root["kind"]).endsWith("List");
  return typed && first !== undefined ? { ...root, apiVersion: first.value["apiVersion"] } : root;
}

/** Items of a typed list leave apiVersion and kind to the list. */
function likeItem(given: Fields, value: Fields): Fields {
  const left = ["apiVersion", "kind"].filter((name) => !Object.hasOwn(given, name));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.includes(name)));
}

/** For each field that comes from another object, the lines that it had there. */
function carriedLines(
  edits: readonly Pick<ObjectEdit, "resource" | "carried">[],
): (path: FieldPath) => readonly string[] | undefined {
  const carried = new Map(
    edits.flatMap((edit) =>
      edit.carried === undefined
        ? []
        : [[formatFieldPath([...edit.resource.base, ...edit.carried.path]), edit.carried.from]],
    ),
  );
  return (path) => {
    const from = carried.size === 0 ? undefined : carried.get(formatFieldPath(path));
    if (from === undefined) return undefined;
    const { source, start, end } = from.resource.document;
    return fieldLines(source.text.slice(start, end), [...from.resource.base, ...from.path]);
  };
}

/** Comments above the first object of a file are about the file. */
function withoutHeader(text: string): string {
  const start = (parseDocument(text, PARSE_OPTIONS).contents as Node | null)?.range?.[0] ?? 0;
  return text.slice(lineStart(text, start));
}

function joined(before: string, after: string): string {
  const eol = /\r?\n/.exec(before)?.[0] ?? "\n";
  return `${before}${before.endsWith("\n") ? "" : eol}---${eol}${after}`;
}

function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

/** Undefined if the field has no lines of its own, or if they would mean nothing in another document. */
function fieldLines(text: string, path: FieldPath): readonly string[] | undefined {
  let node = parseDocument(text, PARSE_OPTIONS).contents as Node | null;
  for (const [depth, segment] of path.entries()) {
    if (isSeq(node)) node = node.items[Number(segment)] as Node | null;
    else if (isMap(node) && node.flow !== true) {
      const pair = pairNamed(node.items, String(segment));
      if (pair === undefined) return undefined;
      if (depth === path.length - 1) return ownLines(text, node.items as unknown as BlockPair[], pair);
      node = pair.value;
    } else return undefined;
  }
  return undefined;
}

function ownLines(text: string, pairs: readonly BlockPair[], pair: BlockPair): readonly string[] | undefined {
  const own = linesOfPair(text, pairs, pair);
  // Anchors and aliases do not work in another document.
  return own === undefined || /[&*]/.test(text.slice(own.start, own.end)) ? undefined : withoutIndent(text, own, pair);
}
