/** Confirms that there is no policy: deleting its CRD deletes the policy, too. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { AUTO_NODE_POLICIES, crdNameOf, CUSTOM_RESOURCE_DEFINITIONS } from "../api/served-kind.ts";
import type { PolicyReading } from "../objects/policy-mode.ts";
import { RENDERED_FROM } from "../../model/marks.ts";

/** The clocks of the two API servers may differ. */
const APART_MS = 60_000;

interface Doubt {
  /** Live objects of the guest cluster. */
  readonly live: readonly LiveObject[];
  /** Those of them that anp created, by `Kind/name`. */
  readonly made: ReadonlySet<string>;
  /**
   * True if the watch itself creates the CRD again: then a kind that is served does not show that it was never deleted.
   * Otherwise a role that may not read CRDs is enough.
   */
  readonly mustKnow: boolean;
}

/**
 * Pools that are older than the CRD were rendered under an earlier CRD, and maybe under a policy. An absent policy must
 * not make those permissive. The CRD is read after the list, because it may be deleted in between.
 */
export async function confirmAbsentPolicy(
  reading: PolicyReading,
  api: ClusterApi,
  { live, made, mustKnow }: Doubt,
): Promise<PolicyReading> {
  if (reading.state !== "absent") return reading;
  const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, crdNameOf(AUTO_NODE_POLICIES));
  if (!answer.ok && answer.error.kind === "forbidden" && !mustKnow) return reading;
  if (!answer.ok) {
    const words = `there is no AutoNodePolicy, and anp cannot check whether its CustomResourceDefinition was deleted: ${answer.error.message}`;
    return { state: "unavailable", words };
  }
  const { creationTimestamp, deletionTimestamp } = answer.value?.metadata ?? {};
  const older = olderPool(live, made, Date.parse(deletionTimestamp ?? creationTimestamp ?? "") - APART_MS);
  if (answer.value !== undefined && older === undefined) return reading;
  const words = `there is no AutoNodePolicy, and its CustomResourceDefinition is ${answer.value === undefined ? "gone" : `younger than NodePool ${older}`}: deleting it deleted every policy; apply the policy again, or one with an empty spec if you want none`;
  return { state: "required", words };
}

/** Uses marks as well, which any user may remove: without an inventory there is nothing else. */
function olderPool(live: readonly LiveObject[], made: ReadonlySet<string>, milliseconds: number): string | undefined {
  return live.find(
    ({ kind, metadata }) =>
      kind === "NodePool" &&
      (made.has(`${kind}/${metadata.name}`) || metadata.annotations?.[RENDERED_FROM] !== undefined) &&
      Date.parse(metadata.creationTimestamp ?? "") < milliseconds,
  )?.metadata.name;
}
