/** Tests resource requests of pods, as Kubernetes' resource.PodRequests computes them. */
import { expect, it } from "vitest";
import { podSpecSchema } from "../../model/objects/pod.ts";
import { podRequests } from "./pod-requests.ts";

const requests = (amounts: object, more: object = {}): object => ({ resources: { requests: amounts }, ...more });
const limits = (amounts: object, own: object = {}): object => ({ resources: { limits: amounts, requests: own } });
const sidecar = (amounts: object): object => requests(amounts, { restartPolicy: "Always" });

const podLevel = (resources: object): object => ({
  resources,
  containers: [requests({ cpu: 1, memory: "1Gi", "nvidia.com/gpu": 1 })],
});

it.each<[what: string, spec: object, total: Record<string, number>]>([
  ["nothing is a place for a pod", { containers: [{}] }, { pods: 1 }],
  [
    "containers are added",
    { containers: [requests({ cpu: "500m" }), requests({ cpu: 0.25 })] },
    { cpu: 0.75, pods: 1 },
  ],
  [
    "a limit is the default of a missing request",
    { containers: [limits({ cpu: 2, memory: 8 }, { cpu: 1 })] },
    { cpu: 1, memory: 8, pods: 1 },
  ],
  [
    "an init container that needs more",
    { containers: [requests({ cpu: 1 })], initContainers: [requests({ cpu: 3 })] },
    { cpu: 3, pods: 1 },
  ],
  [
    "an init container that needs less",
    { containers: [requests({ cpu: 4 })], initContainers: [requests({ cpu: 3 })] },
    { cpu: 4, pods: 1 },
  ],
  [
    "init containers run one after the other",
    { containers: [{}], initContainers: [requests({ cpu: 3 }), requests({ cpu: 2 })] },
    { cpu: 3, pods: 1 },
  ],
  [
    "each resource separately",
    { containers: [requests({ cpu: 4, memory: 1 })], initContainers: [requests({ cpu: 1, memory: 9 })] },
    { cpu: 4, memory: 9, pods: 1 },
  ],
  [
    "a sidecar stays",
    { containers: [requests({ cpu: 1 })], initContainers: [sidecar({ cpu: 2 })] },
    { cpu: 3, pods: 1 },
  ],
  [
    "a step beside the sidecars before it",
    { containers: [requests({ cpu: 1 })], initContainers: [sidecar({ cpu: 2 }), requests({ cpu: 3 })] },
    { cpu: 5, pods: 1 },
  ],
  [
    "a step before the sidecar",
    { containers: [requests({ cpu: 1 })], initContainers: [requests({ cpu: 3 }), sidecar({ cpu: 2 })] },
    { cpu: 3, pods: 1 },
  ],
  [
    "two sidecars and a step between",
    { containers: [{}], initContainers: [sidecar({ cpu: 1 }), requests({ cpu: 9 }), sidecar({ cpu: 2 })] },
    { cpu: 10, pods: 1 },
  ],
  [
    "another restartPolicy is no sidecar",
    { containers: [{}], initContainers: [requests({ cpu: 1 }, { restartPolicy: "Never" }), requests({ cpu: 2 })] },
    { cpu: 2, pods: 1 },
  ],
  [
    "overhead comes on top",
    { containers: [requests({ cpu: 1 })], overhead: { cpu: "250m", memory: 5 } },
    { cpu: 1.25, memory: 5, pods: 1 },
  ],
  [
    "the pod's own requests replace the sum",
    podLevel({ requests: { cpu: 7 } }),
    { cpu: 7, memory: 2 ** 30, "nvidia.com/gpu": 1, pods: 1 },
  ],
  [
    "the pod's own limits take the sum",
    podLevel({ limits: { cpu: 7, memory: "9Gi" } }),
    { cpu: 1, memory: 2 ** 30, "nvidia.com/gpu": 1, pods: 1 },
  ],
  [
    "the pod's own limits where there is no sum",
    { resources: { limits: { cpu: 7 } }, containers: [{}] },
    { cpu: 7, pods: 1 },
  ],
  [
    "the pod's own limits and requests",
    podLevel({ limits: { cpu: 7 }, requests: { cpu: 6 } }),
    { cpu: 6, memory: 2 ** 30, "nvidia.com/gpu": 1, pods: 1 },
  ],
  [
    "a pod as a whole has no GPUs",
    podLevel({ requests: { "nvidia.com/gpu": 8 } }),
    { cpu: 1, memory: 2 ** 30, "nvidia.com/gpu": 1, pods: 1 },
  ],
  [
    "but huge pages",
    { resources: { requests: { "hugepages-2Mi": 4 } }, containers: [requests({ "hugepages-2Mi": 2 })] },
    { "hugepages-2Mi": 4, pods: 1 },
  ],
  [
    "overhead beside the pod's own requests",
    { resources: { requests: { cpu: 7 } }, containers: [{}], overhead: { cpu: 1 } },
    { cpu: 8, pods: 1 },
  ],
])("%s", (_what, spec, total) => {
  const found = podRequests(podSpecSchema.parse(spec));
  const expected = new Map(Object.entries(total).map(([name, amount]) => [name, BigInt(amount * 1e9)]));
  expect(found).toStrictEqual(expected);
});
