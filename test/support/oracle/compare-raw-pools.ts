/** Renders random NodePools of users under random policies, and asks Karpenter which labels their nodes get. */
import fc from "fast-check";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { POLICY_ENTRIES } from "../../../src/model/objects/marks.ts";
import { POLICY_END, POLICY_END_ENTRY } from "../../../src/model/requirements/policy-end.ts";
import { BLOCKER, frontsOf, recordOf } from "../../../src/resolve/guarded-list.ts";
import type { KarpenterVersion } from "../go/programs.ts";
import { type Entries, listOf, rawPoolOf, renderRawPool } from "../property/render-raw-pool.ts";
import { askOracle } from "./ask.ts";
import type { Nodes } from "./compare-labels.ts";
import { type LabelPool, labelPool } from "./label-pools.ts";

interface RawPoolComparison {
  /** How often each case occurred: a comparison without a case proves nothing. */
  readonly seen: Readonly<Record<string, number>>;
  /** Rendered, with nodes that the policy alone would not get. */
  readonly escaped: readonly unknown[];
  /** Rendered with the policy's entries elsewhere than first, or differently a second time. */
  readonly misplaced: readonly unknown[];
}

export async function compareRawPools(
  numRuns: number,
  seed: number,
  version: KarpenterVersion = "1.15",
): Promise<RawPoolComparison> {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const escaped: unknown[] = [];
  const misplaced: unknown[] = [];
  const given = fc.sample(writtenPool, { numRuns, seed });
  const rendered = given.flatMap((one) => {
    const { policy, way, onBypass, written } = one;
    const { object, codes } = renderRawPool(policy, written, onBypass);
    count(object === undefined ? `refused: ${[...new Set(codes)].toSorted().join(" ")}` : way);
    if (object === undefined) return [];
    const list = listOf(object);
    const isFirst = frontsOf(policy).some((front) => sameValue(list.slice(0, front.length + 1), [...front, MARK]));
    const again = renderRawPool(policy, object, onBypass);
    if (!isFirst || !sameValue(again.object, object)) misplaced.push({ ...one, object, again });
    return [{ ...one, object }];
  });
  for (const { one, nodes } of await nodesOf(rendered, version)) {
    if (nodes !== undefined) count(nodes.types > 0 ? "gets nodes" : "gets no nodes");
    if (nodes === undefined || isBeyond(one, nodes)) escaped.push({ ...one, nodes });
  }
  // The cases are such that rendering is needed.
  const asWritten = given.filter(({ way }) => way === AS_WRITTEN).map((one) => ({ ...one, object: one.written }));
  for (const { one, nodes } of await nodesOf(asWritten, version))
    if (nodes !== undefined && isBeyond(one, nodes)) count("not rendered: gets nodes outside the policy");
  return { seen: Object.fromEntries([...seen].toSorted(([a], [b]) => (a < b ? -1 : 1))), escaped, misplaced };
}

interface AskedPool extends WrittenPool {
  readonly object: KubeObject;
}

/** Without nodes if the pool ends Karpenter. */
async function nodesOf(pools: readonly AskedPool[], version: KarpenterVersion) {
  const questions = pools.map(({ policy, object, class: name }) => {
    return { op: "nodeLabels", policy, class: name, pods: [], pool: object };
  });
  const replies = await askOracle(questions, version);
  return pools.map((one, index) => ({ one, nodes: replies[index]!.answer as Nodes | undefined }));
}

/** As in compare-labels.ts: the policy alone may admit nodes with labels that its entries contradict. */
function isBeyond({ labels }: LabelPool, { outside, breaks, ownBreaks }: Nodes): boolean {
  return outside > 0 || breaks.some((key) => key in labels || !ownBreaks.includes(key));
}

interface WrittenPool extends LabelPool {
  /** What the author, or an earlier rendering, has put into the list. */
  readonly way: string;
  readonly onBypass: "Fail" | "Block";
  readonly written: KubeObject;
}

interface Written {
  readonly list: Entries;
  readonly record?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

type Way = (pool: LabelPool, earlier: Entries) => Written;

const MARK = POLICY_END_ENTRY;

const AS_WRITTEN = "as its author wrote it";

const WAYS: Readonly<Record<string, Way>> = {
  [AS_WRITTEN]: ({ own }) => ({ list: own }),
  "rendered under this policy": ({ policy, own }) => ({ list: [...policy, MARK, ...own], record: recordOf(policy) }),
  "rendered under an earlier policy": ({ own }, earlier) => ({
    list: [...earlier, MARK, ...own],
    record: recordOf(earlier),
  }),
  "an earlier policy without its record": ({ own }, earlier) => ({ list: [...earlier, MARK, ...own] }),
  "a record of the policy without its entries": ({ policy, own }) => ({ list: own, record: recordOf(policy) }),
  "a record of the own entries": ({ own }, earlier) => ({ list: [...own, MARK, ...earlier], record: recordOf(own) }),
  "a record of no entries": ({ own }) => ({ list: [MARK, ...own], record: recordOf([]) }),
  "a record that is not one": ({ policy, own }) => ({ list: [...policy.toReversed(), MARK, ...own], record: "0" }),
  "the mark last": ({ own }) => ({ list: [...own, MARK] }),
  "two marks": ({ policy, own }) => ({ list: [...policy, MARK, ...own.slice(1), MARK, ...own.slice(0, 1)] }),
  "a mark that asks for something": ({ policy, own }) => ({
    list: [...policy, { key: POLICY_END, operator: "Exists" }, ...own],
    record: recordOf(policy),
  }),
  "a template label with the key of the mark": ({ policy, own }) => ({
    list: [...policy, MARK, ...own],
    labels: { [POLICY_END]: "" },
  }),
  "blocked earlier": ({ policy, own }) => ({
    list: [...policy, BLOCKER, MARK, ...own],
    record: recordOf([...policy, BLOCKER]),
  }),
  "a blocker alone": ({ own }) => ({ list: [BLOCKER, MARK, ...own], record: recordOf([BLOCKER]) }),
};

const writtenPool: fc.Arbitrary<WrittenPool> = fc
  .tuple(
    labelPool.filter(({ policy }) => policy.length > 0),
    labelPool,
    fc.constantFrom(...Object.keys(WAYS)),
    fc.constantFrom<"Fail" | "Block">("Fail", "Fail", "Block"),
  )
  .map(([given, { policy: earlier }, way, onBypass]) => {
    // No class of HyperShift is in a placement group.
    const pool: LabelPool = {
      ...given,
      class: given.class === "reserved" || given.class === "full" ? given.class : "plain",
    };
    const { list, record, labels } = WAYS[way]!(pool, earlier);
    const { spec, metadata, ...rest } = rawPoolOf(list, { ...pool.labels, ...labels });
    const annotations = record === undefined ? {} : { annotations: { [POLICY_ENTRIES]: record } };
    const replicas = pool.isStatic === true ? { replicas: 1 } : {};
    const written = { ...rest, metadata: { ...metadata, ...annotations }, spec: { ...(spec as object), ...replicas } };
    return { ...pool, way, onBypass, written };
  });
