/** The answer of `anp simulate` as a page: limits, a calendar, budgets, how nodes are replaced. */
import type { Finding } from "../../krm/findings/finding.ts";
import type { Block } from "../blocks/blocks.ts";
import { momentText, pageIds, type SimulationToShow } from "../simulate/simulate-blocks.ts";
import { pageParts } from "./blocks-html.ts";
import { calendar } from "./calendar.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { goneOverTime } from "./gone-over-time.ts";
import { pageOf } from "./page.ts";

export interface SimulationToDraw extends SimulationToShow {
  readonly title: string;
  /** Made by `simulateBlocks`. */
  readonly blocks: readonly Block[];
  readonly findings: readonly Finding[];
}

/** Only the first pools have drawings; all are listed. */
const DRAWN_UP_TO = 200;

export async function simulatePage(answer: SimulationToDraw): Promise<string> {
  const { title, pools, blocks, findings, at, zone } = answer;
  const blocked = pools.filter(({ provisioning }) => provisioning === "blocked").length;
  const closed = pools.filter(({ disruption }) => disruption.every(({ allowed }) => allowed === 0)).length;
  const nodes = pools.reduce((sum, one) => sum + one.nodes.total, 0);
  const drawn = pools.slice(0, DRAWN_UP_TO).flatMap(({ pool: { name }, timeline = [], rollout, ...one }, index) => {
    const ids = pageIds(index);
    const caption = "If a change replaced all nodes now";
    const gone = { steps: rollout.steps, total: one.nodes.total, at };
    return [
      [ids.calendar, calendar(timeline, { nodes: one.nodes.counted, page: ids.calendar, name, zone })],
      [ids.gone, goneOverTime(gone, { page: ids.gone, name, caption, zone })],
    ] as const;
  });
  return pageOf({
    title,
    about: `${momentText(at, zone)} ${zone.name}`,
    tally: [
      [pools.length, pools.length === 1 ? "pool" : "pools"],
      [nodes, nodes === 1 ? "node" : "nodes"],
      [closed, "closed to disruption at that moment"],
      [blocked, "at their limit"],
    ],
    drawings: new Drawings([]),
    parts: [...pageParts(blocks, new Map(drawn)), findingSection(findings)],
    sources: [],
  });
}
