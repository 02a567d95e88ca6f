/** Findings as JUnit XML, for CI systems that show test results. */
import { placeText } from "../../krm/places/location.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, SEVERITIES, type Severity } from "../../krm/findings/finding-codes.ts";
import { identitiesOf, inOrder, withCluster } from "./common.ts";

interface Case {
  readonly finding: Finding;
  readonly name: string;
  readonly failed: boolean;
}

/**
 * A suite for each file, and a case for each finding. A case fails if the finding is at `failOn` or worse; unreadable input
 * always fails.
 */
export function junitReport(findings: readonly Finding[], failOn: Severity | "never"): string {
  const sorted = inOrder(findings);
  const names = identitiesOf(sorted);
  const cases = sorted.map((finding, index) => ({ finding, name: names[index]!, failed: fails(finding, failOn) }));
  const suites = [...Map.groupBy(cases, ({ finding }) => finding.file ?? WHOLE_INPUT)];
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="anp" ${totals(cases)}>`,
    // Without a case, CI shows no suite, as if the run had never happened.
    ...(suites.length === 0 ? nothingFound() : suites.flatMap(([file, own]) => suite(file, own))),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

const WHOLE_INPUT = "input";

function nothingFound(): string[] {
  return [
    `  <testsuite name="anp" ${totals([])}>`,
    '    <testcase classname="anp" name="no findings" time="0"/>',
    "  </testsuite>",
  ];
}

function fails({ code, severity }: Finding, failOn: Severity | "never"): boolean {
  if (codeEntry(code).unreadable) return true;
  return failOn !== "never" && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
}

function totals(cases: readonly Case[]): string {
  const failures = cases.filter(({ failed }) => failed).length;
  return attributes({ tests: Math.max(cases.length, 1), failures, errors: 0, skipped: 0, time: 0 });
}

function suite(file: string, cases: readonly Case[]): string[] {
  return [
    `  <testsuite ${attributes({ name: file })} ${totals(cases)}>`,
    ...cases.flatMap((one) => testCase(file, one)),
    "  </testsuite>",
  ];
}

function testCase(file: string, { finding, name, failed }: Case): string[] {
  const { code, severity, line } = finding;
  const outcome = failed
    ? `<failure ${attributes({ type: code, message: `${severity}: ${withCluster(finding)}` })}>${text(words(finding))}</failure>`
    : `<system-out>${text(words(finding))}</system-out>`;
  const place = finding.file === undefined ? {} : { file, ...(line === undefined ? {} : { line }) };
  return [
    `    <testcase ${attributes({ classname: file, name, ...place, time: 0 })}>`,
    `      ${outcome}`,
    "    </testcase>",
  ];
}

function words(finding: Finding): string {
  const { file, severity, code, hint } = finding;
  const place = file === undefined ? "" : `${placeText(finding)}: `;
  return `${place}${severity}: ${withCluster(finding)} [${code}]${hint === undefined ? "" : `\nhelp: ${hint}`}`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${attribute(String(value))}"`)
    .join(" ");
}

/** In attributes, parsers turn unescaped line ends and tabs into spaces. */
function attribute(value: string): string {
  return text(value).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

function text(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(NOT_IN_XML, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** XML 1.0, 2.2: these characters are not allowed, even as references. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
