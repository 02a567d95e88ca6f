/** Markdown that shows any finding literally, and fits a comment of GitHub. */
import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { markdownReport } from "./markdown.ts";
import { printable } from "../terminal/printable.ts";
import { anyFinding, finding } from "../../../test/support/findings.ts";

describe("a report", () => {
  it("has the count, and a table for each severity", () => {
    const findings = [
      finding({
        file: "in/my_pool.yaml",
        line: 12,
        column: 5,
        message: "the key `a|b` is\nnot <b>",
        hint: "ask @team",
      }),
      finding({ code: "policy-absent", severity: "info", message: "costs $1 of $2, see #3" }),
      finding({ code: "raw-object", file: "a.yaml", message: "In [amd64]" }),
    ];
    expect(markdownReport(findings)).toBe(String.raw`**anp: 2 errors, 1 info**

#### 2 errors

| place | finding | code |
| --- | --- | --- |
| <code>a.yaml</code> | In \[amd64\] | ${"`raw-object`"} |
| <code>in/my\_pool.yaml:12:5</code> | the key ${"\\`a\\|b\\`"} is<br>not &lt;b&gt;<br>*help:* ask @<!-- -->team | ${"`policy-bypassed`"} |

#### 1 info

| place | finding | code |
| --- | --- | --- |
|  | costs <span>$</span>1 of <span>$</span>2, see #<!-- -->3 | ${"`policy-absent`"} |
`);
  });

  it("reports that there are no findings", () => {
    expect(markdownReport([])).toBe("**anp: no findings**\n");
  });

  it("folds rows of a table after the tenth", () => {
    const many = (severity: Finding["severity"], count: number) =>
      Array.from({ length: count }, (_, index) => finding({ severity, message: `${severity} ${index}` }));
    const lines = markdownReport([...many("error", 13), ...many("warning", 10)]).split("\n");
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(lines.filter((line) => line.startsWith("<"))).toStrictEqual([
      "<details>",
      "<summary>3 more</summary>",
      "</details>",
    ]);
    const order = [
      "error 9 ",
      "<details>",
      "error 10 ",
      "error 12 ",
      "</details>",
      "#### 10 warnings",
      "warning 9 ",
    ].map(at);
    expect(order).toStrictEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it("fits a comment of GitHub, and says how many findings it leaves out", () => {
    const text = markdownReport(
      Array.from({ length: 2000 }, (_, index) => finding({ message: `${index} ${"x".repeat(80)}` })),
    );
    const rows = text.split("\n").filter((line) => line.includes("xxx")).length;
    expect(text.length).toBeLessThan(65_536);
    expect(rows).toBeGreaterThan(400);
    expect(text).toContain("**anp: 2000 errors**");
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      `… and ${2000 - rows} more than fit a comment (\`--report json\` lists all)`,
    );
  });
});

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The text that a reader sees in a cell, with `
` for a break. */
const read = (html: string): string =>
  html
    .replaceAll("<br>", "\n")
    .replaceAll(/<!-- -->|<\/?(?:code|em|span)>/g, "")
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const lines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join("\n");

it("shows any finding in one row of three cells, unchanged", () => {
  fc.assert(
    fc.property(anyFinding, (one) => {
      const html = marked.parse(markdownReport([one]), { async: false });
      const tags = [...html.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag);
      const ours = ["p", "strong", "h4", "table", "thead", "tbody", "tr", "th", "td", "code", "em", "br", "span"];
      expect(tags.filter((tag) => !ours.includes(tag!))).toStrictEqual([]);
      const cells = [...html.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = ""]) => read(cell).trim());
      const { file, line, column, message, hint, code } = one;
      const where = file === undefined ? "" : [file, line, column].filter((part) => part !== undefined).join(":");
      const words = hint === undefined ? lines(message) : `${lines(message)}\nhelp: ${lines(hint)}`;
      expect(cells).toStrictEqual([lines(where).trim(), words.trim(), code]);
    }),
    { numRuns: 1000 },
  );
});

it("mentions no user and no issue", () => {
  fc.assert(
    fc.property(anyFinding, fc.constantFrom(...SEVERITIES), (one, severity) => {
      expect(markdownReport([{ ...one, severity, message: `${one.message}@team #1 ` }])).not.toMatch(/@\w|[^#]#\d/);
    }),
  );
});
