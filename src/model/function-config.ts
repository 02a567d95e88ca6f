/** The ConfigMap that configures `anp fn`, as functionConfig of a KRM function. */
import * as z from "zod/mini";
import type { Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { GUARD_ACTIONS, type GuardAction } from "./guard-action.ts";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { patternSchema } from "./keywords.ts";
import { memoize } from "./memoize.ts";
import { type Profile, PROFILES } from "./profile.ts";
import { validate } from "./validate.ts";

export interface FunctionConfig {
  readonly hostedCluster?: string | undefined;
  readonly profile?: Profile | undefined;
  readonly onBypass?: "Fail" | "Block" | undefined;
  readonly requirePolicy?: boolean | undefined;
  /** A folder of the package: rules are read only there. */
  readonly policyDir?: string | undefined;
  /** The folder of the package for generated objects. */
  readonly dir?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
  /** Marks wrappers and rules so that hosts do not apply them. */
  readonly localConfig?: boolean | undefined;
  /** Writes a guard of Karpenter's own NodePools, and renders nothing. */
  readonly guard?: GuardAction | undefined;
  /** Reports findings and changes nothing. */
  readonly validate?: boolean | undefined;
}

const flag = memoize(() =>
  z.pipe(
    z.string().check(z.regex(/^(?:true|false)$/, { error: 'is neither "true" nor "false"' })),
    z.transform((text) => text === "true"),
  ),
);

const PACKAGE_FOLDER = String.raw`^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$`;

/** A folder within the package, as `PACKAGE_FOLDER` has it: hosts refuse a path that leads out of it. */
export function isPackageFolder(text: string): boolean {
  return text !== "" && !/[\n\r\u2028\u2029]/.test(text) && !text.startsWith("/") && !text.split("/").includes("..");
}

const folder = memoize(() =>
  patternSchema({
    pattern: PACKAGE_FOLDER,
    test: isPackageFolder,
    error: "is not a folder of the package: write a relative path without ..",
  }),
);

export const configMapSchema = memoize(() =>
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z.optional(z.unknown()),
    data: z.optional(
      z.strictObject({
        hostedCluster: z.optional(z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace" }))),
        profile: z.optional(z.enum(PROFILES)),
        onBypass: z.optional(z.enum(["Fail", "Block"])),
        requirePolicy: z.optional(flag()),
        policyDir: z.optional(folder()),
        dir: z.optional(folder()),
        allowEmpty: z.optional(flag()),
        localConfig: z.optional(flag()),
        validate: z.optional(flag()),
        guard: z.optional(z.enum(GUARD_ACTIONS)),
      }),
    ),
  }),
);

/** Undefined if a key is unknown or a value is wrong. The keys are those of docs/design.md#own-kinds. */
export function readFunctionConfig(configMap: Resource): Outcome<FunctionConfig | undefined> {
  const code = "function-config-invalid";
  const { value, findings } = validate(configMapSchema(), configMap, { code, unknownField: code, nullIsWrong: true });
  return { value: value === undefined ? undefined : (value.data ?? {}), findings };
}
