/** Groups of equal pods of a cluster, and their owners. */
import { expect, it, describe } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource, printFinding } from "../../../test/support/source.ts";
import { groupPods, readPods } from "./read-pods.ts";

const read = (text: string) => readPods(parseSources([testSource(text, { file: "pods.yaml" })]).value);
const problems = (text: string): string[] =>
  read(text).findings.map((finding) => printFinding(finding).split(" | ")[0]!);

const pod = (spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: main}]\n  ${spec}\n`;

it("reads pods, workloads and lists of them, and skips other kinds", () => {
  const { value, findings } = read(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Service, metadata: {name: web}}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop}
  spec: {template: {spec: {containers: [{resources: {requests: {cpu: 0.5, memory: 1Gi}}}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{resources: null}], nodeSelector: null}}}}}
`);
  expect(findings).toStrictEqual([]);
  expect(
    value.map(({ resource, requests }) => [resource.kind, resource.name, Object.fromEntries(requests)]),
  ).toStrictEqual([
    ["Deployment", "web", { cpu: 500_000_000n, memory: 2n ** 30n * 10n ** 9n, pods: 10n ** 9n }],
    ["CronJob", "nightly", { pods: 10n ** 9n }],
  ]);
});

describe("an error has its line", () => {
  const at = "error pod-invalid pods.yaml";
  const required = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:";
  const field = "`spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const expression = (text: string): string => `${required} [{matchExpressions: [${text}]}]}}}`;
  const values = `${field}[0].matchExpressions[0].values\` is wrong:`;

  it.each<[spec: string, message: string]>([
    [
      "nodeSelector: {gpu: true}",
      '6:23 Pod a: `spec.nodeSelector.gpu` must be a string, not true → put it in quotes: "true"',
    ],
    ["nodeSelector: [a]", "6:3 Pod a: `spec.nodeSelector` must be a mapping, not a list of 1"],
    [
      "overhead: {cpu: much}",
      "6:19 Pod a: `spec.overhead.cpu` is wrong: no Kubernetes quantity of 0 or more, such as 500m, 1.5 or 64Gi",
    ],
    [
      "overhead: {cpu: -1}",
      "6:19 Pod a: `spec.overhead.cpu` is wrong: no Kubernetes quantity of 0 or more, such as 500m, 1.5 or 64Gi",
    ],
    [
      "overhead: {cpu: []}",
      "6:14 Pod a: `spec.overhead.cpu` is a list of 0: write a Kubernetes quantity, such as 500m, 1.5 or 64Gi",
    ],
    [
      "tolerations: [{value: x}]",
      "6:17 Pod a: `spec.tolerations[0].operator` is wrong: without a key it must be Exists",
    ],
    [
      "tolerations: [{key: a, operator: Exists, value: x}]",
      "6:51 Pod a: `spec.tolerations[0].value` is wrong: Exists takes no value",
    ],
    [
      "tolerations: [{key: a, effect: NoSchedul}]",
      "6:34 Pod a: `spec.tolerations[0].effect` is wrong: no effect of a taint: write one of NoSchedule, PreferNoSchedule, NoExecute",
    ],
    [`${required} []}}}`, `6:78 Pod a: ${field}\` must have at least 1 entry, not 0`],
    [expression("{key: a, operator: In}"), `6:118 Pod a: ${values} In and NotIn need a value`],
    [
      expression("{key: a, operator: Exists, values: [b]}"),
      `6:145 Pod a: ${values} Exists and DoesNotExist take no values`,
    ],
    [
      expression("{key: a, operator: DoesNotExist, values: [b]}"),
      `6:151 Pod a: ${values} Exists and DoesNotExist take no values`,
    ],
    [
      expression('{key: a, operator: Gt, values: ["1", "2"]}'),
      `6:141 Pod a: ${values} Gt and Lt take exactly one value`,
    ],
  ])("%s", (spec, message) => {
    const found = problems(pod(spec));
    expect(found.map((text) => text.replace(/^error pod-invalid pods\.yaml:/, ""))).toStrictEqual([message]);
    expect(found[0]).toContain(at);
  });

  it("of the template of a workload", () => {
    const text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {}}}\n";
    expect(problems(text)).toStrictEqual([`${at}:4:19 Deployment web: \`spec.template.spec.containers\` is missing`]);
  });
});

it("reports an input without any pod", () => {
  const none =
    "error pod-invalid  none of the resources given as pods is a pod or creates pods → pass a Pod, a Deployment, StatefulSet, ReplicaSet, DaemonSet, Job or CronJob, or a List of them";
  expect(problems("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n")).toStrictEqual([none.replace("  ", " ")]);
  // Unreadable files have findings already.
  expect(readPods([])).toStrictEqual({ value: [], findings: [] });
});

interface Given {
  readonly owner?: readonly [apiVersion: string, kind: string, name: string];
  readonly hash?: string;
  readonly namespace?: string;
  readonly spec?: object;
}

let number = 0;

function podOf({ owner, hash, namespace = "shop", spec = {} }: Given): object {
  const [apiVersion, kind, name] = owner ?? [];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `pod-${String(number++)}`,
      namespace,
      ...(hash === undefined ? {} : { labels: { "pod-template-hash": hash } }),
      ...(owner === undefined ? {} : { ownerReferences: [{ apiVersion, kind, name, controller: true }] }),
    },
    spec: { containers: [{ name: "main", resources: { requests: { cpu: "1" } } }], ...spec },
  };
}

function groupsOf(...objects: readonly object[]): unknown[] {
  number = 0;
  const items = objects.map((object) => JSON.stringify(object)).join("\n---\n");
  const pods = readPods(parseSources([testSource(items)]).value).value;
  return groupPods(pods).map(({ resource, group }) =>
    group === undefined ? resource.kind : `${String(group.members.length)} of ${group.kind} ${group.name}`,
  );
}

const WEB: Given = { owner: ["apps/v1", "ReplicaSet", "web-5d9f"], hash: "5d9f" };
const claim = (name: string): Given => ({
  owner: ["apps/v1", "StatefulSet", "db"],
  spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }] },
});

it("counts those of one owner", () => {
  expect(groupsOf(podOf(WEB), podOf(claim("data-db-0")), podOf(WEB), podOf(claim("data-db-1")))).toStrictEqual([
    "2 of Deployment web",
    "2 of StatefulSet db",
  ]);
});

it.each<[what: string, other: Given]>([
  ["a namespace", { ...WEB, namespace: "staging" }],
  ["requests", { ...WEB, spec: { containers: [{ name: "main" }] } }],
  ["a node selector", { ...WEB, spec: { nodeSelector: { a: "b" } } }],
  ["a toleration", { ...WEB, spec: { tolerations: [{ operator: "Exists" }] } }],
  ["an affinity", { ...WEB, spec: { affinity: { podAntiAffinity: {} } } }],
  ["a host port", { ...WEB, spec: { containers: [{ ...main(), ports: [{ hostPort: 80 }] }] } }],
  ["a volume", { ...WEB, spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "a" } }] } }],
  ["a resource claim", { ...WEB, spec: { resourceClaims: [{ name: "gpu" }] } }],
  ["a host network", { ...WEB, spec: { hostNetwork: true } }],
])("separates them by %s", (_what, other) => {
  expect(groupsOf(podOf(WEB), podOf(other))).toStrictEqual(["1 of Deployment web", "1 of Deployment web"]);
});

it("does not separate them by fields that do not affect the node", () => {
  const other = { containers: [{ ...main(), image: "web:2", env: [{ name: "A", value: "b" }] }], priority: 7 };
  expect(groupsOf(podOf(WEB), podOf({ ...WEB, spec: other }))).toStrictEqual(["2 of Deployment web"]);
});

it("names a ReplicaSet without a Deployment, a Job, and pods without an owner", () => {
  expect(
    groupsOf(
      podOf({ owner: ["apps/v1", "ReplicaSet", "lone"] }),
      podOf({ owner: ["batch/v1", "Job", "import"] }),
      podOf({}),
      podOf({}),
    ),
  ).toStrictEqual(["1 of ReplicaSet lone", "1 of Job import", "1 of Pod pod-2", "1 of Pod pod-3"]);
});

it("leaves DaemonSets as they are", () => {
  const daemonSet = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: { template: { spec: { containers: [{ name: "agent" }] } } },
  };
  expect(groupsOf(daemonSet, podOf(WEB))).toStrictEqual(["1 of Deployment web", "DaemonSet"]);
});

function main(): object {
  return { name: "main", resources: { requests: { cpu: "1" } } };
}
