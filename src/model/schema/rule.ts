/** Validation rules, each stated as CEL for the API server and as a predicate for anp. */
import type * as z from "zod/mini";
import type { FieldPath } from "../../krm/places/field-path.ts";

export interface Rule<T> {
  /** The CEL expression of `x-kubernetes-validations`. */
  readonly cel: string;
  readonly message: string;
  /** The same in TypeScript: true if the value is valid. */
  readonly test: (value: T) => boolean;
  /** What the user can do; a function derives it from the wrong value. */
  readonly hint?: string | ((value: T) => string);
  /** The field below the value that the finding should point at; a function derives it from the wrong value. */
  readonly at?: FieldPath | ((value: T) => FieldPath);
}

/** What a schema's check carries for the CRD (crd.ts) and the finding (validate.ts). */
export interface RuleParams {
  readonly cel?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** Adds a rule to `schema`. The test suite compares both forms on the API server. */
export function withRule<S extends z.ZodMiniType>(schema: S, rule: Rule<z.output<S>>): S {
  return schema.check(checkOf(rule));
}

export function withRules<S extends z.ZodMiniType>(schema: S, rules: readonly Rule<z.output<S>>[]): S {
  return schema.check(...rules.map(checkOf));
}

/** Keyed by the check's function: zod uses it directly, and one of zod's own checks would take time to build. */
const paramsOf = new WeakMap<object, RuleParams>();

/** The parameters of a check's rule; undefined for zod's own checks. */
export function ruleParams(check: z.core.$ZodCheck): RuleParams | undefined {
  // oxlint-disable-next-line typescript/unbound-method -- a key, which is never called
  return paramsOf.get(check._zod.check);
}

function checkOf<T>({ cel, message, hint, test, at = [] }: Rule<T>): z.core.CheckFn<T> {
  const params: RuleParams = { cel, message };
  const check: z.core.CheckFn<T> = ({ value, issues }) => {
    if (test(value)) return;
    const path = typeof at === "function" ? at(value) : at;
    const given = typeof hint === "function" ? hint(value) : hint;
    const own = given === undefined ? params : { ...params, hint: given };
    issues.push({ code: "custom", input: value, path: [...path], message, params: own, continue: true });
  };
  paramsOf.set(check, params);
  return check;
}
