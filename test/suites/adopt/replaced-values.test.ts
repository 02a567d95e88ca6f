/** Tests raw objects with one replaced value: adopt never crashes, and its output always renders. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { run } from "../../support/golden/case.ts";
import { seedOf } from "../../support/property/seed.ts";
import { RENDER_CONFIG } from "../../support/adopt/expected.ts";
import { objectsOf } from "../../support/adopt/round-trip.ts";

const CORPUS = fileURLToPath(new URL("corpus", import.meta.url));
const objects = readdirSync(CORPUS).flatMap((file) => objectsOf(readFileSync(join(CORPUS, file), "utf8")));

const garbage = fc.constantFrom<unknown>(null, "", "x", "1", 0, -1, 1.5, 1e30, true, [], [null], ["x"], {}, { x: 1 }, [
  {},
]);

/** Every path in a value, including the value itself. */
function placesIn(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return [
    [],
    ...keys.flatMap((key) => placesIn((value as Record<string, unknown>)[key]).map((rest) => [key, ...rest])),
  ];
}

function replaced(value: unknown, [first, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (first === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  (copy as Record<string | number, unknown>)[first] = replaced(
    (copy as Record<string | number, unknown>)[first],
    rest,
    by,
  );
  return copy;
}

it("reports an error, or prints wrappers that render", async () => {
  let refused = 0;
  let adopted = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...objects), fc.nat(), garbage, async (object, at, by) => {
      const { metadata, spec } = object;
      const places = placesIn({ metadata, spec }).slice(1);
      const changed = replaced(object, places[at % places.length]!, by);
      const first = await run(process.cwd(), ["adopt", "-", "--profile", "karpenter-1.15"], stringify(changed));
      expect(first.stdout + first.stderr).not.toContain("not-for-your-eyes");
      if (first.exit !== 0) {
        refused += 1;
        expect({ ...first, stderr: "" }).toStrictEqual({ exit: 1, stdout: "", stderr: "" });
        expect(first.stderr).toContain("error: ");
        return;
      }
      adopted += 1;
      const input = `${first.stdout}---\n${stringify(RENDER_CONFIG)}`;
      const second = await run(process.cwd(), ["render", "-", "--profile", "karpenter-1.15"], input);
      expect(second.exit, second.stderr).toBe(0);
    }),
    { numRuns: 800, seed: seedOf("adopt slips", 20_261_124) },
  );
  expect(refused).toBeGreaterThan(200);
  expect(adopted).toBeGreaterThan(60);
});
