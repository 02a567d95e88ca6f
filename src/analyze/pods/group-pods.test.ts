/** Groups of equal pods of a cluster, and their owners. */
import { expect, it } from "vitest";
import { parseSources } from "../../krm/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { groupPods } from "./group-pods.ts";
import { readPods } from "./read-pods.ts";

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
    group === undefined ? resource.kind : `${String(group.count)} of ${group.kind} ${group.name}`,
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
