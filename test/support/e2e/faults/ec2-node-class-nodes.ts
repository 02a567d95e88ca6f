/** Volumes and kubelet of Karpenter's EC2NodeClass. */
import type { Profile } from "../../../../src/model/crds/profile.ts";
import { inside, many, no, ok, type Row, type Table, table } from "./table.ts";

const size = (volumeSize: unknown) => ({ volumeSize });
const sized = size("100Gi");

/** The odd ones are upstream's: its pattern bars 18Ti and takes a unit alone. */
const SIZES: readonly Row[] = [
  ...["1Gi", "9999Gi", "49999Gi", "59000Gi", "64000G", "17Ti", "58Ti", "64T", "Ti", "T"].map((text): Row => [
    text,
    ok,
    size(text),
  ]),
  ...["0Gi", "59001Gi", "60000Gi", "64001G", "18Ti", "59Ti", "65T", "Gi", "75", "75gi", "75 Gi", "1.5Ti", ""].map(
    (text): Row => [text === "" ? "an empty text" : text, no, size(text)],
  ),
  ["a number", no, size(75)],
];

const EBS: readonly Row[] = [
  ...SIZES,
  ["nothing", no, {}],
  ["no size", no, { volumeType: "gp3" }],
  ["a snapshot", ok, { snapshotID: "snap-0a1b" }],
  ["gp3", ok, { ...sized, volumeType: "gp3" }],
  ["GP3", no, { ...sized, volumeType: "GP3" }],
  ["encrypted", ok, { ...sized, encrypted: true, deleteOnTermination: true, iops: 3000, throughput: 125 }],
  ["the word of the wrapper", no, { ...sized, encrypted: "Encrypted" }],
  ["the size of the wrapper", no, { volumeSizeGiB: 100 }],
  ["a rate for a snapshot", ok, { snapshotID: "snap-0a1b", volumeInitializationRate: 100 }],
  ["a rate without snapshot", no, { ...sized, volumeInitializationRate: 100 }],
  ["a rate with an empty snapshot", no, { ...sized, snapshotID: "", volumeInitializationRate: 100 }],
  ["a rate below its bound", no, { snapshotID: "snap-0a1b", volumeInitializationRate: 99 }],
  ["a rate above its bound", no, { snapshotID: "snap-0a1b", volumeInitializationRate: 301 }],
];

const root = { deviceName: "/dev/xvda", rootVolume: true, ebs: sized };

const MAPPINGS: readonly Row[] = [
  ["none", ok, []],
  ["50", ok, many(50, () => ({ ebs: sized }))],
  ["51", no, many(51, () => ({ ebs: sized }))],
  ["a root volume", ok, [root, { ebs: sized }]],
  ["two root volumes", no, [root, root]],
  ["a root volume and one that is none", ok, [root, { ...root, rootVolume: false }]],
  ["the word of the wrapper", no, [{ ...root, rootVolume: "RootVolume" }]],
];

/** The provider of 1.15 takes any setting. */
const OPEN: readonly Profile[] = ["karpenter-1.15"];

const grace = { "memory.available": "1m" };
const soft = (value: string) => ({ evictionSoft: { "memory.available": value }, evictionSoftGracePeriod: grace });

const KUBELET: readonly Row[] = [
  ["nothing", ok, {}],
  ["maxPods 0", ok, { maxPods: 0 }],
  ["maxPods -1", OPEN, { maxPods: -1 }],
  ["podsPerCore -1", OPEN, { podsPerCore: -1 }],
  ["clusterDNS", ok, { clusterDNS: ["10.0.0.10"] }],
  ["a setting that it does not know", OPEN, { podPidsLimit: 4096 }],
  ["a reservation", ok, { systemReserved: { cpu: "100m" }, kubeReserved: { pid: "1000" } }],
  ["a reservation of another resource", OPEN, { systemReserved: { gpu: "1" } }],
  ["a negative reservation", OPEN, { kubeReserved: { cpu: "-1" } }],
  ["a reservation that is no quantity", OPEN, { kubeReserved: { cpu: "much" } }],
  ["a threshold with two decimals", ok, { evictionHard: { "memory.available": "10.25%" } }],
  ["a threshold with three decimals", OPEN, { evictionHard: { "memory.available": "10.255%" } }],
  ["a threshold above 100%", OPEN, { evictionHard: { "memory.available": "100.5%" } }],
  ["an empty threshold", ok, { evictionHard: { "memory.available": "" } }],
  ["a threshold of another signal", OPEN, { evictionHard: { "disk.available": "10%" } }],
  ["a soft threshold with its grace period", ok, soft("10%")],
  ["a soft threshold that is a word", OPEN, soft("much")],
  ["a soft threshold alone", OPEN, { evictionSoft: { "memory.available": "10%" } }],
  ["a grace period alone", OPEN, { evictionSoftGracePeriod: grace }],
  ["high above low", ok, { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 84 }],
  ["high equal to low", OPEN, { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 85 }],
  ["101 percent", OPEN, { imageGCHighThresholdPercent: 101 }],
];

export const EC2_NODE_CLASS_NODES: readonly Table[] = [
  inside(table("ebs", EBS), "spec.blockDeviceMappings", (ebs) => [{ deviceName: "/dev/xvda", ebs }]),
  table("spec.blockDeviceMappings", MAPPINGS),
  table("spec.kubelet", KUBELET),
];
