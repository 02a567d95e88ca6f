/** The formats that `anp diff -o` can name. */
import { clusterRollouts } from "../../analyze/diff/cluster-rollouts.ts";
import type { Change, ClustersDiff } from "../../analyze/diff/compare-clusters.ts";
import { describeDiff, summarize } from "../../analyze/diff/describe-diff.ts";
import type { FleetNodes } from "../../analyze/diff/money/fleet-nodes.ts";
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { jsonText } from "../../krm/values/exact-integer.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import type { Look } from "../blocks/blocks.ts";
import { blocksGithub } from "../blocks/github.ts";
import { blocksMarkdown } from "../blocks/markdown.ts";
import { terminalText } from "../blocks/terminal.ts";
import { printableJson } from "../terminal/printable.ts";
import { diffBlocks } from "./diff-blocks.ts";

export const DIFF_FORMATS = ["text", "json", "markdown", "github"] as const;

export type DiffFormat = (typeof DIFF_FORMATS)[number];

interface DiffOptions extends Look {
  readonly mode: InputMode;
  readonly policies?: readonly PolicyChange[];
  /** Undefined if there is no count of the nodes. */
  readonly fleet?: FleetNodes | undefined;
  /** What changes in each cluster, if several are compared. */
  readonly clusters?: ClustersDiff["clusters"];
  /** The number of errors that keep objects from being compared. */
  readonly errors?: number;
  /** Files that were passed over and differ between the sides. */
  readonly incomplete?: readonly string[];
  /** Sentences on what made only the old side invalid. */
  readonly refused?: readonly string[];
  /** Sentences on what the API server was not asked. */
  readonly notAsked?: readonly string[];
  /** Of the pods of `--pods`. */
  readonly plan?: PlanAnswer | undefined;
  /** Whether changes with one cause are one by one. */
  readonly all?: boolean | undefined;
}

/** The look is for text; the other formats are never coloured. */
export function formatDiff(format: DiffFormat, changes: readonly Change[], options: DiffOptions): string {
  const {
    mode,
    fleet,
    clusters = [],
    policies = [],
    errors = 0,
    incomplete = [],
    refused = [],
    notAsked = [],
    plan,
    all,
  } = options;
  const rollout = clusterRollouts(clusters);
  if (format === "json") {
    const described = describeDiff({ mode, changes, policies, fleet, rollout, incomplete, refused, notAsked, plan });
    return printableJson(`${jsonText(described, 2)}\n`);
  }
  const blocks = diffBlocks({
    changes,
    policies,
    summary: summarize(changes, fleet),
    rollout,
    errors,
    incomplete,
    refused,
    notAsked,
    plan,
    all,
  });
  switch (format) {
    case "text":
      return terminalText(blocks, options);
    case "markdown":
      return blocksMarkdown(blocks, "anp diff -o json");
    case "github":
      return blocksGithub(blocks);
  }
}
