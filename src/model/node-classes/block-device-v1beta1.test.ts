/** The block devices of a v1beta1 wrapper in either dialect, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassV1beta1Spec } from "./openshift-ec2-node-class-v1beta1.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const CASES: Case[] = [
  [
    "the first dialect",
    "[{ deviceName: /dev/xvda, rootVolume: true, ebs: { volumeSize: 75Gi, volumeType: gp3, encrypted: true, deleteOnTermination: false, iops: 3000 } }]",
    [],
  ],
  [
    "the second dialect",
    "[{ rootVolume: RootVolume, ebs: { volumeSizeGiB: 75, volumeType: GP3, encrypted: Encrypted, deleteOnTermination: Retain } }]",
    [],
  ],
  ["no mapping", "[]", []],
  [
    "an empty mapping",
    "[{}]",
    ["5:31 spec.blockDeviceMappings[0] is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "two root volumes of two dialects",
    "[{ rootVolume: true }, { rootVolume: NotRootVolume }, { rootVolume: RootVolume }]",
    [
      "5:98 spec.blockDeviceMappings[2].rootVolume is wrong: a second root volume: only one mapping can be it → keep the flag rootVolume on one mapping",
    ],
  ],
  [
    "a flag that is neither",
    "[{ rootVolume: yes }]",
    ['5:45 spec.blockDeviceMappings[0].rootVolume is "yes": write RootVolume or NotRootVolume'],
  ],
  [
    "a volume without size",
    "[{ ebs: { encrypted: true } }]",
    [
      "5:33 spec.blockDeviceMappings[0].ebs is wrong: the volume has no size → add volumeSizeGiB, or the snapshotID it is made from",
    ],
  ],
  [
    "a size without unit",
    '[{ ebs: { volumeSize: "75" } }]',
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "75", which is not a volume size: a whole number above 0 with Gi, G, Ti or T, such as 75Gi',
    ],
  ],
  [
    "a size in Mi",
    "[{ ebs: { volumeSize: 75Mi } }]",
    [
      '5:52 spec.blockDeviceMappings[0].ebs.volumeSize is "75Mi", which is not a volume size: a whole number above 0 with Gi, G, Ti or T, such as 75Gi',
    ],
  ],
  [
    "a size as a number",
    "[{ ebs: { volumeSize: 75 } }]",
    ["5:52 spec.blockDeviceMappings[0].ebs.volumeSize must be a string, not 75 → write 75Gi"],
  ],
  [
    "a type of neither dialect",
    "[{ ebs: { volumeSize: 75Gi, volumeType: Gp3 } }]",
    [
      '5:70 spec.blockDeviceMappings[0].ebs.volumeType must be one of Standard, IO1, IO2, GP2, SC1, ST1, GP3, standard, io1, io2, gp2, sc1, st1, gp3, not "Gp3" → did you mean GP3?',
    ],
  ],
  [
    "encryption of neither dialect",
    "[{ ebs: { volumeSize: 75Gi, encrypted: on } }]",
    ['5:69 spec.blockDeviceMappings[0].ebs.encrypted is "on": write Encrypted or Unencrypted'],
  ],
];

describe("block devices of v1beta1", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassV1beta1Spec(), `{ blockDeviceMappings: ${value} }`)).toEqual(findings);
  });
});
