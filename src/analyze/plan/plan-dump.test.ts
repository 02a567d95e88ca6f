/** Tests what a dump says of DaemonSets with pods, and of pods whose volumes are not there. */
import { expect, it } from "vitest";
import { testSource } from "../../../test/support/source.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { planDump } from "./plan-dump.ts";

function dumpOf(text: string, listed: readonly string[] = []) {
  return planDump(parseSources([testSource(text)]).value, [], { at: 0, listed });
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const daemonSet = (affinity = "{}") => `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kube-system, uid: of-agent}
spec: {template: {spec: {affinity: ${affinity}, containers: [{name: a, resources: {requests: {cpu: "1"}}}]}}}
`;
const podOf = (name: string, cpu: string, created: string, uid = "of-agent", namespace = "kube-system") => `
---
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: ${namespace}
  creationTimestamp: ${created}
  ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: ${uid}, controller: true}]
spec:
  nodeName: ${name}
  affinity: {nodeAffinity: {${REQUIRED}: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n]}]}]}}}
  containers: [{name: a, resources: {requests: {cpu: "${cpu}"}}}]
`;

const cpuOf = (text: string) => Number(dumpOf(text).daemonSets[0]!.requests.get("cpu")) / 1e9;

it.each([
  ["of its template without a pod", daemonSet(), 1],
  [
    "of its newest pod",
    daemonSet() + podOf("a", "2", "2026-01-01T00:00:00Z") + podOf("b", "3", "2026-01-02T00:00:00Z"),
    3,
  ],
  [
    "of the first of pods of one age",
    daemonSet() + podOf("a", "2", "2026-01-01T00:00:00Z") + podOf("b", "3", "2026-01-01T00:00:00Z"),
    2,
  ],
  ["not of another's pod", daemonSet() + podOf("a", "2", "2026-01-01T00:00:00Z", "other"), 1],
  ["not of a pod of another namespace", daemonSet() + podOf("a", "2", "2026-01-01T00:00:00Z", "of-agent", "shop"), 1],
])("takes the requests of a DaemonSet: %s", (_what, text, cpu) => {
  expect(cpuOf(text)).toBe(cpu);
});

it("requires of nodes what the template of a DaemonSet does, since that of its pod is one node", () => {
  const required = (affinity: string) =>
    dumpOf(daemonSet(affinity) + podOf("a", "2", "2026-01-01T00:00:00Z")).daemonSets[0]!.spec.affinity?.nodeAffinity?.[
      REQUIRED
    ];
  const terms = "{nodeSelectorTerms: [{matchExpressions: [{key: tier, operator: Exists}]}]}";
  expect(required(`{nodeAffinity: {${REQUIRED}: ${terms}}}`)).toStrictEqual({
    nodeSelectorTerms: [{ matchExpressions: [{ key: "tier", operator: "Exists" }] }],
  });
  // Karpenter reads no fields of nodes.
  expect(required("{}")?.nodeSelectorTerms[0]?.matchExpressions).toBeUndefined();
});

const PENDING = `
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: shop}
spec: {containers: [{name: a}], volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
status: {phase: Pending}
`;
const claimOf = (name: string, spec: string) => `
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}, namespace: shop, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
spec: ${spec}
status: {phase: Pending}
`;

it.each([
  ["no claims among the objects", PENDING, [], undefined],
  [
    "no claim of its name",
    PENDING + claimOf("other", "{}"),
    [],
    "PersistentVolumeClaim data: persistentvolumeclaim not found",
  ],
  [
    "no claims in the cluster",
    PENDING,
    ["PersistentVolumeClaim"],
    "PersistentVolumeClaim data: persistentvolumeclaim not found",
  ],
  ["no volumes among the objects", PENDING + claimOf("data", "{volumeName: v}"), [], undefined],
  [
    "no volumes in the cluster",
    PENDING + claimOf("data", "{volumeName: v}"),
    ["PersistentVolume"],
    "PersistentVolumeClaim data: persistentvolume v not found",
  ],
  ["no classes among the objects", PENDING + claimOf("data", "{storageClassName: gp3}"), [], undefined],
  [
    "no classes in the cluster",
    PENDING + claimOf("data", "{storageClassName: gp3}"),
    ["StorageClass"],
    "PersistentVolumeClaim data: failed to get storage class, StorageClass gp3 not found",
  ],
])("knows whether a volume is missing: %s", (_what, text, listed, refusal) => {
  expect(dumpOf(text, listed).value.pods[0]!.volumes.refusal).toBe(refusal);
});
