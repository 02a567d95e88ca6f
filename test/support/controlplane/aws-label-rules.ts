/** Adds the AWS provider's label rules to a core CRD, from AWS's own copy of a CRD. */
import type { KubernetesObject } from "./kubernetes-object.ts";

const RULES = "x-kubernetes-validations";
const MESSAGE = 'label domain "karpenter.k8s.aws" is restricted';

/** The AWS provider generates its copies of the core CRDs this way: the same text with its own rules added. */
export function addAwsLabelRules(core: KubernetesObject, fromAws: KubernetesObject): KubernetesObject {
  const copy = structuredClone(core);
  const added = copyRules(fromAws, copy);
  if (added === 0) throw new Error(`${core.metadata?.name}: found no AWS label rules to add`);
  return copy;
}

function copyRules(from: unknown, to: unknown): number {
  if (typeof from !== "object" || from === null || typeof to !== "object" || to === null) return 0;
  let added = 0;
  for (const [key, value] of Object.entries(from)) {
    const target = (to as Record<string, unknown>)[key];
    if (key === RULES && Array.isArray(value) && Array.isArray(target)) {
      const rules = value.filter((rule: { message?: string }) => rule.message === MESSAGE);
      target.push(...rules);
      added += rules.length;
    } else {
      added += copyRules(value, target);
    }
  }
  return added;
}
