/** Random pools as the API server's CEL judges them, as anp does, and as Karpenter makes nodes of them. */
import fc from "fast-check";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { sameValue } from "../../../src/krm/same-value.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { create } from "../controlplane/objects.ts";
import { askOracle, type Reply } from "../oracle/ask.ts";
import { questionOf } from "../oracle/compare-labels.ts";
import { enforce, outcomeOf, poolOf, requirementsOf } from "./guarded-cluster.ts";
import { policiesWithPools } from "./policies-and-pools.ts";

interface Nodes {
  readonly types: number;
  readonly outside: number;
  readonly breaks: readonly string[];
  readonly ownBreaks: readonly string[];
}

export interface AlgebraComparison {
  readonly seen: Readonly<Record<string, number>>;
  /** What CEL says and anp says differ, or what is stored and what anp foretells. */
  readonly apart: readonly unknown[];
  /** CEL lets them pass, and Karpenter makes nodes that the policy does not admit. */
  readonly letPass: readonly unknown[];
  /** CEL refuses them, and Karpenter makes no such nodes. */
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
    const questions = pools.map(({ own, labels }) => questionOf({ policy, own, labels, taints: [], limits: {} }));
    const replies = await askOracle(questions);
    for (const [index, { own, labels }] of pools.entries()) {
      const answer = await create(controlPlane, "guest-admin", poolOf("random", own, labels), { dryRun: true });
      const outcome = outcomeOf(answer);
      const refused = BYPASSED.test(outcome);
      const tell = (where: keyof typeof found, why: unknown): void =>
        void found[where].push({ why, policy, own, labels, outcome, reply: replies[index] });
      if (outcome !== "stored" && !refused) {
        count("Karpenter's CRD refuses it");
        if (answer.status !== 422 || !/is invalid/.test(outcome)) tell("apart", "another refusal");
        continue;
      }
      const foretold = admitPool(policy, { requirements: own, labels });
      if ("refused" in foretold !== refused) tell("apart", foretold);
      if ("stored" in foretold && !sameValue(requirementsOf(answer.body), foretold.stored)) tell("apart", foretold);
      count(refused ? "refused" : "stored");
      const escapes = escapesIn(replies[index]!, labels);
      if (escapes === undefined) count("Karpenter ends");
      else if (!refused && escapes.length > 0) tell("letPass", escapes);
      else if (refused && escapes.length === 0) {
        const reason = reasonOf(policy, own, replies[index]!.answer as Nodes);
        if (reason === undefined) tell("notNeeded", "bypasses nothing");
        else count(reason);
      }
    }
  }
  return { seen: Object.fromEntries(seen), ...found };
}

/** As test/support/oracle/compare-labels.ts has it. Undefined where Karpenter ends. */
function escapesIn({ answer, panic }: Reply, labels: object): string[] | undefined {
  if (panic !== undefined) return undefined;
  const nodes = answer as Nodes;
  const broken = nodes.breaks.filter((key) => key in labels || !nodes.ownBreaks.includes(key));
  return nodes.outside > 0 ? [...broken, "instance types"] : broken;
}

interface WithValues {
  readonly values?: readonly string[] | undefined;
}

function reasonOf(
  policy: readonly WithValues[],
  own: readonly WithValues[],
  { types, ownBreaks }: Nodes,
): string | undefined {
  if (types === 0) return "refused, and no instance type is left anyway";
  if ([...policy, ...own].some(({ values = [] }) => values.some((value) => value.length > 6)))
    return "refused, and the number is one of very many";
  return ownBreaks.length > 0 ? "refused, and the policy itself lets such nodes come" : undefined;
}
