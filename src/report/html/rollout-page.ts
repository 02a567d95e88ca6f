/** The answers of `anp rollout` as a page. */
import type { Finding } from "../../krm/findings/finding.ts";
import type { Block } from "../blocks/blocks.ts";
import { pageParts } from "./blocks-html.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { pageOf } from "./page.ts";

interface RolloutToDraw {
  readonly title: string;
  readonly about: string;
  readonly blocks: readonly Block[];
  readonly waves: number;
  readonly findings: readonly Finding[];
}

export async function rolloutPage({ title, about, blocks, waves, findings }: RolloutToDraw): Promise<string> {
  return pageOf({
    title,
    about,
    tally: [[waves, waves === 1 ? "wave" : "waves"]],
    drawings: new Drawings([]),
    parts: [...pageParts(blocks), findingSection(findings)],
    sources: [],
  });
}
