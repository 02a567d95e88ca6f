/** Whether a hosted cluster is being deleted, or its reconciliation is paused. */
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import type { Answer } from "../api/api-answer.ts";
import type { ClusterApi, Listed } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { CAPI_CLUSTERS, HOSTED_CONTROL_PLANES, NAMESPACES } from "../api/served-kind.ts";
import type { PolicyReading } from "../objects/policy-mode.ts";

export type DeletionOrPause = PolicyReading & { readonly state: "going" | "paused" };

/** By the management cluster; undefined if it is neither, and if RBAC does not allow to read it. */
export async function readDeletionOrPause(
  api: ClusterApi,
  namespace: string,
  now: Date,
): Promise<DeletionOrPause | undefined> {
  return deletionOrPauseOf(api, namespace, await api.list({ ...HOSTED_CONTROL_PLANES, namespace }), now);
}

/**
 * HyperShift's operator deletes all NodePools of a hosted cluster that is being deleted, and waits until none is left. It
 * begins when the Cluster of Cluster API is deleted, long before the HostedControlPlane is
 * (docs/upstream/hypershift.md#going-and-pausing).
 */
export async function deletionOrPauseOf(
  api: ClusterApi,
  namespace: string,
  controlPlanes: Answer<Listed>,
  now: Date,
): Promise<DeletionOrPause | undefined> {
  const found = controlPlanes.ok ? controlPlanes.value.items : [];
  const infraIDs = found.flatMap((object) => textAt(object, "infraID") ?? []);
  const [space, ...clusters] = await Promise.all([
    api.get(NAMESPACES, namespace),
    ...infraIDs.map((infraID) => api.get({ ...CAPI_CLUSTERS, namespace }, infraID)),
  ]);
  const others = [space, ...clusters].flatMap((answer) => (answer.ok ? (answer.value ?? []) : []));
  const going = [...found, ...others].find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (going !== undefined)
    return {
      state: "going",
      words: `the hosted cluster ${namespace} is being deleted, because its ${going.kind} ${going.metadata.name} is`,
    };
  const paused = found.find((object) => isPaused(textAt(object, "pausedUntil"), now));
  if (paused === undefined) return undefined;
  const until = textAt(paused, "pausedUntil");
  return { state: "paused", words: `the hosted cluster ${namespace} is paused (spec.pausedUntil: ${until})` };
}

/** As HyperShift parses it: a boolean of Go or a time. Any other value pauses nothing. */
export function isPaused(pausedUntil: string | undefined, now: Date): boolean {
  if (pausedUntil === undefined) return false;
  if (["1", "t", "T", "TRUE", "true", "True"].includes(pausedUntil)) return true;
  const time = parseRfc3339(pausedUntil);
  return time !== undefined && now.getTime() < time;
}

function textAt({ spec }: LiveObject, field: string): string | undefined {
  const value = spec?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
