/** One entry of a `requirements` list, as the CRDs and Karpenter's run time check it. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";
import { KNOWN_VALUES, LABEL_VALUE, requirementKey } from "./labels.ts";
import { cacheValidation } from "../schema/validation-cache.ts";
import { type Rule, withRules } from "../schema/rule.ts";

/**
 * Entries of an AutoNodePolicy. A NodeClaim holds 100: these, `OWN_SHARE`, the mark of a guard, and the four that
 * Karpenter adds (docs/upstream/karpenter.md#requirements-of-a-pool). A NodePool holds 100 as well, and only needs room
 * for the mark and the blocker.
 */
export const POLICY_SHARE = 40;

/** Entries of a pool's own and labels of its template: each becomes at most one entry of a NodeClaim. */
export const OWN_SHARE = 55;

/**
 * Karpenter refuses longer values, because no label can have them (docs/upstream/karpenter.md#validation-at-run-time).
 */
export const MAX_VALUE_LENGTH = 63;

/** Values of all own entries of a pool: one and a half times the number of Amazon EC2's instance types. */
export const MAX_OWN_VALUES = 2000;

export const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"] as const;

export type Operator = (typeof OPERATORS)[number];

/** NodeSelectorRequirementWithMinValues of Karpenter's API. */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values?: readonly string[] | undefined;
  readonly minValues?: number | undefined;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** CEL's int() accepts the same texts as Go's ParseInt: base 10 with a sign, within int64. */
function isNonNegativeInteger(value: string | undefined): boolean {
  if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
  const number = BigInt(value.replace(/^\+/, ""));
  return number >= 0n && number <= MAX_INT64;
}

const COMPARISONS: readonly string[] = ["Gt", "Lt", "Gte", "Lte"];

/**
 * Unknown values beside known ones are accepted, as long as enough known ones remain
 * (docs/upstream/karpenter.md#validation-at-run-time).
 */
function knownValueRules(key: string, known: readonly string[]): Rule<NodeSelectorRequirement>[] {
  const isKnown = `v in ${JSON.stringify(known)}`;
  const applies = `self.key == '${key}' && self.operator == 'In' && has(self.values)`;
  const countIn = ({ key: given, operator, values = [] }: NodeSelectorRequirement): number | undefined =>
    given === key && operator === "In" ? values.filter((value) => known.includes(value)).length : undefined;
  return [
    {
      cel: `${applies} && !has(self.minValues) ? self.values.exists(v, ${isKnown}) : true`,
      message: `no valid values found for ${key}, expected one of: ${known.join(", ")}`,
      hint: "Karpenter refuses the pool at run time when it knows none of the values",
      test: (entry) => entry.minValues !== undefined || countIn(entry) !== 0,
    },
    {
      cel: `${applies} && has(self.minValues) ? self.values.filter(v, ${isKnown}).size() >= self.minValues : true`,
      message: `not enough valid values found for ${key}, expected some of: ${known.join(", ")}`,
      hint: "Karpenter refuses the pool at run time when it knows fewer of the values than minValues asks for",
      test: (entry) => entry.minValues === undefined || (countIn(entry) ?? Infinity) >= entry.minValues,
    },
  ];
}

/** The rules of the CRDs for an entry. */
export const ENTRY_RULES: readonly Rule<NodeSelectorRequirement>[] = [
  {
    cel: "self.operator == 'In' ? (has(self.values) && self.values.size() != 0) : true",
    message: "requirements with operator 'In' must have a value defined",
    hint: "list the values, or use Exists",
    test: ({ operator, values }) => operator !== "In" || (values ?? []).length > 0,
  },
  {
    cel: "self.operator in ['Gt', 'Lt', 'Gte', 'Lte'] ? (has(self.values) && self.values.size() == 1 && int(self.values[0]) >= 0) : true",
    message: "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
    hint: 'write one whole number in quotes, such as values: ["4"]',
    test: ({ operator, values }) =>
      !COMPARISONS.includes(operator) || (values?.length === 1 && isNonNegativeInteger(values[0])),
  },
  {
    cel: "self.operator == 'In' && has(self.minValues) ? (has(self.values) && self.values.size() >= self.minValues) : true",
    message: "requirements with 'minValues' must have at least that many values specified in the 'values' field",
    hint: "lower minValues, or list more values",
    test: ({ operator, values, minValues }) =>
      operator !== "In" || minValues === undefined || (values ?? []).length >= minValues,
  },
];

const RULES = [...ENTRY_RULES, ...Object.entries(KNOWN_VALUES).flatMap(([key, known]) => knownValueRules(key, known))];

export const minValuesSchema = z.optional(z.int().check(z.minimum(1), z.maximum(50)));

const requirementSchema = cacheValidation(
  withRules(
    z.strictObject({
      key: requirementKey,
      operator: z.enum(OPERATORS),
      values: z.optional(
        withKeywords(
          z
            // Karpenter's CRD leaves the items unchecked by mistake, and Karpenter refuses them at run time
            // (docs/upstream/karpenter.md#crds).
            .array(
              z.string().check(
                z.maxLength(63),
                z.regex(LABEL_VALUE, {
                  error: "is not a label value: letters, digits, - _ . and at most 63 of them",
                }),
              ),
            )
            .check(
              // A bound for CEL's cost estimate of the rules on known values; EC2 has some 1,400 instance types.
              z.maxLength(2048),
            ),
          { "x-kubernetes-list-type": "atomic" },
        ),
      ),
      minValues: minValuesSchema,
    }),
    RULES,
  ),
);

/** Karpenter's limit for the merged list as well (docs/upstream/karpenter.md#requirements-of-a-pool). */
export const MAX_REQUIREMENTS = 100;

export const requirementsSchema = withKeywords(z.array(requirementSchema).check(z.maxLength(MAX_REQUIREMENTS)), {
  "x-kubernetes-list-type": "atomic",
});
