/** Volumes and kubelet of an OpenshiftEC2NodeClass v1. */
import { NODE_CLASS_FIELDS } from "./node-class.ts";
import { inside, many, no, ok, rawNumber, type Row, type Table, table } from "./table.ts";

const sized = { volumeSizeGiB: 100 };
const integer = (...more: Row[]): readonly Row[] => [
  ["1.5", no, 1.5],
  ["in quotes", no, "100"],
  ["100.0", ok, rawNumber("100.0")],
  ["a number beyond 2^53", ok, rawNumber("9007199254740993")],
  ["a number beyond int64", no, rawNumber("9223372036854775808")],
  ...more,
];

/** Rows of one field of `ebs`, each beside a size. */
function ebs(name: string, rows: readonly Row[]): Row[] {
  return rows.map(([what, verdict, value]) => [`${name}: ${what}`, verdict, { ...sized, [name]: value }]);
}

const text = (max: number): readonly Row[] => [
  ["one character", ok, "a"],
  ["an empty text", no, ""],
  [`${max} characters`, ok, "a".repeat(max)],
  [`${max + 1} characters`, no, "a".repeat(max + 1)],
  [`${max} characters that take two places in UTF-16`, ok, "\u{1f600}".repeat(max)],
  [`${max + 1} characters that take two places in UTF-16`, no, "\u{1f600}".repeat(max + 1)],
];

const EBS: readonly Row[] = [
  ["empty", no, {}],
  ["nothing but a null", no, { volumeSizeGiB: null }],
  ["a size", ok, sized],
  ["a snapshot", ok, { snapshotID: "snap-0a1b" }],
  ["both", ok, { ...sized, snapshotID: "snap-0a1b" }],
  ["neither", no, { volumeType: "GP3" }],
  ["1 GiB", ok, { volumeSizeGiB: 1 }],
  ["0 GiB", no, { volumeSizeGiB: 0 }],
  ["65536 GiB", ok, { volumeSizeGiB: 65_536 }],
  ["65537 GiB", no, { volumeSizeGiB: 65_537 }],
  ["a size in quotes", no, { volumeSizeGiB: "100" }],
  ["the volumeSize of Karpenter", no, { ...sized, volumeSize: "100Gi" }],
  ...["Standard", "IO1", "IO2", "GP2", "SC1", "ST1", "GP3"].map((type): Row => [
    `type ${type}`,
    ok,
    { ...sized, volumeType: type },
  ]),
  ["the type gp3", no, { ...sized, volumeType: "gp3" }],
  ...ebs("deleteOnTermination", [
    ["Delete", ok, "Delete"],
    ["Retain", ok, "Retain"],
    ["true", no, true],
  ]),
  ...ebs("encrypted", [
    ["Encrypted", ok, "Encrypted"],
    ["Unencrypted", ok, "Unencrypted"],
    ["true", no, true],
  ]),
  ...ebs("iops", integer(["no bound below", ok, -1])),
  ...ebs("throughput", integer()),
  ...ebs("kmsKeyID", text(2048)),
  ...ebs("snapshotID", text(256)),
];

const root = { rootVolume: "RootVolume", ebs: sized };
const data = { deviceName: "/dev/xvdb", ebs: sized };

const MAPPINGS: readonly Row[] = [
  ["one", ok, [data]],
  ["none", no, []],
  ["50", ok, many(50, (index) => ({ ...data, deviceName: `/dev/xvd${index}` }))],
  ["51", no, many(51, (index) => ({ ...data, deviceName: `/dev/xvd${index}` }))],
  ["an empty one", no, [{}]],
  ["only a device name", ok, [{ deviceName: "/dev/xvdb" }]],
  ["an empty device name", no, [{ ...data, deviceName: "" }]],
  ["a device name of 256 characters", ok, [{ ...data, deviceName: "a".repeat(256) }]],
  ["a device name of 257 characters", no, [{ ...data, deviceName: "a".repeat(257) }]],
  ["a root volume", ok, [root, data]],
  ["two root volumes", no, [root, root]],
  ["a root volume and one that is none", ok, [root, { ...data, rootVolume: "NotRootVolume" }]],
  ["the rootVolume of v1beta1", no, [{ ...data, rootVolume: true }]],
  ["a null as ebs", ok, [{ deviceName: "/dev/xvdb", ebs: null }]],
  ["a field that is none", no, [{ ...data, virtualName: "ephemeral0" }]],
];

/** Rows of one setting. */
const setting = (name: string, rows: readonly Row[]): Row[] =>
  rows.map(([what, verdict, value]) => [`${name}: ${what}`, verdict, { [name]: value }]);

const between = (min: number, max: number): readonly Row[] => [
  [`${min}`, ok, min],
  [`${max}`, ok, max],
  [`${min - 1}`, no, min - 1],
  [`${max + 1}`, no, max + 1],
  ["in quotes", no, String(max)],
];

const RESERVED: readonly Row[] = [
  ["the four resources", ok, { cpu: "100m", memory: "1Gi", "ephemeral-storage": "1Gi", pid: "1000" }],
  ["none", no, {}],
  ["another resource", no, { gpu: "1" }],
  ["a negative amount", no, { cpu: "-100m" }],
  ["an empty amount", no, { cpu: "" }],
  ["a number", no, { cpu: 1 }],
  ["an amount that is not a quantity, which is not checked", ok, { cpu: "much" }],
];

const hard = (value: unknown) => ({ "memory.available": value });
const THRESHOLDS: readonly Row[] = [
  ["a quantity", ok, hard("100Mi")],
  ["a percentage", ok, hard("10%")],
  ["none", no, {}],
  ["another signal", no, { "disk.available": "10%" }],
  ["an empty threshold", no, hard("")],
  ["64 characters", ok, hard("1".repeat(64))],
  ["65 characters", no, hard("1".repeat(65))],
  ["a number", no, hard(10)],
];

/** Both maps hold the same signals, as they must. */
const soft = (value: string, hardValue: string) => ({
  evictionSoft: hard(value),
  evictionHard: hard(hardValue),
  evictionSoftGracePeriod: hard("1m"),
});

const KUBELET: readonly Row[] = [
  ["empty", ok, {}],
  ["a setting that is passed on unread", ok, { podPidsLimit: 4096, allowedUnsafeSysctls: ["net.core.somaxconn"] }],
  ...setting("maxPods", between(1, 2500)),
  ...setting("podsPerCore", between(1, 2500)),
  ["as many pods a core as pods", ok, { podsPerCore: 10, maxPods: 10 }],
  ["more pods a core than pods", no, { podsPerCore: 11, maxPods: 10 }],
  ...setting("systemReserved", RESERVED),
  ...setting("kubeReserved", RESERVED),
  ...setting("evictionHard", THRESHOLDS),
  ...THRESHOLDS.map(([what, verdict, value]): Row => {
    const grace = Object.fromEntries(Object.keys(value as object).map((signal) => [signal, "1m"]));
    return [`evictionSoft: ${what}`, verdict, { evictionSoft: value, evictionSoftGracePeriod: grace }];
  }),
  ["a soft threshold without grace period", no, { evictionSoft: hard("10%") }],
  ["a grace period without soft threshold", no, { evictionSoftGracePeriod: hard("1m") }],
  [
    "a grace period that is no duration, which the operator drops",
    ok,
    { ...soft("10%", "5%"), evictionSoftGracePeriod: hard("soon") },
  ],
  ["a soft percentage above the hard one", ok, soft("10%", "5%")],
  ["a soft percentage equal to the hard one", ok, soft("5%", "5.0%")],
  ["a soft percentage below the hard one", no, soft("4.9%", "5%")],
  ["a soft quantity above the hard one", ok, soft("1Gi", "1000Mi")],
  ["a soft quantity equal to the hard one", ok, soft("1024Mi", "1Gi")],
  ["a soft quantity below the hard one", no, soft("1000Mi", "1Gi")],
  ["a percentage and a quantity, which cannot be compared", ok, soft("1%", "100Gi")],
  ["a percent sign alone", ok, soft("%", "5%")],
  ["a percentage that is no number", no, soft("x%", "5%")],
  ["a soft percentage of infinity", ok, soft("Inf%", "5%")],
  ["a soft percentage in hexadecimal", ok, soft("0x1p4%", "5%")],
  ["a soft percentage with an underscore", ok, soft("1_0%", "5%")],
  ["a word, which cannot be compared", ok, soft("some", "1Gi")],
  [
    "a signal that only the hard thresholds have",
    ok,
    { ...soft("10%", "5%"), evictionHard: { "pid.available": "50%" } },
  ],
  ["evictionMaxPodGracePeriod", ok, { evictionMaxPodGracePeriod: -1 }],
  ["evictionMaxPodGracePeriod in int32", ok, { evictionMaxPodGracePeriod: 2_147_483_647 }],
  ["evictionMaxPodGracePeriod beyond int32", no, { evictionMaxPodGracePeriod: 2_147_483_648 }],
  ...setting("imageGCHighThresholdPercent", between(0, 100)),
  ...setting("imageGCLowThresholdPercent", between(0, 100)),
  ["high above low", ok, { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 84 }],
  ["high equal to low", no, { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 85 }],
  ...setting("cpuCFSQuota", [
    ["true", ok, true],
    ["a word", no, "true"],
  ]),
  ["a null in it", ok, { maxPods: null }],
  ["a null that is passed on", ok, { podPidsLimit: null }],
  ["a list", no, []],
];

export const OPENSHIFT_EC2_NODE_CLASS: readonly Table[] = [
  ...NODE_CLASS_FIELDS,
  inside(table("ebs", EBS), "spec.blockDeviceMappings", (value) => [{ deviceName: "/dev/xvdb", ebs: value }]),
  table("spec.blockDeviceMappings", MAPPINGS),
  table("spec.kubelet", KUBELET),
];
