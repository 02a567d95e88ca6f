/** Rules on a list of selector terms, which the wrapper and EC2NodeClass share. */
import type { Rule } from "../schema/rule.ts";

export type Term = Readonly<Record<string, unknown>>;
type Terms = readonly Term[];

const SPLIT = "split the term: a list of terms selects what matches any of them";

/** Each term has at least one of `fields`; an empty one would select everything. */
export function eachTermHasOneOf(fields: readonly string[]): Rule<Terms> {
  const wrong = (terms: Terms): number => terms.findIndex((term) => !hasOneOf(term, fields));
  return {
    cel: `self.all(x, ${anyOf(fields)})`,
    message: `a term needs one of ${fields.join(", ")}`,
    test: (terms) => wrong(terms) === -1,
    at: (terms) => [Math.max(wrong(terms), 0)],
  };
}

/**
 * `field` is given without `others`. This is as weak as upstream: mixed terms pass if one term of the list is valid
 * (docs/upstream/hypershift.md#openshiftec2nodeclass). A stricter rule would refuse what the cluster accepts.
 */
export function notAllTermsMix(field: string, others: readonly string[]): Rule<Terms> {
  return {
    cel: `!self.all(x, has(x.${field}) && ${others.length === 1 ? anyOf(others) : `(${anyOf(others)})`})`,
    message: `${field} cannot be combined with ${others.join(", ")} in one term`,
    hint: SPLIT,
    test: (terms) => !terms.every((term) => hasOneOf(term, [field]) && hasOneOf(term, others)),
    at: () => [0],
  };
}

export const SUBNET_RULES: readonly Rule<Terms>[] = [eachTermHasOneOf(["tags", "id"]), notAllTermsMix("id", ["tags"])];

export const SECURITY_GROUP_RULES: readonly Rule<Terms>[] = [
  eachTermHasOneOf(["tags", "id", "name"]),
  notAllTermsMix("id", ["tags", "name"]),
  notAllTermsMix("name", ["tags", "id"]),
];

/** `field` is given without `others`, in every term. */
export function noTermMixes(field: string, others: readonly string[], hint = SPLIT): Rule<Terms> {
  const wrong = (terms: Terms): number => terms.findIndex((term) => hasOneOf(term, [field]) && hasOneOf(term, others));
  return {
    cel: `!self.exists(x, has(x.${field}) && (${anyOf(others)}))`,
    message: `${field} cannot be combined with ${others.join(", ")} in one term`,
    hint,
    test: (terms) => wrong(terms) === -1,
    at: (terms) => [Math.max(wrong(terms), 0)],
  };
}

function hasOneOf(term: Term, fields: readonly string[]): boolean {
  return fields.some((field) => term[field] !== undefined);
}

function anyOf(fields: readonly string[]): string {
  return fields.map((field) => `has(x.${field})`).join(" || ");
}
