/** Every golden case once through the executable: what it prints is what the sources print. */
import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { goldenCases } from "../golden/case.ts";
import { wantedOf } from "../golden/check-golden.ts";
import { runProgram } from "../golden/run-program.ts";
import { executable, OWN } from "./executable.ts";

const own = await executable(OWN, "the golden cases through the executable");

describe.skipIf("skipped" in own)("golden cases through the executable", () => {
  it("are all what the sources say", async () => {
    const run = runProgram("command" in own ? own.command : []);
    const left = goldenCases();
    expect(left.length).toBeGreaterThan(250);
    const work = async (): Promise<void> => {
      for (let golden = left.pop(); golden !== undefined; golden = left.pop())
        expect({ [golden.name]: await run(golden.folder, golden.args) }).toStrictEqual({
          [golden.name]: wantedOf(golden),
        });
    };
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  }, 300_000);
});
