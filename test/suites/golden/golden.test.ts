/**
 * Every case below fixtures/cases, in this process; or through the program that ANP_BIN names, with arguments:
 * `ANP_BIN="qemu-aarch64-static -L libraries build/binary/anp-linux-arm64" npx vitest run
 * test/suites/golden/golden.test.ts`.
 */
import { describe, it } from "vitest";
import { goldenCases, run } from "../../support/golden/case.ts";
import { checkGolden } from "../../support/golden/check-golden.ts";
import { runProgram } from "../../support/golden/run-program.ts";

const { ANP_BIN } = process.env;
const runAnp = ANP_BIN === undefined ? run : runProgram(ANP_BIN.split(" "));

describe("golden cases", () => {
  it.each(goldenCases().map((golden) => [golden.name, golden] as const))("%s", async (_name, golden) => {
    await checkGolden(golden, runAnp);
  });
});
