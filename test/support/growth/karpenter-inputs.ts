/** Inputs with many of one thing each: Karpenter's own objects, dumps, catalogues, ResourceLists and policies. */
import { listOf } from "../process/resource-lists.ts";
import { policy } from "../process/inputs.ts";
import type { FilesOf } from "./growing.ts";
import { documents, inOf, lines, list, pool, site } from "./inputs.ts";

const rawPool = (name: string, requirements = "[]", more = "") => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: ${name}
spec:
${more}  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: ${name}
      requirements: ${requirements}
`;

const rawClass = (name: string, role = "KarpenterNodeRole") => `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: ${name}
spec:
  role: ${role}
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
`;

const rawPools = (count: number) => documents(count, (at) => rawPool(`p${at}`));

/** Of Karpenter's own kinds. */
export const RAW: Readonly<Record<string, FilesOf>> = {
  pools: (count) => ({ "pools.yaml": rawPools(count) }),
  "pools with classes": (count) => ({
    "pools.yaml": rawPools(count),
    "classes.yaml": documents(count, (at) => rawClass(`p${at}`)),
  }),
  values: (count) => ({ "pools.yaml": rawPool("p0", inOf(list(count, (at) => `m5.x${at}large`))) }),
  "pools in a ConfigMap": (count) => ({
    "pools.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: pools}
data:
  pools.yaml: |
${rawPools(count).replace(/^/gm, "    ")}
`,
  }),
  "pools in ConfigMaps": (count) => ({
    "pools.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: pools}
data:
${lines(count, (at) => `  p${at}: ${JSON.stringify(rawPool(`p${at}`))}`)}
`,
  }),
  "pools in a template": (count) => ({
    "pools.template.json": JSON.stringify({
      Resources: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `P${at}`,
          {
            Type: "Custom::AWSCDK-EKS-KubernetesResource",
            Properties: {
              Manifest: {
                "Fn::Join": [
                  "",
                  [
                    `[{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"p${at}"},"spec":{"weight":`,
                    { Ref: "W" },
                    "}}]",
                  ],
                ],
              },
            },
          },
        ]),
      ),
    }),
  }),
  "pools in Terraform": (count) => ({
    "main.tf": lines(
      count,
      (at) => `resource "kubectl_manifest" "p${at}" {\n  yaml_body = <<-YAML\n${rawPool(`p${at}`)}\n  YAML\n}`,
    ),
  }),
  "variables of Terraform": (count) => ({
    "main.tf": `${lines(count, (at) => `variable "v${at}" {\n  sensitive = true\n  default = "m5-${at}"\n}\nlocals {\n  l${at} = var.v${at}\n}`)}
resource "kubernetes_manifest" "web" {
  manifest = { apiVersion = "karpenter.sh/v1", kind = "NodePool", metadata = { name = "web", labels = {
${lines(count, (at) => `    l${at} = local.l${at}`)}
  } }, spec = {} }
}`,
  }),
  "elements of Terraform": (count) => ({
    "main.tf": `locals {\n  pools = {\n${lines(count, (at) => `    p${at} = { weight = ${at % 100} }`)}\n  }\n}
resource "kubernetes_manifest" "web" {
  for_each = local.pools
  manifest = { apiVersion = "karpenter.sh/v1", kind = "NodePool", metadata = { name = each.key }, spec = { weight = each.value.weight } }
}`,
  }),
  "pools in the values of a release": (count) => ({
    "release.yaml": `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: pools}
spec:
  values:
    resources:
${lines(count, (at) => `      - ${JSON.stringify({ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: `p${at}` }, spec: {} })}`)}
`,
  }),
  "patches of a composition": (count) => ({
    "pools.yaml": `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: pools}
spec:
  resources:
    - base:
        apiVersion: kubernetes.crossplane.io/v1alpha2
        kind: Object
        spec:
          forProvider:
            manifest:
${rawPool("p0").replace(/^/gm, "              ")}
      patches:
${lines(count, (at) => `        - {fromFieldPath: x, toFieldPath: "spec.forProvider.manifest.spec.x${at}"}`)}
`,
  }),
  "unknown fields": (count) => ({
    "pools.yaml": rawPool(
      "p0",
      "[]",
      lines(count, (at) => `  wrong${at}: 1`),
    ),
  }),
  "a file for each object": (count) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        [`cluster-scoped-resources/karpenter.sh/nodepools/p${at}.yaml`, rawPool(`p${at}`)],
        [`cluster-scoped-resources/karpenter.k8s.aws/ec2nodeclasses/p${at}.yaml`, rawClass(`p${at}`)],
      ]).flat() as [string, string][],
    ),
};

interface Counts {
  readonly nodes?: number;
  readonly pools?: number;
  readonly pods?: number;
  readonly budgets?: number;
}

/** What kubectl prints of a cluster. */
function dump({ nodes = 1, pools = 1, pods = 1, budgets = 1 }: Counts): string {
  const each = <T>(count: number, object: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => object(at));
  const poolOf = (at: number) => `p${at % pools}`;
  const labelsOf = (at: number) => ({
    "karpenter.sh/nodepool": poolOf(at),
    "karpenter.sh/initialized": "true",
    "node.kubernetes.io/instance-type": "m5.large",
  });
  const ready = { conditions: [{ type: "Ready", status: "True" }] };
  const items = [
    ...each(nodes, (at) => ({
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { name: `c${at}`, labels: labelsOf(at), creationTimestamp: "2026-11-01T00:00:00Z" },
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: poolOf(at) }, requirements: [] },
      status: {
        nodeName: `n${at}`,
        providerID: `aws:///a/i-${at}`,
        conditions: [{ type: "Initialized", status: "True" }],
      },
    })),
    ...each(nodes, (at) => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: `n${at}`, labels: labelsOf(at) },
      spec: { providerID: `aws:///a/i-${at}` },
      status: ready,
    })),
    ...each(pods, (at) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `pod${at}`, namespace: "shop", labels: { app: `a${at}`, part: "web" } },
      spec: { nodeName: `n${at % nodes}`, containers: [{ resources: { requests: { cpu: "1m" } } }] },
      status: { phase: "Running", ...ready },
    })),
    ...each(budgets, (at) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: `b${at}`, namespace: "shop" },
      spec: { selector: { matchLabels: { part: "web", app: `a${at}` } } },
      status: { disruptionsAllowed: 0 },
    })),
  ];
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

const waiting = (count: number, spec: object) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    items: Array.from({ length: count }, (_, at) => {
      return { apiVersion: "v1", kind: "Pod", metadata: { name: `w${at}`, namespace: "shop" }, spec };
    }),
  });

const container = (at: number) => ({ name: `c${at}`, resources: { requests: { [`example.com/a${at}`]: "1" } } });

const containers = (count: number) => ({
  containers: Array.from({ length: count }, (_, at) => container(at)),
  initContainers: Array.from({ length: count }, (_, at) => ({ ...container(at), restartPolicy: "Always" })),
});

/** Pods that wait for a node. */
export const PODS: Readonly<Record<string, FilesOf>> = {
  pods: (count) => ({ "pools.yaml": rawPool("p0"), "pods.json": waiting(count, { containers: [{ name: "c" }] }) }),
  containers: (count) => ({ "pools.yaml": rawPool("p0"), "pods.json": waiting(1, containers(count)) }),
};

const RACK = "example.com/rack";

const alike = (count: number, spec: object) =>
  JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop" },
    spec: {
      replicas: count,
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c" }], ...spec } },
    },
  });

const SELECTED = { labelSelector: { matchLabels: { app: "web" } } };
const SPREAD = {
  topologySpreadConstraints: [{ topologyKey: RACK, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", ...SELECTED }],
};
const APART = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname", ...SELECTED }],
    },
  },
};

const racks = (count: number) => `[{key: ${RACK}, operator: In, values: ${list(count, (at) => `r${at}`)}}]`;

/** Pods with topology constraints. */
export const PLANNED: Readonly<Record<string, FilesOf>> = {
  "values to spread over": (count) => ({ "pools.yaml": rawPool("p0", racks(count)), "pods.json": alike(20, SPREAD) }),
  "pods that keep apart": (count) => ({ "pools.yaml": rawPool("p0"), "pods.json": alike(count, APART) }),
};

const sides = (pools: number, classes: number): Record<string, string> =>
  Object.fromEntries(
    ["old", "new"].flatMap((side) => [
      [`${side}/pools.yaml`, documents(pools, (at) => rawPool(`p${at}`))],
      [`${side}/classes.yaml`, documents(classes, (at) => rawClass(`p${at}`, side))],
    ]),
  );

/** A dump beside two sides of a change. */
export const DUMPS: Readonly<Record<string, FilesOf>> = {
  nodes: (count) => ({ ...sides(1, 1), "dump.json": dump({ nodes: count }) }),
  "nodes of as many pools": (count) => ({ ...sides(count, count), "dump.json": dump({ nodes: count, pools: count }) }),
  "pods and budgets": (count) => ({ ...sides(1, 1), "dump.json": dump({ pods: count, budgets: count }) }),
};

export const CATALOGUES: Readonly<Record<string, FilesOf>> = {
  types: (count) => ({
    "pools.yaml": rawPool("p0"),
    "types.json": JSON.stringify({
      source: "test",
      date: "2026-11-20",
      instanceTypes: Array.from({ length: count }, (_, at) => {
        const requirement = (key: string, ...values: string[]) => ({ key, operator: "In", values });
        const requirements = [
          requirement("kubernetes.io/arch", "amd64"),
          requirement("karpenter.k8s.aws/instance-cpu", String(at)),
        ];
        return { name: `m5.x${at}large`, requirements };
      }),
    }),
  }),
};

export const LISTS: Readonly<Record<string, FilesOf>> = {
  wrappers: (count) => ({ "-": listOf(site(documents(count, (at) => pool({ name: `p${at}` })))) }),
  "unknown fields": (count) => ({ "-": listOf(site(pool({ more: lines(count, (at) => `  wrong${at}: 1`) }))) }),
};

export const POLICIES: Readonly<Record<string, FilesOf>> = {
  values: (count) => ({
    "policy.yaml": policy(
      "clusters-shop",
      list(count, (at) => `m5.x${at}large`),
    ),
  }),
  "unknown fields": (count) => ({
    "policy.yaml": policy().replace("spec: {", `spec: {${list(count, (at) => `wrong${at}: 1`).slice(1, -1)}, `),
  }),
};
