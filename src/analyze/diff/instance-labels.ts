/** The node labels that a pool's provider and node class determine. */
import { isForPoolsThatAsk } from "../../karpenter/provider/aws.ts";
import { providerOf } from "../../karpenter/provider/providers.ts";
import { requirementOf } from "../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { AskedLabels } from "../explain/label-of-nodes.ts";

/** @param nodeClass undefined if unknown */
export function instanceLabels(
  pool: unknown,
  nodeClass: KubeObject | undefined,
): Pick<AskedLabels, "known" | "ofClass"> {
  const group = valueAt(pool, ["spec", "template", "spec", "nodeClassRef", "group"]);
  const provider = providerOf({ group: String(group) });
  return { known: provider.labels, ofClass: nodeClass && requirementsOfClass(provider, nodeClass) };
}

function requirementsOfClass(
  { classRequirements }: ReturnType<typeof providerOf>,
  nodeClass: KubeObject,
): Requirements {
  // Existing nodes may predate the status, so only the spec is used.
  const demands = classRequirements(nodeClass).filter(
    (demand) => demand.path[0] === "spec" && !isForPoolsThatAsk(demand),
  );
  const inGroup = valueAt(nodeClass, ["spec", "placementGroupSelector"]) ?? undefined;
  return new Map([
    ...demands.map(({ requirement }) => [requirement.key, requirement] as const),
    ...(inGroup === undefined ? [] : PLACEMENT.map((one) => [one.key, one] as const)),
  ]);
}

/** The group and its partitions are unknown before a node starts. */
const PLACEMENT = [
  requirementOf({ key: "karpenter.k8s.aws/placement-group-id", operator: "Exists" }),
  requirementOf({ key: "karpenter.k8s.aws/placement-group-partition", operator: "NotIn", values: [""] }),
];
