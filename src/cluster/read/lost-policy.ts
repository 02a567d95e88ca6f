/** Whether to believe that there is no policy: with its definition all its objects go. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { AUTO_NODE_POLICIES, crdNameOf, CUSTOM_RESOURCE_DEFINITIONS } from "../api/served-kind.ts";
import type { PolicyReading } from "../objects/policy-life.ts";
import { RENDERED_FROM } from "../../model/marks.ts";

/** Two API servers have two clocks. */
const APART_MS = 60_000;

interface Doubt {
  /** What stands in the guest cluster. */
  readonly live: readonly LiveObject[];
  /** What anp has made of it, by `Kind/name`. */
  readonly made: ReadonlySet<string>;
  /**
   * Where watch itself makes the definition anew, that the kind is not served tells nobody any more that it was deleted.
   * Elsewhere a role that may not read the definition is enough, as it always was.
   */
  readonly mustKnow: boolean;
}

/**
 * Pools that are older than the definition were rendered by the side of another one, and perhaps a policy: that there is
 * none now opens none of them. The definition is asked for after the list, as it may go in between.
 */
export async function believedReading(
  reading: PolicyReading,
  api: ClusterApi,
  { live, made, mustKnow }: Doubt,
): Promise<PolicyReading> {
  if (reading.state !== "absent") return reading;
  const answer = await api.get(CUSTOM_RESOURCE_DEFINITIONS, crdNameOf(AUTO_NODE_POLICIES));
  if (!answer.ok && answer.error.kind === "forbidden" && !mustKnow) return reading;
  if (!answer.ok) {
    const words = `there is no AutoNodePolicy, and whether somebody deleted its CustomResourceDefinition cannot be told: ${answer.error.message}`;
    return { state: "unavailable", words };
  }
  const { creationTimestamp, deletionTimestamp } = answer.value?.metadata ?? {};
  const older = olderPool(live, made, Date.parse(deletionTimestamp ?? creationTimestamp ?? "") - APART_MS);
  if (answer.value !== undefined && older === undefined) return reading;
  const words = `there is no AutoNodePolicy, and its CustomResourceDefinition is ${answer.value === undefined ? "gone" : `younger than NodePool ${older}`}: whoever deleted that deleted every policy; apply the policy again, one with an empty spec where there is to be none`;
  return { state: "required", words };
}

/** Anybody may take marks away from a pool; before there is an inventory they are all there is. */
function olderPool(live: readonly LiveObject[], made: ReadonlySet<string>, milliseconds: number): string | undefined {
  return live.find(
    ({ kind, metadata }) =>
      kind === "NodePool" &&
      (made.has(`${kind}/${metadata.name}`) || metadata.annotations?.[RENDERED_FROM] !== undefined) &&
      Date.parse(metadata.creationTimestamp ?? "") < milliseconds,
  )?.metadata.name;
}
