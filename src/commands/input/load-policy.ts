/** Loads the AutoNodePolicy of `--policy FILE`, which raw pools are compared with. */
import { parseSources } from "../../krm/parse/parse.ts";
import { readSources } from "../../krm/read/read.ts";
import { findingInFile, hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { roleOf } from "../../model/objects/role.ts";
import { type EffectivePolicy, readPolicy } from "../../resolve/policy.ts";
import type { Context } from "../cli/context.ts";

/** Undefined if the file has no readable policy; the findings say why. */
export function loadPolicy(file: string, { readStdin }: Context): Outcome<EffectivePolicy | undefined> {
  const sources = readSources({ paths: [file], readStdin });
  const parsed = parseSources(sources.value);
  return policyIn(file, { value: parsed.value, findings: [...sources.findings, ...parsed.findings] });
}

/** Like `loadPolicy`, for the content of the file. */
export function policyIn(
  file: string,
  { value: resources, findings }: Outcome<readonly Resource[]>,
): Outcome<EffectivePolicy | undefined> {
  if (hasErrors(findings)) return { value: undefined, findings };
  const [policy, ...others] = resources;
  if (policy === undefined || others.length > 0 || roleOf(policy) !== "policy") {
    const hint = "apiVersion: karpenter.hypershift.openshift.io/v1beta1, kind: AutoNodePolicy";
    const message = "must hold one AutoNodePolicy and nothing else";
    return { value: undefined, findings: [...findings, findingInFile("policy-invalid", file, { message, hint })] };
  }
  const read = readPolicy(policy);
  return { value: read.value, findings: [...findings, ...read.findings] };
}
