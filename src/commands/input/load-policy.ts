/** The AutoNodePolicy of `--policy FILE`, which raw pools are held against. */
import { parseSources } from "../../krm/parse.ts";
import { readSources } from "../../krm/read.ts";
import { type Finding, findingInFile, hasErrors, type Outcome } from "../../krm/finding.ts";
import { roleOf } from "../../model/role.ts";
import { type EffectivePolicy, readPolicy } from "../../resolve/policy.ts";
import type { Context } from "../cli/context.ts";

/** Undefined where the file holds none that can be read; the findings say why. */
export function loadPolicy(file: string, { readStdin }: Context): Outcome<EffectivePolicy | undefined> {
  const sources = readSources({ paths: [file], readStdin });
  const parsed = parseSources(sources.value);
  const findings: Finding[] = [...sources.findings, ...parsed.findings];
  if (hasErrors(findings)) return { value: undefined, findings };
  const [policy, ...others] = parsed.value;
  if (policy === undefined || others.length > 0 || roleOf(policy) !== "policy") {
    const hint = "apiVersion: karpenter.hypershift.openshift.io/v1beta1, kind: AutoNodePolicy";
    const message = "must hold one AutoNodePolicy and nothing else";
    return { value: undefined, findings: [...findings, findingInFile("policy-invalid", file, { message, hint })] };
  }
  const read = readPolicy(policy);
  return { value: read.value, findings: [...findings, ...read.findings] };
}
