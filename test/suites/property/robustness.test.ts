/** Tests input with any kind of fault: it is refused or rendered, and never an internal error. */
import { tmpdir } from "node:os";
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../support/golden/case.ts";
import { scenario } from "../../support/property/arbitraries.ts";
import { objectsOf, stream } from "../../support/property/documents.ts";
import type { Scenario } from "../../support/property/scenario.ts";
import { keepsSecrets } from "../../support/property/render-properties.ts";
import { seedOf } from "../../support/property/seed.ts";

const names = fc.constantFrom(
  "spec",
  "metadata",
  "name",
  "namespace",
  "key",
  "items",
  "values",
  "__proto__",
  "toString",
  "constructor",
  "",
);

/** Values of a wrong type. */
const wrong = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e21,
    Number.MAX_SAFE_INTEGER + 2,
    "",
    " ",
    "default",
    "a\nb",
    "../x",
    "\u{1b}[31m",
    "x".repeat(5000),
  ),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
  fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3, noNullPrototype: true }),
);

type Plain = Record<string, unknown>;

/** `value` with the part at `steps` replaced, renamed, duplicated or removed. */
function damage(value: unknown, steps: readonly number[], how: number, by: unknown, name: string): unknown {
  const [step, ...rest] = steps;
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (step === undefined || keys.length === 0) return by;
  const key = keys[step % keys.length]!;
  if (Array.isArray(value)) {
    const at = Number(key);
    if (rest.length > 0) return value.with(at, damage(value[at], rest, how, by, name));
    return how === 0 ? value.with(at, by) : how === 1 ? value.toSpliced(at, 1) : value.toSpliced(at, 0, value[at]);
  }
  const object = value as Plain;
  if (rest.length > 0) return { ...object, [key]: damage(object[key], rest, how, by, name) };
  if (how === 0) return { ...object, [key]: by };
  const { [key]: taken, ...others } = object;
  return how === 1 ? others : { ...others, [name]: taken };
}

const fault = fc.record({
  object: fc.nat(),
  steps: fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
  how: fc.nat({ max: 2 }),
  by: wrong,
  name: names,
});

interface Tally {
  readonly exits: Map<number, number>;
}

/** Refused with a reason, or rendered, without leaking secrets. */
async function answers(text: string, given: Pick<Scenario, "userData">, { exits }: Tally): Promise<void> {
  const result = await run(tmpdir(), ["render", "-", "--report", "json"], text);
  expect([0, 1, 2, 3], result.stderr).toContain(result.exit);
  if (result.exit !== 0) expect(result.stdout).toBe("");
  if (result.exit === 1 || result.exit === 3) expect(JSON.parse(result.stderr)).toHaveProperty("findings.0");
  expect(result.stderr).not.toContain("\u{1b}");
  keepsSecrets(given, { ...result, stdout: "" });
  exits.set(result.exit, (exits.get(result.exit) ?? 0) + 1);
}

async function checkFaults<T>(
  suite: string,
  seed: number,
  fault: fc.Arbitrary<T>,
  apply: (given: Scenario, fault: T) => string,
) {
  const tally: Tally = { exits: new Map() };
  const property = fc.asyncProperty(scenario, fault, (given, faults) => answers(apply(given, faults), given, tally));
  await fc.assert(property, { numRuns: 500, seed: seedOf(suite, seed) });
  console.log(`${suite}: ${JSON.stringify(Object.fromEntries(tally.exits))}`);
  for (const exit of [0, 1, 3]) expect(tally.exits.get(exit), String(exit)).toBeGreaterThan(15);
}

const objectFaults = fc.record({ faults: fc.array(fault, { minLength: 1, maxLength: 3 }), asJson: fc.boolean() });

test("no fault in an object is an internal error", async () => {
  await checkFaults("faults in objects", 20_261_122, objectFaults, (given, { faults, asJson }) => {
    const objects: unknown[] = objectsOf(given);
    for (const { object, steps, how, by, name } of faults) {
      const at = object % objects.length;
      objects[at] = damage(objects[at], steps, how, by, name);
    }
    return asJson ? objects.map((object) => JSON.stringify(object)).join("\n---\n") : stream(objects as Plain[]);
  });
}, 300_000);

const SIGNS = [
  ..."{}[]:,&*!|>'\"#%@`-?~<=\t\n\r\\ \u{0}\u{feff}\u{2028}",
  "---\n",
  "...\n",
  "&a ",
  "*a ",
  "<<: ",
  "? ",
  "!!binary ",
  "\u{1f680}",
];
const textFault = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 30 }),
  how: fc.nat({ max: 4 }),
  sign: fc.constantFrom(...SIGNS),
});

/** Inserts a character, removes or duplicates a piece, or changes the indentation of a line. */
function misprint(
  text: string,
  { at, length, how, sign }: { at: number; length: number; how: number; sign: string },
): string {
  const start = at % (text.length + 1);
  const line = text.indexOf("\n", start) + 1;
  const parts = [
    [text.slice(0, start), sign, text.slice(start)],
    [text.slice(0, start), text.slice(start + length)],
    [text.slice(0, start + length), text.slice(start)],
    [text.slice(0, line), "  ", text.slice(line)],
    [text.slice(0, line), text.slice(line).replace(/^ {1,2}/, "")],
  ];
  return parts[how]!.join("");
}

test("no typo in a text is an internal error", async () => {
  const faults = fc.array(textFault, { minLength: 1, maxLength: 4 });
  await checkFaults("misprints", 20_261_123, faults, (given, misprints) =>
    misprints.reduce(misprint, stream(objectsOf(given))),
  );
}, 300_000);
