/** The effects of fields that only a wrapper has, from the wrapper's text to the answer. */
import { describe, expect, test } from "vitest";
import { type Change, diffClusters } from "../../../src/analyze/diff/compare-clusters.ts";
import { pairsOf } from "../../../src/analyze/diff/sides.ts";
import type { Side } from "../../../src/commands/diff/sides.ts";
import { sideOf } from "../../../src/commands/diff/side.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { withField } from "../../support/oracle/changes-of-pools.ts";
import { CLASS_WRAPPER_CHANGES, POOL_WRAPPER_CHANGES } from "../../support/oracle/changes-of-wrappers.ts";

const GROUP = "karpenter.hypershift.openshift.io";

const CLASS = {
  apiVersion: `${GROUP}/v1`,
  kind: "OpenshiftEC2NodeClass",
  metadata: { name: "default" },
  spec: { subnetSelectorTerms: [{ id: "subnet-1" }], securityGroupSelectorTerms: [{ id: "sg-1" }] },
};

const POOL = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: "OpenshiftNodePool",
  metadata: { name: "web" },
  spec: {
    template: {
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" }, requirements: [] },
    },
    disruption: { consolidateAfter: "0s" },
    limits: { nodes: "5" },
  },
};

function sideWith(wrapper: object): Side {
  const source = {
    file: "in/w.yaml",
    folder: "in",
    text: JSON.stringify(wrapper),
    explicit: true,
    trusted: true,
    config: false,
  };
  const { value: resources, findings } = parseSources([source]);
  const side = sideOf({ resources, config: undefined, findings }, "hosted", OPTIONS);
  expect(side.findings.filter(({ severity }) => severity === "error")).toStrictEqual([]);
  return side;
}

const OPTIONS = { featureGates: {}, failOn: "error", report: [], color: "never" } as const;

function changesOf(from: object, to: object): readonly Change[] {
  const facts = { nodesOf: () => undefined, at: 0, nodeTime: 1 };
  return diffClusters(pairsOf(sideWith(from).clusters, sideWith(to).clusters)!, facts).changes;
}

const ROWS = [
  ...CLASS_WRAPPER_CHANGES.map((row) => ({ ...row, wrapper: CLASS })),
  ...POOL_WRAPPER_CHANGES.map((row) => ({ ...row, wrapper: POOL })),
];

describe("a field that only a wrapper has", () => {
  test.each(ROWS)("$field: from $from to $to is $effect", ({ field, from, to, effect, wrapper }) => {
    const changes = changesOf(withField<object>(wrapper, field, from), withField<object>(wrapper, field, to));
    const paths = changes.flatMap(({ fields }) => fields.map(({ path }) => path));
    expect(changes.map((change) => change.effect)).toStrictEqual(paths.length === 0 ? [] : [effect]);
    // Each field once, at its place in the wrapper; a field without any effect may be left out.
    expect(paths.length).toBe(paths.length === 0 && effect === "none" ? 0 : 1);
    for (const path of paths) expect(path.startsWith(field)).toBe(true);
  });
});
