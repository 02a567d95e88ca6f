/** The shortcuts of yaml-scalar.ts give the same as the library. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { yamlScalar } from "./yaml-scalar.ts";

const STYLE = { version: "1.2", compat: "yaml-1.1", lineWidth: 0, defaultStringType: "PLAIN" } as const;

const term = fc.oneof(
  fc.stringMatching(/^[A-Za-z][ -~]{0,12}$/),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,4}\.\d{1,3}xlarge$/),
  fc.stringMatching(/^[1-9]\d{0,6}([KMGT]i|[hms])$/),
  fc.stringMatching(/^\d{1,2}( [\dA-Za-z*/,-]{1,4}){4}$/),
  fc.stringMatching(/^\d{1,12}$/),
  fc.stringMatching(/^'[ -~]{0,12}$/),
  fc.constantFrom(
    "true",
    "false",
    "True",
    "*",
    "**",
    "* a",
    "''",
    "a b: c",
    "a b #c",
    "a b:",
    "a b ",
    "null a",
    "on a",
  ),
);

describe("a scalar", () => {
  it("is written as the library writes it", () => {
    fc.assert(
      fc.property(term, (value) => {
        // Runners obey this: it is written with an escape (test/suites/hostile/outputs.test.ts).
        fc.pre(!value.includes("##["));
        expect(yamlScalar(value, "")).toBe(stringify(value, STYLE).trimEnd());
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ["'system:a' != b", `"'system:a' != b"`],
    ["a == 'b' && c[0] in {d}", "a == 'b' && c[0] in {d}"],
    ["'##[a", `"'\\u0023#[a"`],
    ["1", '"1"'],
    ["0 8 * * mon-fri", "0 8 * * mon-fri"],
    ["* * * * *", '"* * * * *"'],
    ["m5.2xlarge", "m5.2xlarge"],
    ["100Gi", "100Gi"],
  ])("%s", (value, text) => {
    expect(yamlScalar(value, "")).toBe(text);
  });
});

it.each([
  ["long", 5000, 6000],
  ["many", 30_000, 900],
])("does not keep every text in memory: %s", async (_what, count, length) => {
  const module = JSON.stringify(new URL("yaml-scalar.ts", import.meta.url).href);
  const texts = `for (let at = 0; at < ${count}; at++) yamlScalar("? " + at + "x".repeat(${length}), "")`;
  const worker = new Worker(`import(${module}).then(({ yamlScalar }) => { ${texts} })`, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 20 },
  });
  await expect(once(worker, "exit")).resolves.toStrictEqual([0]);
});
