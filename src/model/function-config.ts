/** A ConfigMap as functionConfig: how a host of KRM functions tells `anp fn` what to do. */
import * as z from "zod/mini";
import type { Outcome } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { GUARD_WISHES, type GuardWish } from "./guard-wish.ts";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { ofForm } from "./of-form.ts";
import { once } from "./once.ts";
import { PROFILES, type Profile } from "./profile.ts";
import { validate } from "./validate.ts";

export interface FunctionConfig {
  readonly hostedCluster?: string | undefined;
  readonly profile?: Profile | undefined;
  readonly onBypass?: "Fail" | "Block" | undefined;
  readonly requirePolicy?: boolean | undefined;
  /** A folder of the package: rules are read only there. */
  readonly policyDir?: string | undefined;
  /** The folder of the package that generated objects go to. */
  readonly dir?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
  /** Marks wrappers and rules so that hosts do not apply them. */
  readonly localConfig?: boolean | undefined;
  /** Writes a guard of Karpenter's own NodePools, and renders nothing. */
  readonly guard?: GuardWish | undefined;
  /** Says what is wrong and changes nothing. */
  readonly validate?: boolean | undefined;
}

const flag = once(() =>
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

const folder = once(() =>
  ofForm({
    pattern: PACKAGE_FOLDER,
    test: isPackageFolder,
    error: "is no folder of the package: write a relative path without ..",
  }),
);

export const configMapSchema = once(() =>
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z.optional(z.unknown()),
    data: z.optional(
      z.strictObject({
        hostedCluster: z.optional(z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is no namespace" }))),
        profile: z.optional(z.enum(PROFILES)),
        onBypass: z.optional(z.enum(["Fail", "Block"])),
        requirePolicy: z.optional(flag()),
        policyDir: z.optional(folder()),
        dir: z.optional(folder()),
        allowEmpty: z.optional(flag()),
        localConfig: z.optional(flag()),
        validate: z.optional(flag()),
        guard: z.optional(z.enum(GUARD_WISHES)),
      }),
    ),
  }),
);

/** Undefined when something in it is unknown or wrong. The keys are those of docs/design.md#own-kinds. */
export function readFunctionConfig(configMap: Resource): Outcome<FunctionConfig | undefined> {
  const code = "function-config-invalid";
  const { value, findings } = validate(configMapSchema(), configMap, { code, unknownField: code, nullIsWrong: true });
  return { value: value === undefined ? undefined : (value.data ?? {}), findings };
}
