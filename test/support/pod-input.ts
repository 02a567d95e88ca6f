/** For the suites about pods: objects as they stand in files in, an explained cluster over a small catalogue and pods out. */
import { catalogueOf } from "../../src/karpenter/catalogue/catalogue-of.ts";
import type { Catalogue } from "../../src/karpenter/catalogue/catalogue.ts";
import { requirementsOf } from "../../src/karpenter/requirements/requirements.ts";
import { parseSources } from "../../src/krm/parse/parse.ts";
import { testSource } from "./source.ts";
import { OPTIONAL_LABELS, WELL_KNOWN_LABELS } from "../../src/model/requirements/labels.ts";
import { gatherBundles } from "../../src/model/inputs/gather.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { type ExplainedCluster, explainClusters } from "../../src/analyze/explain/explain.ts";
import { type PlacedPod, placePods } from "../../src/analyze/plan/place-pods.ts";
import type { PodDemand } from "../../src/karpenter/scheduling/pod-requests.ts";
import { readPods } from "../../src/analyze/pods/read-pods.ts";

export const ARCH = "kubernetes.io/arch";
export const FAMILY = "karpenter.k8s.aws/instance-family";
export const TYPE = "node.kubernetes.io/instance-type";

/** name, architecture, CPUs, memory in GiB, GPUs; all allocatable. */
const TYPES = [
  ["c5.large", "amd64", 2, 4, 0],
  ["c5.4xlarge", "amd64", 16, 32, 0],
  ["m5.large", "amd64", 2, 8, 0],
  ["m5.4xlarge", "amd64", 16, 64, 0],
  ["m7g.xlarge", "arm64", 4, 16, 0],
  ["r5.2xlarge", "amd64", 8, 64, 0],
  ["g5.xlarge", "amd64", 4, 16, 1],
] as const;

const ZONES = ["eu-west-1a", "eu-west-1b"];

/** Each type in two zones, on demand and as spot. */
export const TEST_CATALOGUE: Catalogue = catalogueOf(
  { source: "test", date: "2026-11", wellKnown: WELL_KNOWN_LABELS, optional: OPTIONAL_LABELS },
  TYPES.map(([name, arch, cpu, memory, gpus]) => ({
    name,
    labels: requirementsOf([
      isIn(TYPE, name),
      isIn(FAMILY, name.slice(0, name.indexOf("."))),
      isIn(ARCH, arch),
      isIn("kubernetes.io/os", "linux"),
      isIn("karpenter.k8s.aws/instance-cpu", String(cpu)),
      gpus === 0
        ? { key: "karpenter.k8s.aws/instance-gpu-count", operator: "DoesNotExist" }
        : isIn("karpenter.k8s.aws/instance-gpu-count", String(gpus)),
    ]),
    offerings: ZONES.flatMap((zone) =>
      ["on-demand", "spot"].map((capacity) => ({
        requirements: requirementsOf([
          isIn("topology.kubernetes.io/zone", zone),
          isIn("karpenter.sh/capacity-type", capacity),
        ]),
        available: true,
      })),
    ),
    allocatable: {
      cpu: String(cpu),
      memory: `${String(memory)}Gi`,
      pods: "20",
      "ephemeral-storage": "17Gi",
      ...(gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) }),
    },
  })),
);

/** An entry of a requirements list or of an affinity term. */
export function isIn(key: string, ...values: string[]) {
  return { key, operator: "In", values } as const;
}

/** @param spec of the pool; `template` is that of `spec.template.spec` */
export function poolOf(name: string, template: object = {}, spec: object = {}, labels: object = {}): object {
  return {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "OpenshiftNodePool",
    metadata: { name },
    spec: { template: { metadata: { labels }, spec: template }, ...spec },
  };
}

/** One object a line: the first stands on line 1. */
export function clusterOf(...objects: readonly object[]): ExplainedCluster {
  const { value } = parseSources([testSource(linesOf(objects), { file: "pools.yaml" })]);
  const { bundles } = gatherBundles(value, { hostedCluster: "clusters-c1" }).value;
  return explainClusters([resolve(bundles[0]!, { profile: "karpenter-1.14" })], TEST_CATALOGUE)[0]!;
}

export function policyOf(...requirements: readonly object[]): object {
  return {
    apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "clusters-c1" },
    spec: { nodePoolDefaults: { requirements } },
  };
}

/** A pool's template that asks for this. */
export function requiring(...requirements: readonly object[]): object {
  return { requirements };
}

export function tainted(effect: string, value?: string): object {
  return { taints: [{ key: "dedicated", value, effect }] };
}

/** A pod's required node affinity: one of the terms is to be met. */
export function affinity(...terms: (readonly object[])[]) {
  const nodeSelectorTerms = terms.map((matchExpressions) => ({ matchExpressions }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

export function selecting(key: string, value: string): object {
  return { nodeSelector: { [key]: value } };
}

export function podObject(name: string, spec: object = {}, kind: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "shop" },
    spec: { containers: [{ name: "main" }], ...spec },
    ...kind,
  };
}

export function daemonSetObject(name: string, spec: object = {}): object {
  const { spec: pod, ...rest } = podObject(name, spec) as { spec: object };
  return { ...rest, apiVersion: "apps/v1", kind: "DaemonSet", spec: { template: { spec: pod } } };
}

/** As they stand in pods.yaml, one object a line. */
export function podsOf(...objects: readonly object[]): PodDemand[] {
  const { value, findings } = readPods(parseSources([testSource(linesOf(objects), { file: "pods.yaml" })]).value);
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  return value;
}

/** Pods over the pools of a cluster. */
export function place(objects: readonly object[], ...pods: readonly object[]): PlacedPod[] {
  return placePods(podsOf(...pods), clusterOf(...objects));
}

export function asking(requests: Readonly<Record<string, string>>): object {
  return { containers: [{ name: "main", resources: { requests } }] };
}

function linesOf(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("---\n");
}
