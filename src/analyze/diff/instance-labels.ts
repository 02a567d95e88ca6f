/** What a pool's provider and node class say of the labels of its nodes. */
import { isOfReservations } from "../../karpenter/provider/aws.ts";
import { providerOf } from "../../karpenter/provider/providers.ts";
import { requirementOf } from "../../karpenter/requirements/requirement.ts";
import type { Requirements } from "../../karpenter/requirements/requirements.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { AskedLabels } from "../explain/label-of-nodes.ts";

/** @param nodeClass undefined where nobody has it at hand */
export function instanceLabels(
  pool: unknown,
  nodeClass: KubeObject | undefined,
): Pick<AskedLabels, "known" | "ofClass"> {
  const group = valueAt(pool, ["spec", "template", "spec", "nodeClassRef", "group"]);
  const provider = providerOf({ group: String(group) });
  return { known: provider.labels, ofClass: nodeClass && requirementsOfClass(provider, nodeClass) };
}

function requirementsOfClass({ demandsOf }: ReturnType<typeof providerOf>, nodeClass: KubeObject): Requirements {
  // What a cluster's status lists was true of other nodes before.
  const demands = demandsOf(nodeClass).filter((demand) => demand.path[0] === "spec" && !isOfReservations(demand));
  const inGroup = valueAt(nodeClass, ["spec", "placementGroupSelector"]) ?? undefined;
  return new Map([
    ...demands.map(({ requirement }) => [requirement.key, requirement] as const),
    ...(inGroup === undefined ? [] : PLACEMENT.map((one) => [one.key, one] as const)),
  ]);
}

/** Which group it is nobody knows before a node starts, nor whether it has partitions. */
const PLACEMENT = [
  requirementOf({ key: "karpenter.k8s.aws/placement-group-id", operator: "Exists" }),
  requirementOf({ key: "karpenter.k8s.aws/placement-group-partition", operator: "NotIn", values: [""] }),
];
