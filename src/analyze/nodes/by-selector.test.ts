/** The index finds the same objects as a check of each selector. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { selects } from "../../karpenter/scheduling/label-selector.ts";
import { bySelector } from "./by-selector.ts";

const labels = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"), { noNullPrototype: true });
const expression = fc.record({
  key: fc.constantFrom("a", "b"),
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Wrong"),
  values: fc.subarray(["1", "2"]),
});
const selector = fc.oneof(
  fc.record(
    { matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) },
    { requiredKeys: [], noNullPrototype: true },
  ),
  fc.constantFrom<unknown>(undefined, null, "x", { matchLabels: "a" }),
);
const namespace = fc.constantFrom("n", "m");

it("finds the first two that select the labels in their namespace", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ namespace, selector }), { maxLength: 8 }),
      fc.array(fc.record({ namespace, labels }), { minLength: 1, maxLength: 4 }),
      (items, asked) => {
        const find = bySelector(
          items,
          (item) => item.namespace,
          (item) => item.selector,
        );
        for (const { namespace: of, labels: given } of asked) {
          const each = items.filter((item) => item.namespace === of && selects(item.selector, given)).slice(0, 2);
          expect(find(of, given)).toStrictEqual(each);
          found += each.length;
        }
      },
    ),
  );
  expect(found).toBeGreaterThan(50);
});
