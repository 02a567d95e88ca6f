/** docs/krm-function.md names a test for each point of the specification, and each of these tests exists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";

const page = readFileSync(join(ROOT, "docs/krm-function.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+?) \| `(\S+\.test\.ts)`: (.+) \|$/gm)].map(
  ([, point = "", file = "", name = ""]) => ({ point, file, name }),
);

it.each(rows)("$point", ({ file, name }) => {
  expect(readFileSync(join(ROOT, file), "utf8")).toContain(name);
});

it("leaves no point without a test", () => {
  const points = page
    .split("\n")
    .filter((line) => /^\| (?!---|the spec|what hosts|items)/.test(line) && !/ come | is written /.test(line));
  expect(points.filter((line) => !line.includes(".test.ts`: "))).toStrictEqual([]);
  expect(rows.length).toBeGreaterThan(25);
});
