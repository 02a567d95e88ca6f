/** Compares the effect of one changed field on nodes, by Karpenter and by `anp diff`, in a table. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../../src/analyze/diff/change-effect.ts";
import { compareObjects, type Offers } from "../../../src/analyze/diff/compare-objects.ts";
import { labelPresence } from "../../../src/karpenter/requirements/label-presence.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { offerComparer } from "../../../src/analyze/diff/offers/compare-offers.ts";
import type { InstanceTypes } from "../../../src/analyze/explain/remaining-types.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { seedOf } from "../../support/property/seed.ts";
import { REWRITES } from "../../support/oracle/rewrites.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { FAMILY_OF_IMAGES, HASHED, RESOLVED } from "../../support/oracle/changes-of-classes.ts";
import { type FieldRow, POOL_CHANGES, withField } from "../../support/oracle/changes-of-pools.ts";
import {
  entriesOf,
  REQUIREMENT_CHANGES,
  type RequirementChange,
} from "../../support/oracle/changes-of-requirements.ts";
import { CLASS_WRAPPER_CHANGES, POOL_WRAPPER_CHANGES } from "../../support/oracle/changes-of-wrappers.ts";
import { differingFields, fieldsOfCrd } from "../../support/oracle/crd-fields.ts";
import { launchedCatalogue, launchesFor } from "../../support/oracle/launches.ts";

const REPLACING: readonly Effect[] = ["replaces-some", "replaces-all"];

const POOL: KubeObject = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    template: {
      metadata: {},
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [],
        expireAfter: "720h",
      },
    },
    disruption: { consolidateAfter: "0s" },
  },
};

const NODE_CLASS: KubeObject = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-1" }] },
};

/** The diff of one object; undefined if it is unchanged. */
function ours(
  from: KubeObject,
  to: KubeObject,
  { asItStands = true, offers }: { readonly asItStands?: boolean; readonly offers?: Offers } = {},
): { effect: Effect; forever: boolean } {
  const side = (object: KubeObject) => [{ object, asItStands, placeOf: () => undefined }];
  const [change] = compareObjects(side(from), side(to), [], offers);
  return { effect: change?.effect ?? "none", forever: change?.forever ?? false };
}

interface Node {
  readonly labels: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
}

interface Verdict {
  readonly effect: Effect | "stays";
  readonly forever: boolean;
  /** Whether the pool before and the pool after have nodes with the same labels. */
  readonly same: boolean;
  /** The number of nodes to compare. */
  readonly nodes: number;
}

/** Each pair of pools, and the result for every node of the first. */
async function karpenterSays(pairs: readonly Pair[], atLeast = 1): Promise<Verdict[]> {
  const questions = pairs.flatMap(({ from, to, pods }) => {
    const launches = launchesFor(pods);
    const ask = (before: KubeObject, after: KubeObject) => ({ op: "driftPool", before, after, launches });
    return [ask(from, to), ask(to, to)];
  });
  const replies = await askOracle(questions);
  const nodesOf = (index: number) => (replies[index]!.answer as (Node | null)[]).filter((node) => node !== null);
  return pairs.map((_pair, index) => verdictOf(nodesOf(2 * index), nodesOf(2 * index + 1), atLeast));
}

interface Pair {
  readonly from: KubeObject;
  readonly to: KubeObject;
  /** Requirements that pods may have for the pool. */
  readonly pods: readonly (readonly NodeSelectorRequirement[])[];
}

function verdictOf(all: readonly Node[], next: readonly Node[], atLeast: number): Verdict {
  const nodes = all.filter(({ before }) => before === "");
  const gone = nodes.filter(({ after }) => after !== "").length;
  expect(all.length).toBeGreaterThanOrEqual(atLeast);
  const same = labelsOf(all).symmetricDifference(labelsOf(next)).size === 0;
  if (gone === 0) return { effect: "stays", forever: false, same, nodes: nodes.length };
  const forever = next.length > 0 && next.every(({ before }) => before !== "");
  return { effect: gone === nodes.length ? "replaces-all" : "replaces-some", forever, same, nodes: nodes.length };
}

/** Karpenter generates another number each time. */
function labelsOf(nodes: readonly Node[]): Set<string> {
  return new Set(nodes.map(({ labels }) => JSON.stringify(labels).replaceAll(/"\d{6,}"/g, '"#"')));
}

function agrees(verdict: Verdict, effect: Effect): boolean {
  if (REPLACING.includes(effect)) return verdict.effect === effect;
  return verdict.effect === "stays" && (verdict.same || effect === "new-nodes");
}

function pairOfRequirements({ key, from, to, labels }: RequirementChange): Pair {
  const pool = (text: string): KubeObject => {
    const labelled = labels === undefined ? POOL : withField(POOL, "spec.template.metadata.labels", labels);
    return withField(labelled, "spec.template.spec.requirements", entriesOf(key, text));
  };
  // Pods choose among the values that a pool allows for a custom label.
  const custom = labelPresence(key) === "custom";
  const asked = custom ? ["In a", "In b", "In x", "In 6", "In 9", "DoesNotExist"] : [];
  return { from: pool(from), to: pool(to), pods: [[], ...asked.map((text) => entriesOf(key, text))] };
}

/** Entries as `instance-cpu Gt 3`. */
function pairOfLists(from: readonly string[], to: readonly string[]): Pair {
  const pool = (list: readonly string[]): KubeObject => {
    const entries = list.flatMap((text) => {
      const [key = "", ...rest] = text.split(" ");
      return entriesOf(key.includes("/") ? key : `karpenter.k8s.aws/${key}`, rest.join(" "));
    });
    return withField(POOL, "spec.template.spec.requirements", entries);
  };
  return { from: pool(from), to: pool(to), pods: [[]] };
}

function launchedOffers(): Offers {
  const knownTypes: InstanceTypes = { filter: offeredTypes(launchedCatalogue()), profile: "karpenter-1.14" };
  return { compare: offerComparer(), instanceTypesOf: () => knownTypes };
}

function pairOfFields(row: FieldRow): Pair {
  return { ...pairOn(POOL, row), pods: [[]] };
}

function pairOn(object: KubeObject, { field, from, to }: FieldRow): Pick<Pair, "from" | "to"> {
  return { from: withField(object, field, from), to: withField(object, field, to) };
}

const nameOf = ({ field, from, to }: FieldRow): string =>
  `${field}: ${JSON.stringify(from) ?? "none"} → ${JSON.stringify(to) ?? "none"}`;

interface Judged {
  readonly name: string;
  readonly expected: string;
  readonly ours: string;
  readonly karpenter: string;
}

const wrong = (rows: readonly Judged[]) =>
  rows.filter((row) => row.ours !== row.expected || row.karpenter !== row.expected);

describe("what a change of one field does to nodes", () => {
  test("of requirements and other fields of a NodePool agrees with Karpenter", async () => {
    const rows = [
      ...REQUIREMENT_CHANGES.map((row) => ({
        ...pairOfRequirements(row),
        name: `${row.key}${row.labels ? ` with the label ${Object.values(row.labels)[0]}` : ""}: ${row.from} → ${row.to}`,
        expected: row.effect,
      })),
      ...POOL_CHANGES.map((row) => ({ ...pairOfFields(row), name: nameOf(row), expected: row.effect })),
    ];
    const verdicts = await karpenterSays(rows);
    const judged = rows.map(({ name, expected, from, to }, index): Judged => {
      const { effect, forever } = ours(from, to);
      const verdict = verdicts[index]!;
      return {
        name,
        expected: words(expected, verdict.forever),
        ours: words(effect, forever),
        karpenter: agrees(verdict, expected) ? words(expected, verdict.forever) : verdict.effect,
      };
    });
    console.log(`changes of NodePools: ${judged.length}, ${wrong(judged).length} wrong`);
    expect(wrong(judged)).toStrictEqual([]);
    expect(judged.filter((row) => row.ours.endsWith("for ever")).length).toBeGreaterThan(5);
  }, 900_000);

  test("of requirements agrees with Karpenter for the same types, if they are known", async () => {
    const rows = [
      ...REQUIREMENT_CHANGES.map((row) => ({
        ...pairOfRequirements(row),
        name: `${row.key}: ${row.from} → ${row.to}`,
      })),
      ...REWRITES.map(([from, to]) => ({ ...pairOfLists(from, to), name: `${from.join()} → ${to.join()}` })),
    ];
    const verdicts = await karpenterSays(rows);
    const offers = launchedOffers();
    const judged = rows.map(({ name, from, to }, index) => {
      const { effect } = ours(from, to, { offers });
      const verdict = verdicts[index]!;
      return { name, ours: effect, karpenter: agrees(verdict, effect) ? effect : verdict.effect };
    });
    const expected = REWRITES.map(([, , effect]) => effect);
    expect(judged.slice(REQUIREMENT_CHANGES.length).map(({ ours: effect }) => effect)).toStrictEqual(expected);
    const apart = judged.filter((row) => row.ours !== row.karpenter);
    console.log(`changes of requirements over a catalogue: ${judged.length}, ${apart.length} wrong`);
    expect(apart).toStrictEqual([]);
  }, 900_000);

  test("of any two lists of requirements agrees with Karpenter for the same types", async () => {
    const list = fc.array(fc.constantFrom(...new Set(REWRITES.flatMap(([from, to]) => [...from, ...to]))), {
      maxLength: 3,
    });
    const seed = seedOf("lists of requirements and Karpenter", 20_261_123);
    const pairs = fc.sample(fc.tuple(list, list), { numRuns: 300, seed }).map(([from, to]) => ({
      ...pairOfLists(from, to),
      name: `${from.join()} → ${to.join()}`,
    }));
    const verdicts = await karpenterSays(pairs, 0);
    const offers = launchedOffers();
    const apart = pairs.flatMap(({ name, from, to }, index) => {
      const { effect } = ours(from, to, { offers });
      const verdict = verdicts[index]!;
      // If a pool gets no nodes of these types, only the text counts.
      return verdict.nodes === 0 || agrees(verdict, effect) ? [] : [{ name, ours: effect, karpenter: verdict.effect }];
    });
    const asked = verdicts.filter(({ nodes }) => nodes > 0).length;
    console.log(`lists of requirements: ${asked} of ${pairs.length} with nodes, ${apart.length} wrong`);
    expect(apart).toStrictEqual([]);
    expect(asked).toBeGreaterThan(120);
  }, 900_000);

  test("of an EC2NodeClass agrees with Karpenter's hash and drift code", async () => {
    const pair = (row: FieldRow) => {
      const { from, to } = pairOn(NODE_CLASS, row);
      return [from, to];
    };
    const rows = [...HASHED, ...FAMILY_OF_IMAGES, ...RESOLVED];
    const replies = await askOracle(
      rows.flatMap((row) => pair(row).map(({ spec }) => ({ op: "hash", class: stored(spec) }))),
    );
    const judged = rows.map((row, index): Judged => {
      const [a, b] = [replies[2 * index]!.answer, replies[2 * index + 1]!.answer];
      expect(typeof a).toBe("string");
      // Resolved fields are not part of the hash.
      const hashed = RESOLVED.includes(row) ? a === b : (row.effect === "replaces-all") === (a !== b);
      const [from, to] = pair(row);
      // Rendered objects do not contain user data.
      expect(ours(from!, to!, { asItStands: false }).effect).toBe(row.field === "spec.userData" ? "none" : row.effect);
      const name = nameOf(row);
      return {
        name,
        expected: row.effect,
        ours: ours(from!, to!).effect,
        karpenter: hashed ? row.effect : "another hash",
      };
    });
    console.log(`changes of EC2NodeClasses: ${judged.length}, ${wrong(judged).length} wrong`);
    expect(wrong(judged)).toStrictEqual([]);
  }, 900_000);

  test.each([
    ["NodePool", [...REQUIREMENT_CHANGES.map(pairOfRequirements), ...POOL_CHANGES.map(pairOfFields)]],
    ["EC2NodeClass", [...HASHED, ...RESOLVED].map((row) => pairOn(NODE_CLASS, row))],
  ] as const)("is tried with every field that the CRD of %s has", (kind, pairs) => {
    const tried = new Set(pairs.flatMap(({ from, to }) => differingFields(from.spec, to.spec, "spec")));
    expect(fieldsOfCrd(kind).filter((field) => !tried.has(field))).toStrictEqual([]);
  });

  test("is tried at least 300 times", () => {
    const all = [
      REQUIREMENT_CHANGES,
      POOL_CHANGES,
      HASHED,
      FAMILY_OF_IMAGES,
      RESOLVED,
      CLASS_WRAPPER_CHANGES,
      POOL_WRAPPER_CHANGES,
    ];
    expect(all.flat().length).toBeGreaterThanOrEqual(300);
  });
});

/** With the defaults of the CRD, as the API server stores it. */
function stored(spec: Readonly<Record<string, unknown>>): unknown {
  const defaults = {
    httpEndpoint: "enabled",
    httpProtocolIPv6: "disabled",
    httpPutResponseHopLimit: 1,
    httpTokens: "required",
  };
  return { ...spec, metadataOptions: { ...defaults, ...(spec["metadataOptions"] as object | undefined) } };
}

function words(effect: string, forever: boolean): string {
  return forever && REPLACING.includes(effect as Effect) ? `${effect}, for ever` : effect;
}
