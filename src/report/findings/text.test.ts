/** Findings as people see them: order, place, excerpt and caret, without control characters. */
import { describe, expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { jsonReport } from "./format-findings.ts";
import { PLAIN, type Style } from "../terminal/style.ts";
import { inOrder } from "./common.ts";
import { textReport } from "./text.ts";

const finding = (changes: Partial<Finding> = {}): Finding => ({
  code: "policy-bypassed",
  severity: "error",
  message: "a message",
  ...changes,
});

const report = (...findings: readonly Partial<Finding>[]): string =>
  textReport(findings.map(finding), { style: PLAIN });

/** Excerpt and caret line, without the gutter. */
function excerpt(text: string, column: number): [string, string] {
  const [, shown, caret] = report({ file: "f", line: 7, column, excerpt: text }).split("\n");
  expect(shown?.slice(0, 6)).toBe("  7 | ");
  expect(caret?.slice(0, 6)).toBe("    | ");
  return [shown!.slice(6), caret!.slice(6)];
}

describe("one finding", () => {
  it("is empty text when there is none", () => {
    expect(textReport([], { style: PLAIN })).toBe("");
  });

  it("has place, severity, message, code, source line, caret and help", () => {
    const place = { file: "in/pool.yaml", line: 12, column: 5, excerpt: "    - key: a", hint: "do this" };
    expect(report(place)).toBe(
      [
        "in/pool.yaml:12:5: error: a message [policy-bypassed]",
        "  12 |     - key: a",
        "     |     ^",
        "  help: do this",
        "1 error",
        "",
      ].join("\n"),
    );
  });

  it.each<[Partial<Finding>, string]>([
    [{}, "error: a message [policy-bypassed]"],
    [{ file: "f" }, "f: error: a message [policy-bypassed]"],
    [{ file: "f", line: 3, column: 4 }, "f:3:4: error: a message [policy-bypassed]"],
    [{ severity: "warning", code: "unknown-field" }, "warning: a message [unknown-field]"],
  ])("%j starts with %s", (changes, start) => {
    expect(report(changes).split("\n")[0]).toBe(start);
  });

  it("has no excerpt if the line is blank or secret", () => {
    expect(report({ file: "f", line: 1, column: 1, excerpt: " \t" }).split("\n")).toHaveLength(3);
    expect(report({ file: "f", line: 1, column: 1 }).split("\n")).toHaveLength(3);
  });
});

describe("the caret", () => {
  it.each([
    ["the first column", "abc", 1, "abc", "^"],
    ["the last column", "abc", 3, "abc", "  ^"],
    ["behind the end", "abc", 4, "abc", "   ^"],
    ["tabs count as one", "\t\tkey: a", 3, "  key: a", "  ^"],
    ["wide characters count twice", "名前: x", 5, "名前: x", "      ^"],
    ["a wide character itself", "a名", 2, "a名", " ^"],
    ["full-width forms", "ａ: x", 4, "ａ: x", "    ^"],
    ["Hangul", "이름: x", 5, "이름: x", "      ^"],
    ["pictures", "🚀: x", 4, "🚀: x", "    ^"],
    ["marks on other characters do not count", "e\u{301}: x", 5, "e\u{301}: x", "   ^"],
    ["letters beyond the basic plane", "𝒂: x", 4, "𝒂: x", "   ^"],
  ])("%s", (_what, text, column, shown, caret) => {
    expect(excerpt(text, column)).toStrictEqual([shown, caret]);
  });

  it("points at its character in a line of any length", () => {
    const line = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(97 + (index % 26))).join("");
    for (const column of [1, 79, 80, 81, 100, 101, 250, 399, 400]) {
      const [shown, caret] = excerpt(line, column);
      expect(shown[caret.length - 1], String(column)).toBe(line[column - 1]);
      expect(shown.length).toBeLessThanOrEqual(102);
      expect(shown.startsWith("…")).toBe(column > 80);
      expect(shown.endsWith("…")).toBe(column < 321);
    }
  });

  it("points at its character behind wide ones that are cut off", () => {
    const [shown, caret] = excerpt(`${"名".repeat(90)}key`, 91);
    expect(shown).toBe(`…${"名".repeat(19)}key`);
    expect(caret).toBe(`${" ".repeat(1 + 2 * 19)}^`);
  });
});

describe("control characters", () => {
  const bad = [
    "\u{1b}[31m",
    "\u{7}",
    "\r",
    "\u{0}",
    "\u{9b}2J",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{7f}",
  ];

  it.each(bad.map((text) => [JSON.stringify(text), text]))("%s does not control a terminal", (_name, text) => {
    const all = report({
      message: `m${text}m`,
      hint: `h${text}h`,
      file: `f${text}f`,
      line: 1,
      column: 2,
      excerpt: `e${text}e`,
    });
    expect(all).not.toContain(text);
    for (const letter of ["m", "h", "f", "e"]) expect(all).toContain(`${letter}\u{fffd}`);
  });

  it("does not start a new line", () => {
    expect(report({ message: "a\nerror: forged [x]", hint: "h\nh", file: "f\nf" }).split("\n")).toHaveLength(4);
  });
});

describe("several findings", () => {
  it("have the worst first, then by file, line and column, then as found", () => {
    const given: readonly Partial<Finding>[] = [
      { severity: "info", message: "1", file: "a" },
      { severity: "warning", message: "2", file: "b", line: 2, column: 1 },
      { severity: "error", message: "3", file: "b", line: 10, column: 1 },
      { severity: "error", message: "4", file: "b", line: 9, column: 7 },
      { severity: "error", message: "5", file: "b", line: 9, column: 2 },
      { severity: "error", message: "6", file: "a", line: 99, column: 1 },
      { severity: "error", message: "7" },
      { severity: "error", message: "8" },
      { severity: "warning", message: "9", file: "a", line: 2, column: 1 },
    ];
    const sorted = "7 8 6 5 4 3 9 2 1".split(" ");
    expect(inOrder(given.map(finding)).map(({ message }) => message)).toStrictEqual(sorted);
    expect([...report(...given).matchAll(/: (\d) \[/g)].map((match) => match[1])).toStrictEqual(sorted);
    const { findings } = JSON.parse(jsonReport(given.map(finding))) as { findings: { message: string }[] };
    expect(findings.map(({ message }) => message)).toStrictEqual(sorted);
  });

  it.each<[readonly Finding["severity"][], string]>([
    [["error"], "1 error"],
    [["error", "error"], "2 errors"],
    [["info", "warning", "error", "warning"], "1 error, 2 warnings, 1 info"],
    [["info", "info"], "2 infos"],
  ])("%j are summarized as %s", (severities, summary) => {
    expect(
      report(...severities.map((severity) => ({ severity })))
        .split("\n")
        .at(-2),
    ).toBe(summary);
  });

  it("collapse only many infos of one code", () => {
    const infos = (code: Finding["code"], count: number) =>
      Array.from({ length: count }, (_, index) => ({ code, severity: "info", message: `info ${index}` }) as const);
    const lines = report(
      ...infos("file-skipped", 8),
      ...infos("old-dialect", 5),
      ...Array.from({ length: 9 }, (_, index) => ({ severity: "warning", message: `${index}` }) as const),
    ).split("\n");
    const shown = (text: string) => lines.filter((line) => line.includes(text)).length;
    expect(shown("[file-skipped]")).toBe(5);
    expect(shown("[old-dialect]")).toBe(5);
    expect(shown("warning: ")).toBe(9);
    expect(lines.at(-3)).toBe("… and 3 more of file-skipped (--all lists them)");
    expect(lines.at(-2)).toBe("9 warnings, 13 infos");
  });
});

describe("equal findings", () => {
  const pool = (name: string, cluster: string, changes: Partial<Finding> = {}): Finding =>
    finding({
      message: `NodePool ${name}: In [t3] is ruled out by the policy (${cluster}/policy.yaml:9)`,
      hint: `see ${cluster}/policy.yaml:9`,
      resource: { apiVersion: "karpenter.sh/v1", kind: "NodePool", name },
      hostedCluster: cluster,
      file: `${cluster}/pools.yaml`,
      line: 3,
      column: 7,
      ...changes,
    });
  const lines = (findings: readonly Finding[], page = {}): string[] =>
    textReport(findings, { style: PLAIN, ...page }).split("\n");

  it("are one, with the number of clusters, the names and the places", () => {
    const many = ["a", "b", "c"].flatMap((cluster) => [pool("web", cluster), pool("db", cluster, { line: 20 })]);
    expect(lines([...many, pool("web", "d")])).toStrictEqual([
      "a/pools.yaml:3:7: error: a: NodePool web: In [t3] is ruled out by the policy (a/policy.yaml:9) [policy-bypassed]",
      "  7 times, in 4 clusters: web (a/pools.yaml:3), db (a/pools.yaml:20), web (b/pools.yaml:3), db (b/pools.yaml:20), web (c/pools.yaml:3) and 2 more; --all lists them",
      "  help: see a/policy.yaml:9",
      "7 errors",
      "",
    ]);
    expect(lines(many, { all: true }).filter((line) => line.includes("error: "))).toHaveLength(6);
  });

  it("name only places if their objects are called alike, and only names without places", () => {
    expect(lines([pool("web", "a"), pool("web", "b")])[1]).toBe(
      "  2 times, in 2 clusters: a/pools.yaml:3, b/pools.yaml:3",
    );
    const nowhere = { file: undefined, line: undefined, column: undefined, hostedCluster: undefined } as object;
    expect(lines([pool("web", "a", nowhere), pool("db", "a", nowhere)])[1]).toBe(
      "  2 times: web (the input), db (the input)",
    );
  });

  it.each<[string, Partial<Finding>]>([
    ["severity", { severity: "warning" }],
    ["code", { code: "raw-object" }],
    ["value", { message: "NodePool db: In [t2] is ruled out by the policy (a/policy.yaml:9)" }],
    ["time of day", { message: "NodePool db: In [t3] is ruled out by the policy 10:00" }],
    ["help", { hint: "do that" }],
  ])("stay apart with another %s", (_what, changes) => {
    expect(lines([pool("web", "a"), pool("db", "b", changes)]).join("\n")).not.toContain("times");
  });
});

describe("a terminal", () => {
  const HINTED = {
    severity: "info",
    code: "file-skipped",
    message: "one two three four five six",
    hint: "seven eight nine ten",
  } as const;

  it("wraps, and has the worst last", () => {
    const all = [finding({ file: "a", line: 1 }), finding(HINTED), finding({ severity: "warning", file: "b" })];
    expect(textReport(all, { style: PLAIN, columns: 36 })).toBe(`info: one two three four five
    six [file-skipped]
  help: seven eight nine ten
b: warning: a message
    [policy-bypassed]
a:1: error: a message
    [policy-bypassed]
1 error, 1 warning, 1 info
`);
  });

  it("shows as much of a line as fits", () => {
    const place = { file: "f", line: 1, column: 50, excerpt: `${"x".repeat(49)}y${"z".repeat(20)}` };
    const [, , shown, caret] = textReport([finding(place)], { style: PLAIN, columns: 44 }).split("\n");
    expect([shown, caret]).toStrictEqual([`  1 | …${"x".repeat(19)}y${"z".repeat(12)}…`, `    | ${" ".repeat(20)}^`]);
  });

  it("wraps at a minimum width on a narrow terminal", () => {
    expect(textReport([finding({ message: "a ".repeat(20) })], { style: PLAIN, columns: 5 }).split("\n")[0]).toBe(
      "error: a a a a a a a a a a a a",
    );
  });
});

describe("styles", () => {
  const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
  const MARKED: Style = {
    error: mark("e"),
    warning: mark("w"),
    info: mark("i"),
    good: mark("g"),
    strong: mark("s"),
    faint: mark("f"),
  };

  it("surround the parts of a report, never the text of the input", () => {
    expect(textReport([finding({ file: "f", line: 1, column: 2, excerpt: "ab", hint: "h" })], { style: MARKED })).toBe(
      [
        "<s>f:1:2:</s> <e>error</e>: a message <f>[policy-bypassed]</f>",
        "<f>  1 | </f>ab",
        "<f>    | </f> <e>^</e>",
        "  <f>help:</f> h",
        "<e>1 error</e>",
        "",
      ].join("\n"),
    );
  });
});

describe("jsonReport", () => {
  it("holds the fields of the contract, and no source line", () => {
    const full = finding({
      file: "f",
      line: 1,
      column: 2,
      excerpt: "secret?",
      field: "spec.x",
      hint: "h",
      resource: { apiVersion: "v1", kind: "K", name: "n", namespace: "ns" },
    });
    const { excerpt: _line, ...contract } = full;
    expect(JSON.parse(jsonReport([full]))).toStrictEqual({ schemaVersion: 1, findings: [contract] });
  });

  it("leaves out missing fields", () => {
    expect(JSON.parse(jsonReport([finding()]))).toStrictEqual({
      schemaVersion: 1,
      findings: [{ code: "policy-bypassed", severity: "error", message: "a message" }],
    });
  });
});
