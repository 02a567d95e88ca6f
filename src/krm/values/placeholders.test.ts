/** Tests which files are searched for placeholders. */
import { describe, expect, it } from "vitest";
import { mayHavePlaceholders, withoutValues } from "./placeholders.ts";

it.each(["name: ${X}", "name: $X", "name: {{ X }}", "name: <<X>>", "name: __X__", String.raw`name: "\x24{X}"`])(
  "searches %s",
  (text) => {
    expect(mayHavePlaceholders(text)).toBe(true);
  },
);

it("passes over plain YAML", () => {
  expect(mayHavePlaceholders("name: a_b\nlist:\n  - <none>\n")).toBe(false);
});

describe("values that answers must not show", () => {
  const long = Array.from({ length: 300 }, (_, at) => `w${at}`).join("-");
  const filled = new Map([
    ["m5", "${a}"],
    ["m5-large", "${b}"],
    ["-x", "${c}"],
    [long, "${d}"],
  ]);

  it.each([
    ["a m5 b", "a ${a} b", "a word"],
    ["m5-large, m5", "${b}, ${a}", "the longest of several"],
    ["m5-larger m5a am5", "${a}-larger m5a am5", "no part of a word"],
    ["a-x -x", "a-x ${c}", "no end of a word"],
    [`before ${long} after`, "before ${d}", "a long value, with all that follows"],
    ["", "", "nothing"],
  ])("are hidden in %s", (text, shown) => {
    expect(withoutValues({ a: [text] }, filled)).toStrictEqual({ a: [shown] });
  });
});
