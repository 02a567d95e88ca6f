/** Reads what the management cluster has of a hosted cluster, and whether it is paused or going. */
import type { Resource } from "../../krm/places/resource.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import { POLICY_NAME } from "../../model/policy/auto-node-policy.ts";
import { type Answer, type ApiError, failed, unreachable } from "../api/api-answer.ts";
import type { ClusterApi, Listed } from "../api/cluster-api.ts";
import { liveResource, type LiveObject } from "../api/live-object.ts";
import type { PolicyReading } from "../objects/policy-mode.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import {
  AUTO_NODE_POLICIES,
  CAPI_CLUSTERS,
  type Collection,
  HOSTED_CONTROL_PLANES,
  NAMESPACES,
  SECRETS,
  crdNameOf,
  CUSTOM_RESOURCE_DEFINITIONS,
} from "../api/served-kind.ts";
import { RENDERED_FROM } from "../../model/objects/marks.ts";

export interface ManagementSide {
  readonly reading: PolicyReading;
  /** Undefined if the hosted cluster is neither being deleted nor paused. */
  readonly end: DeletionOrPause | undefined;
  /** The live policy, for its status. */
  readonly policy: LiveObject | undefined;
  readonly policies: readonly Resource[];
  /** HostedControlPlane and user-data Secrets. */
  readonly hidden: readonly Resource[];
  /** Why hidden inputs are incomplete, in one line. */
  readonly hiddenProblem: string | undefined;
  readonly problems: readonly ReadProblem[];
}

/** The label of user-data Secrets (docs/upstream/hypershift.md#user-data), as a selector. */
export const MANAGED_BY_KARPENTER = "hypershift.openshift.io/managed-by-karpenter=true";

export async function readManagement(api: ClusterApi, namespace: string, now: Date): Promise<ManagementSide> {
  const inNamespace = (kind: Collection): Collection => ({ ...kind, namespace });
  const [policies, controlPlanes, secrets] = await Promise.all([
    listPolicies(api, inNamespace(AUTO_NODE_POLICIES)),
    api.list(inNamespace(HOSTED_CONTROL_PLANES)),
    api.list(inNamespace(SECRETS), { labelSelector: MANAGED_BY_KARPENTER }),
  ]);
  const found = policies.ok ? policies.value.items : [];
  const policy = found.find(({ metadata }) => metadata.name === POLICY_NAME);
  const reading = policies.ok
    ? policy === undefined
      ? await withoutPolicy(api, namespace, controlPlanes)
      : ({ state: "present" } as const)
    : unreadPolicy(policies.error, namespace);
  const end = await deletionOrPauseOf(api, namespace, controlPlanes, now);
  const asResources = (kind: Collection, answer: Answer<Listed>): Resource[] =>
    answer.ok ? answer.value.items.map((object) => liveResource(object, "management", kind)) : [];
  const reads = [
    { kind: AUTO_NODE_POLICIES, answer: policies },
    { kind: HOSTED_CONTROL_PLANES, answer: controlPlanes },
    { kind: SECRETS, answer: secrets },
  ];
  const problems = reads.flatMap(({ kind, answer }): ReadProblem[] =>
    answer.ok ? [] : [{ side: "management", kind: kind.kind, error: answer.error }],
  );
  const lacking = problems.filter(({ kind }) => kind !== AUTO_NODE_POLICIES.kind);
  return {
    reading,
    end,
    policy,
    policies: asResources(AUTO_NODE_POLICIES, policies),
    hidden: [...asResources(HOSTED_CONTROL_PLANES, controlPlanes), ...asResources(SECRETS, secrets)],
    hiddenProblem:
      lacking.length === 0
        ? undefined
        : lacking.map(({ kind, error }) => `${kind} cannot be read: ${wordsOf(error)}`).join("; "),
    problems,
  };
}

/** An API server that is starting forbids everything for a moment. It must not make pools permissive, so `forbidden` counts only from a ready one. */
async function listPolicies(api: ClusterApi, policies: Collection): Promise<Answer<Listed>> {
  const answer = await api.list(policies);
  if (answer.ok || answer.error.kind !== "forbidden") return answer;
  if (await api.isReady()) return api.list(policies);
  return failed(
    unreachable(`${api.server} is not ready, and forbids what it may allow later: ${answer.error.message}`),
  );
}

/**
 * A namespace that does not exist has no policy either, and a wrong name must not make pools permissive. Neither must a
 * namespace without a HostedControlPlane, or one that is being deleted, because its objects go in any order.
 */
async function withoutPolicy(
  api: ClusterApi,
  namespace: string,
  controlPlanes: Answer<Listed>,
): Promise<PolicyReading> {
  const noCluster = (words: string): PolicyReading => ({ state: "no-hosted-cluster", words });
  if (controlPlanes.ok) {
    // A cluster that is being deleted may lose its policy first.
    const staying = controlPlanes.value.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (staying.length === 0) return noCluster(`the namespace ${namespace} has no HostedControlPlane`);
  } else if (controlPlanes.error.kind !== "forbidden" && controlPlanes.error.kind !== "notFound") {
    const words = `anp cannot check whether ${namespace} is a hosted cluster: ${controlPlanes.error.message}`;
    return { state: "unavailable", words };
  }
  const answer = await api.get(NAMESPACES, namespace);
  if (answer.ok) {
    if (answer.value === undefined) return noCluster(`there is no namespace ${namespace}`);
    const isGoing = answer.value.metadata.deletionTimestamp !== undefined;
    return isGoing ? noCluster(`the namespace ${namespace} is being deleted`) : { state: "absent" };
  }
  if (answer.error.kind !== "forbidden")
    return { state: "unavailable", words: `the namespace ${namespace} cannot be read: ${answer.error.message}` };
  // A HostedControlPlane that is not being deleted is proof enough.
  if (controlPlanes.ok) return { state: "absent" };
  return noCluster(
    `anp cannot check whether ${namespace} is a hosted cluster, because it may read neither its HostedControlPlane nor its Namespace`,
  );
}

function unreadPolicy(error: ApiError, namespace: string): PolicyReading {
  const words = `the AutoNodePolicy of ${namespace} cannot be read: ${wordsOf(error)}`;
  if (error.kind === "forbidden") return { state: "forbidden", words };
  return error.kind === "notFound" ? { state: "not-served", words } : { state: "unavailable", words };
}

function wordsOf(error: ApiError): string {
  return error.kind === "notFound" ? "the management cluster does not serve the kind" : error.message;
}

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
async function deletionOrPauseOf(
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
