/** The selector terms of a wrapper, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { openshiftEC2NodeClassSpec } from "./openshift-ec2-node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

const repeat = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(", ")}]`;

const SUBNETS: Case[] = [
  ["a subnet by id", "{ subnetSelectorTerms: [{ id: subnet-0a1b }] }", []],
  ["a subnet by tags, any value", '{ subnetSelectorTerms: [{ tags: { env: test, team: "*" } }] }', []],
  ["30 terms", `{ subnetSelectorTerms: ${repeat(30, "{ id: subnet-1 }")} }`, []],
  ["no term", "{ subnetSelectorTerms: [] }", ["5:9 spec.subnetSelectorTerms must have at least 1 entry, not 0"]],
  [
    "31 terms",
    `{ subnetSelectorTerms: ${repeat(31, "{ id: subnet-1 }")} }`,
    ["5:9 spec.subnetSelectorTerms must have at most 30 entries, not 31"],
  ],
  [
    "an empty term",
    "{ subnetSelectorTerms: [{ id: subnet-1 }, {}] }",
    ["5:49 spec.subnetSelectorTerms[1] is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "a field some letters off beside a good one",
    "{ subnetSelectorTerms: [{ id: subnet-1, tag: { env: test } }] }",
    ["5:47 spec.subnetSelectorTerms[0].tag (unknown) is not a field here → did you mean tags?"],
  ],
  [
    "empty tags",
    "{ subnetSelectorTerms: [{ tags: {} }] }",
    ["5:33 spec.subnetSelectorTerms[0].tags is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "an empty tag value",
    '{ subnetSelectorTerms: [{ tags: { env: "" } }] }',
    [
      '5:46 spec.subnetSelectorTerms[0].tags.env is wrong: a tag to look for needs a key and a value → write "*" to match any value',
    ],
  ],
  [
    "an empty tag key",
    '{ subnetSelectorTerms: [{ tags: { "": x } }] }',
    [
      '5:45 spec.subnetSelectorTerms[0].tags[""] is wrong: a tag to look for needs a key and a value → write "*" to match any value',
    ],
  ],
  [
    "a tag value that is a number",
    "{ subnetSelectorTerms: [{ tags: { env: 1 } }] }",
    ['5:46 spec.subnetSelectorTerms[0].tags.env must be a string, not 1 → put it in quotes: "1"'],
  ],
  [
    "an id in capitals",
    "{ subnetSelectorTerms: [{ id: subnet-0A }] }",
    [
      '5:37 spec.subnetSelectorTerms[0].id is "subnet-0A", which is not a subnet id: `subnet-` and lower-case letters or digits, such as subnet-0a1b2c3d4e5f',
    ],
  ],
  [
    "an id with something before it",
    "{ subnetSelectorTerms: [{ id: my-subnet-0a }] }",
    [
      '5:37 spec.subnetSelectorTerms[0].id is "my-subnet-0a", which is not a subnet id: `subnet-` and lower-case letters or digits, such as subnet-0a1b2c3d4e5f',
    ],
  ],
  [
    "an empty id",
    '{ subnetSelectorTerms: [{ id: "" }] }',
    ["5:37 spec.subnetSelectorTerms[0].id must have at least 1 character, not 0"],
  ],
  [
    "an id of 257 characters",
    `{ subnetSelectorTerms: [{ id: subnet-${"0".repeat(250)} }] }`,
    ["5:37 spec.subnetSelectorTerms[0].id must have at most 256 characters, not 257"],
  ],
  [
    "id and tags in the only term",
    "{ subnetSelectorTerms: [{ id: subnet-1, tags: { env: test } }] }",
    [
      "5:31 spec.subnetSelectorTerms[0] is wrong: id cannot be combined with tags in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  [
    "id and tags in one of two terms pass, as upstream",
    "{ subnetSelectorTerms: [{ id: subnet-1, tags: { env: test } }, { id: subnet-2 }] }",
    [],
  ],
  [
    "a subnet has no owner",
    '{ subnetSelectorTerms: [{ id: subnet-1, ownerID: "123456789012" }] }',
    ["5:47 spec.subnetSelectorTerms[0].ownerID (unknown) is not a field here → fields here: id, tags"],
  ],
  [
    "a term of nothing that counts",
    "{ subnetSelectorTerms: [{ ids: subnet-1 }] }",
    [
      "5:33 spec.subnetSelectorTerms[0].ids (unknown) is not a field here → did you mean id?",
      "5:31 spec.subnetSelectorTerms[0] is wrong: no field is set in it → remove it, or set a field",
    ],
  ],
];

const SECURITY_GROUPS: Case[] = [
  [
    "by id, by name, by tags",
    "{ securityGroupSelectorTerms: [{ id: sg-0a }, { name: web }, { tags: { env: test } }] }",
    [],
  ],
  [
    "no security group term",
    "{ securityGroupSelectorTerms: [] }",
    ["5:9 spec.securityGroupSelectorTerms must have at least 1 entry, not 0"],
  ],
  [
    "a wrong security group id",
    "{ securityGroupSelectorTerms: [{ id: subnet-0a }] }",
    [
      '5:44 spec.securityGroupSelectorTerms[0].id is "subnet-0a", which is not a security group id: `sg-` and lower-case letters or digits, such as sg-0a1b2c3d4e5f',
    ],
  ],
  [
    "an empty name",
    '{ securityGroupSelectorTerms: [{ name: "" }] }',
    ["5:46 spec.securityGroupSelectorTerms[0].name must have at least 1 character, not 0"],
  ],
  [
    "a name of 257 characters",
    `{ securityGroupSelectorTerms: [{ name: ${"n".repeat(257)} }] }`,
    ["5:46 spec.securityGroupSelectorTerms[0].name must have at most 256 characters, not 257"],
  ],
  [
    "id with others in all terms",
    "{ securityGroupSelectorTerms: [{ id: sg-1, name: a }, { id: sg-2, tags: { env: test } }] }",
    [
      "5:38 spec.securityGroupSelectorTerms[0] is wrong: id cannot be combined with tags, name in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  [
    "name with tags in all terms",
    "{ securityGroupSelectorTerms: [{ name: a, tags: { env: test } }] }",
    [
      "5:38 spec.securityGroupSelectorTerms[0] is wrong: name cannot be combined with tags, id in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  [
    "name with tags in one of two terms passes, as upstream",
    "{ securityGroupSelectorTerms: [{ name: a, tags: { env: test } }, { id: sg-1 }] }",
    [],
  ],
];

const CAPACITY_RESERVATIONS: Case[] = [
  ["by id or criteria", "{ capacityReservationSelectorTerms: [{ id: cr-0a }, { instanceMatchCriteria: Open }] }", []],
  ["by owner alone", '{ capacityReservationSelectorTerms: [{ ownerID: "123456789012" }] }', []],
  [
    "by tags, owner and criteria",
    '{ capacityReservationSelectorTerms: [{ tags: { a: b }, ownerID: "123456789012", instanceMatchCriteria: Targeted }] }',
    [],
  ],
  [
    "no capacity reservation term",
    "{ capacityReservationSelectorTerms: [] }",
    ["5:9 spec.capacityReservationSelectorTerms must have at least 1 entry, not 0"],
  ],
  [
    "an empty capacity reservation term",
    "{ capacityReservationSelectorTerms: [{}] }",
    ["5:44 spec.capacityReservationSelectorTerms[0] is wrong: no field is set in it → remove it, or set a field"],
  ],
  [
    "a wrong capacity reservation id",
    "{ capacityReservationSelectorTerms: [{ id: cr_1 }] }",
    [
      '5:50 spec.capacityReservationSelectorTerms[0].id is "cr_1", which is not a capacity reservation id: `cr-` and lower-case letters or digits, such as cr-0a1b2c3d4e5f',
    ],
  ],
  [
    "an owner of 11 digits",
    '{ capacityReservationSelectorTerms: [{ ownerID: "12345678901" }] }',
    [
      '5:55 spec.capacityReservationSelectorTerms[0].ownerID is "12345678901", which is not an AWS account: 12 digits, in quotes',
    ],
  ],
  [
    "an owner as a number",
    "{ capacityReservationSelectorTerms: [{ ownerID: 123456789012 }] }",
    [
      '5:55 spec.capacityReservationSelectorTerms[0].ownerID must be a string, not 123456789012 → put it in quotes: "123456789012"',
    ],
  ],
  [
    "criteria in Karpenter's spelling",
    "{ capacityReservationSelectorTerms: [{ instanceMatchCriteria: open }] }",
    [
      '5:69 spec.capacityReservationSelectorTerms[0].instanceMatchCriteria must be one of Open, Targeted, not "open" → did you mean Open?',
    ],
  ],
  [
    "id with criteria in all terms",
    "{ capacityReservationSelectorTerms: [{ id: cr-1, instanceMatchCriteria: Open }] }",
    [
      "5:44 spec.capacityReservationSelectorTerms[0] is wrong: id cannot be combined with tags, ownerID, instanceMatchCriteria in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
];

describe("selector terms", () => {
  it.each([...SUBNETS, ...SECURITY_GROUPS, ...CAPACITY_RESERVATIONS])("%s", (_what, value, findings) => {
    expect(specFindings(openshiftEC2NodeClassSpec, value)).toEqual(findings);
  });
});

it("takes at most 20 tags in a term", () => {
  const tags = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `t${index}: v`).join(", ")} }`;
  const findings = (count: number): string[] =>
    specFindings(openshiftEC2NodeClassSpec, `{ subnetSelectorTerms: [{ tags: ${tags(count)} }] }`);
  expect(findings(20)).toEqual([]);
  expect(findings(21)).toEqual(["5:33 spec.subnetSelectorTerms[0].tags must have at most 20 fields, not 21"]);
});
