/** Objects of Terraform files: what is known, what is unknown, and hostile files. */
import { describe, expect, it } from "vitest";
import { toYaml } from "../yaml/write.ts";
import type { Source } from "../places/source.ts";
import { fileLineOf } from "../places/location.ts";
import { terraformObjects } from "./manifests.ts";

function sourceOf(file: string, text: string): Source {
  const folder = `/r/${file}`.slice(0, `/r/${file}`.lastIndexOf("/"));
  return { file, folder, text, explicit: false, trusted: true, config: false };
}

/** @param texts by path from the root of a repository */
function read(texts: Readonly<Record<string, string>>) {
  const sources = Object.entries(texts).flatMap(([file, text]) =>
    /\.tf(?:vars)?$/.test(file) ? [sourceOf(file, text)] : [],
  );
  const files = {
    at: (place: string) => {
      const text = Object.hasOwn(texts, place.slice(3)) ? texts[place.slice(3)] : undefined;
      return text === undefined ? { problem: "does not exist" } : { bytes: Buffer.from(text) };
    },
    entriesOf: () => [],
    fileOf: (place: string) => place.slice(3),
  };
  return terraformObjects({ sources, files, isOurs: (text) => text.includes("NodePool") });
}

const POOL = 'apiVersion = "karpenter.sh/v1", kind = "NodePool"';

/** The spec of a pool of HCL as YAML. */
function specOf(expression: string, more = "", others: Readonly<Record<string, string>> = {}): string {
  const text = `resource "kubernetes_manifest" "pool" {\n  manifest = { ${POOL}, spec = ${expression} }\n}\n${more}`;
  const { value, findings } = read({ "main.tf": text, ...others });
  if (value.length !== 1) return findings.map(({ message }) => message).join("\n");
  return toYaml({ spec: value[0]!.value["spec"] }).replaceAll(/\$<([^>]*)>/g, "${$1}");
}

describe("the objects of Terraform files", () => {
  it.each([
    ["a name of another resource is unknown", "{ a = module.x.y }", "spec:\n  a: ${module.x.y}\n"],
    [
      "a choice by an unknown value makes its fields unknown",
      "module.x ? { a = 1 } : { b = 2 }",
      "spec:\n  a: ${module.x}\n  b: ${module.x}\n",
    ],
    ["fields of merged objects", "merge({ a = 1 }, { b = 2 }, null)", "spec:\n  a: 1\n  b: 2\n"],
    [
      "an object that is merged with an unknown one is unknown",
      "merge({ a = 1 }, module.x)",
      "spec: ${merge(_a_1__module.x)}\n",
    ],
    ["an unknown list is an unknown entry", "{ a = concat([1], module.x) }", "spec:\n  a:\n  - 1\n  - ${module.x}\n"],
    ["null is not sent", "{ a = null, b = [{ c = null }] }", "spec:\n  b:\n  - {}\n"],
    [
      "the length of a list with an unknown part is unknown",
      "{ a = length(concat([1], module.x)) }",
      "spec:\n  a: ${length(concat(.1_module.x))}\n",
    ],
    [
      "a text that looks like another value stays text",
      '{ a = "1", b = "true", c = "null" }',
      'spec:\n  a: "1"\n  b: "true"\n  c: "null"\n',
    ],
    ["a key of the prototype is a key", "{ __proto__ = { a = 1 } }", "spec:\n  __proto__:\n    a: 1\n"],
  ])("%s", (_, expression, spec) => expect(specOf(expression)).toBe(spec));

  it.each([
    ["a default", 'variable "x" {\n  default = 5\n}\n', {}, "5"],
    ["a default of its type", 'variable "x" {\n  type = string\n  default = 5\n}\n', {}, '"5"'],
    [
      "optional fields",
      'variable "x" {\n  type = object({ a = optional(number, 3) })\n  default = {}\n}\n',
      {},
      "\n    a: 3",
    ],
    ["tfvars beside it", 'variable "x" {\n  default = 5\n}\n', { "terraform.tfvars": "x = 6\n" }, "6"],
    ["the last of several", 'variable "x" {}\n', { "b.auto.tfvars": "x = 7\n", "a.auto.tfvars": "x = 6\n" }, "7"],
    [
      "none where another file sets it",
      'variable "x" {\n  default = 5\n}\n',
      { "env/prod.tfvars": "x = 6\n" },
      "${var.x}",
    ],
    ["none without a default", 'variable "x" {}\n', {}, "${var.x}"],
  ])("a variable has %s", (_, more, others, value) => {
    expect(specOf("{ x = var.x }", more, others)).toBe(`spec:\n  x:${value.startsWith("\n") ? "" : " "}${value}\n`);
  });

  it("gives a module what the one that calls it sets, and nothing if two do", () => {
    const module = `variable "x" {\n  default = 1\n}\nresource "kubernetes_manifest" "pool" {\n  manifest = { ${POOL}, spec = { x = var.x } }\n}\n`;
    const call = (name: string, x: number) => `module "${name}" {\n  source = "./pools"\n  x      = ${x}\n}\n`;
    const one = read({ "pools/main.tf": module, "main.tf": call("a", 2) });
    expect(one.value.map(({ value }) => value["spec"])).toEqual([{ x: 2 }]);
    const two = read({ "pools/main.tf": module, "main.tf": call("a", 2) + call("b", 3) });
    expect(two.value.map(({ value }) => value["spec"])).toEqual([{ x: "$<var.x>" }]);
  });

  it("makes an object of each known element, and one of unknown ones", () => {
    const pools = (each: string) =>
      read({
        "main.tf": `resource "kubernetes_manifest" "pool" {\n  for_each = ${each}\n  manifest = { ${POOL}, metadata = { name = each.key } }\n}\n`,
      }).value.map(({ name }) => name);
    expect(pools('toset(["b", "a", "b"])')).toEqual(["a", "b"]);
    expect(pools("{ x = 1, y = 2 }")).toEqual(["x", "y"]);
    expect(pools("module.x")).toEqual(["$<each.key>"]);
    expect(pools("{}")).toEqual([]);
  });

  it("keeps the fields of a part that is there or not as unknown", () => {
    const text = [
      'resource "kubectl_manifest" "pool" {',
      "  yaml_body = <<YAML",
      "    apiVersion: karpenter.sh/v1",
      "    kind: NodePool",
      "    spec:",
      "    %{ if module.x }",
      "      a:",
      "        b: 1",
      "    %{ else }",
      "      a: 2",
      "      c: 3",
      "    %{ endif }",
      "      d:",
      "    %{ for one in module.y ~}",
      "        - e: ${one}",
      "          f: 1",
      "    %{ endfor ~}",
      "        - 4",
      "YAML",
      "}",
      "",
    ].join("\n");
    const { value } = read({ "main.tf": text });
    expect(value.map((one) => one.value["spec"])).toEqual([
      { a: "$<module.x>", c: "$<module.x>", d: ["$<module.y>", 4] },
    ]);
    expect(fileLineOf(value[0]!, ["spec", "d", 1])).toEqual({ file: "main.tf", line: 18 });
  });

  it("hides what files of variables and sensitive variables hold, also as a part of a word", () => {
    const { hidden } = read({
      "main.tf": `variable "x" {}\nvariable "y" {\n  sensitive = true\n  default = "hush"\n}\nresource "kubernetes_manifest" "pool" {\n  manifest = { ${POOL}, spec = { x = "a\${var.x}b", y = [var.y] } }\n}\n`,
      "terraform.tfvars": 'x = "quiet"\n',
    });
    expect(Object.fromEntries(hidden)).toEqual({ quiet: "${var.x}", aquietb: "a${var.x}b", hush: "${var.y}" });
  });
});

describe("hostile Terraform files", () => {
  const pool = (spec: string) =>
    `resource "kubernetes_manifest" "pool" {\n  manifest = { ${POOL}, spec = ${spec} }\n}\n`;

  it("takes no file of elsewhere, and no loop of locals or templates", () => {
    const text = `${pool('{ a = file("/etc/passwd"), b = file("../../x"), c = local.a, d = templatefile("t.tpl", {}) }')}locals {\n  a = local.b\n  b = local.a\n}\n`;
    const { value } = read({ "main.tf": text, "t.tpl": '${templatefile("t.tpl", {})}' });
    expect(Object.values(value[0]!.value["spec"] as object).every((one) => String(one).startsWith("$<"))).toBe(true);
  });

  it("ends where references multiply values", () => {
    const locals = Array.from({ length: 60 }, (_, index) => `  l${index + 1} = [local.l${index}, local.l${index}]\n`);
    const { value, findings } = read({ "main.tf": `${pool("local.l60")}locals {\n  l0 = 1\n${locals.join("")}}\n` });
    expect(value).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(["terraform-unread"]);
  });

  it("ends where a chain of locals is deeper than any text", () => {
    const locals = Array.from({ length: 5000 }, (_, index) => `  l${index + 1} = { a = local.l${index} }\n`);
    const { findings } = read({ "main.tf": `${pool("local.l5000")}locals {\n  l0 = 1\n${locals.join("")}}\n` });
    expect(findings.map(({ code }) => code)).toEqual(["terraform-unread"]);
  });

  it("reads ten thousand resources", () => {
    const text = Array.from({ length: 10_000 }, (_, index) =>
      pool(`{ weight = ${index} }`).replace('"pool"', `"p${index}"`),
    );
    expect(read({ "main.tf": text.join("") }).value).toHaveLength(10_000);
  });

  it.each([
    ["brackets", `a = ${"[".repeat(100_000)}`],
    ["templates", `a = ${'"${'.repeat(100_000)}`],
    ["blocks", "a {\n".repeat(100_000)],
    ["signs", `a = ${"!".repeat(100_000)}1\n`],
    ["choices", `a = ${"1 ? 2 : ".repeat(100_000)}1\n`],
    ["directives", `a = "${"%{ if x }".repeat(100_000)}"\n`],
    ["fields", `a = a${".a".repeat(100_000)}\n`],
    ["operators", `a = 1${" + 1".repeat(100_000)}\n`],
  ])("refuses deep %s", (_, text) => {
    const { findings } = read({ "main.tf": `${pool("{}")}# NodePool\n${text}` });
    expect(findings.map(({ code }) => code)).toEqual(["terraform-unread"]);
  });
});
