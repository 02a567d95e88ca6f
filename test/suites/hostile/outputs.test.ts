/** Names, paths and values with meaning to a terminal, a runner or Markdown: every format shows them as text. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Token, marked } from "marked";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../support/golden/case.ts";

/** Each as the beginning of a name, and within one. */
const HOSTILE = [
  "::stop-commands::x",
  "  ::add-mask::x",
  "##[stop-commands]x",
  "##vso[task.setvariable variable=a]b",
  "\u001b[2J\u001b]0;title\u0007",
  "\u009b31m",
  "\r::error::x",
  "\n::error::x",
  "\u2028::error::x",
  "\u202egnp.exe",
  "\u200b\u2066",
  "[link](https://evil.example/)",
  "![image](https://evil.example/a.png)",
  "https://evil.example/a",
  "www.evil.example",
  "<https://evil.example>",
  "<img src=https://evil.example/b.png>",
  "</code></details><script>",
  "@team #1 GH-12 owner/repo#3 me@evil.example",
  "`code` **bold** ~~gone~~ $a$ | cell |",
  "```",
  "--> <!-- ",
];

const DIRECTORY = "in";
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-hostile-"));
  for (const [name, text] of Object.entries(files())) {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const quoted = (text: string): string => JSON.stringify(text);

const pool = (name: string, value: string, more = ""): string => `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: ${quoted(name)}, labels: {a: ${quoted(value)}}}
spec:
  ${more}
  template:
    metadata:
      annotations: {${quoted(value)}: ${quoted(value)}, b: ${quoted(`line\n${value}\n`)}}
    spec:
      nodeClassRef: {group: karpenter.hypershift.openshift.io, kind: OpenshiftEC2NodeClass, name: default}
      requirements: [{key: example.com/a, operator: In, values: [a]}]
`;

/** A valid wrapper, one with many mistakes, a file that is not YAML, and earlier output, each with the name. */
function files(): Record<string, string> {
  return Object.fromEntries(
    HOSTILE.flatMap((text, index) => {
      const name = text.replaceAll("/", "∕");
      const at = `${DIRECTORY}/${String(index)}`;
      const forged = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${quoted(text)}
  labels: {app.kubernetes.io/managed-by: anp}
  annotations: {anp.hypershift.openshift.io/rendered-from: ${quoted(`OpenshiftNodePool/${text}`)}}
spec: {template: {spec: {${quoted(text)}: 1}}}
`;
      return [
        [`${at}/${name}.yaml`, pool(`p${String(index)}`, text)],
        [`wrong/${String(index)}/${name}.yaml`, pool(text, text, `${quoted(text)}: ${quoted(text)}`)],
        [`wrong/${String(index)}/a${name}.yaml`, `kind: ${text}\na: [\n`],
        [`old/a${String(index)}${name}.yaml`, forged],
      ] as const;
    }),
  );
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** As a runner reads: lines end in other ways too, and blanks before a command do not count. */
function expectNoCommand(text: string, ours?: RegExp): void {
  const lines = text.split(/\r\n|[\n\r]/);
  // A line with one of our commands is not read as another command (ActionCommandManager.TryProcessCommand).
  const others = lines.filter((line) => ours?.test(line) !== true);
  expect(others.filter((line) => line.trim().startsWith("::"))).toStrictEqual([]);
  expect(others.filter((line) => /##(?:\[|vso\[)/.test(line))).toStrictEqual([]);
  expect(lines.filter((line) => CONTROL.test(line))).toStrictEqual([]);
}

function expectNoLiveMarkdown(text: string): void {
  const live: string[] = [];
  void marked.walkTokens(marked.lexer(text, { gfm: true }), (token: Token) => {
    if (["link", "image", "def", "del"].includes(token.type)) live.push(token.raw);
    if (token.type === "html" && !OURS.test(token.raw.trim())) live.push(token.raw);
  });
  expect(live).toStrictEqual([]);
  const prose = text.replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, "").replaceAll(/&#\d+;/g, "");
  expect(prose).not.toMatch(/@[\w.-]|(?:^|[^#\n])#\d|GH-\d|:\/\/|www\./i);
}

const OURS =
  /^(?:(?:<\/?(?:code|details|summary|span)>|<br>|<!-- -->|\d+ more|\s)+|<details><summary>[-+~] <code>(?:[^<>[\]`]|<!-- -->)*<\/code>(?:[^<>[\]`]|<!-- -->)*<\/summary>)$/;

const RUNS: readonly (readonly string[])[] = [
  ["render", "in"],
  ["render", "wrong"],
  ["check", "in"],
  ["check", "wrong"],
  ["check", "wrong", "-o", "json"],
  ["check", "wrong", "-o", "sarif"],
  ["doctor", "in", "wrong"],
  ["doctor", "in", "wrong", "-o", "json"],
  ["explain", "in"],
  ["explain", "in", "-o", "json"],
  ["simulate", "in"],
  ["diff", "in", "--against", "old"],
  ["diff", "in", "--against", "old", "-o", "json"],
  ["diff", "old", "--against", "in"],
  ["get", "nodepools", "old"],
  ["migrate", "old"],
  ["adopt", "old"],
  ["cmp", "discover"],
  ["cmp", "generate"],
  ["cmp", "doctor"],
  ["cmp", "parameters"],
];

describe("names and values of the input", () => {
  it.each(RUNS)("are no commands to a runner or terminal: %s %s %s %s %s %s", async (...args) => {
    const given = args.filter((part) => part !== undefined);
    const cwd = given[0] === "cmp" ? join(folder, "wrong") : folder;
    const { exit, stdout, stderr } = await run(cwd, given);
    expect([0, 1, 3], stderr).toContain(exit);
    expect(stdout.length + stderr.length).toBeGreaterThan(500);
    expectNoCommand(stdout);
    expectNoCommand(stderr);
  });

  it("are annotations of GitHub only if anp makes one", async () => {
    const { stdout } = await run(folder, ["check", "wrong", "-o", "github"]);
    expect(stdout.split("\n").filter((line) => line.startsWith("::")).length).toBeGreaterThan(HOSTILE.length / 2);
    expectNoCommand(stdout, /^::(?:error|warning|notice) (?:file|title)=[^:]*::[^\r]*$/);
    const { stdout: changes } = await run(folder, ["diff", "in", "--against", "old", "-o", "github"]);
    expectNoCommand(changes, /^::(?:error|warning|notice) (?:file|title)=[^:]*::[^\r]*$/);
  });

  it.each([
    ["check", "wrong", "-o", "markdown"],
    ["diff", "in", "--against", "old", "-o", "markdown"],
    ["diff", "old", "--against", "in", "-o", "markdown"],
  ])("are not active Markdown: %s %s %s %s", async (...args) => {
    const { stdout } = await run(folder, args);
    expect(stdout.length).toBeGreaterThan(1000);
    expectNoCommand(stdout);
    expectNoLiveMarkdown(stdout);
  });

  it.each([
    ["explain", "in", "-o", "html"],
    ["check", "in", "-o", "html"],
    ["check", "wrong", "-o", "html"],
    ["diff", "in", "--against", "old", "-o", "html"],
    ["simulate", "in", "-o", "html", "--at", "2026-11-23T09:00:00Z"],
  ])("are text on a page: %s %s %s %s", async (...args) => {
    const { stdout } = await run(folder, args);
    expect(stdout.length).toBeGreaterThan(10_000);
    expectNoCommand(stdout);
    const [, markup = "", data = ""] =
      /<\/style>([^]*)<script type="application\/json" id="data">([^<]*)<\/script>/.exec(stdout) ?? [];
    expect(data.length).toBeGreaterThan(2);
    const tags = new Set([...markup.matchAll(/<\/?([^\s>]*)/g)].map(([, tag]) => tag!.toLowerCase()));
    expect(["img", "https:", "script", "iframe", "", "!--"].filter((tag) => tags.has(tag))).toStrictEqual([]);
    expect(markup).not.toMatch(/<[^>]*\s(?:on\w+|style|src)=/);
    expect(markup.match(/href="(?!#\w+")[^"]*"/g)).toBeNull();
  });

  it("do not hide the others, however long one is", async () => {
    const long = "x".repeat(70_000);
    const list = [pool("a", "c", `? ${long}\n  : 1`), pool("b", "d", "wrong: 1")].join("---\n");
    for (const [output, most] of [
      ["markdown", 65_536],
      ["text", 20_000],
    ] as const) {
      const { stdout } = await run(folder, ["check", "-", "-o", output], list);
      expect(stdout).toContain("`spec.wrong`".replaceAll("`", output === "markdown" ? "\\`" : "`"));
      expect(stdout.length).toBeLessThan(most);
    }
    const { stdout } = await run(folder, ["check", "-", "-o", "json"], list);
    expect(stdout).toContain(long);
  });
});
