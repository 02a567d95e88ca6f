/** A text with a pattern in the CRD, checked by an equivalent predicate in anp. */
import * as z from "zod/mini";
import { withKeywords } from "./keywords.ts";

interface Form {
  /** Upstream's pattern as in the CRD: Go matches it in linear time, which JavaScript does not. */
  readonly pattern: string;
  /** The same in linear time. */
  readonly test: (text: string) => boolean;
  readonly error: string;
}

export function patternSchema({ pattern, test, error }: Form): z.ZodMiniString {
  const form: z.core.CheckFn<string> = ({ value, issues }) => {
    if (!test(value))
      issues.push({ code: "invalid_format", format: "regex", pattern, origin: "string", input: value, message: error });
  };
  return withKeywords(z.string().check(form), { pattern });
}
