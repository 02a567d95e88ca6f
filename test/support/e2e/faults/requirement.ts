/** One entry of a `requirements` list, in a policy, wrapper or NodePool. */
import { WELL_KNOWN_LABELS } from "../../../../src/model/requirements/labels.ts";
import { many, no, ok, rawNumber, type Row } from "./table.ts";

const exists = (key: string) => ({ key, operator: "Exists" });
const isIn = (key: string, ...values: unknown[]) => ({ key, operator: "In", values });
const op = (operator: string, ...values: unknown[]) => ({ key: "example.com/number", operator, values });
const team = (...values: unknown[]) => isIn("example.com/team", ...values);

const KEYS: readonly Row[] = [
  ["a key without domain", ok, exists("team")],
  ["a key of 316 characters", ok, exists(`${"a".repeat(253)}/${"b".repeat(62)}`)],
  ["a key of 317 characters", no, exists(`${"a".repeat(253)}/${"b".repeat(63)}`)],
  ["63 characters after the slash", ok, exists(`example.com/${"b".repeat(63)}`)],
  ["64 characters after the slash", no, exists(`example.com/${"b".repeat(64)}`)],
  ["254 characters before the slash", no, exists(`${"a".repeat(254)}/b`)],
  ["a key of a single character", ok, exists("a")],
  ["an empty key", no, exists("")],
  ["no key", no, { operator: "Exists" }],
  ["a number as a key", no, { key: 4, operator: "Exists" }],
  ["a key that ends with a slash", no, exists("example.com/")],
  ["a key that begins with a slash", no, exists("/team")],
  ["a key with two slashes", no, exists("example.com/a/b")],
  ["a domain in capitals", no, exists("Example.com/team")],
  ["a name in capitals", ok, exists("example.com/Team")],
  ["a blank in the key", no, exists("my team")],
  ["a key that ends with a dash", no, exists("example.com/team-")],
  ["a line break after the key", no, exists("team\n")],
  ["karpenter.sh/capacity-type", ok, exists("karpenter.sh/capacity-type")],
  ["karpenter.sh/nodepool", no, exists("karpenter.sh/nodepool")],
  ["karpenter.sh/initialized", no, exists("karpenter.sh/initialized")],
  ["a subdomain of karpenter.sh", no, exists("a.karpenter.sh/x")],
  ["a domain that only ends with karpenter.sh", no, exists("notkarpenter.sh/x")],
  ["karpenter.sh as a name", no, exists("karpenter.sh")],
  ["karpenter.sh as the name of another domain", ok, exists("example.com/karpenter.sh")],
  ["a domain that begins with karpenter.sh", ok, exists("karpenter.sh.example.com/x")],
  ["kubernetes.io/hostname", no, exists("kubernetes.io/hostname")],
  ["another key of kubernetes.io", ok, exists("kubernetes.io/foo")],
  ["a node role", ok, exists("node-role.kubernetes.io/infra")],
  ["an old alias", ok, exists("beta.kubernetes.io/arch")],
  ["an unknown key of karpenter.k8s.aws", no, exists("karpenter.k8s.aws/instance-pods")],
  ["a subdomain of karpenter.k8s.aws", no, exists("a.karpenter.k8s.aws/instance-cpu")],
  ["the node class's own key", no, exists("karpenter.k8s.aws/ec2nodeclass")],
  ...[...WELL_KNOWN_LABELS].filter((key) => key !== "karpenter.sh/nodepool").map((key): Row => [key, ok, exists(key)]),
];

const OPERATORS: readonly Row[] = [
  ["In", ok, op("In", "a")],
  ["NotIn", ok, op("NotIn", "a")],
  ["Exists", ok, op("Exists")],
  ["DoesNotExist", ok, op("DoesNotExist")],
  ...["Gt", "Lt", "Gte", "Lte"].flatMap((operator): Row[] => [
    [`${operator} 1`, ok, op(operator, "1")],
    [`${operator} 0`, ok, op(operator, "0")],
    [`${operator} -1`, no, op(operator, "-1")],
    [`${operator} without values`, no, { key: "example.com/number", operator }],
    [`${operator} with an empty list`, no, op(operator)],
    [`${operator} with two values`, no, op(operator, "1", "2")],
    [`${operator} with a word`, no, op(operator, "many")],
  ]),
  ["an operator in small letters", no, op("in", "a")],
  ["an unknown operator", no, op("Equals", "a")],
  ["no operator", no, { key: "example.com/number", values: ["a"] }],
  ["leading zeros", ok, op("Gt", "007")],
  ["the largest int64", ok, op("Gt", "9223372036854775807")],
  ["more than int64", no, op("Gt", "9223372036854775808")],
  ["a decimal point", no, op("Gt", "5.0")],
  ["an exponent", no, op("Gt", "1e3")],
  ["hexadecimal", no, op("Gt", "0x10")],
  ["a blank before the number", no, op("Gt", " 5")],
  ["a plus sign", no, op("Gt", "+5")],
  ["a number without quotes", no, op("Gt", 4)],
];

const VALUES: readonly Row[] = [
  ["In without values", no, { key: "example.com/team", operator: "In" }],
  ["In with an empty list", no, team()],
  ["In with an empty word", ok, team("")],
  ["In with one value twice", ok, team("a", "a")],
  ["NotIn without values", ok, { key: "example.com/team", operator: "NotIn" }],
  ["NotIn with an empty list", ok, op("NotIn")],
  ["Exists with values", ok, op("Exists", "a")],
  ["DoesNotExist with values", ok, op("DoesNotExist", "a")],
  ["a value of 63 characters", ok, team("a".repeat(63))],
  ["a value of 64 characters", no, team("a".repeat(64))],
  ["a blank in a value", no, team("a b")],
  ["a value that begins with a dash", no, team("-a")],
  ["a slash in a value", no, team("a/b")],
  ["2048 values", ok, team(...many(2048, (index) => `v${index}`))],
  ["2049 values", no, team(...many(2049, (index) => `v${index}`))],
  ["a number among the values", no, team(4)],
  ["true among the values", no, team(true)],
  ["null among the values", no, team(null)],
  ["a word instead of a list", no, { key: "example.com/team", operator: "In", values: "a" }],
  ["capacity-type spot", ok, isIn("karpenter.sh/capacity-type", "spot")],
  ["capacity-type on-demand and reserved", ok, isIn("karpenter.sh/capacity-type", "on-demand", "reserved")],
  ["no capacity-type that is known", no, isIn("karpenter.sh/capacity-type", "xspot")],
  ["one capacity-type that is known", ok, isIn("karpenter.sh/capacity-type", "spot", "xspot")],
  ["an unknown capacity-type excluded", ok, { ...isIn("karpenter.sh/capacity-type", "xspot"), operator: "NotIn" }],
  ["tenancy dedicated", ok, isIn("karpenter.k8s.aws/instance-tenancy", "dedicated")],
  ["no tenancy that is known", no, isIn("karpenter.k8s.aws/instance-tenancy", "host")],
  ["one tenancy that is known", ok, isIn("karpenter.k8s.aws/instance-tenancy", "default", "host")],
];

const MIN_VALUES: readonly Row[] = [
  ["minValues 1", ok, { ...team("a"), minValues: 1 }],
  ["minValues 0", no, { ...team("a"), minValues: 0 }],
  ["minValues -1", no, { ...team("a"), minValues: -1 }],
  ["as many values as minValues", ok, { ...team("a", "b"), minValues: 2 }],
  ["fewer values than minValues", no, { ...team("a", "b"), minValues: 3 }],
  ["one value twice for minValues 2", ok, { ...team("a", "a"), minValues: 2 }],
  ["minValues 50 of Exists", ok, { ...op("Exists"), minValues: 50 }],
  ["minValues 51 of Exists", no, { ...op("Exists"), minValues: 51 }],
  ["minValues 5 of NotIn with one value", ok, { ...op("NotIn", "a"), minValues: 5 }],
  ["minValues 1.5", no, { ...team("a"), minValues: 1.5 }],
  ["minValues 1.0", ok, { ...team("a"), minValues: rawNumber("1.0") }],
  ["minValues in quotes", no, { ...team("a"), minValues: "1" }],
  [
    "two capacity-types for minValues 2",
    ok,
    { ...isIn("karpenter.sh/capacity-type", "spot", "reserved"), minValues: 2 },
  ],
  [
    "one known tenancy for minValues 2",
    no,
    { ...isIn("karpenter.k8s.aws/instance-tenancy", "default", "host"), minValues: 2 },
  ],
  [
    "one known capacity-type for minValues 2",
    no,
    { ...isIn("karpenter.sh/capacity-type", "spot", "xspot"), minValues: 2 },
  ],
];

const SHAPE: readonly Row[] = [
  ["a field that is none", no, { ...team("a"), value: "a" }],
  ["a word", no, "example.com/team"],
  ["null", no, null],
  ["a list", no, []],
];

/** Each row is a single entry. */
export const REQUIREMENT: readonly Row[] = [...KEYS, ...OPERATORS, ...VALUES, ...MIN_VALUES, ...SHAPE];

/** Each row is a whole list. */
export const REQUIREMENTS: readonly Row[] = [
  ["an empty list", ok, []],
  ["100 entries", ok, many(100, (index) => exists(`example.com/key-${index}`))],
  ["101 entries", no, many(101, (index) => exists(`example.com/key-${index}`))],
  ["one key twice", ok, [exists("example.com/team"), exists("example.com/team")]],
  ["a mapping", no, { "example.com/team": "a" }],
];
