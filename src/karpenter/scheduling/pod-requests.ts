/** What a pod takes of a node, as Kubernetes and Karpenter count it. */
import type { Resource } from "../../krm/resource.ts";
import type { FieldPath } from "../../krm/field-path.ts";
import type { Container, PodSpec, Quantities } from "../../model/pod.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { type Amounts, largestOf, sumOf } from "./resources.ts";

/** A pod, or what makes pods: those of a workload are all alike. */
export interface PodDemand {
  readonly resource: Resource;
  /** Where the pod's spec stands in the resource. */
  readonly path: FieldPath;
  readonly spec: PodSpec;
  readonly requests: Amounts;
  /** Of a cluster's pods: what they stand for together. */
  readonly group?: PodGroup | undefined;
}

/** Pods of one owner that are all alike. */
export interface PodGroup {
  readonly kind: string;
  readonly name: string;
  readonly count: number;
}

const ONE = 10n ** 9n;

/**
 * As `resource.PodRequests` of component-helpers has it: the containers at once, or the step of the init containers
 * that takes more; the pod's own place counts as well.
 */
export function podRequests(spec: PodSpec): Amounts {
  const containers = ofContainers(spec);
  const requests = new Map([...containers, ...ofPodLevel(spec, containers)]);
  return new Map([...sumOf([requests, amountsOf(spec.overhead)]), ["pods", ONE]]);
}

/** An init container that restarts goes on beside those that start after it. */
function ofContainers({ containers, initContainers = [] }: PodSpec): Amounts {
  let together = sumOf(containers.map(requestsOf));
  let restarting: Amounts = new Map();
  let most: Amounts = new Map();
  for (const container of initContainers) {
    const own = requestsOf(container);
    const step = sumOf([own, restarting]);
    if (container.restartPolicy === "Always") {
      together = sumOf([together, own]);
      restarting = step;
    }
    most = largestOf(most, step);
  }
  return largestOf(together, most);
}

/**
 * What the pod as a whole asks for, instead of its containers. Where it has only limits, the API server takes what the
 * containers ask for, else the limit (core/v1, SetDefaults_Pod).
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

/** The API server fills in a limit for a request that is not there. */
function requestsOf({ resources }: Container): Amounts {
  return new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);
}

function amountsOf(quantities: Quantities = {}): Amounts {
  return new Map(Object.entries(quantities).map(([name, value]) => [name, parseQuantity(String(value))?.nano ?? 0n]));
}
