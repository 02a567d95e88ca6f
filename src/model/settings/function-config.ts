/** The ConfigMap that configures `anp fn`, as functionConfig of a KRM function. */
import * as z from "zod/mini";
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { withKeywords } from "../schema/keywords.ts";
import { memoize } from "../schema/memoize.ts";
import { fieldsOfConfigMap, type Given } from "./settings.ts";
import { validate } from "../schema/validate.ts";

export const configMapSchema = memoize(() =>
  withKeywords(
    z.strictObject({
      apiVersion: withKeywords(z.string(), { const: "v1" }),
      kind: withKeywords(z.string(), { const: "ConfigMap" }),
      metadata: z.optional(z.unknown()),
      data: z.optional(z.strictObject(fieldsOfConfigMap())),
    }),
    {
      title: "functionConfig",
      description:
        "The ConfigMap that configures anp fn (docs/krm-function.md); it may hold settings of a RenderConfig too.",
    },
  ),
);

/** Undefined if a key is unknown or a value is wrong. The keys are those of docs/design.md#own-kinds. */
export function readFunctionConfig(configMap: Resource): Outcome<Given<"functionConfig"> | undefined> {
  const code = "function-config-invalid";
  const { value, findings } = validate(configMapSchema(), configMap, { code, unknownField: code, nullIsWrong: true });
  return { value: value === undefined ? undefined : (value.data ?? {}), findings };
}
