/** Karpenter's EC2NodeClass in each profile. */
import type { Profile } from "../../../../src/model/crds/profile.ts";
import { EC2_NODE_CLASS_NODES } from "./ec2-node-class-nodes.ts";
import { many, no, ok, type Row, type Table, table } from "./table.ts";

const UPSTREAM: readonly Profile[] = ["karpenter-1.14", "karpenter-1.15"];
const HYPERSHIFT: readonly Profile[] = ["hypershift"];

const id = (prefix: string) => ({ id: `${prefix}-0a1b` });

/** In order in every profile. */
export const EC2_NODE_CLASS_SPEC: Readonly<Record<string, unknown>> = {
  amiFamily: "Custom",
  amiSelectorTerms: [id("ami")],
  subnetSelectorTerms: [id("subnet")],
  securityGroupSelectorTerms: [id("sg")],
  instanceProfile: "nodes",
};

const over = (changes: Readonly<Record<string, unknown>>) => ({ ...EC2_NODE_CLASS_SPEC, ...changes });
const alias = (name: string) => [{ alias: name }];
const tags = { team: "storage" };

const FAMILIES = [
  ["al2", "AL2"],
  ["al2023", "AL2023"],
  ["bottlerocket", "Bottlerocket"],
  ["windows2019", "Windows2019"],
  ["windows2022", "Windows2022"],
  ["windows2025", "Windows2025"],
] as const;

const IMAGES: readonly Row[] = [
  ["no images", HYPERSHIFT, over({ amiSelectorTerms: undefined })],
  ["no family", HYPERSHIFT, over({ amiFamily: undefined })],
  ["a family of Karpenter's with ids", UPSTREAM, over({ amiFamily: "AL2023" })],
  ["a family that there is not", no, over({ amiFamily: "Ubuntu" })],
  ["an alias without family", UPSTREAM, over({ amiFamily: undefined, amiSelectorTerms: alias("al2023@latest") })],
  ["an alias with the family Custom", UPSTREAM, over({ amiSelectorTerms: alias("bottlerocket@v1.10.0") })],
  ...FAMILIES.flatMap(([name, family], index): Row[] => {
    const amiSelectorTerms = alias(`${name}@latest`);
    const [, other] = FAMILIES[(index + 1) % FAMILIES.length]!;
    return [
      [`an alias of ${name} with its family`, UPSTREAM, over({ amiFamily: family, amiSelectorTerms })],
      [`an alias of ${name} with another family`, no, over({ amiFamily: other, amiSelectorTerms })],
    ];
  }),
];

const AMI_TERMS: readonly Row[] = [
  ["none", no, []],
  ["30", ok, many(30, () => id("ami"))],
  ["31", no, many(31, () => id("ami"))],
  ["an empty one, which HyperShift's edit lets pass", HYPERSHIFT, [{}]],
  ["by tags", UPSTREAM, [{ tags }]],
  ["by name", UPSTREAM, [{ name: "rhcos" }]],
  ["by name and owner", UPSTREAM, [{ name: "rhcos", owner: "self" }]],
  ["by owner alone", no, [{ owner: "self" }]],
  ["by parameter, which HyperShift's edit forgot", ok, [{ ssmParameter: "/images/rhcos" }]],
  ["by id and tags", no, [{ ...id("ami"), tags }]],
  ["by id and tags, after one by id", no, [id("ami"), { ...id("ami"), tags }]],
  ["an id without its dash", no, [{ id: "ami" }]],
  ["an id with something before it: the pattern has no ends", ok, [{ id: "xami-0a1b!" }]],
  ["an alias beside another term", no, [...alias("al2023@latest"), id("ami")]],
  ["an alias with an id", no, [{ alias: "al2023@latest", ...id("ami") }]],
  ["an alias without version", no, alias("al2023")],
  ["an alias of a family that there is not", no, alias("ubuntu@latest")],
  ["the latest Windows", UPSTREAM, alias("windows2022@latest")],
  ["a version of Windows", no, alias("windows2022@2024.01.01")],
  ["an alias of 30 characters", UPSTREAM, alias(`al2023@${"v".repeat(23)}`)],
  ["an alias of 31 characters", no, alias(`al2023@${"v".repeat(24)}`)],
  ["a field that is none", no, [{ ...id("ami"), region: "us-east-1" }]],
];

function terms(prefix: string): readonly Row[] {
  return [
    ["missing", HYPERSHIFT, undefined],
    ["none", no, []],
    ["30", ok, many(30, () => id(prefix))],
    ["31", no, many(31, () => id(prefix))],
    ["an empty one", no, [{}]],
    ["tags, but none in it", ok, [{ tags: {} }]],
    ["21 tags", no, [{ tags: Object.fromEntries(many(21, (index) => [`tag-${index}`, "x"])) }]],
    ["a tag without value", no, [{ tags: { team: "" } }]],
    ["an id of something else", no, [{ id: "ami-0a1b" }]],
    ["an id with something before it: the pattern has no ends", ok, [{ id: `x${prefix}-0a1b!` }]],
    ["id and tags", no, [{ ...id(prefix), tags }]],
    ["id and tags in one of two", ok, [{ ...id(prefix), tags }, { tags }]],
  ];
}

const RESERVATIONS: readonly Row[] = [
  ["none", no, []],
  ["by id", ok, [id("cr")]],
  ["by owner alone, which the wrapper allows", no, [{ ownerID: "012345678901" }]],
  ["by owner and criteria", ok, [{ ownerID: "012345678901", instanceMatchCriteria: "open" }]],
  ["the criteria of the wrapper", no, [{ instanceMatchCriteria: "Open" }]],
  ["an owner of 11 digits", no, [{ tags, ownerID: "01234567890" }]],
  ["an id with something before it", no, [{ id: "xcr-0a1b" }]],
  ["id and owner", no, [{ ...id("cr"), ownerID: "012345678901" }]],
];

const OWNER: readonly Row[] = [
  ["a role", ok, over({ instanceProfile: undefined, role: "nodes" })],
  ["a role and an instance profile", HYPERSHIFT, over({ role: "nodes" })],
  ["neither", HYPERSHIFT, over({ instanceProfile: undefined })],
  ["an empty role", no, over({ instanceProfile: undefined, role: "" })],
  ["an empty instance profile", no, over({ instanceProfile: "" })],
];

const TAGS: readonly Row[] = [
  ["none", ok, {}],
  ["an empty value", ok, { team: "" }],
  ["an empty key", no, { "": "x" }],
  ["eks:eks-cluster-name", no, { "eks:eks-cluster-name": "x" }],
  ["karpenter.sh/nodepool", no, { "karpenter.sh/nodepool": "x" }],
  ["karpenter.sh/nodeclaim", no, { "karpenter.sh/nodeclaim": "x" }],
  ["karpenter.k8s.aws/ec2nodeclass", no, { "karpenter.k8s.aws/ec2nodeclass": "x" }],
  ["kubernetes.io/cluster/…", no, { "kubernetes.io/cluster/shop": "owned" }],
  ["a word that begins like it", no, { "kubernetes.io/clusters": "x" }],
];

const METADATA_OPTIONS: readonly Row[] = [
  ["none", ok, {}],
  ["enabled", ok, { httpEndpoint: "enabled", httpProtocolIPv6: "disabled", httpTokens: "optional" }],
  ["the word of the wrapper", no, { httpEndpoint: "HTTPEndpoint" }],
  ["1 hop", ok, { httpPutResponseHopLimit: 1 }],
  ["64 hops", ok, { httpPutResponseHopLimit: 64 }],
  ["no hop", no, { httpPutResponseHopLimit: 0 }],
  ["65 hops", no, { httpPutResponseHopLimit: 65 }],
];

const SPEC: readonly Row[] = [
  ["the minimum", ok, over({})],
  ["nothing at all", HYPERSHIFT, {}],
  ["a public address", ok, over({ associatePublicIPAddress: true })],
  ["a public address in a word", no, over({ associatePublicIPAddress: "true" })],
  ["detailed monitoring", ok, over({ detailedMonitoring: true })],
  ["RAID0", ok, over({ instanceStorePolicy: "RAID0" })],
  ["another store policy", no, over({ instanceStorePolicy: "raid0" })],
  ["user data and context", ok, over({ userData: "x", context: "x" })],
  ["no prefix", ok, over({ ipPrefixCount: 0 })],
  ["a negative count of prefixes", no, over({ ipPrefixCount: -1 })],
  ["the version of the wrapper", no, over({ version: "4.20.1" })],
  ["connectionTracking", UPSTREAM, over({ connectionTracking: { udpTimeout: 30 } })],
  ["connectionTracking of nothing", no, over({ connectionTracking: {} })],
  ["connectionTracking below its bound", no, over({ connectionTracking: { udpTimeout: 29 } })],
  ["cpuOptions", UPSTREAM, over({ cpuOptions: { nestedVirtualization: "enabled" } })],
  ["placementGroupSelector", UPSTREAM, over({ placementGroupSelector: { id: "pg-0a1b" } })],
  ["placementGroupSelector by id and name", no, over({ placementGroupSelector: { id: "pg-0a1b", name: "x" } })],
  ["placementGroupSelector by nothing", no, over({ placementGroupSelector: {} })],
  ["networkInterfaces", UPSTREAM, over({ networkInterfaces: [network(0, 0, "interface")] })],
  ["networkInterfaces without the primary one", no, over({ networkInterfaces: [network(1, 1, "interface")] })],
  [
    "networkInterfaces with two at one place",
    no,
    over({ networkInterfaces: [network(0, 0, "interface"), network(0, 0, "interface")] }),
  ],
  [
    "networkInterfaces with two for EFA alone on a card",
    no,
    over({ networkInterfaces: [network(0, 0, "interface"), network(1, 1, "efa-only"), network(1, 2, "efa-only")] }),
  ],
  ["enclaveOptions", ["karpenter-1.15"], over({ enclaveOptions: { enabled: true } })],
];

function network(networkCardIndex: number, deviceIndex: number, interfaceType: string): object {
  return { networkCardIndex, deviceIndex, interfaceType };
}

export const EC2_NODE_CLASS: readonly Table[] = [
  table("spec", [...SPEC, ...IMAGES, ...OWNER]),
  table("spec.amiSelectorTerms", AMI_TERMS),
  table("spec.subnetSelectorTerms", terms("subnet")),
  table("spec.securityGroupSelectorTerms", [
    ...terms("sg"),
    ["id and name", no, [{ ...id("sg"), name: "default" }]],
    ["name and tags", no, [{ name: "default", tags }]],
  ]),
  table("spec.capacityReservationSelectorTerms", RESERVATIONS),
  table("spec.tags", TAGS),
  table("spec.metadataOptions", METADATA_OPTIONS),
  ...EC2_NODE_CLASS_NODES,
];
