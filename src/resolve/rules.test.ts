/** Tests which findings a RenderConfig may change. */
import { expect, it } from "vitest";
import { findingOnInput } from "../krm/findings/finding.ts";
import type { FindingCode, Severity } from "../krm/findings/finding-codes.ts";
import { applyRules } from "./rules.ts";

it.each<[FindingCode, Severity, Severity[]]>([
  ["field-moved", "warning", []],
  // The API server refuses the object, so it is not rendered.
  ["field-moved", "error", ["error"]],
  ["rendered-invalid", "error", []],
  ["provider-mismatch", "error", ["error"]],
])("%s as %s", (code, severity, left) => {
  const finding = { ...findingOnInput(code, { message: "" }), severity };
  expect(applyRules([finding], { [code]: "off" }).map((one) => one.severity)).toStrictEqual(left);
});
