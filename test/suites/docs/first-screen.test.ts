/** Whoever opens a page of a task sees on the first screen what to type. */
import { describe, expect, it } from "vitest";
import { blocksOf, pages, readPage } from "../../support/docs/page.ts";

/** Lines of Markdown. */
const SCREEN = 25;

/** They say how something is, and have nobody type anything. */
const WITHOUT_COMMAND: readonly string[] = [
  "docs/architecture.md",
  "docs/design.md",
  "docs/fields.md",
  "docs/performance.md",
  "docs/watch-hypershift.md",
];

/** What a drawing begins with that shows a command which needs more than a page has: a cluster, or a program of others. */
const TYPED = /^(?:anp|kpt|kubectl|kustomize|node|npm|npx) /;

/** From 1; undefined where the page has none. */
function firstCommandOf(markdown: string): number | undefined {
  const first = blocksOf(markdown).find(
    ({ language, lines: [typed = ""] }) => language === "sh" || (language === "text" && TYPED.test(typed)),
  );
  return first === undefined ? undefined : first.line + 1;
}

describe("the first command", () => {
  it.each(pages().filter((page) => !WITHOUT_COMMAND.includes(page)))("of %s stands on the first screen", (page) => {
    expect(firstCommandOf(readPage(page)) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(SCREEN);
  });

  it.each(WITHOUT_COMMAND)("is wanted of %s as soon as it has one", (page) => {
    expect(firstCommandOf(readPage(page))).toBeUndefined();
  });

  it.each<[markdown: string, line: number | undefined]>([
    ["a\n\n```sh\n$ anp render a\n```", 4],
    ["```yaml\na: 1\n```\n```text\nkpt fn render a\n```", 5],
    ["```text\nlevel=warn\n```", undefined],
    ["a", undefined],
  ])("is found: %j", (markdown, line) => {
    expect(firstCommandOf(markdown)).toBe(line);
  });
});
