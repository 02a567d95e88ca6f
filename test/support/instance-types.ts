/** A small catalogue of real EC2 instance types, and pools in a short form, for tests. */
import { explainClusters, type ExplainedCluster } from "../../src/analyze/explain/explain.ts";
import type { Catalogue } from "../../src/karpenter/catalogue/catalogue.ts";
import { catalogueOf, type InstanceType } from "../../src/karpenter/catalogue/catalogue-of.ts";
import { AWS_LABELS } from "../../src/karpenter/requirements/label-presence.ts";
import { labelRequirements, type Requirements, requirementsOf } from "../../src/karpenter/requirements/requirements.ts";
import type { NodeSelectorRequirement, Operator } from "../../src/model/requirements/requirement.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { type ResolvedPool, withMerges } from "../../src/resolve/resolve-pool.ts";
import { makeBundle, configText } from "./bundle.ts";

const AWS = "karpenter.k8s.aws/instance-";

const SHORT: Readonly<Record<string, string>> = {
  type: "node.kubernetes.io/instance-type",
  arch: "kubernetes.io/arch",
  zone: "topology.kubernetes.io/zone",
  capacity: "karpenter.sh/capacity-type",
  cpu: `${AWS}cpu`,
  family: `${AWS}family`,
  gpus: `${AWS}gpu-count`,
  tier: "example.com/tier",
};

/** `m5.large amd64 2 vCPU 8Gi`: name, architecture, vCPUs, memory, GPUs, zones. */
const TYPES: readonly (readonly [string, string, number, string, number, string])[] = [
  ["c5.xlarge", "amd64", 4, "8Gi", 0, "abc"],
  ["g4dn.xlarge", "amd64", 4, "16Gi", 1, "ab"],
  ["g5.12xlarge", "amd64", 48, "192Gi", 4, "a"],
  ["m5.2xlarge", "amd64", 8, "32Gi", 0, "abc"],
  ["m5.4xlarge", "amd64", 16, "64Gi", 0, "abc"],
  ["m5.xlarge", "amd64", 4, "16Gi", 0, "abc"],
  ["m7g.2xlarge", "arm64", 8, "32Gi", 0, "bc"],
  ["m7g.xlarge", "arm64", 4, "16Gi", 0, "bc"],
];

export const CATALOGUE: Catalogue = catalogueOf(
  { source: "test", date: "2026-08", ...AWS_LABELS },
  TYPES.map(([name, arch, cpu, memory, gpus, zones]): InstanceType => ({
    name,
    labels: typeLabels(name, arch, cpu, gpus),
    offerings: [...zones].flatMap((zone) =>
      ["on-demand", "spot"].map((capacity) => ({
        requirements: labelRequirements({
          "topology.kubernetes.io/zone": `us-east-1${zone}`,
          "karpenter.sh/capacity-type": capacity,
        }),
        // There is no spot capacity of GPUs.
        available: gpus === 0 || capacity === "on-demand",
      })),
    ),
    allocatable: {
      cpu: `${cpu * 1000 - 90}m`,
      memory,
      pods: "58",
      ...(gpus > 0 ? { "nvidia.com/gpu": String(gpus) } : {}),
    },
  })),
);

function typeLabels(name: string, arch: string, cpu: number, gpus: number): Requirements {
  const labels = labelRequirements({
    "node.kubernetes.io/instance-type": name,
    "kubernetes.io/arch": arch,
    "kubernetes.io/os": "linux",
    [`${AWS}cpu`]: String(cpu),
    [`${AWS}family`]: name.split(".")[0]!,
    ...(gpus > 0 ? { [`${AWS}gpu-count`]: String(gpus) } : {}),
  });
  const absent = requirementsOf(gpus > 0 ? [] : [{ key: `${AWS}gpu-count`, operator: "DoesNotExist" }]);
  return new Map([...labels, ...absent]);
}

/** `cpu Gte 8`, `type In m5.xlarge,m5.2xlarge`, `family Exists min 3` as an entry of a requirements list. */
export function entry(text: string): NodeSelectorRequirement {
  const [, short = "", operator = "", values, minValues] =
    /^(\S+) (\w+)(?: (?!min )(\S+))?(?: min (\d+))?$/.exec(text) ?? [];
  return {
    key: SHORT[short] ?? short,
    operator: operator as Operator,
    ...(values === undefined ? {} : { values: values.split(",") }),
    ...(minValues === undefined ? {} : { minValues: Number(minValues) }),
  };
}

export interface PoolInShort {
  readonly policy?: readonly string[];
  readonly user?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The spec of a RenderConfig. */
  readonly config?: string;
  readonly profile?: "karpenter-1.15";
  /** The spec of the node class `default`; without one the input has no class. */
  readonly nodeClass?: string;
  readonly catalogue?: Catalogue;
}

/** One pool `web` under a policy. Each entry is on a line of its own, from line 2 on. */
export function clusterOf(pool: PoolInShort): ExplainedCluster {
  const { policy, user = [], labels = {}, config, profile, nodeClass, catalogue = CATALOGUE } = pool;
  const list = (entries: readonly string[]): string =>
    `[${entries.map((text) => `\n${JSON.stringify(entry(text))}`).join(",")}]`;
  const group = "karpenter.hypershift.openshift.io/v1beta1";
  const bundle = makeBundle({
    ...(policy === undefined
      ? {}
      : {
          "policy.yaml": `{"spec": {"nodePoolDefaults": {"requirements": ${list(policy)}}},
            "apiVersion": "${group}", "kind": "AutoNodePolicy", "metadata": {"name": "default", "namespace": "clusters-shop"}}`,
        }),
    "pool.yaml": `{"spec": {"template": {"spec": {"requirements": ${list(user)}}, "metadata": {"labels": ${JSON.stringify(labels)}}}},
      "apiVersion": "${group}", "kind": "OpenshiftNodePool", "metadata": {"name": "web"}}`,
    ...(nodeClass === undefined
      ? {}
      : {
          "class.yaml": `{"apiVersion": "karpenter.hypershift.openshift.io/v1", "kind": "OpenshiftEC2NodeClass",
            "metadata": {"name": "default"}, "spec": ${nodeClass}}`,
        }),
    "config.yaml": configText(config ?? "{nodeLabels: {}}"),
  });
  const [cluster] = explainClusters([resolve(bundle, { profile })], catalogue);
  if (cluster === undefined) throw new Error("the policy or the RenderConfig of the test is invalid");
  return cluster;
}

/** The pool with some fields changed, and merged again. */
export function changedPool(pool: ResolvedPool, change: Partial<ResolvedPool>): ResolvedPool {
  return withMerges({ ...pool, ...change });
}
