/** What a proof takes for granted, as nothing in the input can show it. */
import { describeResource } from "../../krm/resource.ts";
import type { Place } from "../../resolve/origin.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";

export interface Assumption {
  readonly what: string;
  readonly why: string;
  /** Where the input says it; undefined for what no input says. */
  readonly place: Place | undefined;
}

/** @param guarded whether anp itself keeps wrappers from getting round some key of the policy */
export function assumptionsOf({ settings, policy }: ResolvedInputs, guarded: boolean): Assumption[] {
  const { mode = "SpecEqual", nodeClaims = "OwnedOnly", allowedWriters = [] } = settings.config.admission ?? {};
  const found: Assumption[] = [];
  const add = (what: string, why: string, place?: Place): void => void found.push({ what, why, place });
  if (mode !== "None" || nodeClaims !== "None") {
    add(
      "the admission policies and their bindings stay as they are rendered",
      "who may write ValidatingAdmissionPolicies or their bindings in the hosted cluster can take them away; anp watch puts them back",
    );
    const users = [
      "system:hosted-cluster-config",
      ...(mode === "None" ? [] : allowedWriters),
      ...(nodeClaims === "None" ? [] : (settings.karpenterUsers ?? [])),
    ];
    add(`only those who are meant act as ${[...new Set(users)].join(", ")}`, "the admission policies let them through");
    add(
      "the hosted cluster's API server asks the admission policies",
      "the admission plugin ValidatingAdmissionPolicy is on by default from Kubernetes 1.30",
    );
  }
  add(
    "the feature gate AutoNode stays on",
    "with it off nothing is rendered, and no change of the policy reaches a pool",
  );
  if (guarded)
    add(
      "all NodePools are rendered by anp",
      "on the keys that anp guards, another renderer of the same wrappers lets through what Karpenter does",
    );
  const { resource } = settings;
  if (resource === undefined)
    add(
      "nobody adds a RenderConfig to the input",
      "it can turn the admission policies off, and name who passes them; with --policy-dir it is read only there",
    );
  else
    add(
      `only those who answer for the policy write the ${describeResource(resource)}`,
      "it can turn the admission policies off, and name who passes them",
      { resource, path: [] },
    );
  if (policy.resource !== undefined)
    add(
      `only those who answer for it write the ${describeResource(policy.resource)}`,
      "what is proved is what it says now",
      { resource: policy.resource, path: [] },
    );
  add(
    "the catalogue knows which labels instance types have",
    "on a label that a type lacks Karpenter decides otherwise than on one that all have",
  );
  return found;
}
