/** Writes a scenario as manifests: anp's input (policy, RenderConfig, wrappers) and the pods. */
import { stringify } from "yaml";
import { ANP_GROUP } from "../../../src/krm/findings/known-kinds.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { GROUP } from "../e2e/own-crds.ts";
import { KARPENTER_PROFILE } from "../go/programs.ts";
import { cpuOf } from "./scenarios/all.ts";
import type { PodOf, PoolOf, Scenario } from "./scenarios/scenario.ts";

const TAINT = "example.com/scenario";

/** @param onBypass what anp does with a pool that bypasses its policy */
export function anpInput({ name, policy, pools }: Scenario, onBypass: "Fail" | "Block"): string {
  const config = {
    apiVersion: `${ANP_GROUP}/v1alpha1`,
    kind: "RenderConfig",
    metadata: { name: "config" },
    spec: { profile: KARPENTER_PROFILE, onBypass, admission: { mode: "None", nodeClaims: "None" } },
  };
  const autoNodePolicy = {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: `clusters-${name}` },
    spec: { nodePoolDefaults: { requirements: policy } },
  };
  const wrappers = pools.map((pool) => wrapperOf(name, pool));
  return [config, autoNodePolicy, ...wrappers].map((object) => stringify(object)).join("---\n");
}

function wrapperOf(scenario: string, { name, requirements, labels, weight, taints = [] }: PoolOf): KubernetesObject {
  const metadata = labels === undefined ? {} : { metadata: { labels } };
  const own = { key: TAINT, value: scenario, effect: "NoSchedule" };
  const spec = { requirements, taints: [own, ...taints] };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name },
    spec: {
      template: { ...metadata, spec },
      // Empty nodes must remain until they were checked.
      disruption: { consolidateAfter: "Never" },
      ...(weight === undefined ? {} : { weight }),
    },
  };
}

/** The scenario's pods and finally its DaemonSet. */
export function podsOf({ name, pods, daemonRequests }: Scenario): KubernetesObject[] {
  const daemonSets = daemonRequests === undefined ? [] : [daemonSetOf(name, daemonRequests)];
  return [...pods.map((pod) => podOf(name, pod)), ...daemonSets];
}

function podOf(scenario: string, pod: PodOf): KubernetesObject {
  const { name, nodeSelector, requests, initRequests, tolerations = [] } = pod;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      containers: [container("main", { ...requests, cpu: cpuOf(name) })],
      ...(initRequests === undefined ? {} : { initContainers: [container("init", initRequests)] }),
      tolerations: [tolerationOf(scenario), ...tolerations],
      ...(nodeSelector === undefined ? {} : { nodeSelector }),
      affinity: affinityOf(pod),
    },
  };
}

/** The rig has no controller that creates its pods, but Karpenter reserves room for them. */
function daemonSetOf(scenario: string, requests: Readonly<Record<string, string>>): KubernetesObject {
  const labels = { app: scenario };
  const spec = { containers: [container("main", requests)], tolerations: [tolerationOf(scenario)] };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: scenario, namespace: "default" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function tolerationOf(scenario: string): object {
  return { key: TAINT, operator: "Equal", value: scenario, effect: "NoSchedule" };
}

function affinityOf({ terms, prefers }: PodOf): object {
  const required = (terms ?? []).map((matchExpressions) => ({ matchExpressions }));
  const preferred = (prefers ?? []).map((matchExpressions) => ({ weight: 1, preference: { matchExpressions } }));
  return {
    nodeAffinity: {
      ...(terms && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: required } }),
      ...(prefers && { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
    },
  };
}

function container(name: string, requests: Readonly<Record<string, string>>): object {
  // Kubernetes requires a limit for resources that cannot be overcommitted.
  const limits = Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes("/")));
  return { name, image: "example.com/none", resources: { requests, limits } };
}
