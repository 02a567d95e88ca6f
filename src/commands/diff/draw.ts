/** `anp diff -o html`: the changes as a page. Loaded on demand, with the code for pictures. */
import { clusterRollouts } from "../../analyze/diff/cluster-rollouts.ts";
import { summarize } from "../../analyze/diff/describe-diff.ts";
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { diffBlocks } from "../../report/diff/diff-blocks.ts";
import type { DiffAnswer, DiffQuestion } from "./answer.ts";

interface Besides {
  /** Of the page. */
  readonly title: string;
  readonly incomplete: readonly string[];
  readonly refused: readonly string[];
  readonly notAsked: readonly string[];
  readonly plan: PlanAnswer | undefined;
}

/** @param findings shown beside the changes */
export async function drawDiff(
  { title, changes, policies, fleet, clusters, incomplete, refused, notAsked, plan }: DiffAnswer & Besides,
  { at, nodeTime }: DiffQuestion,
  findings: readonly Finding[],
): Promise<string> {
  const [{ diffPictures }, { diffPage }] = await Promise.all([
    import("../../analyze/pictures/diff-pictures.ts"),
    import("../../report/html/pictures.ts"),
  ]);
  const summary = summarize(changes, fleet);
  return diffPage({
    title,
    changes,
    summary,
    blocks: diffBlocks({
      changes,
      policies,
      summary,
      rollout: clusterRollouts(clusters),
      errors: 0,
      incomplete,
      refused,
      notAsked,
      plan,
    }),
    pictures: diffPictures(changes, { at, nodeTime: Number(nodeTime) / 1e6 }),
    findings,
    at,
  });
}
