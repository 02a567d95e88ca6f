/** The block devices of a wrapper, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const repeat = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(", ")}]`;

const MAPPINGS: Case[] = [
  [
    "a root volume and a data disk",
    "[{ deviceName: /dev/xvda, rootVolume: RootVolume }, { deviceName: /dev/xvdb, rootVolume: NotRootVolume }]",
    [],
  ],
  ["50 mappings", repeat(50, "{ deviceName: x }"), []],
  ["no mapping", "[]", ["5:9 spec.blockDeviceMappings must have at least 1 entry, not 0"]],
  [
    "51 mappings",
    repeat(51, "{ deviceName: x }"),
    ["5:9 spec.blockDeviceMappings must have at most 50 entries, not 51"],
  ],
  [
    "two root volumes",
    "[{ rootVolume: RootVolume }, { rootVolume: NotRootVolume }, { rootVolume: RootVolume }]",
    [
      "5:104 spec.blockDeviceMappings[2].rootVolume is wrong: a second root volume: only one mapping can be it → keep the flag rootVolume on one mapping",
    ],
  ],
  [
    "an empty mapping",
    "[{}]",
    ["5:31 spec.blockDeviceMappings[0] is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "an empty device name",
    '[{ deviceName: "" }]',
    ["5:45 spec.blockDeviceMappings[0].deviceName must have at least 1 character, not 0"],
  ],
  [
    "a device name of 257 characters",
    `[{ deviceName: ${"x".repeat(257)} }]`,
    ["5:45 spec.blockDeviceMappings[0].deviceName must have at most 256 characters, not 257"],
  ],
  [
    "the root flag of the first dialect",
    "[{ rootVolume: true }]",
    ["5:45 spec.blockDeviceMappings[0].rootVolume must be one of RootVolume, NotRootVolume, not true"],
  ],
];

const VOLUMES: Case[] = [
  [
    "all fields",
    "[{ ebs: { volumeSizeGiB: 100, volumeType: GP3, encrypted: Encrypted, deleteOnTermination: Delete, iops: 3000, throughput: 125, kmsKeyID: alias/k, snapshotID: snap-1 } }]",
    [],
  ],
  ["the other values", "[{ ebs: { snapshotID: snap-1, encrypted: Unencrypted, deleteOnTermination: Retain } }]", []],
  [
    "an empty volume",
    "[{ ebs: {} }]",
    ["5:33 spec.blockDeviceMappings[0].ebs is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "a volume without size",
    "[{ ebs: { encrypted: Encrypted } }]",
    [
      "5:33 spec.blockDeviceMappings[0].ebs is wrong: the volume has no size → add volumeSizeGiB, or the snapshotID it is made from",
    ],
  ],
  ["the least and the largest size", "[{ ebs: { volumeSizeGiB: 1 } }, { ebs: { volumeSizeGiB: 65536 } }]", []],
  [
    "0 GiB",
    "[{ ebs: { volumeSizeGiB: 0 } }]",
    ["5:55 spec.blockDeviceMappings[0].ebs.volumeSizeGiB must be at least 1, not 0"],
  ],
  [
    "65537 GiB",
    "[{ ebs: { volumeSizeGiB: 65537 } }]",
    ["5:55 spec.blockDeviceMappings[0].ebs.volumeSizeGiB must be at most 65536, not 65537"],
  ],
  [
    "a size in quotes",
    '[{ ebs: { volumeSizeGiB: "75" } }]',
    ['5:55 spec.blockDeviceMappings[0].ebs.volumeSizeGiB must be a number, not "75" → write 75 without quotes'],
  ],
  [
    "half a GiB",
    "[{ ebs: { volumeSizeGiB: 7.5 } }]",
    ["5:55 spec.blockDeviceMappings[0].ebs.volumeSizeGiB must be an integer, not 7.5"],
  ],
  [
    "the size of the first dialect",
    "[{ ebs: { volumeSize: 75Gi } }]",
    [
      "5:40 spec.blockDeviceMappings[0].ebs.volumeSize (unknown) is not a field here → did you mean volumeSizeGiB?",
      "5:33 spec.blockDeviceMappings[0].ebs is wrong: no field is set in it → remove it, or set a field",
    ],
  ],
  [
    "each volume type",
    `[${["Standard", "IO1", "IO2", "GP2", "SC1", "ST1", "GP3"].map((type) => `{ ebs: { volumeSizeGiB: 1, volumeType: ${type} } }`).join(", ")}]`,
    [],
  ],
  [
    "a volume type in lower case",
    "[{ ebs: { volumeSizeGiB: 75, volumeType: gp3 } }]",
    [
      '5:71 spec.blockDeviceMappings[0].ebs.volumeType must be one of Standard, IO1, IO2, GP2, SC1, ST1, GP3, not "gp3" → did you mean GP3?',
    ],
  ],
  [
    "encryption as a boolean",
    "[{ ebs: { volumeSizeGiB: 75, encrypted: true } }]",
    ["5:70 spec.blockDeviceMappings[0].ebs.encrypted must be one of Encrypted, Unencrypted, not true"],
  ],
  [
    "deletion as a boolean",
    "[{ ebs: { volumeSizeGiB: 75, deleteOnTermination: false } }]",
    ["5:80 spec.blockDeviceMappings[0].ebs.deleteOnTermination must be one of Delete, Retain, not false"],
  ],
  [
    "iops and throughput as text",
    '[{ ebs: { volumeSizeGiB: 75, iops: fast, throughput: "125" } }]',
    [
      '5:65 spec.blockDeviceMappings[0].ebs.iops must be a number, not "fast"',
      '5:83 spec.blockDeviceMappings[0].ebs.throughput must be a number, not "125" → write 125 without quotes',
    ],
  ],
  [
    "an empty key and snapshot",
    '[{ ebs: { kmsKeyID: "", snapshotID: "" } }]',
    [
      "5:50 spec.blockDeviceMappings[0].ebs.kmsKeyID must have at least 1 character, not 0",
      "5:66 spec.blockDeviceMappings[0].ebs.snapshotID must have at least 1 character, not 0",
    ],
  ],
  [
    "a key of 2049 characters",
    `[{ ebs: { volumeSizeGiB: 75, kmsKeyID: ${"k".repeat(2049)} } }]`,
    ["5:69 spec.blockDeviceMappings[0].ebs.kmsKeyID must have at most 2048 characters, not 2049"],
  ],
  [
    "a misspelt field",
    "[{ ebs: { volumeSizeGib: 75, snapshotID: snap-1 } }]",
    ["5:40 spec.blockDeviceMappings[0].ebs.volumeSizeGib (unknown) is not a field here → did you mean volumeSizeGiB?"],
  ],
];

describe("block devices", () => {
  it.each([...MAPPINGS, ...VOLUMES])("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassSpec, `{ blockDeviceMappings: ${value} }`)).toEqual(findings);
  });
});
