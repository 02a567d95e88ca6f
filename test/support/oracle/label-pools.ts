/** Generates random pools with possible label misfits: few keys and values, so that they collide. */
import fc from "fast-check";
import type { NodeSelectorRequirement, Operator } from "../../../src/model/requirements/requirement.ts";

export interface LabelPool {
  readonly policy: readonly NodeSelectorRequirement[];
  readonly own: readonly NodeSelectorRequirement[];
  readonly labels: Readonly<Record<string, string>>;
  /** Fields without an effect here that pools have nevertheless. */
  readonly taints: readonly object[];
  readonly limits: Readonly<Record<string, string>>;
  /** A name of the oracle's node classes; without a placement group if omitted. */
  readonly class?: NodeClassKind;
  /** Whether it has `replicas`. */
  readonly isStatic?: boolean;
  /** Requirements of pods that arrive one after another. */
  readonly pods?: readonly (readonly NodeSelectorRequirement[])[];
}

type NodeClassKind = "plain" | "group" | "partitions" | "reserved" | "full";

export interface Key {
  /** The spellings of the key. */
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly numbers: boolean;
}

const NUMBERS = ["0", "3", "4", "5", "6"];

export const CUSTOM: readonly Key[] = [
  { names: ["example.com/tier"], values: ["", "gold", "silver", ...NUMBERS], numbers: true },
  { names: ["node-role.kubernetes.io/infra"], values: ["", "true"], numbers: false },
  { names: ["rack"], values: ["05", ...NUMBERS], numbers: true },
];

export const OPTIONAL: readonly Key[] = [
  { names: ["karpenter.k8s.aws/instance-gpu-count"], values: ["1", "3", "5"], numbers: true },
  { names: ["node.kubernetes.io/windows-build"], values: ["10.0.1", "10.0.2"], numbers: false },
  { names: ["karpenter.k8s.aws/capacity-reservation-id"], values: ["cr-1", "cr-2"], numbers: false },
  {
    names: ["karpenter.k8s.aws/capacity-reservation-type"],
    values: ["default", "capacity-block"],
    numbers: false,
  },
  { names: ["karpenter.k8s.aws/capacity-reservation-interruptible"], values: ["true", "false"], numbers: false },
];

/** Labels that the node class sets. */
const OF_CLASSES: readonly Key[] = [
  { names: ["karpenter.k8s.aws/placement-group-id"], values: ["pg-1", "pg-2"], numbers: false },
  { names: ["karpenter.k8s.aws/placement-group-partition"], values: ["1", "2", "3"], numbers: true },
];

export const ALWAYS: readonly Key[] = [
  { names: ["kubernetes.io/arch", "beta.kubernetes.io/arch"], values: ["amd64", "arm64"], numbers: false },
  {
    names: ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone"],
    values: ["zone-a", "zone-b"],
    numbers: false,
  },
  { names: ["karpenter.sh/capacity-type"], values: ["on-demand", "spot", "reserved"], numbers: false },
  { names: ["karpenter.k8s.aws/instance-cpu"], values: ["4", "8", "12"], numbers: true },
];

const WORDS: readonly Operator[] = ["In", "In", "NotIn", "NotIn", "Exists", "DoesNotExist"];
const COMPARISONS: readonly Operator[] = ["Gt", "Lt", "Gte", "Lte"];

/** Bounds near the values; sometimes a wide range for generated numbers, or an empty one. */
const bound = (lethal: boolean): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 8 }).map(String), weight: 30 },
    { arbitrary: fc.constant("1000000000000"), weight: 1 },
    ...(lethal ? [{ arbitrary: fc.constantFrom("0", "9223372036854775806"), weight: 16 }] : []),
  );

export function entryOf({ names, values, numbers }: Key, lethal: boolean): fc.Arbitrary<NodeSelectorRequirement> {
  const key = fc.constantFrom(...names);
  const word = fc
    .tuple(key, fc.constantFrom(...WORDS), fc.subarray([...values], { minLength: 1 }), fc.nat(9))
    .map(([key, operator, listed, chance]): NodeSelectorRequirement => {
      const minValues = chance === 0 ? { minValues: 1 } : {};
      const hasValues = operator === "In" || operator === "NotIn";
      return { key, operator, ...(hasValues ? { values: listed } : {}), ...minValues };
    });
  const comparison = fc
    .tuple(key, fc.constantFrom(...COMPARISONS), bound(lethal))
    .map(([key, operator, value]): NodeSelectorRequirement => ({ key, operator, values: [value] }));
  return numbers ? fc.oneof(word, comparison) : word;
}

type OfKey = Pick<LabelPool, "policy" | "own" | "labels"> & { readonly pods: Required<LabelPool>["pods"] };

function ofKey(key: Key): fc.Arbitrary<OfKey> {
  const label = fc.option(fc.tuple(fc.constantFrom(...key.names), fc.constantFrom(...key.values)), { freq: 1 });
  return fc
    .tuple(
      fc.array(entryOf(key, false), { maxLength: 2 }),
      fc.array(entryOf(key, true), { maxLength: 2 }),
      label,
      fc.nat(5),
      fc.array(fc.array(entryOf(key, false), { maxLength: 2 }), { maxLength: 2 }),
    )
    .map(([policy, own, label, chance, pods]): OfKey => {
      const [name, value] = label ?? [];
      if (name === undefined || value === undefined) return { policy, own, labels: {}, pods };
      // A label with an equal entry of the pool is common.
      const equal: NodeSelectorRequirement[] = chance === 0 ? [{ key: name, operator: "In", values: [value] }] : [];
      return { policy, own: [...own, ...equal], labels: { [name]: value }, pods };
    });
}

const someKeys = fc
  .uniqueArray(
    fc.oneof(
      { arbitrary: fc.constantFrom(...CUSTOM), weight: 4 },
      { arbitrary: fc.constantFrom(...OPTIONAL), weight: 2 },
      { arbitrary: fc.constantFrom(...OF_CLASSES), weight: 1 },
      { arbitrary: fc.constantFrom(...ALWAYS), weight: 2 },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .chain((keys) => fc.tuple(...keys.map(ofKey)));

/** Near the maximum number of entries of a NodeClaim. */
const manyKeys = fc
  .tuple(fc.integer({ min: 80, max: 99 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 8 }))
  .map(([entries, labels, bounded]): OfKey[] => {
    const own = Array.from({ length: entries - 2 * bounded }, (_, index): NodeSelectorRequirement => ({
      key: `example.com/k${index}`,
      operator: "In",
      values: ["a"],
    }));
    const ranges = Array.from({ length: Math.max(bounded, 0) }, (_, index): NodeSelectorRequirement[] => [
      { key: `example.com/r${index}`, operator: "Gte", values: ["4"] },
      { key: `example.com/r${index}`, operator: "Lte", values: ["5"] },
    ]);
    const named = Array.from({ length: labels }, (_, index) => [`example.com/k${index * 3}`, "a"] as const);
    const all = { policy: own.slice(0, 20), own: [...own.slice(20), ...ranges.flat()] };
    return [{ ...all, labels: Object.fromEntries(named), pods: [] }];
  });

export const labelPool: fc.Arbitrary<LabelPool> = fc
  .tuple(
    fc.oneof({ arbitrary: someKeys, weight: 80 }, { arbitrary: manyKeys, weight: 3 }),
    fc.option(fc.constant({ key: "example.com/taint", effect: "NoSchedule" }), { freq: 3 }),
    fc.option(fc.constantFrom({ cpu: "10" }, { nodes: "2" }), { freq: 3 }),
    fc.constantFrom<NodeClassKind>("plain", "group", "partitions", "reserved", "full"),
    fc.nat(3),
  )
  .map(([keys, taint, limits, nodeClass, chance]) => ({
    policy: keys.flatMap(({ policy }) => policy),
    own: keys.flatMap(({ own }) => own),
    labels: Object.assign({}, ...keys.map(({ labels }) => labels)) as Record<string, string>,
    taints: taint === null ? [] : [taint],
    limits: limits ?? {},
    class: nodeClass,
    isStatic: chance === 0,
    // Each of them has a requirement on every key.
    pods: Array.from({ length: Math.max(...keys.map(({ pods }) => pods.length)) }, (_, turn) =>
      keys.flatMap(({ pods }) => pods[turn] ?? []),
    ),
  }));
