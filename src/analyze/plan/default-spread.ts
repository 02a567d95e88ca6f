/** The topology spread that Karpenter gives pods without their own, as kube-scheduler does. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { type Labels, selects } from "../../karpenter/scheduling/label-selector.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { type Fields, isFields, listOf } from "../../krm/values/fields.ts";
import type { DefaultSpread } from "../../model/settings/scheduler-config.ts";
import { hashLabelOf, labelsOfPods, namespaceOf, type Seen } from "./expand-pods.ts";

/**
 * What the scheduler sees of pods (docs/upstream/karpenter.md#default-topology-spread).
 *
 * @param constraints undefined if they cannot be read
 * @param objects those among which the Services and the owners of pods are
 */
export function spreadDefaults(
  constraints: DefaultSpread = [],
  objects: readonly Resource[],
): (pod: PodDemand) => Seen {
  if (constraints.length === 0) return (pod) => ({ pod, unknown: [] });
  const isService = ({ apiVersion, kind }: Resource): boolean => apiVersion === "v1" && kind === "Service";
  const services = Map.groupBy(objects.filter(isService), namespaceOf);
  const owners = new Map(objects.map((one) => [ownerKey(one.apiVersion, one.kind, one.name, one), one]));
  return (pod) => {
    if ((pod.spec.topologySpreadConstraints ?? []).length > 0) return { pod, unknown: [] };
    const owner = ownerOf(pod, owners);
    const selector = selectorOf(pod, isFields(owner) ? owner : {}, services.get(namespaceOf(pod.resource)) ?? []);
    const own = constraints.map((one) => ({ ...one, labelSelector: selector }));
    return {
      pod: selector === undefined ? pod : { ...pod, spec: { ...pod.spec, topologySpreadConstraints: own } },
      unknown:
        typeof owner === "string"
          ? [`${owner}: its selector decides which pods the default topology spread counts`]
          : owner === undefined && services.size === 0
            ? [NO_SERVICES]
            : [],
    };
  };
}

const NO_SERVICES =
  "Services: one that selects its pods gives them the default topology spread, and none is among the inputs";

type Owners = ReadonlyMap<string, Resource>;

function ownerKey(apiVersion: string, kind: string, name: string, beside: Resource): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespaceOf(beside), name]);
}

/** `defaultSelector`. Undefined if it would select every pod. */
function selectorOf(pod: PodDemand, own: Fields, services: readonly Resource[]): Fields | undefined {
  const labels = labelsOfPods(pod);
  const ofServices = services.map(({ value }) => textsAt(value, ["spec", "selector"]));
  const selecting = ofServices.filter((selector) => selects({ matchLabels: selector }, labels));
  const matchLabels: Labels = Object.assign({}, ...selecting, own["matchLabels"]) as Labels;
  const matchExpressions = listOf(own["matchExpressions"]);
  return Object.keys(matchLabels).length + matchExpressions.length === 0
    ? undefined
    : { matchLabels, matchExpressions };
}

const REPLICA_SETS: ReadonlySet<string> = new Set(["apps/ReplicaSet", "apps/StatefulSet"]);
const CONTROLLER = "/ReplicationController";

/**
 * What the owner of the pods adds to the selector. Undefined without one that counts, and the kind and name of one that is
 * not among the inputs.
 */
function ownerOf(pod: PodDemand, owners: Owners): Fields | string | undefined {
  const { resource } = pod;
  const kind = `${groupOf(resource.apiVersion)}/${resource.kind}`;
  if (pod.ofBuffer === true) return undefined;
  const hash = hashLabelOf(resource);
  // The ReplicaSet that the Deployment will have.
  if (hash !== undefined) return withLabel(requirementsOf(resource), hash, labelsOfPods(pod)[hash]!);
  if (REPLICA_SETS.has(kind)) return requirementsOf(resource);
  if (kind === CONTROLLER) return controllersSelector(resource);
  if (kind !== "/Pod") return undefined;
  const reference = listOf(valueAt(resource.value, ["metadata", "ownerReferences"])).find(
    (one) => valueAt(one, ["controller"]) === true,
  );
  const [version, of, name] = ["apiVersion", "kind", "name"].map((field) => textAt(reference, [field]) ?? "") as [
    string,
    string,
    string,
  ];
  const ofKind = `${groupOf(version)}/${of}`;
  if (ofKind !== CONTROLLER && !REPLICA_SETS.has(ofKind)) return undefined;
  const owner = owners.get(ownerKey(version, of, name, resource));
  if (owner !== undefined) return ofKind === CONTROLLER ? controllersSelector(owner) : requirementsOf(owner);
  const labels = labelsOfPods(pod);
  const own = HASHES.find((label) => Object.hasOwn(labels, label));
  // The selector of a Deployment's ReplicaSet has it, and no other pods do.
  return own === undefined ? `${of} ${name}` : withLabel({}, own, labels[own]!);
}

const HASHES = ["pod-template-hash", "rollouts-pod-template-hash"] as const;

function withLabel({ matchExpressions = [] }: Fields, key: string, value: string): Fields {
  return { matchExpressions: [...listOf(matchExpressions), { key, operator: "In", values: [value] }] };
}

/** `requirementsFrom`. */
function requirementsOf({ value }: Resource): Fields {
  const selector = ["spec", "selector"];
  const labels = Object.entries(textsAt(value, [...selector, "matchLabels"]));
  const ofLabels = labels.map(([key, label]) => ({ key, operator: "In", values: [label] }));
  return { matchExpressions: [...ofLabels, ...listOf(valueAt(value, [...selector, "matchExpressions"]))] };
}

/** The API server takes the labels of the template for a missing selector. */
function controllersSelector({ value }: Resource): Fields {
  const given = textsAt(value, ["spec", "selector"]);
  const isGiven = Object.keys(given).length > 0;
  return { matchLabels: isGiven ? given : textsAt(value, ["spec", "template", "metadata", "labels"]) };
}
