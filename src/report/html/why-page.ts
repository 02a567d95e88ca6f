/** The answer of `anp why` as a page. */
import type { Block } from "../blocks/blocks.ts";
import { pageParts } from "./blocks-html.ts";
import { Drawings } from "./drawings.ts";
import { pageOf } from "./page.ts";

/** @param at as RFC 3339 has it */
export async function whyPage(title: string, at: string, blocks: readonly Block[]): Promise<string> {
  return pageOf({
    title,
    about: "What keeps Karpenter from taking a node",
    tally: [],
    drawings: new Drawings([]),
    parts: pageParts(blocks),
    sources: [`The state at ${at}.`],
  });
}
