/** OpenshiftEC2NodeClass v1 beside its kubelet. */
import { many, no, ok, rawNumber, type Row, type Table, table } from "./table.ts";

const manyTags = (count: number) => Object.fromEntries(many(count, (index) => [`tag-${index}`, "x"]));

/** Of a single term, to be put into the list. */
const TERM_TAGS: readonly Row[] = [
  ["a tag", ok, { team: "storage" }],
  ["any value", ok, { team: "*" }],
  ["none", no, {}],
  ["20 tags", ok, manyTags(20)],
  ["21 tags", no, manyTags(21)],
  ["an empty key", no, { "": "x" }],
  ["an empty value", no, { team: "" }],
  ["a number as value", no, { team: 1 }],
  ["a null as its only value", no, { team: null }],
];

const id = (prefix: string): readonly Row[] => [
  ["letters and digits", ok, `${prefix}-0a1b`],
  ["the prefix alone", no, `${prefix}-`],
  ["another prefix", no, "ami-0a1b"],
  ["capitals", no, `${prefix}-0A1B`],
  ["something before it", no, `x${prefix}-0a1b`],
  ["something after it", no, `${prefix}-0a1b!`],
  ["a line break after it", no, `${prefix}-0a1b\n`],
  ["256 characters", ok, `${prefix}-${"a".repeat(255 - prefix.length)}`],
  ["257 characters", no, `${prefix}-${"a".repeat(256 - prefix.length)}`],
  ["an empty text", no, ""],
];

/** The rows of one field of a term become terms; `rest` goes with each. */
function terms(name: string, rows: readonly Row[], rest: object = {}): Row[] {
  return rows.map(([what, verdict, value]) => [`${name}: ${what}`, verdict, [{ ...rest, [name]: value }]]);
}

function lists(valid: Readonly<Record<string, unknown>>): readonly Row[] {
  return [
    ["30 terms", ok, many(30, () => valid)],
    ["31 terms", no, many(31, () => valid)],
    ["no term", no, []],
    ["an empty term", no, [{}]],
    ["an empty term beside a valid one", no, [valid, {}]],
    ["null", ok, null],
    ["a null among the terms", no, [valid, null]],
    ["a field that is none", no, [{ ...valid, region: "us-east-1" }]],
    ["a mapping", no, valid],
  ];
}

const tags = { team: "storage" };

const SUBNETS: readonly Row[] = [
  ...lists({ id: "subnet-0a1b" }),
  ...terms("tags", TERM_TAGS),
  ...terms("id", id("subnet")),
  ["id and tags in the only term", no, [{ id: "subnet-0a1b", tags }]],
  ["id and tags in every term", no, many(2, () => ({ id: "subnet-0a1b", tags }))],
  ["id and tags in one of two terms, which upstream's rule lets pass", ok, [{ id: "subnet-0a1b", tags }, { tags }]],
  ["a name, which subnets have not", no, [{ name: "private" }]],
];

const SECURITY_GROUPS: readonly Row[] = [
  ...lists({ id: "sg-0a1b" }),
  ...terms("tags", TERM_TAGS),
  ...terms("id", id("sg")),
  ["a name", ok, [{ name: "default" }]],
  ["an empty name", no, [{ name: "" }]],
  ["a name of 256 characters", ok, [{ name: "a".repeat(256) }]],
  ["a name of 257 characters", no, [{ name: "a".repeat(257) }]],
  ["id and tags", no, [{ id: "sg-0a1b", tags }]],
  ["id and name", no, [{ id: "sg-0a1b", name: "default" }]],
  ["name and tags", no, [{ name: "default", tags }]],
  ["name and tags in one of two terms", ok, [{ name: "default", tags }, { tags }]],
];

const RESERVATIONS: readonly Row[] = [
  ...lists({ id: "cr-0a1b" }),
  ...terms("tags", TERM_TAGS),
  ...terms("id", id("cr")),
  ...terms("ownerID", [
    ["12 digits", ok, "012345678901"],
    ["11 digits", no, "01234567890"],
    ["13 digits", no, "0123456789012"],
    ["a letter", no, "01234567890a"],
    ["a number", no, 123456789012],
  ]),
  ...terms("instanceMatchCriteria", [
    ["Open", ok, "Open"],
    ["Targeted", ok, "Targeted"],
    ["open", no, "open"],
  ]),
  ["owner and tags", ok, [{ ownerID: "012345678901", tags }]],
  ["id and tags", no, [{ id: "cr-0a1b", tags }]],
  ["id and owner", no, [{ id: "cr-0a1b", ownerID: "012345678901" }]],
  ["id and criteria", no, [{ id: "cr-0a1b", instanceMatchCriteria: "Open" }]],
  ["id and owner in one of two terms", ok, [{ id: "cr-0a1b", ownerID: "012345678901" }, { tags }]],
];

const TAGS: readonly Row[] = [
  ["one", ok, tags],
  ["none", no, {}],
  ["an empty value", ok, { team: "" }],
  ["an empty key", no, { "": "x" }],
  ["eks:eks-cluster-name", no, { "eks:eks-cluster-name": "x" }],
  ["karpenter.sh/nodepool", no, { "karpenter.sh/nodepool": "x" }],
  ["karpenter.sh/nodeclaim", no, { "karpenter.sh/nodeclaim": "x" }],
  ["karpenter.k8s.aws/ec2nodeclass", no, { "karpenter.k8s.aws/ec2nodeclass": "x" }],
  ["another key of karpenter.sh", ok, { "karpenter.sh/discovery": "x" }],
  ["kubernetes.io/cluster/…", no, { "kubernetes.io/cluster/shop": "owned" }],
  ["kubernetes.io/cluster alone", no, { "kubernetes.io/cluster": "owned" }],
  ["a word that begins like it", no, { "kubernetes.io/clusters": "owned" }],
  ["kubernetes.io/role", ok, { "kubernetes.io/role": "x" }],
  ["a number as value", no, { team: 1 }],
  ["a null as its only value", no, { team: null }],
];

const METADATA_OPTIONS: readonly Row[] = [
  ["empty", no, {}],
  ["nothing but a null", no, { access: null }],
  ["HTTPEndpoint", ok, { access: "HTTPEndpoint" }],
  ["None", ok, { access: "None" }],
  ["the enabled of Karpenter", no, { access: "enabled" }],
  ["IPv4", ok, { httpIPProtocol: "IPv4" }],
  ["IPv6", ok, { httpIPProtocol: "IPv6" }],
  ["ipv6", no, { httpIPProtocol: "ipv6" }],
  ["1 hop", ok, { httpPutResponseHopLimit: 1 }],
  ["64 hops", ok, { httpPutResponseHopLimit: 64 }],
  ["no hop", no, { httpPutResponseHopLimit: 0 }],
  ["65 hops", no, { httpPutResponseHopLimit: 65 }],
  ["2.0 hops", ok, { httpPutResponseHopLimit: rawNumber("2.0") }],
  ["hops in quotes", no, { httpPutResponseHopLimit: "1" }],
  ["Required", ok, { httpTokens: "Required" }],
  ["Optional", ok, { httpTokens: "Optional" }],
  ["required", no, { httpTokens: "required" }],
  ["a field of Karpenter", no, { httpEndpoint: "enabled" }],
];

const VERSION: readonly Row[] = [
  ["major.minor.patch", ok, "4.20.1"],
  ["a pre-release", ok, "4.21.0-rc.1"],
  ["build metadata", ok, "4.21.0+20260101.abc"],
  ["both", ok, "4.21.0-ec.0+build"],
  ["no patch", no, "4.20"],
  ["five characters without patch", no, "4.200"],
  ["a leading zero", no, "4.020.1"],
  ["a leading zero in a pre-release number", no, "4.20.1-01"],
  ["an empty pre-release", no, "4.20.1-"],
  ["a v before it", no, "v4.20.1"],
  ["a blank after it", no, "4.20.1 "],
  ["a line break after it", no, "4.20.1\n"],
  ["a number", no, 4.2],
  ["64 characters", ok, `4.20.1-${"a".repeat(57)}`],
  ["65 characters", no, `4.20.1-${"a".repeat(58)}`],
];

const choice = (...values: string[]): readonly Row[] => [
  ...values.map((value): Row => [value, ok, value]),
  ["another word", no, "Other"],
  ["small letters", no, String(values[0]).toLowerCase()],
  ["an empty text", no, ""],
  ["true", no, true],
];

export const NODE_CLASS_FIELDS: readonly Table[] = [
  table("spec.subnetSelectorTerms", SUBNETS),
  table("spec.securityGroupSelectorTerms", SECURITY_GROUPS),
  table("spec.capacityReservationSelectorTerms", RESERVATIONS),
  table("spec.tags", TAGS),
  table("spec.metadataOptions", METADATA_OPTIONS),
  table("spec.version", VERSION),
  table("spec.ipAddressAssociation", choice("Public", "SubnetDefault")),
  table("spec.monitoring", choice("Detailed", "Basic")),
  table("spec.instanceStorePolicy", choice("RAID0")),
  table("spec", [
    ["missing", no, undefined],
    ["null", no, null],
    ["empty", no, {}],
    ["nothing but a null", no, { version: null }],
    ["a null beside a field", ok, { version: null, monitoring: "Basic" }],
    ["a field of Karpenter", no, { monitoring: "Basic", role: "nodes" }],
    ["the AMI family", no, { monitoring: "Basic", amiFamily: "Custom" }],
    ["the associatePublicIPAddress of v1beta1", no, { associatePublicIPAddress: false }],
    ["user data", no, { monitoring: "Basic", userData: "x" }],
  ]),
  table("metadata.name", [
    ["the class that HyperShift makes", ok, "default"],
    ["capitals", no, "Default"],
  ]),
];
