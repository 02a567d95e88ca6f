/** Compares anp's verdicts on random pools with the nodes that Karpenter launches for them. */
import fc from "fast-check";
import { mergeRequirements } from "../../../src/render/merge-requirements.ts";
import { makeBundle, configText, inputsOf, policyText, poolText, poolWith } from "../bundle.ts";
import { prove } from "../../../src/analyze/check/prove.ts";
import { typeFilter } from "../../../src/karpenter/catalogue/type-filter.ts";
import { labelPresence } from "../../../src/karpenter/requirements/label-presence.ts";
import { requirementOf } from "../../../src/karpenter/requirements/requirement.ts";
import type { Bundle } from "../../../src/model/inputs/bundle.ts";
import { PLACEMENT_GROUP_ID, PLACEMENT_GROUP_PARTITION } from "../../../src/model/requirements/labels.ts";
import type { PoolRequirement } from "../../../src/resolve/pool-requirements.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { CATALOGUE, changedPool } from "../instance-types.ts";
import type { KarpenterVersion } from "../go/programs.ts";
import { askOracle } from "./ask.ts";
import { type LabelPool, labelPool } from "./label-pools.ts";

/** The result of Karpenter's own code for a pool (node_labels.go). */
export interface Nodes {
  readonly types: number;
  readonly outside: number;
  readonly claim: number;
  readonly breaks: readonly string[];
  readonly ownBreaks: readonly string[];
  /** By additional requirements of pods. */
  readonly podBreaks: readonly string[];
  readonly drifts: number;
  readonly stays: number;
}

export interface LabelComparison {
  /** How often each case occurred: a comparison without a case proves nothing. */
  readonly seen: Readonly<Record<string, number>>;
  /** anp accepts them, but labels of their nodes violate the policy. */
  readonly letPass: readonly unknown[];
  /** anp reports no drift, but their nodes drift as soon as they are registered. */
  readonly calledOk: readonly unknown[];
  /** anp is wrong about them in another way. */
  readonly wrong: readonly unknown[];
  /** Refusals and warnings without a node that justifies them, by reason. */
  readonly notNeeded: Readonly<Record<string, number>>;
}

const MAX_CLAIM = 100;

export async function compareLabels(
  numRuns: number,
  seed: number,
  version: KarpenterVersion = "1.15",
): Promise<LabelComparison> {
  const pools = fc.sample(labelPool, { numRuns, seed });
  const replies = await askOracle(pools.map(questionOf), version);
  const seen = new Map<string, number>();
  const notNeeded = new Map<string, number>();
  const found: Record<"letPass" | "calledOk" | "wrong", unknown[]> = { letPass: [], calledOk: [], wrong: [] };
  for (const [index, pool] of pools.entries()) {
    const reply = replies[index]!;
    const findings = findingsOf(pool);
    const codes = findings.map(({ code }) => code);
    for (const code of new Set(codes)) count(seen, code);
    const wrong = (of: keyof typeof found, why: string): void => {
      found[of].push({ why, pool, codes, reply });
    };
    if (reply.panic !== undefined) {
      count(seen, "Karpenter ends");
      if (!codes.includes("requirement-crashes-karpenter")) wrong("wrong", "ends Karpenter");
      continue;
    }
    const nodes = reply.answer as Nodes;
    if (codes.includes("requirement-crashes-karpenter")) {
      notNeededFor(pool, nodes, () => wrong("wrong", "does not end Karpenter"));
      continue;
    }
    const escapes = nodes.breaks.filter((key) => key in pool.labels || !nodes.ownBreaks.includes(key));
    if (nodes.outside > 0) escapes.push("instance types");
    if (escapes.length > 0) count(seen, "escapes");
    if (nodes.drifts > 0) count(seen, "drifts");
    if (nodes.types > 0 && codes.length === 0) count(seen, "ok");
    const byPods = nodes.podBreaks.filter((key) => !nodes.breaks.includes(key) && !nodes.ownBreaks.includes(key));
    if (byPods.length > 0) count(seen, "pods get what the policy does not admit");
    // Karpenter adds fewer entries to a NodeClaim of a static pool, which no wrapper is, and one more for a
    // reservation.
    const isCounted = nodes.types > 0 && pool.isStatic !== true && pool.class !== "reserved";
    const overLimit = nodes.claim > MAX_CLAIM || pool.policy.length + pool.own.length > MAX_CLAIM;
    if (isCounted && codes.includes("requirements-limit") !== overLimit) wrong("wrong", "limit");
    if (codes.includes("policy-bypassed")) {
      if (escapes.length === 0) notNeededFor(pool, nodes, () => wrong("wrong", "bypasses nothing"));
      continue;
    }
    if (escapes.length > 0) wrong("letPass", escapes.join());
    if (byPods.length > 0) {
      const open = openKeys(pool);
      const untold = byPods.filter((key) => !open.has(key));
      if (untold.length > 0) wrong("letPass", `pods: ${untold.join()}`);
    }
    const drifts = findings.filter(({ code }) => code === "drifts-forever");
    if (nodes.drifts > 0 && drifts.length === 0)
      if (mayHavePartitions(pool)) count(seen, "drifts if the placement group has no partitions");
      else wrong("calledOk", "drifts");
    if (nodes.drifts === 0 && drifts.length > 0) notNeededFor(pool, nodes, () => wrong("wrong", "drifts not"));
    // The numbers of instance types decide there.
    if (mayHavePartitions(pool) || pool.isStatic === true) continue;
    const always = drifts.some(({ message }) => message.includes("every node drifts"));
    if (nodes.drifts > 0 && always !== (nodes.stays === 0)) wrong("wrong", "says how many drift");
    // A node with the label does not count as one without it.
    const without = findings.filter(({ message }) => message.includes("nodes without it"));
    if (without.some(({ message }) => Object.keys(pool.labels).some((key) => message.includes(` ${key} `))))
      wrong("wrong", "says that nodes lack a label that they have");
  }
  return { seen: Object.fromEntries(seen), ...found, notNeeded: Object.fromEntries(notNeeded) };

  function notNeededFor(pool: LabelPool, nodes: Nodes, otherwise: () => void): void {
    const reason = reasonOf(pool, nodes);
    if (reason === undefined) otherwise();
    else count(notNeeded, reason);
  }
}

/** Why anp refuses or warns although Karpenter launches no such node. */
export function reasonOf(pool: LabelPool, { types, claim, ownBreaks }: Nodes): string | undefined {
  const { policy, own } = pool;
  if (types === 0) return "no instance type is left";
  // The remaining types have no available offering: reservations are full.
  if (claim === 0) return "no offering is left";
  if (mayHavePartitions(pool)) return "no class says which partitions there are";
  if (pool.isStatic === true && pool.class === "reserved") return "nodes come of the reservation's type alone";
  if (pool.isStatic === true && policy.some(({ key }) => labelPresence(key) === "custom"))
    return "no pod asks a static pool for a label";
  if ([...policy, ...own].some(({ values = [] }) => values.some((value) => value.length > 6)))
    return "the excluded number is one of very many";
  return ownBreaks.length > 0 ? "the policy itself lets such nodes come" : undefined;
}

/** The keys on which `anp check --prove` reports that the policy does not hold. */
function openKeys(pool: LabelPool): ReadonlySet<string> {
  const bundle = bundleWith(pool);
  const { policy, ways } = prove(resolve(bundle, {}), FILTER)!;
  const keys = policy?.keys ?? [];
  const open = keys.filter(
    ({ key, result }) => result === "leaks" || result === "void" || ways.some(({ what }) => what.includes(` ${key}`)),
  );
  return new Set(open.map(({ key }) => key));
}

const FILTER = typeFilter(CATALOGUE);

function bundleWith({ policy, own, labels }: LabelPool): Bundle {
  const entries = JSON.stringify(own);
  return makeBundle({
    "policy.yaml": policyText(`{nodePoolDefaults: {requirements: ${JSON.stringify(policy)}}}`),
    "pool.yaml": poolText(
      `{template: {metadata: {labels: ${JSON.stringify(labels)}}, spec: {requirements: ${entries}}}}`,
    ),
    "config.yaml": configText("{nodeLabels: {}}"),
  });
}

function findingsOf(given: LabelPool): { code: string; message: string }[] {
  const bundle = bundleWith(given);
  const pool = changedPool(poolWith(bundle, given.own, given.labels), {
    ...(given.isStatic === true ? { replicas: 1 } : {}),
    // As for a raw pool with its class.
    ...(isInGroup(given) ? { mode: "raw", nodeClass: bundle.nodePools[0]!, reservations: [IN_GROUP] } : {}),
  });
  const { findings } = mergeRequirements(pool, inputsOf(bundle).policy);
  return findings.map(({ code, message }) => ({ code, message }));
}

function mayHavePartitions(pool: LabelPool): boolean {
  return isInGroup(pool) && [...pool.policy, ...pool.own].some(({ key }) => key === PLACEMENT_GROUP_PARTITION);
}

function isInGroup({ class: name }: LabelPool): boolean {
  return name === "group" || name === "partitions";
}

const IN_GROUP: PoolRequirement = {
  from: "class",
  place: { resource: undefined as never, path: [] },
  requirement: requirementOf({ key: PLACEMENT_GROUP_ID, operator: "In", values: ["pg-1"] }),
};

export function questionOf({ policy, own, labels, taints, limits, isStatic, pods = [], ...of }: LabelPool) {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const template = { metadata: { labels }, spec: { nodeClassRef, taints, requirements: [...policy, ...own] } };
  const spec = { template, limits, ...(isStatic === true ? { replicas: 1 } : {}) };
  const asking = pods.filter((pod) => pod.length > 0);
  return { op: "nodeLabels", policy, class: of.class, pods: asking, pool: { metadata: { name: "web" }, spec } };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
