/** The kubelet settings of an EC2NodeClass, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const CASES: Case[] = [
  [
    "all but eviction",
    '{ clusterDNS: [10.0.0.1], maxPods: 0, podsPerCore: 0, systemReserved: { cpu: 100m }, kubeReserved: { pid: "1000" }, evictionMaxPodGracePeriod: 60, imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, cpuCFSQuota: false }',
    [],
  ],
  [
    "eviction",
    "{ evictionHard: { memory.available: 5% }, evictionSoft: { memory.available: 100Mi }, evictionSoftGracePeriod: { memory.available: 2m0s } }",
    [],
  ],
  [
    "a setting beside the twelve",
    "{ podPidsLimit: 4096 }",
    [
      "5:20 spec.kubelet.podPidsLimit (unknown) is not a field here → fields here: clusterDNS, cpuCFSQuota, evictionHard, evictionMaxPodGracePeriod, evictionSoft, evictionSoftGracePeriod, imageGCHighThresholdPercent, imageGCLowThresholdPercent, kubeReserved, maxPods, podsPerCore, systemReserved",
    ],
  ],
  ["maxPods below 0", "{ maxPods: -1 }", ["5:29 spec.kubelet.maxPods must be at least 0, not -1"]],
  [
    "maxPods beyond int32",
    "{ maxPods: 2147483648 }",
    ["5:29 spec.kubelet.maxPods must be at most 2147483647, not 2147483648"],
  ],
  [
    "a resource that cannot be reserved",
    '{ systemReserved: { gpu: "1" } }',
    [
      "5:43 spec.kubelet.systemReserved.gpu is wrong: no resource that can be set here → write one of cpu, memory, ephemeral-storage, pid",
    ],
  ],
  [
    "a negative reservation",
    '{ kubeReserved: { cpu: "-1" } }',
    ["5:41 spec.kubelet.kubeReserved.cpu is wrong: a reservation cannot be negative"],
  ],
  [
    "a reservation that is no quantity, which the wrapper takes",
    "{ kubeReserved: { cpu: lots } }",
    ['5:41 spec.kubelet.kubeReserved.cpu is "lots", which is not a Kubernetes quantity, such as 100m or 1Gi'],
  ],
  ["no reservation, as upstream", "{ kubeReserved: {} }", []],
  [
    "a percentage of three decimal places",
    "{ evictionHard: { memory.available: 5.125% } }",
    [
      '5:54 spec.kubelet.evictionHard["memory.available"] is "5.125%", which is neither a percentage (10%) nor a Kubernetes quantity (100Mi)',
    ],
  ],
  ["100.00%", "{ evictionHard: { memory.available: 100.00% } }", []],
  ["an empty threshold, as upstream", '{ evictionHard: { memory.available: "" } }', []],
  [
    "an unknown signal",
    "{ evictionHard: { memory: 5% } }",
    [
      "5:44 spec.kubelet.evictionHard.memory is wrong: no eviction signal that can be set here → write one of memory.available, nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree, pid.available",
    ],
  ],
  [
    "soft without a grace period",
    "{ evictionSoft: { memory.available: 5% } }",
    [
      '5:54 spec.kubelet.evictionSoft["memory.available"] is wrong: the signal is not in evictionSoftGracePeriod → add it to evictionSoftGracePeriod, or remove it here',
    ],
  ],
  ["empty soft without a grace period, as upstream", "{ evictionSoft: {} }", []],
  [
    "a grace period without soft",
    "{ evictionSoftGracePeriod: { memory.available: 1m } }",
    [
      '5:65 spec.kubelet.evictionSoftGracePeriod["memory.available"] is wrong: the signal is not in evictionSoft → add it to evictionSoft, or remove it here',
    ],
  ],
  [
    "image thresholds equal",
    "{ imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 }",
    [
      "5:49 spec.kubelet.imageGCHighThresholdPercent is wrong: imageGCHighThresholdPercent must be larger than imageGCLowThresholdPercent",
    ],
  ],
];

describe("kubelet of EC2NodeClass", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(ec2NodeClassSpec("hypershift"), `{ kubelet: ${value} }`)).toEqual(findings);
  });
});
