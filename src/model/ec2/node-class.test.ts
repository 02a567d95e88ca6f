/** EC2NodeClass as a whole: required fields, and what each profile adds or forbids. */
import { describe, expect, it } from "vitest";
import { specFindings } from "../../../test/support/spec-findings.ts";
import { ec2NodeClassSpec } from "./node-class.ts";
import { PROFILES, type Profile } from "../crds/profile.ts";

const SELECTORS = "subnetSelectorTerms: [{ id: subnet-1 }], securityGroupSelectorTerms: [{ id: sg-1 }]";
const UPSTREAM = `amiFamily: Custom, amiSelectorTerms: [{ id: ami-1 }], ${SELECTORS}`;
const ALIAS = `amiSelectorTerms: [{ alias: al2023@latest }], role: nodes, ${SELECTORS}`;
const WHO = "5:1 spec is wrong: one of role and instanceProfile, and not both, says who the nodes are";

const FIELDS = {
  hypershift:
    "amiFamily, amiSelectorTerms, associatePublicIPAddress, blockDeviceMappings, capacityReservationSelectorTerms, context, detailedMonitoring, instanceProfile, instanceStorePolicy, ipPrefixCount, kubelet, metadataOptions, …",
  "karpenter-1.14":
    "amiFamily, amiSelectorTerms, associatePublicIPAddress, blockDeviceMappings, capacityReservationSelectorTerms, connectionTracking, context, cpuOptions, detailedMonitoring, instanceProfile, instanceStorePolicy, ipPrefixCount, …",
};

/** The case, the spec in YAML, and the findings by profile; a profile without an entry has none. */
const CASES: [what: string, spec: string, findings: Partial<Record<Profile, string[]>>][] = [
  [
    "as HyperShift renders it: no role, no instance profile",
    `{ ${UPSTREAM} }`,
    { "karpenter-1.14": [WHO], "karpenter-1.15": [WHO] },
  ],
  ["with a role", `{ role: nodes, ${UPSTREAM} }`, {}],
  ["with an instance profile", `{ instanceProfile: nodes, ${UPSTREAM} }`, {}],
  [
    "with both",
    `{ role: nodes, instanceProfile: nodes, ${UPSTREAM} }`,
    { "karpenter-1.14": [WHO], "karpenter-1.15": [WHO] },
  ],
  [
    "with an empty role",
    `{ role: "", ${UPSTREAM} }`,
    Object.fromEntries(PROFILES.map((profile) => [profile, ["5:15 spec.role must have at least 1 character, not 0"]])),
  ],
  [
    "empty",
    "{}",
    Object.fromEntries(
      (["karpenter-1.14", "karpenter-1.15"] as const).map((profile) => [
        profile,
        ["amiSelectorTerms", "securityGroupSelectorTerms", "subnetSelectorTerms"].map(
          (field) => `5:1 spec.${field} is missing`,
        ),
      ]),
    ),
  ],
  [
    "images by alias",
    `{ ${ALIAS} }`,
    {
      hypershift: [
        "5:28 spec.amiSelectorTerms[0] is wrong: HyperShift selects images by id only → remove alias, tags, name, owner",
      ],
    },
  ],
  [
    "images by name, with a family",
    `{ amiFamily: AL2023, amiSelectorTerms: [{ id: ami-1 }, { name: x }], role: nodes, ${SELECTORS} }`,
    {
      hypershift: [
        '5:20 spec.amiFamily must be Custom, not "AL2023"',
        "5:62 spec.amiSelectorTerms[1] is wrong: HyperShift selects images by id only → remove alias, tags, name, owner",
      ],
    },
  ],
  [
    "images by a parameter or by nothing: HyperShift's rule lets both through",
    `{ amiFamily: Custom, amiSelectorTerms: [{ ssmParameter: p }, {}], role: nodes, ${SELECTORS} }`,
    Object.fromEntries(
      (["karpenter-1.14", "karpenter-1.15"] as const).map((profile) => [
        profile,
        ["5:68 spec.amiSelectorTerms[1] is wrong: a term needs one of tags, id, name, alias, ssmParameter"],
      ]),
    ),
  ],
  [
    "a kubelet setting beyond the twelve",
    `{ kubelet: { registryPullQPS: 10, maxPods: many }, role: nodes, ${UPSTREAM} }`,
    Object.fromEntries(
      (["hypershift", "karpenter-1.14"] as const).map((profile) => [
        profile,
        [
          '5:50 spec.kubelet.maxPods must be a number, not "many"',
          "5:20 spec.kubelet.registryPullQPS (unknown) is not a field here → fields here: clusterDNS, cpuCFSQuota, evictionHard, evictionMaxPodGracePeriod, evictionSoft, evictionSoftGracePeriod, imageGCHighThresholdPercent, imageGCLowThresholdPercent, kubeReserved, maxPods, podsPerCore, systemReserved",
        ],
      ]),
    ),
  ],
  [
    "Nitro enclaves",
    `{ enclaveOptions: { enabled: true }, role: nodes, ${UPSTREAM} }`,
    Object.fromEntries(
      (["hypershift", "karpenter-1.14"] as const).map((profile) => [
        profile,
        [`5:9 spec.enclaveOptions (unknown) is not a field here → fields here: ${FIELDS[profile]}`],
      ]),
    ),
  ],
  [
    "the fields that HyperShift never sets",
    `{ context: c, ipPrefixCount: 0, userData: u, role: nodes, ${UPSTREAM} }`,
    {},
  ],
  [
    "metadata options in the wrapper's spelling",
    `{ metadataOptions: { httpEndpoint: HTTPEndpoint, httpPutResponseHopLimit: 65, httpTokens: Required }, role: nodes, ${UPSTREAM} }`,
    Object.fromEntries(
      PROFILES.map((profile) => [
        profile,
        [
          '5:42 spec.metadataOptions.httpEndpoint must be one of enabled, disabled, not "HTTPEndpoint"',
          "5:81 spec.metadataOptions.httpPutResponseHopLimit must be at most 64, not 65",
          '5:97 spec.metadataOptions.httpTokens must be one of required, optional, not "Required" → did you mean required?',
        ],
      ]),
    ),
  ],
  [
    "a tag of Karpenter's own",
    `{ tags: { karpenter.sh/nodepool: x }, role: nodes, ${UPSTREAM} }`,
    Object.fromEntries(
      PROFILES.map((profile) => [
        profile,
        [
          '5:40 spec.tags["karpenter.sh/nodepool"] is wrong: the tag karpenter.sh/nodepool is Karpenter\'s own → remove it: Karpenter sets it on all that it makes',
        ],
      ]),
    ),
  ],
];

describe.each(PROFILES)("EC2NodeClass, profile %s", (profile) => {
  const schema = ec2NodeClassSpec(profile);

  it.each(CASES)("%s", (_what, spec, findings) => {
    expect(specFindings(schema, spec)).toEqual(findings[profile] ?? []);
  });
});

it("requires `enabled` of enclaveOptions in Karpenter 1.15", () => {
  const spec = `{ enclaveOptions: {}, role: nodes, ${UPSTREAM} }`;
  expect(specFindings(ec2NodeClassSpec("karpenter-1.15"), spec)).toEqual([
    "5:9 spec.enclaveOptions.enabled is missing",
  ]);
});
