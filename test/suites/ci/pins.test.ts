/** Each action of a workflow is pinned to a commit, with its version in a comment. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../support/docs/page.ts";
import { textFiles } from "../../support/docs/reference.ts";

const USES = /^[ #]*(?:- )?uses: *(.*)$/gm;
const PINNED = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
/** Ours, and a workflow of the reader's, who writes the commit that they have reviewed. */
const OWN = /^(?:[\w.-]+\/anp@COMMIT # v\d+\.\d+\.\d+|OWNER\/REPOSITORY\/\.github\/workflows\/[\w.-]+@COMMIT)$/;
/** Next to the action itself. */
const LOCAL = /^\.\//;

const usesIn = (text: string): string[] => [...text.matchAll(USES)].map(([, used = ""]) => used);
const isPinned = (used: string): boolean => [PINNED, OWN, LOCAL].some((form) => form.test(used));

it("uses no action by a name that can move", () => {
  const files = textFiles().filter((file) => /\.(?:ya?ml|md)$/.test(file));
  const used = files.flatMap((file) =>
    usesIn(readFileSync(`${REPOSITORY}${file}`, "utf8")).map((one) => ({ file, one })),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter(({ one }) => !isPinned(one)).map(({ file, one }) => `${file}: ${one}`)).toStrictEqual([]);
});

const SHA = "0123456789abcdef0123456789abcdef01234567";

it.each<[line: string, pinned: boolean]>([
  [`      - uses: a/b@${SHA} # v1.2.3`, true],
  [`        uses: a/b/c-d@${SHA} # v1.2.3`, true],
  ["      - uses: ./", true],
  [`      - uses: a/b@${SHA}`, false],
  [`      - uses: a/b@${SHA} # v1`, false],
  [`      - uses: a/b@${SHA.slice(1)} # v1.2.3`, false],
  ["      - uses: a/b@v6", false],
  ["      - uses: a/b@main # v1.2.3", false],
  ["      - uses: a/b", false],
  ["#       uses: OWNER/REPOSITORY/.github/workflows/anp.yml@main", false],
  ["      - uses: OWNER/anp@v0.1.0", false],
])("%s", (line, pinned) => {
  expect(usesIn(line).map(isPinned)).toStrictEqual([pinned]);
});
