/** The network fields of an EC2NodeClass, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const nic = (card: number, device: number, type: string): string =>
  `{ networkCardIndex: ${card}, deviceIndex: ${device}, interfaceType: ${type} }`;

const CASES: Case[] = [
  [
    "interfaces",
    `{ networkInterfaces: [${nic(0, 0, "interface")}, ${nic(0, 1, "efa-only")}, ${nic(1, 1, "efa-only")}] }`,
    [],
  ],
  ["no interface, as upstream", "{ networkInterfaces: [] }", []],
  [
    "no primary interface",
    `{ networkInterfaces: [${nic(0, 1, "interface")}] }`,
    [
      "5:9 spec.networkInterfaces is wrong: the primary interface is missing → add networkCardIndex 0, deviceIndex 0, interfaceType interface",
    ],
  ],
  [
    "a primary interface that is efa-only",
    `{ networkInterfaces: [${nic(0, 0, "efa-only")}] }`,
    [
      "5:9 spec.networkInterfaces is wrong: the primary interface is missing → add networkCardIndex 0, deviceIndex 0, interfaceType interface",
    ],
  ],
  [
    "the same slot twice",
    `{ networkInterfaces: [${nic(0, 0, "interface")}, ${nic(1, 0, "interface")}, ${nic(1, 0, "interface")}] }`,
    ["5:163 spec.networkInterfaces[2] is wrong: an earlier interface has the same networkCardIndex and deviceIndex"],
  ],
  [
    "two efa-only on one card",
    `{ networkInterfaces: [${nic(0, 0, "interface")}, ${nic(1, 0, "efa-only")}, ${nic(1, 1, "efa-only")}] }`,
    ["5:162 spec.networkInterfaces[2] is wrong: a network card has one efa-only interface at most"],
  ],
  [
    "an interface of half",
    "{ networkInterfaces: [{ deviceIndex: 0, interfaceType: efa }] }",
    [
      "5:29 spec.networkInterfaces[0].networkCardIndex is missing",
      '5:62 spec.networkInterfaces[0].interfaceType must be one of interface, efa-only, not "efa"',
    ],
  ],
  ["a placement group by name", "{ placementGroupSelector: { name: pg } }", []],
  ["a placement group by id", "{ placementGroupSelector: { id: pg-0a } }", []],
  [
    "a placement group by both",
    "{ placementGroupSelector: { name: pg, id: pg-0a } }",
    ["5:9 spec.placementGroupSelector is wrong: one of name and id, and not both, selects the placement group"],
  ],
  [
    "a placement group by nothing",
    "{ placementGroupSelector: {} }",
    ["5:9 spec.placementGroupSelector is wrong: one of name and id, and not both, selects the placement group"],
  ],
  [
    "a wrong placement group",
    "{ placementGroupSelector: { id: pg } }",
    ['5:39 spec.placementGroupSelector.id is "pg", which is not a placement group id, such as pg-0a1b2c3d4e5f'],
  ],
  [
    "an empty name",
    '{ placementGroupSelector: { name: "" } }',
    ["5:41 spec.placementGroupSelector.name must have at least 1 character, not 0"],
  ],
  ["timeouts", "{ connectionTracking: { tcpEstablishedTimeout: 432000, udpStreamTimeout: 180, udpTimeout: 60 } }", []],
  [
    "no timeout",
    "{ connectionTracking: {} }",
    ["5:9 spec.connectionTracking is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "timeouts out of range",
    "{ connectionTracking: { tcpEstablishedTimeout: 59, udpStreamTimeout: 181, udpTimeout: 29 } }",
    [
      "5:54 spec.connectionTracking.tcpEstablishedTimeout must be at least 60, not 59",
      "5:76 spec.connectionTracking.udpStreamTimeout must be at most 180, not 181",
      "5:93 spec.connectionTracking.udpTimeout must be at least 30, not 29",
    ],
  ],
];

/** The fields that upstream requires beside the network. */
const REST =
  "amiFamily: Custom, amiSelectorTerms: [{ id: ami-1 }], role: nodes, subnetSelectorTerms: [{ id: subnet-1 }], securityGroupSelectorTerms: [{ id: sg-1 }]";

describe("network of EC2NodeClass", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    const whole = value.replace(/ \}$/, `, ${REST} }`);
    expect(specFindings(ec2NodeClassSpec("karpenter-1.14"), whole)).toEqual(findings);
  });

  it("is not part of the CRD that HyperShift ships", () => {
    const [first] = specFindings(ec2NodeClassSpec("hypershift"), "{ networkInterfaces: [] }");
    expect(first).toMatch(/^5:9 spec\.networkInterfaces \(unknown\) is not a field here/);
  });
});
