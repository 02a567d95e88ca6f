/** Reads random Terraform files as HashiCorp's own parser does: what is taken, and what each known value is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/krm/terraform/evaluate.ts";
import { type Body, type Expression, HclProblem } from "../../../src/krm/terraform/hcl-syntax.ts";
import { readHcl, readHclTemplate } from "../../../src/krm/terraform/read-hcl.ts";
import { Budget, isKnown, joined, type Place, plainOf, textOf, type Value } from "../../../src/krm/terraform/values.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { seedOf } from "../../support/property/seed.ts";
import { broken, hclBody, hclTemplate, NAMES } from "../../support/terraform/hcl-arbitraries.ts";

interface Reply {
  readonly problem?: string;
  readonly attributes: readonly { readonly name: string; readonly at: number; readonly value?: unknown }[];
}

const HOSTILE = [
  "",
  "\n\n",
  "a = 1",
  "a = <<E\nE",
  "a = <<E\nE\n",
  "a = <<E\n E \n",
  "a = <<E\nEE\nE\n",
  "a = <<-E\n  \n   x\n  y\n\n  E\n",
  "a = <<-E\n\tx\n  y\n  E\n",
  "a = <<-E\n    ${pool.name}\n      x\n   %{ if true }y%{ endif }\n  E\n",
  "a = <<E\r\nx\r\nE\r\nb = 1\r\n",
  "a = [<<E\nx\nE\n, 1]\n",
  "a = {b = 1, c = 2,}\n",
  "a = {b : 1\n c = 2\n\n}\n",
  'a = {"b" = 1, (pool.name) = 2, 3 = 4}\n',
  "a = { for = 1 }\n",
  "a = 1\na = 2\n",
  "a = 1 b = 2\n",
  "a = pool.families.0\nb = pool.families.*\nc = pool.families[*]\n",
  "a = [{b = 1}, {b = 2}][*].b\n",
  "a = 1 - -1\nb = !true\nc = 2 - 1 - 1\nd = 1 + 2 * 3\ne = (1 + 2) * 3\n",
  "a = true ? 1 : false ? 2 : 3\n",
  "a = -\n",
  "a = a.\n",
  "a = f(1,)\nb = f(1...)\n",
  "a = [1,,2]\n",
  "a = [\n1\n,\n2\n]\n",
  "a = (\n1\n+\n2\n)\n",
  "a = 1\n  + 2\n",
  'a = "$${x}"\nb = "%%{x}"\nc = "$$"\nd = "$"\ne = "100%"\n',
  'a = "\\u00e9\\U0001F600"\n',
  'a = "\\x"\n',
  'a = "\n"\n',
  'a = "${"\n',
  'a = "${}"\n',
  'a = "%{ endif }"\n',
  'a = "%{ if true }"\n',
  'a = "  ${~ 1 ~}  x"\nb = " %{~ if true ~} y %{~ endif ~} "\n',
  "a {\n",
  "a }\n",
  'a "b" "c" {}\n',
  'a "${b}" {}\n',
  "a { b = 1 c = 2 }\n",
  "a { b {} }\n",
  "__proto__ = 1\nconstructor = {__proto__ = 1}\n",
  "a = /* x */ 1 # y\nb = 2 // z\n",
  "a = 1 /* x\n",
  "a = 0x10\n",
  "a = 1e3\nb = 1.0\nc = 1.50\nd = 12345678901234567890\n",
  'a = 1 == 1.0\nb = "1" == 1\n',
  "a = {a = 1} == {a = 1}\n",
  'a = "${true}"\nb = "${1.5}"\nc = "${null}"\n',
  "ü = 1\n",
  "a-b = 1\n",
];

describe("the reader of Terraform files", () => {
  it("takes what hclsyntax takes, with the same values and places", { timeout: 600_000 }, async () => {
    const seed = seedOf("hcl", 20_261_127);
    const bodies = fc.sample(fc.oneof(hclBody, hclBody, broken(hclBody)), { seed, numRuns: 6000 });
    const templates = fc.sample(fc.oneof(hclTemplate, broken(hclTemplate)), { seed, numRuns: 3000 });
    const questions = [
      ...[...HOSTILE, ...bodies].map((text) => ({ text, template: false, names: NAMES })),
      ...templates.map((text) => ({ text, template: true, names: NAMES })),
    ];
    const replies = await askProgram<Reply>("oracle-hcl", questions);
    const counts = { taken: 0, refused: 0, known: 0, valued: 0 };
    const differences = replies.flatMap((reply, index) => {
      const question = questions[index]!;
      const own = question.template ? readHclTemplate(question.text) : readHcl(question.text);
      if ((reply.problem !== undefined) !== own instanceof HclProblem)
        return [
          {
            text: question.text,
            theirs: reply.problem ?? "taken",
            own: own instanceof HclProblem ? own.message : "taken",
          },
        ];
      if (own instanceof HclProblem) {
        counts.refused += 1;
        return [];
      }
      counts.taken += 1;
      const found = "is" in own ? [{ name: "", at: 0, value: own }] : attributesIn(own, "");
      return compare(question.text, found, reply, counts);
    });
    expect(differences.slice(0, 5).map((one) => JSON.stringify(one))).toEqual([]);
    // Most is known, or the comparison would be of nothing.
    expect(counts.taken).toBeGreaterThan(5000);
    expect(counts.refused).toBeGreaterThan(500);
    expect(counts.known).toBeGreaterThan(counts.valued * 0.8);
  });
});

interface Found {
  readonly name: string;
  readonly at: number;
  readonly value: Expression;
}

function attributesIn({ attributes, blocks }: Body, path: string): Found[] {
  return [
    ...[...attributes].map(([name, { at, value }]) => ({ name: path + name, at, value })),
    ...blocks.flatMap((block, index) =>
      attributesIn(block.body, `${path}${index}${block.type}${block.labels.map((label) => `.${label}`).join("")}/`),
    ),
  ];
}

function compare(
  text: string,
  found: readonly Found[],
  reply: Reply,
  counts: { known: number; valued: number },
): object[] {
  if (found.length !== reply.attributes.length) return [{ text, theirs: reply.attributes, own: found.length }];
  const place = { source: { file: "", folder: "", text, explicit: false, trusted: false, config: false }, offset: 0 };
  const names = new Map(Object.entries(NAMES).map(([name, value]) => [name, valueOf(value, place)]));
  return found.flatMap(({ name, at, value }): object[] => {
    const theirs = reply.attributes.find((one) => one.name === name);
    const budget = new Budget(1e6);
    const own = evaluate(value, { source: place.source, names, module: undefined, budget });
    if (theirs === undefined) return [{ text, theirs, own: name }];
    if (name !== "" && Buffer.byteLength(text.slice(0, at)) !== theirs.at)
      return [{ text, theirs: theirs.at, own: at }];
    if (theirs.value !== undefined) counts.valued += 1;
    if (!isKnown(own, budget)) return [];
    // Terraform refuses it, so nothing comes of it.
    if (theirs.value === undefined) return [];
    counts.known += 1;
    const plain = plainValue(own);
    // A number or boolean beside a branch that is unknown may become a text, also inside a list or an object.
    const mayBeText = text.includes("?");
    if (String(plain) === theirs.value) return [];
    return JSON.stringify(sorted(plain, mayBeText)) === JSON.stringify(sorted(theirs.value, mayBeText))
      ? []
      : [{ text, name, theirs: theirs.value, own: plain }];
  });
}

/** @param asText whether numbers and booleans count as texts */
function sorted(value: unknown, asText = false): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, asText));
  if (asText && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value === "string") return plainJson(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one, asText)]);
}

/** Go writes the fields of an object in their order, and three characters as escapes. */
function plainJson(text: string): unknown {
  try {
    return /^[{[]/.test(text)
      ? { json: sorted(JSON.parse(text)) }
      : text.replaceAll(/\\u00(3c|3e|26)/g, (_, code) => String.fromCharCode(Number.parseInt(code as string, 16)));
  } catch {
    return text;
  }
}

function valueOf(value: unknown, place: Place): Value {
  if (typeof value === "string") return textOf(value, place);
  if (Array.isArray(value)) return { is: "list", items: value.map((item) => valueOf(item, place)), place };
  if (typeof value !== "object" || value === null) return plainOf(value as number | boolean | null, place);
  const entries = Object.entries(value).map(([key, one]) => [key, { place, value: valueOf(one, place) }] as const);
  return { is: "object", entries: new Map(entries), place };
}

function plainValue(value: Value): unknown {
  switch (value.is) {
    case "text":
      return joined(value.pieces);
    case "plain":
      return value.value;
    case "list":
      return value.items.map(plainValue);
    case "object":
      return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plainValue(entry.value)]));
    default:
      return undefined;
  }
}
