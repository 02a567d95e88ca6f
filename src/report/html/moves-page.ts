/** The answer of `anp plan --consolidate` as a page. */
import type { MovesAnswer } from "../../analyze/consolidate/moves-answer.ts";
import { movesBlocks } from "../plan/moves-blocks.ts";
import { pageParts } from "./blocks-html.ts";
import { Drawings } from "./drawings.ts";
import { pageOf } from "./page.ts";

export async function movesPage(answer: MovesAnswer): Promise<string> {
  const { summary, at } = answer;
  return pageOf({
    title: "anp plan --consolidate",
    about: "The moves that Karpenter would make",
    tally: [
      [summary.moves, summary.moves === 1 ? "move" : "moves"],
      [summary.before.nodes, "nodes now"],
      [summary.after.nodes, "nodes afterwards"],
    ],
    drawings: new Drawings([]),
    parts: pageParts(movesBlocks(answer)),
    sources: [`The state at ${at}.`],
  });
}
