/** How many nodes a live NodePool carries: by its status, else its NodeClaims counted. */
import { valueAt } from "../../krm/field-path.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { NODE_CLAIMS } from "../api/served-kind.ts";

/** Undefined where nobody can tell. */
export async function nodesOfPool(pool: LiveObject, api: ClusterApi): Promise<number | undefined> {
  // Newer CRDs give `nodes` the default 0, which a Karpenter that does not count there leaves.
  const told = [valueAt(pool.status, ["nodes"]), valueAt(pool.status, ["resources", "nodes"])]
    .filter((count) => count !== undefined)
    .map(Number);
  if (told.length > 0 && told.every(Number.isInteger)) return Math.max(...told);
  const claims = await api.list(NODE_CLAIMS, { labelSelector: `karpenter.sh/nodepool=${pool.metadata.name}` });
  return claims.ok ? claims.value.items.length : undefined;
}
