/** Findings for the tests of the formats: one with what a test says of it, and any at all, with the worst texts there are. */
import fc from "fast-check";
import type { Finding } from "../../src/krm/findings/finding.ts";
import { FINDING_CODES, type FindingCode, SEVERITIES } from "../../src/krm/findings/finding-codes.ts";

export const finding = (changes: Partial<Finding> = {}): Finding => ({
  code: "policy-bypassed",
  severity: "error",
  message: "a message",
  ...changes,
});

/** What formats give a meaning to, among letters, controls and halves of characters. */
const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
      fc.constantFrom("\n", "\r", "\r\n", "\t", "\0", "\u001b[31m", "\ud800", "\udc00", "\ufffe", "\u2028", "\u202e"),
      fc.constantFrom("::", ":", ",", "%", "%0A", "%25", "::error::", "=", "\\", "`", "``", "|", "\\|", "*", "_", "~~"),
      fc.constantFrom("<", ">", "&", "&amp;", '"', "'", "]]>", "<!--", "-->", "</details>", "<b>", "[a](b)", "![a](b)"),
      fc.constantFrom("@team", "#12", "$x$", "# ", "- ", "> ", "1. ", "---", "    ", "a", "web", "名", "🚀"),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const place = fc
  .record({
    file: anyText.filter((text) => text !== ""),
    line: optional(fc.nat(9)),
    column: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ file, line, column }) => ({ file, ...(line === undefined ? {} : { line: line + 1, column }) }));

const resource = fc
  .record({ apiVersion: anyText, kind: anyText, name: anyText, namespace: optional(anyText) })
  .map(({ namespace, ...rest }) => ({ ...rest, ...(namespace === undefined ? {} : { namespace }) }));

export const anyFinding: fc.Arbitrary<Finding> = fc
  .record({
    code: fc.constantFrom(...(Object.keys(FINDING_CODES) as FindingCode[])),
    severity: fc.constantFrom(...SEVERITIES),
    message: anyText,
    place: optional(place),
    resource: optional(resource),
    field: optional(anyText),
    hint: optional(anyText),
    excerpt: fc.constant("the line itself is for people only"),
  })
  .map(({ place, resource, field, hint, ...rest }) => ({
    ...rest,
    ...place,
    ...(resource === undefined ? {} : { resource }),
    ...(field === undefined ? {} : { field }),
    ...(hint === undefined ? {} : { hint }),
  }));

export const anyFindings: fc.Arbitrary<Finding[]> = fc.array(anyFinding, { maxLength: 8 });
