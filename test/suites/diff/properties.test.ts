/** Properties of every diff: equal inputs have no changes, all changes and no secrets are shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffClusters } from "../../../src/analyze/diff/compare-clusters.ts";
import { EFFECTS } from "../../../src/analyze/diff/change-effect.ts";
import { compareObjects } from "../../../src/analyze/diff/compare-objects.ts";
import { pairsOf, type SideObject } from "../../../src/analyze/diff/sides.ts";
import { changedFields } from "../../../src/analyze/diff/compare-fields.ts";
import { compareValues } from "../../../src/analyze/diff/compare-values.ts";
import { readNodeData } from "../../../src/analyze/nodes/node-data.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { DIFF_FORMATS, formatDiff } from "../../../src/report/diff/formats.ts";
import { PLAIN } from "../../../src/report/terminal/style.ts";

const text = fc.constantFrom("a", "b", "c", "x y", "", "10%", "1h");
const texts = fc.dictionary(fc.constantFrom("a", "b/c", "d"), text, { maxKeys: 2 });
const some = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 3 });
const entry = fc.record(
  {
    key: fc.constantFrom("kubernetes.io/arch", "k"),
    operator: fc.constantFrom("In", "NotIn", "Exists"),
    values: fc.array(text, { maxLength: 12 }),
  },
  { requiredKeys: ["key", "operator"] },
);
const taint = fc.record(
  { key: text, effect: fc.constantFrom("NoSchedule", "NoExecute"), value: text },
  { requiredKeys: ["key", "effect"] },
);

const poolSpec = fc.record({
  template: fc.record({
    metadata: fc.record({ labels: texts, annotations: texts }, { requiredKeys: [] }),
    spec: fc.record(
      {
        nodeClassRef: fc.record({ name: text }),
        requirements: some(entry),
        taints: some(taint),
        expireAfter: fc.constantFrom("1h", "60m", "Never"),
      },
      { requiredKeys: ["nodeClassRef", "requirements"] },
    ),
  }),
  disruption: fc.record({ budgets: some(fc.record({ nodes: fc.constantFrom("1", "10%") })) }, { requiredKeys: [] }),
  limits: texts,
});

const classSpec = fc.record(
  {
    userData: fc.constant("secret-text"),
    blockDeviceMappings: some(
      fc.record({ deviceName: text, ebs: fc.record({ volumeSize: fc.constantFrom("1Gi", "2Gi") }) }),
    ),
    subnetSelectorTerms: some(fc.oneof(fc.record({ id: text }), fc.record({ tags: texts }))),
    tags: texts,
  },
  { requiredKeys: ["userData"] },
);

function objectOf(
  kind: string,
  apiVersion: string,
  spec: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<KubeObject> {
  return fc
    .tuple(fc.constantFrom("web", "batch"), spec)
    .map(([name, one]) => ({ apiVersion, kind, metadata: { name }, spec: one }));
}

const objects: fc.Arbitrary<SideObject[]> = fc
  .uniqueArray(
    fc.oneof(
      objectOf("NodePool", "karpenter.sh/v1", poolSpec),
      objectOf("EC2NodeClass", "karpenter.k8s.aws/v1", classSpec),
    ),
    {
      maxLength: 4,
      selector: ({ kind, metadata }) => `${kind}/${metadata.name}`,
    },
  )
  .map((all) => all.map((object) => ({ object, placeOf: () => undefined })));

describe("a diff", () => {
  it("of an input with itself is empty", () => {
    fc.assert(
      fc.property(objects, (side) => {
        expect(compareObjects(side, structuredCloneOf(side))).toStrictEqual([]);
        expect(compareObjects(side, structuredCloneOf(side).toReversed())).toStrictEqual([]);
      }),
    );
  });

  it("has inverse changes in the opposite direction", () => {
    const turned = { added: "removed", removed: "added", changed: "changed" };
    fc.assert(
      fc.property(objects, objects, (from, to) => {
        const facts = (all: ReturnType<typeof compareObjects>) =>
          all.map(({ resource, action }) => `${action} ${resource.kind}/${resource.name}`).toSorted();
        const there = compareObjects(from, to).map((one) => ({
          ...one,
          action: turned[one.action] as typeof one.action,
        }));
        expect(facts(there)).toStrictEqual(facts(compareObjects(to, from)));
      }),
    );
  });

  it("shows each difference with its place on each side", () => {
    fc.assert(
      fc.property(poolSpec, poolSpec, (from, to) => {
        const difference = compareValues({ spec: from }, { spec: to }, "NodePool");
        const fields = changedFields(difference);
        expect(fields.length > 0).toBe(difference.kind !== "same");
        for (const { from: old, to: now } of fields) expect(now).not.toStrictEqual(old);
        for (const { oldPath, from: old } of fields)
          if (oldPath !== undefined) expect(at({ spec: from }, oldPath)).toStrictEqual(old);
        for (const { newPath, to: now } of fields)
          if (newPath !== undefined) expect(at({ spec: to }, newPath)).toStrictEqual(now);
      }),
      { numRuns: 500 },
    );
  });

  it("has the worst of its fields' effects, and shows no secret in any form", () => {
    fc.assert(
      fc.property(objects, objects, (from, to) => {
        const cluster = (side: readonly SideObject[]) => [
          { hostedCluster: undefined, objects: side, unsure: new Set<string>() },
        ];
        const facts = { nodesOf: () => undefined, at: 0, nodeTime: 1 };
        const { changes } = diffClusters(pairsOf(cluster(from), cluster(to))!, facts);
        for (const { effect, fields } of changes) {
          const worst = Math.max(...fields.map((field) => EFFECTS.indexOf(field.effect)));
          expect(effect).toBe(EFFECTS[worst]);
        }
        for (const format of DIFF_FORMATS)
          expect(formatDiff(format, changes, { mode: "hosted", style: PLAIN, width: 60 })).not.toContain("secret-text");
      }),
    );
  });
});

describe("files with arbitrary edits", () => {
  const words = [
    "template",
    "spec",
    "requirements",
    "taints",
    "disruption",
    "budgets",
    "nodes",
    "key",
    "operator",
    "values",
    "tags",
    "ebs",
  ];
  const terms = [
    "blockDeviceMappings",
    "kubelet",
    "subnetSelectorTerms",
    "metadata",
    "labels",
    "limits",
    "reasons",
    "schedule",
    "duration",
  ];
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.constantFrom<unknown>(null, 0, true, "", "In", "10%", "x%", "-1", 10n ** 30n, "1h", [], {}),
    tree: fc.oneof(
      { maxDepth: 7 },
      tie("leaf"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words, ...terms), tie("tree"), { maxKeys: 4 }),
    ),
  }));
  /** A part of a real spec with arbitrary values. */
  const broken = fc
    .tuple(poolSpec, classSpec, fc.array(fc.tuple(fc.nat(), tree), { maxLength: 4 }))
    .map(([pool, cls, edits]) => {
      const spec = structuredClone({ ...pool, ...cls }) as Record<string, unknown>;
      for (const [where, value] of edits) {
        const places = placesIn(spec);
        const [owner, key] = places[where % places.length]!;
        (owner as Record<string | number, unknown>)[key] = structuredClone(value);
      }
      return spec;
    });

  it("are compared, counted and shown nevertheless", () => {
    fc.assert(
      fc.property(broken, broken, fc.constantFrom("NodePool", "EC2NodeClass"), (from, to, kind) => {
        const sideWith = (spec: Record<string, unknown>) => [
          { object: { apiVersion: "v1", kind, metadata: { name: "web" }, spec }, placeOf: () => undefined },
        ];
        const cluster = (spec: Record<string, unknown>) => [
          { hostedCluster: undefined, objects: sideWith(spec), unsure: new Set<string>() },
        ];
        const metadata = {
          labels: { k: "a", "karpenter.sh/nodepool": "web", "karpenter.k8s.aws/ec2nodeclass": "web" },
        };
        const claim = { apiVersion: "karpenter.sh/v1", kind: "NodeClaim", name: "n", value: { metadata } };
        const nodes = readNodeData([claim]);
        const known = { nodesOf: () => nodes, at: 0, nodeTime: 1 };
        const { changes } = diffClusters(pairsOf(cluster(from), cluster(to))!, known);
        for (const format of DIFF_FORMATS)
          expect(typeof formatDiff(format, changes, { mode: "hosted", style: PLAIN, width: 60 })).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});

function placesIn(value: unknown): [owner: object, key: string | number][] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
  return keys.flatMap(
    (key) =>
      [[value, key], ...placesIn((value as Record<string | number, unknown>)[key])] as [object, string | number][],
  );
}

function structuredCloneOf(side: readonly SideObject[]): SideObject[] {
  return side.map(({ object }) => ({ object: structuredClone(object), placeOf: () => undefined }));
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (part, segment) => (part as Record<string | number, unknown> | undefined)?.[segment],
    value,
  );
}
