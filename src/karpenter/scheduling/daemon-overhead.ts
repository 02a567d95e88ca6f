/** Computes the resources that DaemonSet pods use on each node, by instance type. */
import { compatible, type Requirements } from "../requirements/requirements.ts";
import { type Amounts, sumOf } from "./resources.ts";
import { PREFER_NO_SCHEDULE, untolerated } from "./taints.ts";
import type { TypeFilter } from "../catalogue/type-filter.ts";
import { both, either, isNone, type TypeMask, without } from "../catalogue/type-mask.ts";
import { type HostPort, hostPorts } from "./host-ports.ts";
import { merged, requiredEntries } from "./pod-stages.ts";
import type { OpenshiftNodePool } from "../../model/pools/openshift-node-pool.ts";
import type { PodDemand } from "./pod-requests.ts";

/** Instance types that run the same DaemonSets. */
export interface DaemonGroup {
  readonly types: TypeMask;
  readonly daemonSets: readonly PodDemand[];
  readonly requests: Amounts;
  readonly ports: readonly { readonly port: HostPort; readonly of: PodDemand }[];
}

interface Template {
  readonly pool: Pick<OpenshiftNodePool, "spec">;
  readonly requirements: Requirements;
  readonly types: TypeMask;
}

/**
 * The groups of Karpenter's `DaemonOverheadGroup` (scheduler.go): disjoint, and together all instance types of the
 * template.
 */
export function daemonGroups(template: Template, daemonSets: readonly PodDemand[], filter: TypeFilter): DaemonGroup[] {
  let groups: { types: TypeMask; daemonSets: readonly PodDemand[] }[] = [{ types: template.types, daemonSets: [] }];
  for (const daemonSet of daemonSets) {
    const runsOn = typesOf(daemonSet, template, filter);
    groups = groups.flatMap((group) => [
      { types: both(group.types, runsOn), daemonSets: [...group.daemonSets, daemonSet] },
      { types: without(group.types, runsOn), daemonSets: group.daemonSets },
    ]);
    groups = groups.filter(({ types }) => !isNone(types));
  }
  return groups.map((group) => ({
    ...group,
    requests: sumOf(group.daemonSets.map(({ requests }) => requests)),
    ports: group.daemonSets.flatMap((of) => hostPorts(of.spec).map((port) => ({ port, of }))),
  }));
}

/**
 * By taints and required labels only, without preferences; any affinity term may match. (Karpenter itself drops a term
 * for all instance types after it failed for one.)
 */
function typesOf(daemonSet: PodDemand, { pool, requirements, types }: Template, filter: TypeFilter): TypeMask {
  const none = without(types, types);
  const { taints = [] } = pool.spec.template.spec;
  const tolerations = [...(daemonSet.spec.tolerations ?? []), PREFER_NO_SCHEDULE];
  if (untolerated(taints, tolerations).length > 0) return none;
  return requiredEntries(daemonSet).reduce((found, entries) => {
    const asked = merged(entries);
    if (compatible(requirements, asked, filter.catalogue.wellKnown) !== undefined) return found;
    return either(found, filter.compatible(asked));
  }, none);
}
