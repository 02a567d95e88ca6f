/** Compares random pools in the API server's CEL, in anp, and by the nodes that Karpenter launches. */
import fc from "fast-check";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { create } from "../controlplane/objects.ts";
import { askOracle, type Reply } from "../oracle/ask.ts";
import { type Nodes, questionOf, reasonOf } from "../oracle/compare-labels.ts";
import { enforce, outcomeOf, poolOf, requirementsOf } from "./guarded-cluster.ts";
import { policiesWithPools } from "./policies-and-pools.ts";

export interface AlgebraComparison {
  readonly seen: Readonly<Record<string, number>>;
  /** CEL and anp differ, or the stored list differs from anp's prediction. */
  readonly apart: readonly unknown[];
  /** CEL accepts them, but Karpenter launches nodes outside the policy. */
  readonly letPass: readonly unknown[];
  /** CEL refuses them, but Karpenter launches no such nodes. */
  readonly notNeeded: readonly unknown[];
}

const BYPASSED = /would admit nodes that the policy does not/;

interface Size {
  readonly policies: number;
  readonly pools: number;
  readonly seed: number;
  readonly hard: boolean;
}

export async function compareAlgebra(controlPlane: ControlPlane, size: Size): Promise<AlgebraComparison> {
  const cases = fc.sample(policiesWithPools(size.pools, { hard: size.hard }), {
    numRuns: size.policies,
    seed: size.seed,
  });
  const seen = new Map<string, number>();
  const found: Record<"apart" | "letPass" | "notNeeded", unknown[]> = { apart: [], letPass: [], notNeeded: [] };
  for (const { policy, pools } of cases) {
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    await enforce(controlPlane, policy);
    const isStatic = (index: number): boolean => index % 3 === 2;
    const asked = pools.map(({ own, labels }, index) => ({
      policy,
      own,
      labels,
      taints: [],
      limits: {},
      isStatic: isStatic(index),
    }));
    const replies = await askOracle(asked.map(questionOf));
    for (const [index, { own, labels }] of pools.entries()) {
      const dynamic = poolOf("random", own, labels);
      const pool = isStatic(index) ? { ...dynamic, spec: { ...dynamic.spec, replicas: 1 } } : dynamic;
      const answer = await create(controlPlane, "guest-admin", pool, { dryRun: true });
      const outcome = outcomeOf(answer);
      const refused = BYPASSED.test(outcome);
      const tell = (where: keyof typeof found, why: unknown): void =>
        void found[where].push({ why, policy, own, labels, outcome, reply: replies[index] });
      if (outcome !== "stored" && !refused) {
        count("Karpenter's CRD refuses it");
        if (answer.status !== 422 || !/is invalid/.test(outcome)) tell("apart", "another refusal");
        continue;
      }
      const foretold = admitPool(policy, { requirements: own, labels, isStatic: isStatic(index) });
      if ("refused" in foretold !== refused) tell("apart", foretold);
      if ("stored" in foretold && !sameValue(requirementsOf(answer.body), foretold.stored)) tell("apart", foretold);
      count(refused ? "refused" : "stored");
      if (refused && isStatic(index) && "stored" in admitPool(policy, { requirements: own, labels }))
        count("refused as static alone");
      const escapes = escapesIn(replies[index]!, labels);
      if (escapes === undefined) count("Karpenter ends");
      else if (!refused && escapes.length > 0) tell("letPass", escapes);
      else if (refused && escapes.length === 0) {
        const reason = reasonOf(asked[index]!, replies[index]!.answer as Nodes);
        if (reason === undefined) tell("notNeeded", "bypasses nothing");
        else count(`refused, and ${reason}`);
      }
    }
  }
  return { seen: Object.fromEntries(seen), ...found };
}

/** As in test/support/oracle/compare-labels.ts. Undefined if Karpenter panics. */
function escapesIn({ answer, panic }: Reply, labels: object): string[] | undefined {
  if (panic !== undefined) return undefined;
  const nodes = answer as Nodes;
  const broken = nodes.breaks.filter((key) => key in labels || !nodes.ownBreaks.includes(key));
  return nodes.outside > 0 ? [...broken, "instance types"] : broken;
}
