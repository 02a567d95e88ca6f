/** The selector terms of an EC2NodeClass, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const repeat = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(", ")}]`;

const CASES: Case[] = [
  ["subnets", '{ subnetSelectorTerms: [{ id: subnet-0a }, { tags: { a: "*" } }] }', []],
  ["no subnet", "{ subnetSelectorTerms: [] }", ["5:9 spec.subnetSelectorTerms must have at least 1 entry, not 0"]],
  [
    "31 subnets",
    `{ subnetSelectorTerms: ${repeat(31, "{ id: subnet-1 }")} }`,
    ["5:9 spec.subnetSelectorTerms must have at most 30 entries, not 31"],
  ],
  [
    "a term of nothing",
    "{ subnetSelectorTerms: [{ id: subnet-1 }, {}] }",
    ["5:49 spec.subnetSelectorTerms[1] is wrong: a term needs one of tags, id"],
  ],
  ["empty tags count as tags, as upstream", "{ subnetSelectorTerms: [{ tags: {} }] }", []],
  [
    "an empty tag value",
    '{ subnetSelectorTerms: [{ tags: { a: "" } }] }',
    [
      '5:44 spec.subnetSelectorTerms[0].tags.a is wrong: a tag to look for needs a key and a value → write "*" to match any value',
    ],
  ],
  ["an id is not anchored, as upstream", "{ subnetSelectorTerms: [{ id: my-subnet-0aX }] }", []],
  [
    "a wrong subnet id",
    "{ subnetSelectorTerms: [{ id: subnet-X }] }",
    ['5:37 spec.subnetSelectorTerms[0].id is "subnet-X", which is not a subnet id, such as subnet-0a1b2c3d4e5f'],
  ],
  [
    "id and tags in all terms",
    "{ subnetSelectorTerms: [{ id: subnet-1, tags: { a: b } }] }",
    [
      "5:31 spec.subnetSelectorTerms[0] is wrong: id cannot be combined with tags in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  ["security groups", "{ securityGroupSelectorTerms: [{ id: sg-0a }, { name: web }, { tags: { a: b } }] }", []],
  [
    "no security group",
    "{ securityGroupSelectorTerms: [] }",
    ["5:9 spec.securityGroupSelectorTerms must have at least 1 entry, not 0"],
  ],
  [
    "a wrong security group id",
    "{ securityGroupSelectorTerms: [{ id: web }] }",
    ['5:44 spec.securityGroupSelectorTerms[0].id is "web", which is not a security group id, such as sg-0a1b2c3d4e5f'],
  ],
  [
    "name and tags in all terms",
    "{ securityGroupSelectorTerms: [{ name: a, tags: { a: b } }] }",
    [
      "5:38 spec.securityGroupSelectorTerms[0] is wrong: name cannot be combined with tags, id in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  [
    "name and tags in one of two terms pass, as upstream",
    "{ securityGroupSelectorTerms: [{ name: a, tags: { a: b } }, { name: b }] }",
    [],
  ],
  [
    "capacity reservations",
    '{ capacityReservationSelectorTerms: [{ id: cr-1 }, { tags: { a: b }, ownerID: "123456789012" }, { instanceMatchCriteria: open }] }',
    [],
  ],
  [
    "no capacity reservation",
    "{ capacityReservationSelectorTerms: [] }",
    ["5:9 spec.capacityReservationSelectorTerms must have at least 1 entry, not 0"],
  ],
  [
    "an owner alone, which the wrapper takes",
    '{ capacityReservationSelectorTerms: [{ ownerID: "123456789012" }] }',
    ["5:44 spec.capacityReservationSelectorTerms[0] is wrong: a term needs one of tags, id, instanceMatchCriteria"],
  ],
  [
    "a wrong owner",
    '{ capacityReservationSelectorTerms: [{ tags: { a: b }, ownerID: "1" }] }',
    ['5:71 spec.capacityReservationSelectorTerms[0].ownerID is "1", which is not an AWS account: 12 digits, in quotes'],
  ],
  [
    "an id with something before it",
    "{ capacityReservationSelectorTerms: [{ id: my-cr-1 }] }",
    [
      '5:50 spec.capacityReservationSelectorTerms[0].id is "my-cr-1", which is not a capacity reservation id, such as cr-0a1b2c3d4e5f',
    ],
  ],
  [
    "criteria in the wrapper's spelling",
    "{ capacityReservationSelectorTerms: [{ instanceMatchCriteria: Open }] }",
    [
      '5:69 spec.capacityReservationSelectorTerms[0].instanceMatchCriteria must be one of open, targeted, not "Open" → did you mean open?',
    ],
  ],
];

describe("selector terms of EC2NodeClass", () => {
  it.each(CASES)("%s", (_what, value, findings) => {
    expect(specFindings(ec2NodeClassSpec("hypershift"), value)).toEqual(findings);
  });
});
