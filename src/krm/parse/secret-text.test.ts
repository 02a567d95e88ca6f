/** User data leaves no trace in text that is shown, however it is written. */
import { expect, it } from "vitest";
import { withoutUserDataText } from "./secret-text.ts";

const SHOWN = "(not shown, because it is a secret)";

it.each([
  ["plain", "spec:\n  userData: SECRET\n  a: b\n", `spec:\n  userData: ${SHOWN}\n  a: b\n`],
  ["block text", "spec:\n  userData: |\n    SECRET\n\n    SECRET\n  a: b\n", `spec:\n  userData: ${SHOWN}\n  a: b\n`],
  ["more lines", 'userData: "SECRET\n  SECRET"\na: b\n', `userData: ${SHOWN}\na: b\n`],
  ["in a list", "- userData: SECRET\n  a: b\n", `- userData: ${SHOWN}\n  a: b\n`],
  ["JSON", '{\n  "userData": "SECRET",\n  "a": 1\n}\n', `{\n  "userData": ${SHOWN}\n  "a": 1\n}\n`],
  ["flow style", 'spec: {userData: "SECRET", a: b}\n', `spec: {userData: ${SHOWN}\n`],
  [
    "what kubectl applied last",
    `  last: '{"spec":{"userData":"SECRET"}}'\nb: c\n`,
    `  last: '{"spec":{"userData": ${SHOWN}\nb: c\n`,
  ],
  ["quoted twice", '  last: "{\\"userData\\":\\"SECRET\\"}"\n', `  last: "{\\"userData\\": ${SHOWN}\n`],
  ["nothing to leave out", "a: b\n# userData is set elsewhere\n", "a: b\n# userData is set elsewhere\n"],
])("%s", (_what, text, shown) => {
  expect(withoutUserDataText(text)).toBe(shown);
});
