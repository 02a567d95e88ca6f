/** The images of an EC2NodeClass, accepted and refused. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";

/** The case, the value in YAML, and the findings (line:column field words → hint). */
type Case = [what: string, value: string, findings: string[]];

/** The fields that upstream requires beside the images. */
const BASE = "role: nodes, subnetSelectorTerms: [{ id: subnet-1 }], securityGroupSelectorTerms: [{ id: sg-1 }]";

const TERMS: Case[] = [
  [
    "by id, name, tags and parameter",
    "amiFamily: Custom, amiSelectorTerms: [{ id: ami-1 }, { name: x, owner: self }, { tags: { a: b } }, { ssmParameter: p }]",
    [],
  ],
  [
    "no term",
    "amiFamily: Custom, amiSelectorTerms: []",
    ["5:28 spec.amiSelectorTerms must have at least 1 entry, not 0"],
  ],
  ["no list", "amiFamily: Custom", ["5:1 spec.amiSelectorTerms is missing"]],
  [
    "an owner alone",
    "amiFamily: Custom, amiSelectorTerms: [{ id: ami-1 }, { owner: self }]",
    ["5:62 spec.amiSelectorTerms[1] is wrong: a term needs one of tags, id, name, alias, ssmParameter"],
  ],
  [
    "a wrong id",
    "amiFamily: Custom, amiSelectorTerms: [{ id: img-1 }]",
    ['5:53 spec.amiSelectorTerms[0].id is "img-1", which is not an image id, such as ami-0a1b2c3d4e5f'],
  ],
  [
    "id with an owner",
    "amiFamily: Custom, amiSelectorTerms: [{ id: ami-1 }, { id: ami-2, owner: self }]",
    [
      "5:62 spec.amiSelectorTerms[1] is wrong: id cannot be combined with alias, tags, name, owner in one term → split the term: a list of terms selects what matches any of them",
    ],
  ],
  [
    "id with a parameter passes, as upstream",
    "amiFamily: Custom, amiSelectorTerms: [{ id: ami-1, ssmParameter: p }]",
    [],
  ],
];

const ALIASES: Case[] = [
  ["an alias alone", "amiSelectorTerms: [{ alias: al2023@v20240807 }]", []],
  ["its family beside it", "amiFamily: AL2023, amiSelectorTerms: [{ alias: al2023@latest }]", []],
  ["Custom beside it", "amiFamily: Custom, amiSelectorTerms: [{ alias: bottlerocket@v1.10.0 }]", []],
  [
    "another family beside it",
    "amiFamily: AL2023, amiSelectorTerms: [{ alias: al2@latest }]",
    [
      "5:20 spec.amiFamily is wrong: an alias of al2 goes with amiFamily AL2 or Custom → leave amiFamily out: the alias implies it",
    ],
  ],
  [
    "a Windows alias beside another family",
    "amiFamily: AL2, amiSelectorTerms: [{ alias: windows2025@latest }]",
    [
      "5:20 spec.amiFamily is wrong: an alias of windows2025 goes with amiFamily Windows2025 or Custom → leave amiFamily out: the alias implies it",
    ],
  ],
  [
    "neither family nor alias",
    "amiSelectorTerms: [{ id: ami-1 }]",
    [
      "5:1 spec.amiFamily is wrong: amiFamily is missing, and no alias says it → add amiFamily: it decides the form of the user data",
    ],
  ],
  [
    "an unknown family",
    "amiFamily: Ubuntu, amiSelectorTerms: [{ id: ami-1 }]",
    [
      '5:20 spec.amiFamily must be one of AL2, AL2023, Bottlerocket, Custom, Windows2019, Windows2022, Windows2025, not "Ubuntu"',
    ],
  ],
  [
    "an alias with another term",
    "amiSelectorTerms: [{ id: ami-1 }, { alias: al2023@latest }]",
    [
      "5:43 spec.amiSelectorTerms[1] is wrong: an alias must be the only term → remove the other terms, or select the images without alias",
    ],
  ],
  [
    "an alias with a name",
    "amiSelectorTerms: [{ alias: al2023@latest, name: x }]",
    [
      "5:28 spec.amiSelectorTerms[0] is wrong: alias cannot be combined with id, tags, name, owner in one term → remove the others: an alias selects the images alone",
    ],
  ],
  [
    "an alias without a version",
    "amiSelectorTerms: [{ alias: al2023 }]",
    [
      "5:37 spec.amiSelectorTerms[0].alias is wrong: no alias of the form family@version → write al2023@v20240807, or al2023@latest",
    ],
  ],
  [
    "an alias of an unknown family",
    "amiSelectorTerms: [{ alias: ubuntu@latest }]",
    [
      "5:37 spec.amiSelectorTerms[0].alias is wrong: Karpenter has no such image family: al2, al2023, bottlerocket, windows2019, windows2022, windows2025",
    ],
  ],
  [
    "a pinned Windows image",
    "amiSelectorTerms: [{ alias: windows2022@v1 }]",
    ["5:37 spec.amiSelectorTerms[0].alias is wrong: Windows images cannot be pinned → write the version latest"],
  ],
  [
    "an alias of 31 characters",
    `amiSelectorTerms: [{ alias: al2023@${"v".repeat(24)} }]`,
    ["5:37 spec.amiSelectorTerms[0].alias must have at most 30 characters, not 31"],
  ],
];

describe("images of EC2NodeClass", () => {
  it.each([...TERMS, ...ALIASES])("%s", (_what, value, findings) => {
    expect(specFindings(ec2NodeClassSpec("karpenter-1.14"), `{ ${value}, ${BASE} }`)).toEqual(findings);
  });
});
