/** The regular expressions of src: their checker, and each on its own worst input. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Pattern, patternsIn } from "../../../scripts/patterns/all-patterns.ts";
import { checkPattern } from "../../../scripts/patterns/check-pattern.ts";
import { SCHEDULE_PATTERN } from "../../../src/model/pools/disruption.ts";
import { PatientWorker } from "../../support/hostile/patient-worker.ts";

const judged = (source: string, patience?: number): Promise<string | undefined> =>
  checkPattern({ file: "a.ts", line: 1, source, flags: "" }, patience);

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

describe("the pattern checker", () => {
  it.each([
    ["exponential", "^(a+)+$"],
    ["exponential", "^(?:#\\n?)*(?:a|a)*!"],
    ["2nd degree polynomial", "\\s*$"],
    ["2nd degree polynomial", "0+$"],
    ["2nd degree polynomial", '"((?:[^"\\\\]|\\\\.)*)"'],
    ["2nd degree polynomial", "^\\d*\\d*$"],
    ["2nd degree polynomial", "\\[[ ]*(?:a)?[ ]*\\]"],
    // Behind an assertion, and within one.
    ["2nd degree polynomial", "(\\w+)(?=[.[]|$)"],
    ["2nd degree polynomial", "a(?=\\w*!)"],
    // The schedules of a budget without the half that has no end: the whole is too large for it.
    ["2nd degree polynomial", "^[^\\n]+[\\t ][^\\n]+$"],
  ])("finds that it is %s: %s", async (complexity, source) => {
    expect(await judged(source)).toMatch(`takes ${complexity} time on `);
  });

  it.each(["^a+b+$", "^(?:\\d+)(?:\\.\\d*)?$", "(?<=[hm])0s$", "^(?!\\/)[^\\n]+$", "\\bnull\\b", "^[a-z]{1,63}$"])(
    "accepts %s",
    async (source) => {
      expect(await judged(source)).toBeUndefined();
    },
  );

  it("does not accept the schedule's own pattern", async () => {
    expect(await judged(SCHEDULE_PATTERN, 500)).toMatch(/^takes .* time on |^cannot be judged/);
  });

  it("finds literal patterns, and calls that make others", () => {
    const text = 'const a = /x+/gi;\nconst b = new RegExp(\n  a.source,\n);\nconst c = RegExp("y");\n';
    expect(patternsIn("a.ts", text)).toStrictEqual({
      patterns: [{ file: "a.ts", line: 1, source: "x+", flags: "gi" }],
      places: [
        { file: "a.ts", line: 2, lastLine: 4 },
        { file: "a.ts", line: 5, lastLine: 5 },
      ],
    });
  });
});

describe("the patterns of src", () => {
  const worker = new PatientWorker(fileURLToPath(new URL("../../support/hostile/run-pattern.ts", import.meta.url)));
  // In a process of its own: the test runner has loaded the files already, from elsewhere.
  const listed = execFileSync(process.execPath, ["scripts/check-patterns.ts", "--list"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const found = JSON.parse(listed) as readonly Pattern[];

  it("are those that are literals, and those that are made", () => {
    expect(found.length).toBeGreaterThan(200);
    const made = found
      .filter(({ file }) => file === "model/node-classes/selector-terms.ts")
      .map(({ source }) => source);
    expect(made.toSorted()).toStrictEqual(["^[0-9]{12}$", "^cr-[0-9a-z]+$", "^sg-[0-9a-z]+$", "^subnet-[0-9a-z]+$"]);
  });

  afterAll(() => worker.end());

  // Quadratic time is minutes at this length, so the limit does not depend on the machine.
  it("end on 300 kB of their worst input", async () => {
    const slow: string[] = [];
    for (const pattern of found)
      if ((await worker.ask({ ...pattern, size: 300_000 })) === undefined)
        slow.push(`src/${pattern.file}:${pattern.line}: /${pattern.source}/${pattern.flags}`);
    expect(slow).toStrictEqual([]);
  });

  it("would be found if one did not", async () => {
    const old = [SCHEDULE_PATTERN, "\\s*\\n\\s*", "^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$"];
    for (const source of old) {
      const impatient = new PatientWorker(
        fileURLToPath(new URL("../../support/hostile/run-pattern.ts", import.meta.url)),
        300,
      );
      expect(await impatient.ask({ source, flags: "", size: 300_000 }), source).toBeUndefined();
      await impatient.end();
    }
  });
});
