/** Tests how many pods stand for CapacityBuffers, and which are passed over. */
import { expect, it } from "vitest";
import { karpenterOptions } from "../../model/settings/karpenter-options.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { testSource } from "../../../test/support/source.ts";
import { bufferPods } from "./capacity-buffers.ts";

const WITH_GATE = karpenterOptions("karpenter-1.15", [{ featureGates: { CapacityBuffer: true } }]);

const TEMPLATES = `
apiVersion: v1
kind: PodTemplate
metadata: {name: job, namespace: shop}
template: {spec: {containers: [{name: a, resources: {requests: {cpu: "2", memory: 1Gi}}}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 7, template: {spec: {containers: [{name: a}]}}}
`;

function ask(spec: string, status = "", namespace = "shop") {
  const buffer = `
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {name: spare, namespace: ${namespace}}
spec: ${spec}
${status === "" ? "" : `status: ${status}`}`;
  const { demands, unread } = bufferPods(parseSources([testSource(`${TEMPLATES}---${buffer}`)]).value, WITH_GATE);
  return [demands.map(({ replicas, resource: { name } }) => `${replicas} ${name}`), unread];
}

const NONE = [[], []];
const READY = "conditions: [{type: ReadyForProvisioning, status: 'True'}]";

it.each<[string, string, string, unknown]>([
  ["the replicas", "{podTemplateRef: {name: job}, replicas: 3}", "", [["3 capacity-buffer-spare"], []]],
  ["no replicas", "{podTemplateRef: {name: job}, replicas: 0}", "", NONE],
  ["a part of a workload, rounded up", "{scalableRef: {kind: Deployment, name: web}, percentage: 20}", "", [["2 capacity-buffer-spare"], []]],
  ["the larger of both", "{scalableRef: {kind: Deployment, name: web}, percentage: 20, replicas: 4}", "", [["4 capacity-buffer-spare"], []]],
  ["at most the limits", "{podTemplateRef: {name: job}, replicas: 9, limits: {cpu: 5, memory: 10Gi}}", "", [["2 capacity-buffer-spare"], []]],
  ["as many as the limits hold", "{podTemplateRef: {name: job}, limits: {memory: 3Gi, 'nvidia.com/gpu': 1}}", "", [["3 capacity-buffer-spare"], []]],
  ["what the status says", "{podTemplateRef: {name: job}, replicas: 9}", `{replicas: 4, ${READY}}`, [["4 capacity-buffer-spare"], []]],
  ["none that is not ready", "{podTemplateRef: {name: job}, replicas: 9}", `{replicas: 4, ${READY.replace("True", "False")}}`, NONE],
  ["no template", "{podTemplateRef: {name: gone}, replicas: 1}", "", [[], ["CapacityBuffer spare: its PodTemplate gone is not among the inputs"]]],
])("plans %s", (_what, spec, status, wanted) => {
  expect(ask(spec, status)).toStrictEqual(wanted);
}); // prettier-ignore

it("looks for the template in the namespace of the buffer", () => {
  expect(ask("{podTemplateRef: {name: job}, replicas: 1}", "", "other")).toStrictEqual([
    [],
    ["CapacityBuffer spare: its PodTemplate job is not among the inputs"],
  ]);
});
