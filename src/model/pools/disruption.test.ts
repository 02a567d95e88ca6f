/** Compares the predicate on the form of a schedule with the pattern of the CRD. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isScheduleForm, SCHEDULE_PATTERN } from "./disruption.ts";

const signs = fc.constantFrom("a", "*", " ", "\n", "\t", "\r", "\f", "\u00a0", "\u2028", "👍");
const texts = fc.oneof(
  fc.string({ unit: signs, maxLength: 16 }),
  fc
    .tuple(fc.constantFrom("@daily", "@weekly", "@annuall", "@"), fc.string({ unit: signs, maxLength: 4 }))
    .map(([name, more]) => name + more),
);

test("a schedule has the form exactly if the pattern of the CRD matches", () => {
  const pattern = new RegExp(SCHEDULE_PATTERN);
  const tally = { yes: 0, no: 0 };
  fc.assert(
    fc.property(texts, (text) => {
      expect(isScheduleForm(text), JSON.stringify(text)).toBe(pattern.test(text));
      tally[pattern.test(text) ? "yes" : "no"] += 1;
    }),
    { numRuns: 20_000 },
  );
  expect(Math.min(tally.yes, tally.no)).toBeGreaterThan(1000);
});
