/** Computes what DaemonSet pods use on each node, by instance type: resources and host ports. */
import type { PodSpec } from "../../model/objects/pod.ts";
import type { OpenshiftNodePool } from "../../model/pools/openshift-node-pool.ts";
import { type TypeFilter, typesOf } from "../catalogue/type-filter.ts";
import { both, either, isNone, type TypeMask, without } from "../catalogue/type-mask.ts";
import { compatible, type Requirements } from "../requirements/requirements.ts";
import type { PodDemand } from "./pod-requests.ts";
import { merged, requiredEntries } from "./pod-stages.ts";
import { type Amounts, sumOf } from "./resources.ts";
import { PREFER_NO_SCHEDULE, untolerated } from "./taints.ts";

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
  /** The instance types of a node class have its operating system, and the zones of its subnets. */
  readonly ofClass: Requirements;
  readonly types: TypeMask;
}

/**
 * The groups of Karpenter's `DaemonOverheadGroup` (scheduler.go): disjoint, and together all instance types of the
 * template.
 */
export function daemonGroups(template: Template, daemonSets: readonly PodDemand[], filter: TypeFilter): DaemonGroup[] {
  let groups: { types: TypeMask; daemonSets: readonly PodDemand[] }[] = [{ types: template.types, daemonSets: [] }];
  for (const daemonSet of daemonSets) {
    const runsOn = typesRunning(daemonSet, template, filter);
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
function typesRunning(daemonSet: PodDemand, template: Template, filter: TypeFilter): TypeMask {
  const { pool, requirements, ofClass, types } = template;
  const none = without(types, types);
  const { taints = [] } = pool.spec.template.spec;
  const tolerations = [...(daemonSet.spec.tolerations ?? []), PREFER_NO_SCHEDULE];
  if (untolerated(taints, tolerations).length > 0) return none;
  return requiredEntries(daemonSet).reduce((found, entries) => {
    const asked = merged(entries);
    if (compatible(requirements, asked, filter.catalogue.wellKnown) !== undefined) return found;
    return either(found, typesOf(asked, ofClass, filter));
  }, none);
}

interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/**
 * As in Karpenter's hostportusage.go: ports of init containers do not count; with hostNetwork every port is a host
 * port.
 */
export function hostPorts({ containers, hostNetwork }: PodSpec): HostPort[] {
  const ports = containers.flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort = 0, containerPort = 0, hostIP = "", protocol = "TCP" }) => {
    const port = hostPort === 0 && hostNetwork === true ? containerPort : hostPort;
    return port === 0 ? [] : [{ ip: hostIP === "" ? EVERY : hostIP, port, protocol }];
  });
}

export function samePort(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || [a.ip, b.ip].some((ip) => ip === EVERY || ip === "::");
}

const EVERY = "0.0.0.0";
