/** Each page of a task shows its first command on the first screen. */
import { describe, expect, it } from "vitest";
import { blocksOf, pages, readPage } from "../../support/docs/page.ts";

/** Lines of Markdown. */
const SCREEN = 25;

/** Pages that describe something and have no command. */
const WITHOUT_COMMAND: readonly string[] = [
  "docs/answers.md",
  "docs/architecture.md",
  "docs/design.md",
  "docs/fields.md",
  "docs/glossary.md",
  "docs/performance.md",
  "docs/watch-hypershift.md",
];

/** The beginning of a text block that shows a command which the tests cannot run: it needs a cluster or another program. */
const TYPED = /^(?:anp|kpt|kubectl|kustomize|node|npm|npx) /;

/** From 1; undefined if the page has none. */
function firstCommandOf(markdown: string): number | undefined {
  const first = blocksOf(markdown).find(
    ({ language, lines: [typed = ""] }) => language === "sh" || (language === "text" && TYPED.test(typed)),
  );
  return first === undefined ? undefined : first.line + 1;
}

describe("the first command", () => {
  it.each(pages().filter((page) => !WITHOUT_COMMAND.includes(page)))("of %s is on the first screen", (page) => {
    expect(firstCommandOf(readPage(page)) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(SCREEN);
  });

  it.each(WITHOUT_COMMAND)("is required of %s as soon as it has one", (page) => {
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
