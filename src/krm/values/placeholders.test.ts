/** Tests which files are searched for placeholders. */
import { expect, it } from "vitest";
import { mayHavePlaceholders } from "./placeholders.ts";

it.each(["name: ${X}", "name: $X", "name: {{ X }}", "name: <<X>>", "name: __X__", String.raw`name: "\x24{X}"`])(
  "searches %s",
  (text) => {
    expect(mayHavePlaceholders(text)).toBe(true);
  },
);

it("passes over plain YAML", () => {
  expect(mayHavePlaceholders("name: a_b\nlist:\n  - <none>\n")).toBe(false);
});
