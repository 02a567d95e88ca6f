/** The formats that `anp diff -o` can name. */
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { describeDiff, describeSummary } from "../../analyze/diff/describe-diff.ts";
import type { FleetNodes } from "../../analyze/diff/money/fleet-nodes.ts";
import { summarize } from "../../analyze/diff/summary.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { markdownText } from "../terminal/markdown-text.ts";
import { diffGithub } from "./github.ts";
import { diffJson } from "./json.ts";
import { keepingWords } from "./keeping-words.ts";
import { diffMarkdown } from "./markdown.ts";
import { summaryWords } from "./summary-words.ts";
import { diffText, type DiffTextOptions } from "./text.ts";

export const DIFF_FORMATS = ["text", "json", "markdown", "github"] as const;

export type DiffFormat = (typeof DIFF_FORMATS)[number];

interface DiffOptions extends Omit<DiffTextOptions, "summary" | "keeping"> {
  readonly mode: InputMode;
  /** Undefined if there is no count of the nodes. */
  readonly fleet?: FleetNodes | undefined;
  /** The number of errors that keep objects from being compared. */
  readonly errors?: number;
}

/** @param options for text; the other formats are never coloured */
export function formatDiff(format: DiffFormat, changes: readonly Change[], options: DiffOptions): string {
  const { mode, fleet, policies = [], errors } = options;
  if (format === "json") return diffJson(describeDiff({ mode, changes, policies, fleet }));
  const sum = describeSummary(summarize(changes, fleet));
  // The count of objects is in the tally beside the summary.
  const summary = isMoreThanObjects(sum) ? [summaryWords(sum)] : [];
  const keeping = keepingWords(sum.keeping);
  switch (format) {
    case "text":
      return diffText(changes, { ...options, summary, keeping });
    case "markdown":
      return diffMarkdown(changes, { errors, policies, summary: summaryWords(sum, markdownText), keeping });
    case "github":
      return diffGithub(changes, { policies, summary });
  }
}

function isMoreThanObjects({ types, nodes }: DescribedSummary): boolean {
  return types !== null || nodes !== null;
}
