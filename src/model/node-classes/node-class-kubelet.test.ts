/** The kubelet settings of a wrapper, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

/** One signal with all three of its entries. */
const signal = (hard: string, soft: string): string =>
  `{ evictionHard: { pid.available: "${hard}" }, evictionSoft: { pid.available: "${soft}" }, evictionSoftGracePeriod: { pid.available: 1m } }`;

const SETTINGS: Case[] = [
  [
    "pods, image collection and quota",
    "{ maxPods: 2500, podsPerCore: 1, imageGCHighThresholdPercent: 100, imageGCLowThresholdPercent: 0, cpuCFSQuota: true }",
    [],
  ],
  [
    "reservations",
    '{ systemReserved: { cpu: 100m, memory: 1Gi, ephemeral-storage: 1Gi, pid: "1000" }, kubeReserved: { cpu: 200m } }',
    [],
  ],
  ["nothing", "{}", []],
  ["other settings pass unread", "{ podPidsLimit: 4096, logging: { verbosity: high } }", []],
  ["a list", "[]", ["5:9 spec.kubelet must be a mapping, not a list of 0"]],
  ["maxPods 0", "{ maxPods: 0 }", ["5:29 spec.kubelet.maxPods must be at least 1, not 0"]],
  ["maxPods 2501", "{ maxPods: 2501 }", ["5:29 spec.kubelet.maxPods must be at most 2500, not 2501"]],
  ["podsPerCore 0", "{ podsPerCore: 0 }", ["5:33 spec.kubelet.podsPerCore must be at least 1, not 0"]],
  ["podsPerCore 2501", "{ podsPerCore: 2501 }", ["5:33 spec.kubelet.podsPerCore must be at most 2500, not 2501"]],
  ["podsPerCore as maxPods", "{ podsPerCore: 10, maxPods: 10 }", []],
  [
    "podsPerCore above maxPods",
    "{ podsPerCore: 11, maxPods: 10 }",
    ["5:33 spec.kubelet.podsPerCore is wrong: podsPerCore is larger than maxPods"],
  ],
  [
    "a resource that cannot be reserved",
    '{ systemReserved: { cpu: 1m, gpu: "1" } }',
    [
      "5:52 spec.kubelet.systemReserved.gpu is wrong: no resource that can be set here → write one of cpu, memory, ephemeral-storage, pid",
    ],
  ],
  [
    "an empty reservation",
    '{ kubeReserved: { cpu: "" } }',
    ["5:41 spec.kubelet.kubeReserved.cpu is wrong: the value is empty"],
  ],
  [
    "a negative reservation",
    '{ kubeReserved: { memory: "-1Gi" } }',
    ["5:44 spec.kubelet.kubeReserved.memory is wrong: a reservation cannot be negative"],
  ],
  [
    "no reservation",
    "{ systemReserved: {} }",
    ["5:20 spec.kubelet.systemReserved is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "a reservation as a number",
    "{ systemReserved: { cpu: 1 } }",
    ['5:43 spec.kubelet.systemReserved.cpu must be a string, not 1 → put it in quotes: "1"'],
  ],
  [
    "image thresholds out of range",
    "{ imageGCHighThresholdPercent: 101, imageGCLowThresholdPercent: -1 }",
    [
      "5:49 spec.kubelet.imageGCHighThresholdPercent must be at most 100, not 101",
      "5:82 spec.kubelet.imageGCLowThresholdPercent must be at least 0, not -1",
    ],
  ],
  [
    "image thresholds equal",
    "{ imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 }",
    [
      "5:49 spec.kubelet.imageGCHighThresholdPercent is wrong: imageGCHighThresholdPercent must be larger than imageGCLowThresholdPercent",
    ],
  ],
  [
    "the quota as text",
    "{ cpuCFSQuota: yes }",
    ['5:33 spec.kubelet.cpuCFSQuota must be true or false, not "yes" → write true (YAML 1.2 reads yes as a string)'],
  ],
  ["a grace period within int32", "{ evictionMaxPodGracePeriod: -1 }", []],
  [
    "a grace period beyond int32",
    "{ evictionMaxPodGracePeriod: 2147483648 }",
    ["5:47 spec.kubelet.evictionMaxPodGracePeriod must be at most 2147483647, not 2147483648"],
  ],
];

const EVICTION: Case[] = [
  ["a hard threshold alone", "{ evictionHard: { memory.available: 5%, nodefs.inodesFree: 100Mi } }", []],
  [
    "a signal the kubelet does not have",
    "{ evictionHard: { memory.avail: 5% } }",
    [
      '5:50 spec.kubelet.evictionHard["memory.avail"] is wrong: no eviction signal that can be set here → write one of memory.available, nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree, pid.available',
    ],
  ],
  [
    "an empty threshold",
    '{ evictionHard: { memory.available: "" } }',
    ['5:54 spec.kubelet.evictionHard["memory.available"] is wrong: the value is empty'],
  ],
  [
    "no threshold",
    "{ evictionHard: {} }",
    ["5:20 spec.kubelet.evictionHard is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "a threshold of 65 characters",
    `{ evictionHard: { pid.available: "${"1".repeat(65)}" } }`,
    ['5:51 spec.kubelet.evictionHard["pid.available"] must have at most 64 characters, not 65'],
  ],
  [
    "soft without a grace period",
    "{ evictionSoft: { memory.available: 5% } }",
    [
      '5:54 spec.kubelet.evictionSoft["memory.available"] is wrong: a soft threshold without a grace period: the kubelet would not start → add the same signal to evictionSoftGracePeriod',
    ],
  ],
  [
    "soft with the grace period of another signal",
    "{ evictionSoft: { memory.available: 5%, pid.available: 5% }, evictionSoftGracePeriod: { memory.available: 1m } }",
    [
      '5:73 spec.kubelet.evictionSoft["pid.available"] is wrong: a soft threshold without a grace period: the kubelet would not start → add the same signal to evictionSoftGracePeriod',
    ],
  ],
  [
    "a grace period without soft",
    "{ evictionSoftGracePeriod: { memory.available: 1m } }",
    [
      '5:65 spec.kubelet.evictionSoftGracePeriod["memory.available"] is wrong: a grace period without a soft threshold → add the same signal to evictionSoft, or remove it here',
    ],
  ],
  [
    "a grace period of an unknown signal",
    "{ evictionSoftGracePeriod: { memory: 1m } }",
    [
      "5:55 spec.kubelet.evictionSoftGracePeriod.memory is wrong: no eviction signal that can be set here → write one of memory.available, nodefs.available, nodefs.inodesFree, imagefs.available, imagefs.inodesFree, pid.available",
      "5:55 spec.kubelet.evictionSoftGracePeriod.memory is wrong: a grace period without a soft threshold → add the same signal to evictionSoft, or remove it here",
    ],
  ],
  [
    "a grace period that is no duration passes, as upstream",
    "{ evictionSoft: { memory.available: 5% }, evictionSoftGracePeriod: { memory.available: soon } }",
    [],
  ],
  ["soft as high as hard", signal("5%", "5.0%"), []],
  [
    "soft below hard, percentages",
    signal("10%", "9.5%"),
    [
      '5:91 spec.kubelet.evictionSoft["pid.available"] is wrong: the soft threshold lies below the hard one, so the hard one would always come first → raise it to the value in evictionHard or above',
    ],
  ],
  [
    "soft below hard, quantities",
    signal("1Gi", "1G"),
    [
      '5:91 spec.kubelet.evictionSoft["pid.available"] is wrong: the soft threshold lies below the hard one, so the hard one would always come first → raise it to the value in evictionHard or above',
    ],
  ],
  ["soft above hard, quantities of another unit", signal("1G", "1Gi"), []],
  ["a percentage and a quantity are not compared", signal("1Gi", "1%"), []],
  ["no quantity is not compared", signal("lots", "1Mi"), []],
  ["a bare percent sign is not compared", signal("1%", "%"), []],
  [
    "a percentage that is no number stops CEL, so it is refused",
    signal("1%", "x%"),
    [
      '5:90 spec.kubelet.evictionSoft["pid.available"] is wrong: the soft threshold lies below the hard one, so the hard one would always come first → raise it to the value in evictionHard or above',
    ],
  ],
];

describe("kubelet", () => {
  it.each([...SETTINGS, ...EVICTION])("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassSpec, `{ kubelet: ${value} }`)).toEqual(findings);
  });
});
