/** Which pools differ only by their zones. */
import { expect, it } from "vitest";
import { makeBundle } from "../../../../test/support/bundle.ts";
import { CATALOGUE } from "../../../../test/support/instance-types.ts";
import { resolve } from "../../../resolve/resolve.ts";
import { explainClusters } from "../../explain/explain.ts";
import { zonePoolsTie } from "./zone-pools-tie.ts";

const zones = (...values: string[]): object => ({ key: "topology.kubernetes.io/zone", operator: "In", values });
const arch = (value: string): object => ({ key: "kubernetes.io/arch", operator: "In", values: [value] });

interface Pool {
  readonly requirements: readonly object[];
  readonly weight?: number;
  readonly taints?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
}

function pairsOf(...pools: readonly Pool[]): string[] {
  const files = pools.map(({ requirements, taints, labels, weight }, index) => {
    const template = { metadata: { labels }, spec: { requirements, taints } };
    const object = {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "OpenshiftNodePool",
      metadata: { name: `pool-${index}` },
      spec: { template, weight },
    };
    return [`pool-${index}.yaml`, JSON.stringify(object)] as const;
  });
  const [cluster] = explainClusters([resolve(makeBundle(Object.fromEntries(files)), {})], CATALOGUE);
  return zonePoolsTie(cluster!).map(({ message }) => message.slice(0, message.indexOf(" by its")));
}

const A = { requirements: [arch("amd64"), zones("us-east-1a")] };
const B = { requirements: [zones("us-east-1b"), arch("amd64")] };
const TAINT = { key: "a", effect: "NoSchedule" };
const SOFT = { key: "a", effect: "PreferNoSchedule" };

it.each<[string, Pool[], string[]]>([
  ["only by zone, in any order of entries", [A, B], ["OpenshiftNodePool pool-0 differs from pool-1 only"]],
  ["zones in common", [A, { requirements: [arch("amd64"), zones("us-east-1a", "us-east-1b")] }], []],
  ["by another entry", [A, { requirements: [arch("arm64"), zones("us-east-1b")] }], []],
  [
    "by a label",
    [
      { ...A, labels: { "example.com/team": "a" } },
      { ...B, labels: { "example.com/team": "b" } },
    ],
    [],
  ],
  ["by weight", [A, { ...B, weight: 1 }], []],
  [
    "of one weight",
    [
      { ...A, weight: 1 },
      { ...B, weight: 1 },
    ],
    ["OpenshiftNodePool pool-0 differs from pool-1 only"],
  ],
  ["by a taint", [A, { ...B, taints: [TAINT] }], []],
  [
    "by a taint that repels no pod",
    [A, { ...B, taints: [SOFT] }],
    ["OpenshiftNodePool pool-0 differs from pool-1 only"],
  ],
  ["without zones", [{ requirements: [arch("amd64")] }, A], []],
])("%s", (_what, pools, expected) => {
  expect(pairsOf(...pools)).toStrictEqual(expected);
});
