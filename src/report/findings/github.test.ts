/** Workflow commands, parsed as GitHub's runner does, with input that tries to be a command. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { githubReport } from "./github.ts";
import { printable } from "../terminal/printable.ts";
import { anyFindings, finding } from "../../../test/support/findings.ts";
import { inOrder } from "./common.ts";

describe("a report", () => {
  it("has a command for each finding, and the count", () => {
    const findings = [
      finding({ code: "old-dialect", severity: "info", file: "a.yaml", line: 1, column: 2 }),
      finding({ code: "unknown-field", severity: "warning", file: "b.yaml" }),
      finding({ file: "a b,c:d.yaml", line: 12, column: 5, message: "100%: a, b", hint: "do\r\nthis" }),
      finding({ code: "policy-absent", severity: "warning", message: "none" }),
    ];
    expect(githubReport(findings)).toBe(
      [
        "::error file=a b%2Cc%3Ad.yaml,line=12,col=5,title=policy-bypassed::100%25: a, b%0Ahelp: do%0D%0Athis",
        "::warning title=policy-absent::none",
        "::warning file=b.yaml,title=unknown-field::a message",
        "::notice file=a.yaml,line=1,col=2,title=old-dialect::a message",
        "1 error, 2 warnings, 1 info",
        "",
      ].join("\n"),
    );
  });

  it("is empty without findings", () => {
    expect(githubReport([])).toBe("");
  });
});

/** As actions/runner reads a line: the command, its properties, its data. */
function parse(line: string): { command: string; properties: Record<string, string>; data: string } {
  const [, command = "", list = "", data = ""] = /^::([a-z]+) (.*?)::(.*)$/s.exec(line) ?? [];
  const unescape = (text: string, codes: readonly (readonly [string, string])[]) =>
    codes.reduce((result, [code, character]) => result.replaceAll(code, character), text);
  const lines = [
    ["%0D", "\r"],
    ["%0A", "\n"],
  ] as const;
  const percent = ["%25", "%"] as const;
  const marks = [
    ["%3A", ":"],
    ["%2C", ","],
  ] as const;
  const pairs = list.split(",").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), unescape(pair.slice(at + 1), [...lines, ...marks, percent])];
  });
  return { command, properties: Object.fromEntries(pairs), data: unescape(data, [...lines, percent]) };
}

/** Line ends survive; control characters do not. */
const shown = (text: string): string =>
  text
    .split(/(\r|\n)/)
    .map((part) => (part === "\r" || part === "\n" ? part : printable(part)))
    .join("");

it("parses back to any findings, one per line", () => {
  fc.assert(
    fc.property(anyFindings, (findings) => {
      const lines = githubReport(findings).split(/\r\n|\r|\n/);
      expect(lines).toHaveLength(findings.length === 0 ? 1 : findings.length + 2);
      inOrder(findings).forEach(({ severity, code, message, file, line, column, hint }, index) => {
        const place = Object.entries({ file, line, col: column }).filter(([, value]) => value !== undefined);
        expect(parse(lines[index]!)).toStrictEqual({
          command: { error: "error", warning: "warning", info: "notice" }[severity],
          properties: Object.fromEntries([
            ...place.map(([name, value]) => [name, shown(String(value))]),
            ["title", code],
          ]),
          data: shown(hint === undefined ? message : `${message}\nhelp: ${hint}`),
        });
      });
    }),
    { numRuns: 500 },
  );
});
