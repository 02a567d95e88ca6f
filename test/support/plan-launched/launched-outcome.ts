/** What Karpenter launched, in the form of a plan. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import type { KarpentersOutcome, PlannedClaim } from "../plan-worlds/ask-karpenter.ts";
import type { WorldOffering, WorldType } from "../plan-worlds/world.ts";
import type { Launched, LaunchedClaim } from "./launch.ts";

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
const ZONE = "topology.kubernetes.io/zone";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

export function launchedOutcome({ claims, failed }: Launched, types: readonly WorldType[]): KarpentersOutcome {
  return { nodeClaims: claims.map((claim) => launchedClaim(claim, types)), existing: [], errors: failed, count: 1 };
}

/** Its price is that of the offering that was launched, and not of the cheapest that it might be. */
function launchedClaim({ claim, pods }: LaunchedClaim, types: readonly WorldType[]): PlannedClaim {
  const { labels = {} } = claim.metadata ?? {};
  const requirements = requirementsOf(claim);
  const names = requirements.find(({ key }) => key === INSTANCE_TYPE)?.values ?? [];
  const candidates = types.filter(({ name }) => names.includes(name));
  const open = candidates.flatMap(({ offerings }) => offerings).filter((one) => isOpen(one, requirements));
  const launched = types
    .find(({ name }) => name === labels[INSTANCE_TYPE])
    ?.offerings.find(
      (one) => valueOf(one, ZONE) === labels[ZONE] && valueOf(one, CAPACITY_TYPE) === labels[CAPACITY_TYPE],
    );
  return {
    nodePool: labels["karpenter.sh/nodepool"] ?? "",
    pods,
    instanceTypes: names,
    zones: [...new Set(open.map((one) => valueOf(one, ZONE)))],
    capacityTypes: [...new Set(open.map((one) => valueOf(one, CAPACITY_TYPE)))],
    requests: {},
    price: launched?.price ?? 0,
  };
}

interface Entry {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function requirementsOf({ spec }: KubernetesObject): readonly Entry[] {
  return spec?.["requirements"] as readonly Entry[];
}

function isOpen(offering: WorldOffering, requirements: readonly Entry[]): boolean {
  return requirements.every(({ key, operator, values = [] }) => {
    const own = key === ZONE || key === CAPACITY_TYPE ? valueOf(offering, key) : undefined;
    if (own === undefined) return true;
    return operator === "In" ? values.includes(own) : operator === "NotIn" ? !values.includes(own) : true;
  });
}

function valueOf({ requirements }: WorldOffering, key: string): string {
  return requirements.find((one) => one.key === key)?.values?.[0] ?? "";
}
