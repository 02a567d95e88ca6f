/** Computes the resource requests of a pod, as Kubernetes and Karpenter do. */
import type { Resource } from "../../krm/places/resource.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import type { Container, PodSpec, Quantities } from "../../model/objects/pod.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Requirement } from "../requirements/requirement.ts";
import { type Amounts, largestOf, sumOf } from "./resources.ts";

/** One requirement of a pod on the labels of its node. */
export interface PodEntry {
  readonly field: "nodeSelector" | "node affinity" | "preferred node affinity" | `volume ${string}`;
  readonly path: FieldPath;
  /** The object of the path, if it is not the pod. */
  readonly resource?: Resource;
  readonly requirement: Requirement;
}

export interface AttachedVolume {
  /** Of CSI. */
  readonly driver: string;
  /** The name of the claim, or of the template that makes one for each pod. */
  readonly claim: string;
  readonly isOfPod: boolean;
}

export interface PodVolumes {
  /** Each is one way to meet the topology of all volumes. One without entries if they may be anywhere. */
  readonly alternatives: readonly (readonly PodEntry[])[];
  /** The volumes that count against the limits of a node. */
  readonly attached: readonly AttachedVolume[];
  /** Why Karpenter ignores the pod. */
  readonly refusal: string | undefined;
  /** What decides and is not among the inputs. */
  readonly missing: readonly string[];
}

/** A pod, or a workload with identical pods. */
export interface PodDemand {
  readonly resource: Resource;
  /** Path of the pod spec in the resource. */
  readonly path: FieldPath;
  readonly spec: PodSpec;
  readonly requests: Amounts;
  readonly volumes: PodVolumes;
  /** How many pods are planned in place of what the resource says. */
  readonly replicas?: number | undefined;
  /** Whether its pods stand for a CapacityBuffer: no pod of the cluster, and not validated. */
  readonly ofBuffer?: true;
  /** Set for pods of a cluster: the group of identical pods that this one represents. */
  readonly group?: PodGroup | undefined;
}

/** Identical pods of one owner. */
export interface PodGroup {
  readonly kind: string;
  readonly name: string;
  readonly members: readonly PodDemand[];
}

const ONE = 10n ** 9n;

/**
 * As `resource.PodRequests` of component-helpers: the maximum of all containers together and each step of the init
 * containers, plus one for the resource `pods`.
 */
export function podRequests(spec: PodSpec): Amounts {
  const containers = ofContainers(spec);
  const requests = new Map([...containers, ...ofPodLevel(spec, containers)]);
  return new Map([...sumOf([requests, amountsOf(spec.overhead)]), ["pods", ONE]]);
}

/** A sidecar (an init container that restarts) keeps running while later containers start. */
function ofContainers({ containers, initContainers = [] }: PodSpec): Amounts {
  const together = sumOf(containers.map(requestsOf));
  const restarting = new Map<string, bigint>();
  const most = new Map<string, bigint>();
  for (const container of initContainers) {
    // A step uses the requests of the sidecars before it for resources that it does not request itself.
    for (const [name, amount] of requestsOf(container)) {
      const step = amount + (restarting.get(name) ?? 0n);
      if (step > (most.get(name) ?? -1n)) most.set(name, step);
      if (container.restartPolicy !== "Always") continue;
      restarting.set(name, step);
      together.set(name, amount + (together.get(name) ?? 0n));
    }
  }
  return largestOf(together, most);
}

/**
 * Requests of the pod level, which replace those of its containers. If it has only limits, the API server uses the
 * requests of the containers, else the limit (core/v1, SetDefaults_Pod).
 */
function ofPodLevel({ resources }: PodSpec, containers: Amounts): Amounts {
  const limits = podLevel(amountsOf(resources?.limits));
  const requests = podLevel(amountsOf(resources?.requests));
  if (limits.size === 0) return requests;
  const inherited = [...podLevel(containers)].filter(([name]) => !name.startsWith(HUGE_PAGES));
  return new Map([...limits, ...inherited, ...requests]);
}

const HUGE_PAGES = "hugepages-";

function podLevel(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([name]) => name === "cpu" || name === "memory" || name.startsWith(HUGE_PAGES)));
}

/** The API server defaults a missing request to the limit. */
function requestsOf({ resources }: Container): Amounts {
  return new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);
}

function amountsOf(quantities: Quantities = {}): Amounts {
  return new Map(Object.entries(quantities).map(([name, value]) => [name, parseQuantity(String(value))?.nano ?? 0n]));
}
