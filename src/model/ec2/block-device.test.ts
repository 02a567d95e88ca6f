/** The block devices of an EC2NodeClass, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const repeat = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(", ")}]`;
const volume = (size: string): string => `[{ ebs: { volumeSize: "${size}" } }]`;

const CASES: Case[] = [
  [
    "all fields",
    "[{ deviceName: /dev/xvda, rootVolume: true, ebs: { volumeSize: 75Gi, volumeType: gp3, encrypted: true, deleteOnTermination: true, iops: 3000, throughput: 125, kmsKeyID: k } }]",
    [],
  ],
  ["nothing, as upstream", "[{}]", []],
  ["no mapping, as upstream", "[]", []],
  ["51 mappings", repeat(51, "{}"), ["5:9 spec.blockDeviceMappings must have at most 50 entries, not 51"]],
  [
    "two root volumes",
    "[{ rootVolume: true }, { rootVolume: false }, { rootVolume: true }]",
    [
      "5:90 spec.blockDeviceMappings[2].rootVolume is wrong: a second root volume: only one mapping can be it → keep the flag rootVolume on one mapping",
    ],
  ],
  [
    "an empty volume, which the renderer can make",
    "[{ ebs: {} }]",
    [
      "5:33 spec.blockDeviceMappings[0].ebs is wrong: the volume has no size → add volumeSize, or the snapshotID it is made from",
    ],
  ],
  ["1Gi", volume("1Gi"), []],
  ["59000Gi", volume("59000Gi"), []],
  [
    "59001Gi",
    volume("59001Gi"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "59001Gi", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  [
    "65536Gi, which the wrapper takes",
    volume("65536Gi"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "65536Gi", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  ["64000G", volume("64000G"), []],
  [
    "64001G",
    volume("64001G"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "64001G", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  ["58Ti", volume("58Ti"), []],
  [
    "18Ti, barred by a slip upstream",
    volume("18Ti"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "18Ti", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  ["Ti alone, let through by a slip upstream", volume("Ti"), []],
  ["64T", volume("64T"), []],
  [
    "65T",
    volume("65T"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "65T", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  [
    "0Gi",
    volume("0Gi"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "0Gi", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  [
    "no unit",
    volume("75"),
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "75", which is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that',
    ],
  ],
  [
    "a volume type in upper case",
    "[{ ebs: { volumeSize: 75Gi, volumeType: GP3 } }]",
    [
      '5:70 spec.blockDeviceMappings[0].ebs.volumeType must be one of standard, io1, io2, gp2, sc1, st1, gp3, not "GP3" → did you mean gp3?',
    ],
  ],
  ["a rate with a snapshot", "[{ ebs: { snapshotID: snap-1, volumeInitializationRate: 300 } }]", []],
  [
    "a rate without a snapshot",
    "[{ ebs: { volumeSize: 75Gi, volumeInitializationRate: 100 } }]",
    [
      "5:84 spec.blockDeviceMappings[0].ebs.volumeInitializationRate is wrong: only a volume made from a snapshot has a volumeInitializationRate → add snapshotID, or remove the rate",
    ],
  ],
  [
    "a rate out of range",
    "[{ ebs: { snapshotID: snap-1, volumeInitializationRate: 99 } }]",
    ["5:86 spec.blockDeviceMappings[0].ebs.volumeInitializationRate must be at least 100, not 99"],
  ],
];

describe("block devices of EC2NodeClass", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(ec2NodeClassSpec("hypershift"), `{ blockDeviceMappings: ${value} }`)).toEqual(findings);
  });
});
