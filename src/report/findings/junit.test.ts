/** JUnit XML that any parser reads back as the findings, with failures exactly if they count. */
import fc from "fast-check";
import { type SaxesAttributeNSIncomplete, SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { junitReport } from "./junit.ts";
import { anyFindings, finding } from "../../../test/support/findings.ts";
import { inOrder } from "./common.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** A parser that throws at everything that XML 1.0 does not allow. */
function parse(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ fragment: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes as Record<string, string | SaxesAttributeNSIncomplete>);
    const element = { name, attributes: Object.fromEntries(values) as Record<string, string>, children: [], text: "" };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => void (open.at(-1)!.text += text));
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  expect(root.children).toHaveLength(1);
  return root.children[0]!;
}

const cases = (root: Element): Element[] => root.children.flatMap(({ children }) => children);
const isRed = ({ children }: Element): boolean => children.some(({ name }) => name === "failure");

describe("a report", () => {
  it("has a suite for each file, and a case for each finding, with failures and output", () => {
    const resource = { apiVersion: "v1", kind: "Pool", name: "web", namespace: "ns" };
    const findings = [
      finding({ file: "b.yaml", line: 2, column: 3, severity: "info", code: "old-dialect" }),
      finding({ file: "b.yaml", line: 9, column: 1, resource, field: "spec.x", hint: 'do "this" & <that>' }),
      finding({ code: "policy-absent", severity: "warning", message: "none" }),
    ];
    expect(junitReport(findings, "error")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="anp" tests="3" failures="1" errors="0" skipped="0" time="0">
  <testsuite name="b.yaml" tests="2" failures="1" errors="0" skipped="0" time="0">
    <testcase classname="b.yaml" name="policy-bypassed Pool ns/web spec.x" file="b.yaml" line="9" time="0">
      <failure type="policy-bypassed" message="error: a message">b.yaml:9:1: error: a message [policy-bypassed]
help: do "this" &amp; &lt;that&gt;</failure>
    </testcase>
    <testcase classname="b.yaml" name="old-dialect" file="b.yaml" line="2" time="0">
      <system-out>b.yaml:2:3: info: a message [old-dialect]</system-out>
    </testcase>
  </testsuite>
  <testsuite name="input" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="input" name="policy-absent" time="0">
      <system-out>warning: none [policy-absent]</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it("has one passed case without findings", () => {
    const xml = junitReport([], "error");
    parse(xml);
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="anp" tests="1" failures="0" errors="0" skipped="0" time="0">
  <testsuite name="anp" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="anp" name="no findings" time="0"/>
  </testsuite>
</testsuites>
`);
  });
});

describe("red", () => {
  const severities = (failOn: Finding["severity"] | "never"): string[] =>
    cases(
      parse(
        junitReport(
          SEVERITIES.map((severity) => finding({ severity, message: severity })),
          failOn,
        ),
      ),
    )
      .filter(isRed)
      .map(({ children }) => children[0]!.attributes["message"]!.split(":")[0]!);

  it.each([
    ["error", ["error"]],
    ["warning", ["error", "warning"]],
    ["info", ["error", "warning", "info"]],
    ["never", []],
  ] as const)("--fail-on %s: %j", (failOn, red) => {
    expect(severities(failOn)).toStrictEqual(red);
  });

  it("is input that could not be read, whatever fails", () => {
    expect(cases(parse(junitReport([finding({ code: "not-utf8" })], "never"))).map(isRed)).toStrictEqual([true]);
  });
});

/** Characters that XML cannot represent are left out. */
const carried = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\u{fffd}");

describe("any findings", () => {
  it("can be read back unchanged", () => {
    fc.assert(
      fc.property(anyFindings, fc.constantFrom(...SEVERITIES), (findings, failOn) => {
        const root = parse(junitReport(findings, failOn));
        expect(root.children.flatMap(({ name, children }) => [name, ...children.map((one) => one.name)])).toStrictEqual(
          root.children.flatMap(({ children }) => ["testsuite", ...children.map(() => "testcase")]),
        );
        expect(JSON.stringify(root)).not.toContain("the line itself");
        const sorted = inOrder(findings);
        const files = [...new Set(sorted.map(({ file }) => file ?? "input"))];
        if (findings.length > 0)
          expect(root.children.map(({ attributes }) => attributes["name"])).toStrictEqual(files.map(carried));
        const expected = files.flatMap((name) => sorted.filter(({ file }) => (file ?? "input") === name));
        expected.forEach(({ file, message, severity, code, hint }, index) => {
          const one = cases(root)[index]!;
          const [outcome] = one.children;
          expect(one.attributes["file"]).toBe(file === undefined ? undefined : carried(file));
          expect(outcome!.text).toContain(carried(`${severity}: ${message} [${code}]`));
          if (hint !== undefined) expect(outcome!.text.endsWith(carried(`\nhelp: ${hint}`))).toBe(true);
          const counts = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
          expect(isRed(one)).toBe(counts || codeEntry(code).unreadable === true);
          if (isRed(one)) expect(outcome!.attributes["message"]).toBe(carried(`${severity}: ${message}`));
        });
      }),
      { numRuns: 300 },
    );
  });

  it("are counted, and named once in a suite", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const root = parse(junitReport(findings, "warning"));
        const counts = (element: Element) => ["tests", "failures"].map((name) => Number(element.attributes[name]));
        expect(counts(root)).toStrictEqual([cases(root).length, cases(root).filter(isRed).length]);
        for (const suite of root.children) {
          expect(counts(suite)).toStrictEqual([suite.children.length, suite.children.filter(isRed).length]);
        }
      }),
    );
  });
});
