/** The management cluster's side of a hosted cluster: its policy, and the objects that hold what no wrapper does. */
import type { Resource } from "../../krm/resource.ts";
import { POLICY_NAME } from "../../model/auto-node-policy.ts";
import type { Answer, ApiError } from "../api/api-answer.ts";
import type { ClusterApi, Listed } from "../api/cluster-api.ts";
import { liveResource } from "../api/live-resource.ts";
import type { LiveObject } from "../api/live-object.ts";
import type { PolicyReading } from "./policy-life.ts";
import type { ReadProblem } from "./read-problem.ts";
import { AUTO_NODE_POLICIES, type Collection, HOSTED_CONTROL_PLANES, NAMESPACES, SECRETS } from "../api/served-kind.ts";

export interface ManagementSide {
  readonly reading: PolicyReading;
  /** The live policy, whose status is ours to write. */
  readonly policy: LiveObject | undefined;
  readonly policies: readonly Resource[];
  /** HostedControlPlane and user-data Secrets. */
  readonly hidden: readonly Resource[];
  /** Why the hidden inputs are not all there is, in one line. */
  readonly hiddenProblem: string | undefined;
  readonly problems: readonly ReadProblem[];
}

const MANAGED_BY_KARPENTER = "hypershift.openshift.io/managed-by-karpenter=true";

export async function readManagement(api: ClusterApi, namespace: string): Promise<ManagementSide> {
  const inNamespace = (kind: Collection): Collection => ({ ...kind, namespace });
  const [policies, controlPlanes, secrets] = await Promise.all([
    api.list(inNamespace(AUTO_NODE_POLICIES)),
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

/**
 * A namespace that is not there has no policy either: a wrong name must not open every pool. So must not a cluster
 * whose namespace is there and whose hosted control plane is not.
 */
async function withoutPolicy(
  api: ClusterApi,
  namespace: string,
  controlPlanes: Answer<Listed>,
): Promise<PolicyReading> {
  if (controlPlanes.ok) {
    // What is being torn down may lose its policy first.
    const staying = controlPlanes.value.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (staying.length > 0) return { state: "absent" };
    return { state: "no-hosted-cluster", words: `the namespace ${namespace} has no HostedControlPlane` };
  }
  if (controlPlanes.error.kind !== "forbidden" && controlPlanes.error.kind !== "notFound") {
    const words = `nobody can tell whether ${namespace} is a hosted cluster: ${controlPlanes.error.message}`;
    return { state: "unavailable", words };
  }
  const answer = await api.get(NAMESPACES, namespace);
  if (answer.ok && answer.value !== undefined) return { state: "absent" };
  if (answer.ok) return { state: "no-hosted-cluster", words: `there is no namespace ${namespace}` };
  if (answer.error.kind !== "forbidden")
    return { state: "unavailable", words: `the namespace ${namespace} cannot be read: ${answer.error.message}` };
  const words = `nobody can tell whether ${namespace} is a hosted cluster, because neither its HostedControlPlane nor its Namespace may be read`;
  return { state: "no-hosted-cluster", words };
}

function unreadPolicy(error: ApiError, namespace: string): PolicyReading {
  const words = `the AutoNodePolicy of ${namespace} cannot be read: ${wordsOf(error)}`;
  if (error.kind === "forbidden") return { state: "forbidden", words };
  return error.kind === "notFound" ? { state: "not-served", words } : { state: "unavailable", words };
}

function wordsOf(error: ApiError): string {
  return error.kind === "notFound" ? "the management cluster does not serve the kind" : error.message;
}
