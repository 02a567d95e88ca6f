/** Every answer of `anp diff -o json` obeys the published schema, and says nothing that the schema does not know. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { diffSchema } from "../../../scripts/diff-schema.ts";
import { jsonSchemas } from "../../../scripts/json-schemas.ts";
import { blocksOf, pages, readPage } from "../../support/docs/page.ts";
import { goldenCases, run } from "../../support/golden/case.ts";

const ajv = new Ajv2020({ strict: false });
const published = ajv.compile(jsonSchemas()["diff.schema.json"]!);
/** The same without room for more fields. */
const exact = ajv.compile(z.toJSONSchema(diffSchema));

function problemsOf(answer: unknown): unknown[] {
  return [published, exact].flatMap((validate) => (validate(answer) ? [] : (validate.errors ?? [])));
}

const cases = goldenCases().filter(({ args }) => args[0] === "diff");

describe("golden cases", () => {
  it("are enough", () => expect(cases.length).toBeGreaterThan(20));

  it.each(cases.map((golden) => [golden.name, golden] as const))("%s", async (_name, { folder, args }) => {
    const flags = args.filter((arg, index) => arg !== "-o" && args[index - 1] !== "-o");
    const { stdout } = await run(folder, [...flags, "-o", "json"]);
    if (stdout !== "") expect(problemsOf(JSON.parse(stdout))).toStrictEqual([]);
  });
});

/** What stands below `$ anp diff … -o json`. */
const shown = pages().flatMap((page) =>
  blocksOf(readPage(page)).flatMap(({ lines, line }) => {
    const text = lines.join("\n");
    return [...text.matchAll(/^\$ anp diff [^\n]*-o json\n(\{\n[^$]*?^\})$/gm)].map(
      ([, answer = ""]) => [`${page}:${line}`, answer] as const,
    );
  }),
);

describe("documentation", () => {
  it("shows one", () => expect(shown.length).toBeGreaterThan(0));

  it.each(shown)("%s", (_place, answer) => {
    // A long line of the page goes on in the next.
    const whole = answer.replaceAll(/\n +(?=[a-z])/g, " ");
    expect(problemsOf(JSON.parse(whole))).toStrictEqual([]);
  });
});

it("a program takes what a later version says besides, and not what is none", () => {
  const answer = { schemaVersion: 1, mode: "raw", policies: [], changes: [] };
  const summary = { pools: 0, others: 0, types: null, settles: null, nodes: null, cost: null, keeping: [] };
  expect(published({ ...answer, summary, later: true })).toBe(true);
  expect(exact({ ...answer, summary, later: true })).toBe(false);
  expect(published(answer)).toBe(false);
});
