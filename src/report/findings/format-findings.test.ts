/** All formats of findings have the same content, the worst first; only text has source lines. */
import { describe, expect, it } from "vitest";
import { formatFindings, REPORT_FORMATS } from "./format-findings.ts";
import { PLAIN, type Style } from "../terminal/style.ts";
import { finding } from "../../../test/support/findings.ts";

const RUN = {
  failOn: "error",
  version: "1.2.3",
  minSeverity: "info",
  helpOn: (code: string) => `all of ${code}\n`,
} as const;
const findings = [
  finding({ severity: "info", code: "old-dialect", message: "third", file: "a.yaml", line: 1, column: 1 }),
  finding({ message: "second", file: "b.yaml", line: 20, column: 1, excerpt: "the line" }),
  finding({ message: "first", file: "b.yaml", line: 3, column: 1 }),
];

describe.each(REPORT_FORMATS)("%s", (format) => {
  const report = (style: Style = PLAIN): string => formatFindings(format, findings, { style }, RUN);

  it("has the worst first", () => {
    const words = ["first", "second", "third"].map((word) => report().indexOf(word));
    expect(words).toStrictEqual(words.toSorted((a, b) => a - b));
    expect(words).not.toContain(-1);
  });

  it("names the hosted cluster of each finding that is about one of several", () => {
    const ofShop = findings.map((one) => ({ ...one, hostedCluster: "clusters-shop" }));
    const named = formatFindings(format, ofShop, { style: PLAIN }, RUN).match(/clusters-shop/g) ?? [];
    expect(named.length).toBeGreaterThanOrEqual(findings.length);
    expect(report()).not.toContain("clusters-shop");
  });

  it("ends with a line end", () => {
    expect(report()).toMatch(/[^\n]\n$/);
  });

  it("has colours and source lines only as text", () => {
    const red = (text: string): string => `<red>${text}</red>`;
    const coloured = report({ ...PLAIN, error: red, warning: red, info: red, strong: red, faint: red });
    expect([coloured.includes("<red>"), coloured.includes("the line")]).toStrictEqual([
      format === "text",
      format === "text",
    ]);
  });
});

it("passes on the version and what fails", () => {
  expect(formatFindings("sarif", [], { style: PLAIN }, RUN)).toContain('"version": "1.2.3"');
  expect(formatFindings("junit", findings, { style: PLAIN }, RUN)).toContain('failures="2"');
  expect(formatFindings("junit", findings, { style: PLAIN }, { ...RUN, failOn: "never" })).not.toContain("<failure");
});
