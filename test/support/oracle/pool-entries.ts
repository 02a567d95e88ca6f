/** Generates random, mostly valid requirements of a NodePool, with some keys or values that Karpenter refuses. */
import fc from "fast-check";
import { KNOWN_VALUES, WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import type { NodeSelectorRequirement, Operator } from "../../../src/model/requirements/requirement.ts";
import { type Entries, value } from "./entries.ts";

const KEYS = [
  [...WELL_KNOWN_LABELS],
  ["beta.kubernetes.io/arch", "topology.ebs.csi.aws.com/zone", "failure-domain.beta.kubernetes.io/region"],
  ["example.com/team", "tier", "kubernetes.io/foo", "node-role.kubernetes.io/infra", "a.example.com/B_c.d"],
].flat();

const REFUSED_KEYS = [
  ["karpenter.sh/initialized", "a.karpenter.sh/x", "notkarpenter.sh/x", "kubernetes.io/hostname", "karpenter.sh"],
  ["karpenter.k8s.aws/ec2nodeclass", "karpenter.k8s.aws/instance-pods", "a.karpenter.k8s.aws/instance-cpu"],
  ["", "/", "a/", "/a", "a/b/c", "-a", "a-", "A.example/x", "é", "a b", "a\n", "example..com/x", "__proto__"],
  ["k".repeat(63), "k".repeat(64), `${"d".repeat(253)}/k`, `${"d".repeat(254)}/k`, `example.com/${"k".repeat(64)}`],
].flat();

const good = fc.constantFrom("a", "b", "1", "2", "A_b.c-d", "", "v".repeat(63));
const bad = fc.oneof(value, fc.constantFrom("v".repeat(64), "-a", "a-", ".", "a/b", "a\n"));
const known = fc.constantFrom(...Object.values(KNOWN_VALUES).flat());
const listed = fc.array(
  fc.oneof({ arbitrary: good, weight: 8 }, { arbitrary: known, weight: 4 }, { arbitrary: bad, weight: 1 }),
  { maxLength: 4 },
);
const bounds = fc.oneof(
  { arbitrary: fc.nat(9).map((one) => [String(one)]), weight: 4 },
  { arbitrary: fc.array(value, { minLength: 1, maxLength: 1 }), weight: 2 },
  { arbitrary: fc.array(value, { maxLength: 2 }), weight: 1 },
);

const key = fc.oneof(
  { arbitrary: fc.constantFrom(...KEYS), weight: 6 },
  { arbitrary: fc.constantFrom(...Object.keys(KNOWN_VALUES)), weight: 3 },
  { arbitrary: fc.constantFrom(...REFUSED_KEYS), weight: 2 },
);
const minimum = fc.option(
  fc.oneof({ arbitrary: fc.integer({ min: 1, max: 4 }), weight: 5 }, { arbitrary: fc.constantFrom(50), weight: 1 }),
  { nil: undefined, freq: 2 },
);

const OPERATORS: readonly Operator[] = ["In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"];

const entry: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  ...OPERATORS.map((operator) =>
    fc
      .tuple(key, /^[GL]/.test(operator) ? bounds : fc.option(listed, { nil: undefined, freq: 5 }), minimum)
      .map(([key, values, minValues]) => ({
        key,
        operator,
        ...(values === undefined ? {} : { values }),
        ...(minValues === undefined ? {} : { minValues }),
      })),
  ),
);

export const poolEntries: fc.Arbitrary<Entries> = fc.array(entry, { minLength: 1, maxLength: 2 });
