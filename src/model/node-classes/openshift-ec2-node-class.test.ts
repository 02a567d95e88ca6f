/** The wrapper's spec as a whole and its single fields, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const CASES: Case[] = [
  ["one field is enough", "{ instanceStorePolicy: RAID0 }", []],
  ["no field", "{}", ["5:1 spec is wrong: no field is set in it → remove it, or set a field"]],
  [
    "only a field that is not known: what remains is empty",
    "{ associatePublicIPAddress: true }",
    [
      "5:9 spec.associatePublicIPAddress (unknown) is not a field here → fields here: blockDeviceMappings, capacityReservationSelectorTerms, instanceStorePolicy, ipAddressAssociation, kubelet, metadataOptions, monitoring, securityGroupSelectorTerms, subnetSelectorTerms, tags, version",
      "5:1 spec is wrong: no field is set in it → remove it, or set a field",
    ],
  ],
  ["a list", "[]", ["5:1 spec must be a mapping, not a list of 0"]],
  [
    "fields some letters off, beside good ones",
    `
version: 4.20.1
monitorng: Detailed
kubelets: {}
`,
    [
      "7:3 spec.monitorng (unknown) is not a field here → did you mean monitoring?",
      "8:3 spec.kubelets (unknown) is not a field here → did you mean kubelet?",
    ],
  ],
  ["public address and monitoring", "{ ipAddressAssociation: Public, monitoring: Detailed }", []],
  ["the other values", "{ ipAddressAssociation: SubnetDefault, monitoring: Basic }", []],
  [
    "an address association in lower case",
    "{ ipAddressAssociation: public }",
    ['5:31 spec.ipAddressAssociation must be one of Public, SubnetDefault, not "public" → did you mean Public?'],
  ],
  [
    "monitoring as a boolean",
    "{ monitoring: true }",
    ["5:21 spec.monitoring must be one of Detailed, Basic, not true"],
  ],
  [
    "an unknown disk policy",
    "{ instanceStorePolicy: RAID1 }",
    ['5:30 spec.instanceStorePolicy must be RAID0, not "RAID1" → did you mean RAID0?'],
  ],
  [
    "all metadata options",
    "{ metadataOptions: { access: HTTPEndpoint, httpIPProtocol: IPv6, httpPutResponseHopLimit: 64, httpTokens: Optional } }",
    [],
  ],
  [
    "their other values",
    "{ metadataOptions: { access: None, httpIPProtocol: IPv4, httpPutResponseHopLimit: 1, httpTokens: Required } }",
    [],
  ],
  [
    "no metadata option",
    "{ metadataOptions: {} }",
    ["5:9 spec.metadataOptions is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "metadata options in Karpenter's spelling",
    "{ metadataOptions: { access: enabled, httpIPProtocol: ipv4, httpPutResponseHopLimit: 65, httpTokens: required } }",
    [
      '5:36 spec.metadataOptions.access must be one of HTTPEndpoint, None, not "enabled"',
      '5:61 spec.metadataOptions.httpIPProtocol must be one of IPv4, IPv6, not "ipv4" → did you mean IPv4?',
      "5:92 spec.metadataOptions.httpPutResponseHopLimit must be at most 64, not 65",
      '5:108 spec.metadataOptions.httpTokens must be one of Required, Optional, not "required" → did you mean Required?',
    ],
  ],
  [
    "a hop limit of 0",
    "{ metadataOptions: { httpPutResponseHopLimit: 0 } }",
    ["5:53 spec.metadataOptions.httpPutResponseHopLimit must be at least 1, not 0"],
  ],
  ["a release", "{ version: 4.20.1 }", []],
  ["a candidate with build metadata", "{ version: 4.21.0-rc.1+b.7 }", []],
  [
    "a version of two parts",
    '{ version: "4.200" }',
    ["5:18 spec.version is wrong: no OpenShift version → write major.minor.patch, such as 4.20.1"],
  ],
  ["a version of four characters", '{ version: "4.20" }', ["5:18 spec.version must have at least 5 characters, not 4"]],
  [
    "a version with v",
    "{ version: v4.20.1 }",
    ["5:18 spec.version is wrong: no OpenShift version → write major.minor.patch, such as 4.20.1"],
  ],
  [
    "a version with a leading zero",
    "{ version: 4.020.1 }",
    ["5:18 spec.version is wrong: no OpenShift version → write major.minor.patch, such as 4.20.1"],
  ],
  [
    "a version of 65 characters",
    `{ version: 4.20.1-${"a".repeat(58)} }`,
    ["5:18 spec.version must have at most 64 characters, not 65"],
  ],
  ["a field without a value", "{ version: }", ["5:1 spec is wrong: no field is set in it → remove it, or set a field"]],
];

describe("OpenshiftEC2NodeClass v1", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassSpec, value)).toEqual(findings);
  });
});
