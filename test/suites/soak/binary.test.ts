/** The golden cases through executables: all that holds of them on this machine, and one of each theme on another one's. */
import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { executable, OWN } from "../../support/binary/executable.ts";
import { type GoldenCase, goldenCases } from "../../support/golden/case.ts";
import { checkGolden, wantedOf } from "../../support/golden/check-golden.ts";
import { runProgram } from "../../support/golden/run-program.ts";

const OTHER = OWN === "linux-x64" ? "linux-arm64" : "linux-x64";
const own = await executable(OWN, "all golden cases through the executable");
const other = await executable(OTHER, `golden cases through the executable for ${OTHER}`);

/** As many at once as there are processors. */
async function each(cases: GoldenCase[], check: (golden: GoldenCase) => Promise<void>): Promise<void> {
  const work = async (): Promise<void> => {
    for (let golden = cases.pop(); golden !== undefined; golden = cases.pop()) await check(golden);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

describe.skipIf("skipped" in own)(OWN, () => {
  it("is what the sources are: twice, from a stream, and with the output fed back in", async () => {
    const run = runProgram("command" in own ? own.command : []);
    await each(goldenCases(), async (golden) => checkGolden(golden, run));
  });
});

describe.skipIf("skipped" in other)(OTHER, () => {
  it("is what the sources are, for a case of each theme", async () => {
    const run = runProgram("command" in other ? other.command : []);
    const themes = new Map(goldenCases().map((golden) => [golden.name.split("/")[0], golden]));
    expect(themes.size).toBeGreaterThan(15);
    await each([...themes.values()], async (golden) => {
      expect({ [golden.name]: await run(golden.folder, golden.args) }).toStrictEqual({
        [golden.name]: wantedOf(golden),
      });
    });
  });
});
