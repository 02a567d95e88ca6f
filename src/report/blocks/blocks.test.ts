/** Blocks as terminal text, Markdown and annotations: the same sentences, escaped, worst first. */
import { describe, expect, it } from "vitest";
import { PLAIN } from "../terminal/style.ts";
import type { Block } from "./blocks.ts";
import { blocksGithub } from "./github.ts";
import { blocksMarkdown } from "./markdown.ts";
import { terminalText } from "./terminal.ts";

const HOSTILE = "::error::<b>|@x";

const BLOCKS: readonly Block[] = [
  { kind: "heading", name: "pools", forms: ["terminal"] },
  {
    kind: "facts",
    facts: [
      ["zones", ["a", "b"]],
      ["none", ""],
    ],
    indent: 2,
  },
  { kind: "bar", share: 0.5, words: "5 of 10" },
  { kind: "list", items: ["one", "two"], inline: true },
  {
    kind: "table",
    label: "Pools",
    columns: [{ head: "pool" }, { head: "empty" }, { head: "nodes", right: true }],
    rows: [{ cells: [HOSTILE, "", "1"] }, { cells: [[{ text: "worst", code: true }], "", "20"], rank: 1 }],
  },
  {
    kind: "section",
    id: "s",
    heading: { kind: "heading", name: "web" },
    blocks: [{ kind: "paragraph", words: HOSTILE }],
  },
];

describe("blocks", () => {
  it("are lines of a terminal", () => {
    expect(terminalText(BLOCKS, { style: PLAIN, width: 80 })).toBe(`pools
  zones  a
         b
██████████░░░░░░░░░░  5 of 10
one  two
pool             nodes
: :error::<b>|@x      1
worst               20

web
: :error::<b>|@x
`);
  });

  it("are Markdown", () => {
    expect(blocksMarkdown(BLOCKS, "anp")).toBe(`- zones: a, b

5 of 10

- one
- two

| pool | nodes |
| --- | ---: |
| <code>worst</code> | 20 |
| ::error::&lt;b&gt;\\|@<!-- -->x | 1 |

**web**

: :error::&lt;b&gt;\\|@<!-- -->x
`);
  });

  it("are lines and annotations of GitHub Actions", () => {
    expect(blocksGithub([{ kind: "paragraph", words: HOSTILE }, ...BLOCKS])).toBe(`: :error::<b>|@x
zones: a, b
5 of 10
one
two
`);
  });
});
