/** Random pools as anp judges them and as Karpenter makes nodes of them: their number and a seed in, each difference out. */
import fc from "fast-check";
import { mergeRequirements } from "../../../src/render/merge-requirements.ts";
import { bundleOf, configText, inputsOf, policyText, poolText, poolWith } from "../bundle.ts";
import { askOracle } from "./ask.ts";
import { type LabelPool, labelPool } from "./label-pools.ts";

/** What Karpenter's own code makes of a pool (node_labels.go). */
interface Nodes {
  readonly types: number;
  readonly outside: number;
  readonly claim: number;
  readonly breaks: readonly string[];
  readonly ownBreaks: readonly string[];
  readonly drifts: number;
  readonly stays: number;
}

export interface LabelComparison {
  /** How often each came up: a comparison that never met its case proves nothing. */
  readonly seen: Readonly<Record<string, number>>;
  /** anp lets them pass, and their nodes' labels break the policy. */
  readonly letPass: readonly unknown[];
  /** anp says nothing of drift, and their nodes drift as soon as they are up. */
  readonly calledOk: readonly unknown[];
  /** What anp says of them is otherwise wrong. */
  readonly wrong: readonly unknown[];
  /** Refusals and warnings without a node that shows why, by reason. */
  readonly notNeeded: Readonly<Record<string, number>>;
}

const MAX_CLAIM = 100;

export async function compareLabels(numRuns: number, seed: number): Promise<LabelComparison> {
  const pools = fc.sample(labelPool, { numRuns, seed });
  const replies = await askOracle(pools.map(questionOf));
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
      if (nodes.types > 0) wrong("wrong", "does not end Karpenter");
      else count(notNeeded, "no instance type is left");
      continue;
    }
    const escapes = nodes.breaks.filter((key) => key in pool.labels || !nodes.ownBreaks.includes(key));
    if (nodes.outside > 0) escapes.push("instance types");
    if (escapes.length > 0) count(seen, "escapes");
    if (nodes.drifts > 0) count(seen, "drifts");
    if (nodes.types > 0 && codes.length === 0) count(seen, "ok");
    const overLimit = nodes.claim > MAX_CLAIM || pool.policy.length + pool.own.length > MAX_CLAIM;
    if (nodes.types > 0 && codes.includes("requirements-limit") !== overLimit) wrong("wrong", "limit");
    if (codes.includes("policy-bypassed")) {
      if (escapes.length === 0) notNeededFor(pool, nodes, () => wrong("wrong", "bypasses nothing"));
      continue;
    }
    if (escapes.length > 0) wrong("letPass", escapes.join());
    const drifts = findings.filter(({ code }) => code === "drifts-forever");
    if (nodes.drifts > 0 && drifts.length === 0) wrong("calledOk", "drifts");
    if (nodes.drifts === 0 && drifts.length > 0) notNeededFor(pool, nodes, () => wrong("wrong", "drifts not"));
    const always = drifts.some(({ message }) => message.includes("every node drifts"));
    if (nodes.drifts > 0 && always !== (nodes.stays === 0)) wrong("wrong", "says how many drift");
    // A node that has the label is not one without it.
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

/** Why anp refuses, or warns, where Karpenter makes no such node. */
function reasonOf({ policy, own }: LabelPool, { types, ownBreaks }: Nodes): string | undefined {
  if (types === 0) return "no instance type is left";
  if ([...policy, ...own].some(({ values = [] }) => values.some((value) => value.length > 6)))
    return "the excluded number is one of very many";
  return ownBreaks.length > 0 ? "the policy itself lets such nodes come" : undefined;
}

function findingsOf({ policy, own, labels }: LabelPool): { code: string; message: string }[] {
  const entries = JSON.stringify(own);
  const bundle = bundleOf({
    "policy.yaml": policyText(`{nodePoolDefaults: {requirements: ${JSON.stringify(policy)}}}`),
    "pool.yaml": poolText(
      `{template: {metadata: {labels: ${JSON.stringify(labels)}}, spec: {requirements: ${entries}}}}`,
    ),
    "config.yaml": configText("{nodeLabels: {}}"),
  });
  const { findings } = mergeRequirements(poolWith(bundle, own, labels), inputsOf(bundle).policy);
  return findings.map(({ code, message }) => ({ code, message }));
}

export function questionOf({ policy, own, labels, taints, limits }: LabelPool) {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const template = { metadata: { labels }, spec: { nodeClassRef, taints, requirements: [...policy, ...own] } };
  return { op: "nodeLabels", policy, pool: { metadata: { name: "web" }, spec: { template, limits } } };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
