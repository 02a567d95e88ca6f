/** A validation rule stated once for two judges: as CEL for the API server's CRD, as a predicate for anp. */
import * as z from "zod";
import type { FieldPath } from "../krm/field-path.ts";

export interface Rule<T> {
  /** The CEL expression of `x-kubernetes-validations`. */
  readonly cel: string;
  readonly message: string;
  /** The same in TypeScript: true when the value is in order. */
  readonly test: (value: T) => boolean;
  /** What the user can do. */
  readonly hint?: string;
  /** The field below the value that the finding should point at; a function finds it in the wrong value. */
  readonly at?: FieldPath | ((value: T) => FieldPath);
}

/** What a schema's check carries for the CRD (crd.ts) and the finding (validate.ts). */
export interface RuleParams {
  readonly cel?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** `schema` with one more rule. The test suite compares both forms on the API server. */
export function withRule<S extends z.ZodType>(schema: S, rule: Rule<z.output<S>>): S {
  const params: RuleParams = {
    cel: rule.cel,
    message: rule.message,
    ...(rule.hint === undefined ? {} : { hint: rule.hint }),
  };
  const { at } = rule;
  if (typeof at !== "function")
    return schema.refine(rule.test, { error: rule.message, params, ...(at === undefined ? {} : { path: [...at] }) });
  // refine() knows its path beforehand only; this is the same with a path that depends on the value.
  const check = z.check<z.output<S>>(({ value, issues }) => {
    if (rule.test(value)) return;
    issues.push({ code: "custom", input: value, path: [...at(value)], message: rule.message, params, continue: true });
  });
  Object.assign(check._zod.def, { params });
  return schema.check(check);
}

export function withRules<S extends z.ZodType>(schema: S, rules: readonly Rule<z.output<S>>[]): S {
  return rules.reduce((result, rule) => withRule(result, rule), schema);
}
