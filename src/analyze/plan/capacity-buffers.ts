/** The pods that stand for CapacityBuffers (docs/upstream/karpenter.md#buffers). */
import { podRequests, type PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { fieldsOf } from "../../krm/values/fields.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import type { Container } from "../../model/objects/pod.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { conditionOf } from "../nodes/held-pod.ts";
import { readPods } from "../pods/read-pods.ts";
import { namespaceOf, replicasOf } from "./expand-pods.ts";

export interface BufferPods {
  /** One for each buffer, with the number of its pods. */
  readonly demands: readonly PodDemand[];
  /** Templates that only buffers use. */
  readonly templates: ReadonlySet<Resource>;
  /** What is not planned, and why. */
  readonly unread: readonly string[];
}

/** @param objects the buffers, and the objects that have their pod templates */
export function bufferPods(objects: readonly Resource[], karpenter: KarpenterOptions | undefined): BufferPods {
  const demands: PodDemand[] = [];
  const templates = new Set<Resource>();
  const unread: string[] = [];
  for (const buffer of objects.filter(isBuffer)) {
    const { kind, name } = templateRef(buffer);
    const found = objects.find((one) => one.kind === kind && one.name === name && isBeside(one, buffer));
    if (found?.kind === "PodTemplate") templates.add(found);
    if (karpenter?.gates.has("CapacityBuffer") !== true) {
      unread.push(`CapacityBuffer ${buffer.name}: ${WITHOUT_GATE}`);
      continue;
    }
    const ready = conditionOf(buffer.value, "ReadyForProvisioning");
    if (ready !== undefined && ready !== "True") continue;
    const pod = found && podOfTemplate(found);
    const replicas =
      pod && (ready === undefined ? wantedReplicas(buffer, pod) : numberAt(buffer, ["status", "replicas"]));
    if (pod === undefined) unread.push(`CapacityBuffer ${buffer.name}: its ${kind} ${name} is not among the inputs`);
    else if (replicas !== undefined && replicas > 0) {
      if (replicas > 1 && countsApart(pod)) unread.push(`CapacityBuffer ${buffer.name}: ${COUNTED_APART}`);
      demands.push(virtualPods(buffer, pod, replicas));
    }
  }
  return { demands, templates, unread };
}

/** The objects that CapacityBuffers name for the pods that they stand for. */
export function refersTo(
  objects: readonly Resource[],
): (ReturnType<typeof templateRef> & Pick<Resource, "namespace">)[] {
  return objects.filter(isBuffer).map((buffer) => ({ ...templateRef(buffer), namespace: buffer.namespace }));
}

const WITHOUT_GATE =
  "Karpenter keeps nodes for it only with its feature gate; --karpenter-gates CapacityBuffer=true plans it";

/** `newForTopologies` (topology.go) adds to one selector that all pods of a buffer share. */
const COUNTED_APART =
  "Karpenter counts each of its pods apart from the others where a topology spread has matchLabelKeys";

function isBuffer({ apiVersion, kind }: Resource): boolean {
  return kind === "CapacityBuffer" && groupOf(apiVersion) === "autoscaling.x-k8s.io";
}

/** `ResolveCapacityBuffer` (pkg/utils/apps/resolve.go): a PodTemplate, or a workload of the group apps. */
function templateRef({ value }: Resource): { readonly kind: string; readonly name: string } {
  const name = textAt(value, ["spec", "podTemplateRef", "name"]);
  if (name !== undefined) return { kind: "PodTemplate", name };
  const scaled = ["spec", "scalableRef"];
  return { kind: textAt(value, [...scaled, "kind"]) ?? "", name: textAt(value, [...scaled, "name"]) ?? "" };
}

function isBeside({ apiVersion, kind, ...one }: Resource, buffer: Resource): boolean {
  const group = kind === "PodTemplate" ? "" : "apps";
  return groupOf(apiVersion) === group && namespaceOf({ apiVersion, kind, ...one }) === namespaceOf(buffer);
}

/** The API server takes limits for missing requests in pods, not in templates, so those count as 0. */
function podOfTemplate(template: Resource): PodDemand | undefined {
  const [pod] = readPods([template]).value;
  if (pod === undefined) return undefined;
  const { containers, initContainers = [], resources } = pod.spec;
  const requests = podRequests({
    ...pod.spec,
    containers: containers.map(withoutLimits),
    initContainers: initContainers.map(withoutLimits),
    resources: { ...resources, limits: undefined },
  });
  return { ...pod, requests };
}

function withoutLimits(container: Container): Container {
  return { ...container, resources: { ...container.resources, limits: undefined } };
}

/** `computeReplicas` (capacitybuffer/controller.go): the larger of replicas and percentage, at most what limits allow. */
function wantedReplicas(buffer: Resource, pod: PodDemand): number | undefined {
  const percentage = numberAt(buffer, ["spec", "percentage"]);
  const scaled = pod.resource.kind === "PodTemplate" ? 0 : (replicasOf(pod) ?? 0);
  const ofPercentage = percentage === undefined || scaled === 0 ? [] : [Math.ceil((scaled * percentage) / 100)];
  const own = numberAt(buffer, ["spec", "replicas"]);
  const wanted = [...ofPercentage, ...(own === undefined ? [] : [own])];
  const within = Object.entries(fieldsOf(valueAt(buffer.value, ["spec", "limits"]))).flatMap(([resource, limit]) => {
    const request = pod.requests.get(resource) ?? 0n;
    const most = parseQuantity(String(limit))?.nano;
    return request === 0n || most === undefined || resource === "pods" ? [] : [Number(most / request)];
  });
  return wanted.length === 0 && within.length === 0
    ? undefined
    : Math.min(...within, ...(wanted.length === 0 ? [] : [Math.max(...wanted)]));
}

function numberAt({ value }: Resource, path: readonly string[]): number | undefined {
  const number = valueAt(value, path);
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** `BuildVirtualPods` (pkg/state/virtualpods/utilities.go). */
function virtualPods(buffer: Resource, pod: PodDemand, replicas: number): PodDemand {
  const { resource, spec } = pod;
  const volumes = (spec.volumes ?? []).filter(
    ({ persistentVolumeClaim, ephemeral }) => (persistentVolumeClaim ?? ephemeral ?? undefined) === undefined,
  );
  return {
    ...pod,
    resource: { ...resource, name: `capacity-buffer-${buffer.name}`, namespace: buffer.namespace },
    spec: { ...spec, volumes },
    volumes: { alternatives: [[]], attached: [], refusal: undefined, missing: [] },
    replicas,
    ofBuffer: true,
  };
}

function countsApart({ spec }: PodDemand): boolean {
  return (spec.topologySpreadConstraints ?? []).some((one) => {
    const keys = valueAt(one, ["matchLabelKeys"]);
    return Array.isArray(keys) && keys.length > 0;
  });
}
