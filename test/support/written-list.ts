/** Texts of ResourceLists for tests: how hosts and people may write one, put together from its parts. */
import fc from "fast-check";
import { Document, isScalar, visit } from "yaml";

export interface WrittenItem {
  /** Comments above the dash, as far to the left as it. */
  readonly comments: readonly string[];
  readonly dash: "inline" | "own line" | "comment";
  readonly lines: readonly string[];
}

export interface WrittenList {
  readonly head: readonly string[];
  readonly itemsKey: string;
  readonly indent: string;
  readonly items: readonly WrittenItem[];
  readonly configFirst: boolean;
  readonly results: readonly string[];
  readonly tail: readonly string[];
  readonly eol: "\n" | "\r\n";
  readonly finalBreak: boolean;
}

const CONFIG = ["functionConfig:", "  apiVersion: v1", "  kind: ConfigMap", "  data: {dir: out} # flow"];

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      1,
      "",
      "a",
      "- b",
      "# c",
      "a: b",
      "line\n- item\n# no comment\n\nlast",
      "keep\n\n",
    ),
    fc.string(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b c", "metadata", "items", "x/y", "- k"), tie("any"), { maxKeys: 3 }),
  ),
})).any;

const object = fc
  .record({
    kind: fc.constantFrom("ConfigMap", "List", "Secret", "Widget"),
    name: fc.constantFrom("a", "b"),
    spec: value,
  })
  .map(({ kind, name, spec }) => ({ apiVersion: "v1", kind, metadata: { name }, spec }));

/** An object in one of many styles, with comments. */
const lines = fc
  .record({
    object,
    flow: fc.boolean(),
    indentSeq: fc.boolean(),
    above: fc.boolean(),
    behind: fc.boolean(),
    anchor: fc.boolean(),
  })
  .map(({ object, flow, indentSeq, above, behind, anchor }) => {
    const document = new Document(object);
    visit(document, {
      Collection: (key, node) => {
        if (flow && key === "value") node.flow = true;
      },
      Scalar: (key, node) => {
        if (behind && key === "value" && isScalar(node) && node.value === "v1") node.comment = " behind";
        if (anchor && key === "value" && node.value === "v1") node.anchor = "version";
      },
      Pair: (_key, pair) => {
        if (above && isScalar(pair.key) && pair.key.value === "spec") pair.key.commentBefore = " above";
      },
    });
    const lines = document.toString({ indentSeq, lineWidth: 0 }).replace(/\n$/, "").split("\n");
    return anchor ? [...lines, "also: *version"] : lines;
  });

const item: fc.Arbitrary<WrittenItem> = fc.record({
  comments: fc.array(fc.constantFrom("# one", "# - two: three"), { maxLength: 2 }),
  dash: fc.constantFrom("inline", "own line", "comment"),
  lines,
});

const anyList: fc.Arbitrary<WrittenList> = fc.record({
  head: fc.constantFrom(
    ["apiVersion: config.kubernetes.io/v1", "kind: ResourceList"],
    ["---", "# made by hand", "kind: ResourceList", "apiVersion: config.kubernetes.io/v1beta1"],
    ["%YAML 1.2", "---", 'apiVersion: "config.kubernetes.io/v1"', "kind: 'ResourceList' # quoted"],
  ),
  itemsKey: fc.constantFrom("items:", "items: # all", "items:\n  # more"),
  indent: fc.constantFrom("", "  ", "    "),
  items: fc.array(item, { minLength: 1, maxLength: 4 }),
  configFirst: fc.boolean(),
  results: fc.constantFrom<readonly string[]>(
    [],
    ["results:", "- message: earlier", "  severity: info"],
    ["results: []"],
  ),
  tail: fc.constantFrom<readonly string[]>([], ["..."], ["...", "# after the end"]),
  eol: fc.constantFrom("\n", "\r\n"),
  finalBreak: fc.boolean(),
});

/** An empty line at the end of a text is one only where a break follows it. */
export const writtenList = anyList.map((list): WrittenList => {
  const endsEmpty = list.items.some(({ lines: ofItem }) => ofItem.at(-1) === "");
  return endsEmpty ? { ...list, finalBreak: true } : list;
});

/** The lines of an item as they stand in the list: the comments above it, and the item. */
export function itemLines({ comments, dash, lines }: WrittenItem, indent: string): readonly [string[], string[]] {
  const above = comments.map((comment) => indent + comment);
  const inner = (line: string): string => (line === "" ? "" : `${indent}  ${line}`);
  const [first = "", ...rest] = lines;
  if (dash === "inline") return [above, [`${indent}- ${first}`, ...rest.map(inner)]];
  return [above, [`${indent}-${dash === "comment" ? " # here" : ""}`, ...lines.map(inner)]];
}

/** The text; where they are given, with other lines for its items, and with results at its end instead of its own. */
export function textOf(
  list: WrittenList,
  changed?: { readonly items: readonly string[]; readonly results: readonly string[] },
): string {
  const items = changed?.items ?? list.items.flatMap((item) => itemLines(item, list.indent).flat());
  const own = changed === undefined ? list.results : [];
  const key = items.length === 0 ? ["items: []"] : [...list.itemsKey.split("\n"), ...items];
  const body = list.configFirst ? [...CONFIG, ...key, ...own] : [...key, ...own, ...CONFIG];
  const all = [...list.head, ...body, ...(changed?.results ?? []), ...list.tail];
  return all.join(list.eol) + (list.finalBreak ? list.eol : "");
}
