/** The answer of `anp plan` as a page: each new node as a bin that its pods fill. */
import type { PlanAnswer } from "../../analyze/plan/plan-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { counted } from "../../krm/values/counted.ts";
import { monthWords, moneyWords, placeOfPrices } from "../../model/values/money.ts";
import { alikeClaims, planBlocks } from "../plan/plan-blocks.ts";
import { pageParts } from "./blocks-html.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { html, type Markup } from "./markup.ts";
import { pageOf } from "./page.ts";

type Claim = PlanAnswer["nodeClaims"][number];

/** The style sheet has so many colours. */
const COLOURS = 6;
/** Other nodes are in the text below. */
const DRAWN_UP_TO = 200;

export async function planPage(title: string, plan: PlanAnswer, findings: readonly Finding[]): Promise<string> {
  const { nodeClaims, unplaced, summary, prices, catalogue } = plan;
  const { nodes, placed } = summary;
  return pageOf({
    title,
    about: "The nodes that Karpenter would launch for pods",
    tally: [
      [nodes, nodes === 1 ? "new node" : "new nodes"],
      [placed, "pods with a node"],
      [unplaced.length, "pods without a node"],
      ...monthTally(summary, prices),
    ],
    drawings: new Drawings([]),
    parts: [nodeClaims.length > 0 && binsOf(nodeClaims), ...pageParts(planBlocks(plan)), findingSection(findings)],
    sources: [
      `Instance types: ${catalogue.source}, ${catalogue.date}.`,
      ...(prices === null ? [] : [`List prices: ${prices.source}, ${placeOfPrices(prices)}.`]),
    ],
  });
}

function monthTally({ monthly, atMost, worst }: PlanAnswer["summary"], prices: PlanAnswer["prices"]) {
  if (prices === null) return [];
  const least = monthly === null ? atMost : { monthly };
  return [
    ...(least === undefined
      ? []
      : [
          [
            monthWords(least.monthly, prices),
            monthly === null ? "a month at most, on demand" : "a month at best",
          ] as const,
        ]),
    ...(worst === null ? [] : [[monthWords(worst.monthly, prices), "a month at worst"] as const]),
  ];
}

function binsOf(claims: readonly Claim[]): Markup {
  const pools = [...new Set(claims.map(({ nodePool }) => nodePool))];
  const alike = alikeClaims(claims);
  const left = alike.length - DRAWN_UP_TO;
  const places = new Map(pools.map((pool, place) => [pool, place % COLOURS]));
  return html`<section>
    <h2>New nodes</h2>
    <p class="soft">A bin is the cheapest type of a node. Its pods fill the resource of which least is left.</p>
    <ul class="legend">
      ${pools.map(
        (pool) =>
          html`<li>
            <svg aria-hidden="true" focusable="false">
              <rect width="100%" height="100%" class="b-${places.get(pool) ?? 0}" /></svg
            >${pool}
          </li>`,
      )}
    </ul>
    <ul class="bins">
      ${alike.slice(0, DRAWN_UP_TO).map((some) => binOf(some, places.get(some[0]!.nodePool) ?? 0))}
    </ul>
    ${left > 0 && html`<p class="soft">${counted(left, "more kind", "more kinds")} of nodes below</p>`}
  </section> `;
}

function binOf(claims: readonly Claim[], colour: number): Markup {
  const [{ nodePool, instanceTypes, zones, uses, share, limitedBy, price, pods }] = claims as readonly [Claim];
  const [type] = instanceTypes;
  const full = share[0]?.part ?? 0;
  const own = uses.reduce((sum, { part }) => sum + part, 0);
  const parts = [
    ...uses.map(({ namespace, name, pods: count, part }) => ({
      part,
      look: `b-${colour}`,
      words: `${count === 1 ? "" : `${count} × `}${namespace}/${name}`,
    })),
    { part: Math.max(0, full - own), look: "b-d", words: "DaemonSets" },
  ].filter(({ part }) => part > 0);
  let top = 1;
  const rects = parts.map(({ part, look, words }) => {
    top -= part;
    return html`<rect class="${look}" x="0" width="100%" y="${percent(top)}" height="${percent(part)}">
      <title>${words}: ${percent(part)} of ${limitedBy ?? ""}</title>
    </rect>`;
  });
  const count = claims.length === 1 ? "" : ` × ${claims.length}`;
  const words = `${type ?? ""}${count} of pool ${nodePool}: ${parts.map((part) => part.words).join(", ")}`;
  return html`<li>
    <svg role="img" aria-label="${words}">${rects}</svg>
    <b>${type}${count}</b><br />${zones.join(", ")}<br />
    <span class="soft"
      >${counted(pods.length, "pod")}, ${percent(full)} of
      ${limitedBy ?? ""}${price !== null && html`<br />${moneyWords(price.hourly, price)} an hour`}</span
    >
  </li> `;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
