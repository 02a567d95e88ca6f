/** Each file of src/ begins with one line that says what the file is for. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../support/docs/page.ts";

const MAX_COLUMNS = 100;

it("each file of src/ says in one line what it is for", () => {
  const files = execFileSync("git", ["ls-files", "src/*.ts"], { cwd: REPOSITORY, encoding: "utf8" }).trim().split("\n");
  const without = files.filter((file) => {
    const [first = ""] = readFileSync(join(REPOSITORY, file), "utf8").split("\n");
    return !/^\/\*\* .+ \*\/$/.test(first) || first.length > MAX_COLUMNS;
  });
  expect(files.length).toBeGreaterThan(500);
  expect(without).toStrictEqual([]);
});
