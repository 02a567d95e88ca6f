/** The reasons for which Karpenter ignores a pod. */
import { operatorOf } from "../../karpenter/requirements/requirement.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { locationOf } from "../../krm/places/location.ts";
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";
import { podStages, requiredEntries } from "../../karpenter/scheduling/pod-stages.ts";
import type { PodDemand, PodEntry } from "../../karpenter/scheduling/pod-requests.ts";

const REQUIRED: FieldPath = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
const NODE_POOL = "karpenter.sh/nodepool";

/** Undefined if Karpenter does not ignore the pod. The same checks as in Karpenter's provisioner.go, Validate. */
export function refusalOf(pod: PodDemand, wellKnown: ReadonlySet<string>): string | undefined {
  return (
    notPending(pod) ??
    claims(pod) ??
    avoidsKarpenter(pod) ??
    matchFields(pod) ??
    badEntry(pod, wellKnown) ??
    pod.volumes.refusal
  );
}

function notPending({ resource }: PodDemand): string | undefined {
  if (resource.kind !== "Pod") return undefined;
  const phase = valueAt(resource.value, ["status", "phase"]);
  if (phase === "Succeeded" || phase === "Failed") return `it has ended (status.phase ${phase})`;
  const owners = valueAt(resource.value, ["metadata", "ownerReferences"]);
  const owner = (Array.isArray(owners) ? owners : []).find(
    (one: unknown) => valueAt(one, ["kind"]) === "DaemonSet" || valueAt(one, ["kind"]) === "Node",
  ) as unknown;
  if (owner === undefined) return undefined;
  const kind = String(valueAt(owner, ["kind"]));
  return `it belongs to ${kind} ${String(valueAt(owner, ["name"]))}, and Karpenter starts no node for such pods`;
}

function claims(pod: PodDemand): string | undefined {
  if (!hasClaims(pod)) return undefined;
  const at = locationOf(pod.resource, [...pod.path, "resourceClaims"]);
  return `pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter (${at})`;
}

/** Karpenter ignores such pods and DaemonSets until it supports them (--ignore-dra-requests). */
export function hasClaims({ spec }: PodDemand): boolean {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return (
    (spec.resourceClaims ?? []).length > 0 || containers.some(({ resources }) => (resources?.claims ?? []).length > 0)
  );
}

function avoidsKarpenter(pod: PodDemand): string | undefined {
  const [first] = podStages(pod, false);
  const asked = first?.requirements.get(NODE_POOL);
  if (asked === undefined || operatorOf(asked) !== "DoesNotExist") return undefined;
  const entry = first!.entries.find(({ requirement }) => requirement.key === NODE_POOL)!;
  return `configured to not run on a Karpenter provisioned node: ${NODE_POOL} DoesNotExist (${placeOf(pod, entry)})`;
}

function matchFields(pod: PodDemand): string | undefined {
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const index = terms.findIndex(({ matchFields: fields }) => fields !== undefined);
  if (index === -1) return undefined;
  const at = [...pod.path, ...REQUIRED, "nodeSelectorTerms", index, "matchFields"];
  return `node selector term with matchFields is not supported (${locationOf(pod.resource, at)})`;
}

/** Every term is validated, including those that Karpenter would not use. */
function badEntry(pod: PodDemand, wellKnown: ReadonlySet<string>): string | undefined {
  for (const entry of requiredEntries(pod).flat()) {
    const problem = restricted(entry, wellKnown) ?? badBound(pod, entry) ?? unknownValues(entry);
    if (problem !== undefined) return `${problem} (${entry.field}, ${placeOf(pod, entry)})`;
  }
  return undefined;
}

/** Pods must not use these labels (docs/upstream/karpenter.md#validation-at-run-time). */
function restricted({ requirement: { key } }: PodEntry, wellKnown: ReadonlySet<string>): string | undefined {
  if (wellKnown.has(key)) return undefined;
  const domain = key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
  const isRestricted = [KARPENTER_GROUP, KARPENTER_AWS_GROUP].some(
    (own) => domain === own || domain.endsWith(`.${own}`),
  );
  if (!isRestricted && key !== "kubernetes.io/hostname") return undefined;
  return `using label ${key} is not allowed as it might interfere with the internal provisioning logic`;
}

function badBound(pod: PodDemand, { path, requirement: { key } }: PodEntry): string | undefined {
  const entry = valueAt(pod.resource.value, path);
  const operator = valueAt(entry, ["operator"]);
  if (operator !== "Gt" && operator !== "Lt") return undefined;
  const value = String(valueAt(entry, ["values", 0]));
  if (/^\+?\d+$/.test(value) && BigInt(value) < 2n ** 63n) return undefined;
  return `key ${key} with operator ${operator} must have a single positive integer value`;
}

function unknownValues({ requirement: { key, values, complement } }: PodEntry): string | undefined {
  const known = Object.hasOwn(KNOWN_VALUES, key) ? KNOWN_VALUES[key]! : undefined;
  if (known === undefined || complement || values.size === 0) return undefined;
  if (known.some((value) => values.has(value))) return undefined;
  return `no valid values found in [${[...values].join(" ")}] for ${key}, expected one of: ${known.join(", ")}`;
}

function placeOf({ resource }: PodDemand, { path }: PodEntry): string {
  return locationOf(resource, path);
}
