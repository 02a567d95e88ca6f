/** Splits a shell's line up to the cursor: quotes, backslashes, and unfinished words. */
import { describe, expect, it } from "vitest";
import { wordsOfShellLine } from "./words.ts";

describe("wordsOfShellLine", () => {
  it.each<[string, readonly string[]]>([
    ["", [""]],
    ["anp", ["anp"]],
    ["anp ", ["anp", ""]],
    ["  anp  explain   --no", ["anp", "explain", "--no"]],
    ["anp explain --nodepool=we", ["anp", "explain", "--nodepool=we"]],
    ["anp explain 'my dir' ", ["anp", "explain", "my dir", ""]],
    ['anp explain "my dir"/a', ["anp", "explain", "my dir/a"]],
    [String.raw`anp explain my\ dir/`, ["anp", "explain", "my dir/"]],
    ["anp catalogue --where 'kubernetes.io/arch=a", ["anp", "catalogue", "--where", "kubernetes.io/arch=a"]],
    ['anp catalogue --where "a b', ["anp", "catalogue", "--where", "a b"]],
    [String.raw`anp "a \"b\" \n"`, ["anp", String.raw`a "b" \n`]],
    ["anp ''", ["anp", ""]],
    ["anp x\\", ["anp", "x"]],
    ["anp render ~/in\tout", ["anp", "render", "~/in", "out"]],
  ])("%j", (line, words) => {
    expect(wordsOfShellLine(line)).toStrictEqual(words);
  });
});
