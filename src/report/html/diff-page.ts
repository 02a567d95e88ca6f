/** The answer of `anp diff` as a page: changes, types gained and lost, how nodes are replaced. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { DiffPictures } from "../../analyze/pictures/diff-pictures.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import type { Block } from "../blocks/blocks.ts";
import { changeId } from "../diff/diff-blocks.ts";
import { summaryWords } from "../diff/summary-words.ts";
import { nameOf } from "../diff/words.ts";
import { pageParts } from "./blocks-html.ts";
import { changedTypes } from "./changed-types.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { goneOverTime } from "./gone-over-time.ts";
import { html, type Markup } from "./markup.ts";
import { pageOf } from "./page.ts";

export interface DiffToDraw {
  readonly changes: readonly Change[];
  readonly summary: DescribedSummary;
  /** Made by `diffBlocks`, without errors: those are among the findings. */
  readonly blocks: readonly Block[];
  readonly pictures: DiffPictures;
  readonly findings: readonly Finding[];
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
}

/** Only the first changes have pictures; all are listed. */
const DRAWN_UP_TO = 50;

export async function diffPage(answer: DiffToDraw): Promise<string> {
  const { changes, blocks, pictures, summary, findings } = answer;
  const drawings = new Drawings(pictures.tables);
  const drawn = new Map(changes.map((change, at) => [changeId(at), drawingsOf(change, at, answer, drawings)]));
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return pageOf({
    title: "anp diff",
    about: changes.length === 0 ? "The rendered objects are the same." : summaryWords(summary),
    tally: (["added", "changed", "removed"] as const).map((action) => [count(action), action] as const),
    drawings,
    parts: [...pageParts(blocks, drawn), findingSection(findings)],
    sources: [],
  });
}

function drawingsOf(change: Change, index: number, { pictures, at }: DiffToDraw, drawings: Drawings): Markup {
  const page = changeId(index);
  const { types, rollouts } = pictures.changes[index]!;
  const maps = index < DRAWN_UP_TO && types !== undefined && changedTypes(types, nameOf(change), { drawings, page });
  const flows = rollouts.map(({ pool, rollout, total }, flow) =>
    goneOverTime(
      { steps: rollout.steps, total, at },
      { page: `${page}g${flow}`, name: pool, caption: `Nodes of ${pool} replaced over time` },
    ),
  );
  return html`${maps}${flows}`;
}
