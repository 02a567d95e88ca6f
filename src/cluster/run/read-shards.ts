/** Who holds which shard of a watch, asked of the management cluster: only read. */
import { ClusterError } from "../api/cluster-error.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import { HOSTED_CONTROL_PLANES, LEASES } from "../api/served-kind.ts";
import type { ShardingSpec } from "../shards/hold-shards.ts";
import { selectorOf } from "../shards/lease-names.ts";
import { type WhoHoldsWhat, whoHoldsWhat } from "../shards/who-holds-what.ts";

/** Either the table, or why it cannot be had. */
export async function readShards(
  { access, ...names }: ShardingSpec,
  selector: string | undefined,
  now: Date,
): Promise<WhoHoldsWhat | { readonly problem: string }> {
  let api: ReturnType<typeof httpClusterApi> | undefined;
  try {
    api = httpClusterApi(access);
    const [leases, planes] = await Promise.all([
      api.list({ ...LEASES, namespace: names.namespace }, { labelSelector: selectorOf(names) }),
      api.list(HOSTED_CONTROL_PLANES, { labelSelector: selector }),
    ]);
    if (!leases.ok) return { problem: `Leases cannot be listed: ${leases.error.message}` };
    if (!planes.ok) return { problem: `HostedControlPlanes cannot be listed: ${planes.error.message}` };
    const namespaces = new Set(planes.value.items.map(({ metadata }) => metadata.namespace ?? ""));
    return whoHoldsWhat(leases.value.items, [...namespaces], names, now);
  } catch (error) {
    if (error instanceof ClusterError) return { problem: error.message };
    throw error;
  } finally {
    api?.close();
  }
}
