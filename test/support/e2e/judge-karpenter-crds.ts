/** `anp crds --karpenter`: the API server gives the same verdicts with these CRDs as with Karpenter's own, and so do anp's models. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Profile } from "../../../src/model/crds/profile.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, remove, waitEstablished, waitGone } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { messagesOf, unbroken } from "./cel-rules.ts";
import { kindOf, versionOf } from "./crd-parts.ts";
import { EC2_NODE_CLASS_SPEC } from "./faults/ec2-node-class.ts";
import { MINIMAL_TEMPLATE_SPEC } from "./faults/pool.ts";
import { no, ok } from "./faults/table.ts";
import { type KarpenterCase, karpenterCorpus } from "./karpenter-corpus.ts";
import { differenceOf, DIFFERENCES, type Verdicts } from "./karpenter-differences.ts";
import { fieldsOf } from "./karpenter-fields.ts";
import { askOurModel, askServerAll } from "./karpenter-verdicts.ts";
import { ourKarpenterCrds } from "./own-crds.ts";
import type { Judgement } from "./server-verdict.ts";

const KARPENTER = { apiVersion: "karpenter.sh/v1", metadata: { name: "written" } };

/** Objects for writes of a status. */
const MINIMAL = new Map<string, KubernetesObject>([
  ["NodePool", { ...KARPENTER, kind: "NodePool", spec: { template: { spec: MINIMAL_TEMPLATE_SPEC } } }],
  ["NodeClaim", { ...KARPENTER, kind: "NodeClaim", spec: MINIMAL_TEMPLATE_SPEC }],
  [
    "EC2NodeClass",
    { ...KARPENTER, apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", spec: EC2_NODE_CLASS_SPEC },
  ],
]);

/** The verdicts of an API server with the CRDs of one side. */
interface Answers {
  readonly verdicts: readonly Judgement[];
  /** On changes of immutable fields. */
  readonly refusals: readonly string[];
}

// Go is needed for the CRDs in its module cache, whichever programs are used.
/** The suite for these profiles. */
export function judgeKarpenterCrds(...profiles: readonly Profile[]): void {
  describe("anp crds --karpenter", () => suite(profiles));
}

function suite(profiles: readonly Profile[]): void {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  /** Calls a function while the API server serves these CRDs. */
  async function withCrds<T>(crds: readonly KubernetesObject[], act: () => Promise<T>): Promise<T> {
    await Promise.all(
      crds.map(async (crd) => {
        const { status, text } = await create(controlPlane, "system:admin", crd);
        if (status !== 201) throw new Error(text);
      }),
    );
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
    try {
      return await act();
    } finally {
      await Promise.all(
        crds.map(async (crd) => {
          await remove(controlPlane, "system:admin", crd);
          await waitGone(controlPlane, crd);
        }),
      );
    }
  }

  describe.each(profiles)("profile %s", (profile) => {
    let theirs: KubernetesObject[];
    let ours: KubernetesObject[];
    let corpus: KarpenterCase[];
    let byTheirs: Answers;
    let byOurs: Answers;

    beforeAll(async () => {
      theirs = await karpenterCrds(profile);
      ours = await ourKarpenterCrds(profile);
      corpus = karpenterCorpus(theirs, profile);
      byTheirs = await withCrds(theirs, answers);
      byOurs = await withCrds(ours, answers);
    }, 10 * 60_000);

    /** An API server needs more time for CRDs than for most requests. */
    const answers = async (): Promise<Answers> => ({
      verdicts: await askServerAll(controlPlane, corpus, MINIMAL),
      refusals: await refusals(),
    });

    test("every object of the corpus gets one verdict from all three", async () => {
      expect(corpus.length).toBeGreaterThan(300);
      const judged = corpus.map((one, index) => ({
        ...one,
        karpenters: byTheirs.verdicts[index]!,
        ours: byOurs.verdicts[index]!,
        model: askOurModel(one, profile),
      }));
      expect(judged.flatMap(surprise)).toEqual([]);
      const vain = DIFFERENCES.filter(({ cases }) => !judged.some(({ what }) => cases.test(what)));
      expect(vain).toEqual([]);
      // Each rule has refused at least one object.
      const said = judged.map((one) => ({ server: one.ours }));
      expect(ours.flatMap((crd) => unbroken(messagesOf(ours, kindOf(crd)), said))).toEqual([]);
      const table = verdictTable(judged);
      console.log(`${profile}\n${table}`);
      await expect(table).toMatchFileSnapshot(join(import.meta.dirname, `karpenter-verdicts-${profile}.txt`));
    });

    test("the CRDs have the fields, types, defaults, names and subresources of Karpenter's", () => {
      expect(ours.map(({ metadata }) => metadata?.name)).toEqual(KARPENTER_CRD_NAMES);
      for (const [index, crd] of ours.entries()) {
        const their = theirs[index]!;
        expect(namesAndSubresources(crd)).toEqual(namesAndSubresources(their));
        expect(fieldsOf(crd)).toEqual(asDesigned(fieldsOf(their)));
      }
    });

    /** The verdict on each change. */
    async function refusals(): Promise<string[]> {
      const said: string[] = [];
      for (const [what, before, after] of CHANGES) {
        await create(controlPlane, "system:admin", before);
        const path = `${await objectPath(controlPlane, before)}?dryRun=All`;
        const { status, body } = await controlPlane.request("system:admin", "PATCH", path, after);
        said.push(`${what}: ${status < 300 ? ok : (body.message ?? "").replace(/^.*: /s, "")}`);
        await remove(controlPlane, "system:admin", before);
        await waitGone(controlPlane, before);
      }
      return said;
    }

    test("what may not change once it is written may not", () => {
      expect(byOurs.refusals).toEqual(byTheirs.refusals);
      expect(byOurs.refusals).toEqual([
        "a NodeClaim's lifetime: spec is immutable",
        "a NodeClaim's label: accepted",
        "the group of a pool's class: nodeClassRef.group is immutable",
        "the kind of a pool's class: nodeClassRef.kind is immutable",
        "the name of a pool's class: accepted",
        "a pool that becomes static: Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes",
      ]);
    });
  });
}

/** Conditions need neither reason nor message (docs/design.md#the-v1-api-proposal). */
function asDesigned(fields: Readonly<Record<string, string>>): Record<string, string> {
  const ofConditions = /^\.status\.conditions\[\]\.(reason|message)$/;
  const designed = ([path, said]: [string, string]) =>
    [path, ofConditions.test(path) ? said.replace(", required", "") : said] as const;
  // A map of anything is an object that keeps unknown fields.
  const isSaidTwice = ([path, said]: [string, string]) =>
    path.endsWith("{}") && fields[path.slice(0, -2)]?.endsWith(`, ${said}`) === true;
  const entries = Object.entries(fields).filter((entry) => !isSaidTwice(entry));
  return Object.fromEntries(entries.map(designed));
}

const POOL = MINIMAL.get("NodePool")!;
const CLAIM = MINIMAL.get("NodeClaim")!;
const nodeClassRef = (change: object) => ({ spec: { template: { spec: { nodeClassRef: change } } } });

const CHANGES: readonly (readonly [what: string, before: KubernetesObject, after: object])[] = [
  ["a NodeClaim's lifetime", CLAIM, { spec: { expireAfter: "1h" } }],
  ["a NodeClaim's label", CLAIM, { metadata: { labels: { team: "shop" } } }],
  ["the group of a pool's class", POOL, nodeClassRef({ group: "example.com" })],
  ["the kind of a pool's class", POOL, nodeClassRef({ kind: "OtherClass" })],
  ["the name of a pool's class", POOL, nodeClassRef({ name: "other" })],
  ["a pool that becomes static", POOL, { spec: { replicas: 1 } }],
];

function namesAndSubresources(crd: KubernetesObject): object {
  const { group, names, scope } = crd.spec as Record<string, unknown>;
  const { name, served, storage, subresources } = versionOf(crd);
  return { group, names, scope, name, served, storage, subresources };
}

interface Judged extends KarpenterCase {
  readonly karpenters: Judgement;
  readonly ours: Judgement;
  readonly model: Judgement;
}

/** Descriptions, for a test that expects none. */
function surprise({ what, object, part, karpenters, ours, model }: Judged): string[] {
  const { verdict } = karpenters;
  const wanted: Verdicts = differenceOf(what) ?? { karpenters: verdict, ours: verdict, model: verdict };
  if (karpenters.verdict === wanted.karpenters && ours.verdict === wanted.ours && model.verdict === wanted.model)
    return [];
  const sides = [
    `Karpenter's CRD ${karpenters.verdict}: ${karpenters.message.slice(0, 300)}`,
    `our CRD ${ours.verdict}: ${ours.message.slice(0, 300)}`,
    `model ${model.verdict}: ${model.message.slice(0, 300)}`,
  ];
  return [[what, (JSON.stringify(object[part]) ?? "").slice(0, 200), ...sides].join("\n  ")];
}

/** How many objects of each kind are accepted and refused, by each side. */
function verdictTable(judged: readonly Judged[]): string {
  const count = (some: readonly Judged[], test: (one: Judged) => boolean): string => String(some.filter(test).length);
  const kinds = [...new Set(judged.map(({ object }) => object.kind ?? ""))];
  const rows = [...kinds, "all"].flatMap((kind) =>
    (["spec", "status"] as const).map((part) => {
      const some = judged.filter((one) => (kind === "all" || one.object.kind === kind) && one.part === part);
      const accepted = (["karpenters", "ours", "model"] as const).map(
        (judge) =>
          `${count(some, (one) => one[judge].verdict === ok)} / ${count(some, (one) => one[judge].verdict === no)}`,
      );
      return [
        kind,
        part,
        String(some.length),
        ...accepted,
        count(some, ({ what }) => differenceOf(what) !== undefined),
      ];
    }),
  );
  const head = ["kind", "part", "objects", "Karpenter's CRDs", "our CRDs", "our models", "differ on purpose"];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("   ")
      .trimEnd(),
  );
  return `accepted / refused by each\n\n${lines.join("\n")}\n`;
}
