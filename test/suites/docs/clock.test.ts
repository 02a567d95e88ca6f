/** Only the cluster and the context of the commands read the clock: all other code gets the time as an argument. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../support/docs/page.ts";

const MAY_READ = /^src\/(?:cluster\/|commands\/cli\/context\.ts$)|\.test\.ts$/;

it("no pure file reads the clock", () => {
  const files = execFileSync("git", ["ls-files", "src/*.ts"], { cwd: REPOSITORY, encoding: "utf8" }).trim().split("\n");
  const reading = files.filter((file) => /new Date\(\)|Date\.now\b/.test(readFileSync(join(REPOSITORY, file), "utf8")));
  expect(reading).toContain("src/commands/cli/context.ts");
  expect(reading.filter((file) => !MAY_READ.test(file))).toStrictEqual([]);
});
