/** The answer of `anp explain` and `anp check` as a page. */
import type { DescribedProof } from "../../analyze/check/check-answer.ts";
import type { DescribedOutput } from "../../analyze/check/explain-answer.ts";
import type { DescribedCatalogue, DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { ExplainedPictures } from "../../analyze/pictures/explained-pictures.ts";
import type { AskedPods } from "../../analyze/plan/place-pods.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { placeText } from "../../krm/places/location.ts";
import { counted, tally } from "../../krm/values/counted.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import type { Block } from "../blocks/blocks.ts";
import {
  instanceTypesWords,
  knowsTypes,
  outputSection,
  poolsThatCount,
  poolSection,
} from "../explain/explain-blocks.ts";
import { podBlocks } from "../explain/pods-blocks.ts";
import { capacityTypes, priceFrom, zonesLeft } from "../explain/pool-facts.ts";
import { proofSections } from "../explain/prove-blocks.ts";
import { stateOf, STATES, verdictOfPool } from "../explain/verdict-words.ts";
import { bar, mark } from "./bar.ts";
import { pageParts } from "./blocks-html.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { fleetData, fleetSection } from "./fleet.ts";
import { html, type Markup } from "./markup.ts";
import { overlapSection } from "./overlap-table.ts";
import { pageOf } from "./page.ts";
import { poolPictures } from "./pool-pictures.ts";
import { scrollTable } from "./scroll-table.ts";

export interface ExplainedAnswer {
  readonly title: string;
  readonly pools: readonly DescribedPool[];
  /** In the order of `pools`. */
  readonly pictures: ExplainedPictures;
  /** Live NodePools rendered from wrappers. */
  readonly outputs?: readonly DescribedOutput[];
  readonly asked?: AskedPods;
  readonly proofs?: readonly DescribedProof[];
  /** Whether equal proofs are drawn one by one. */
  readonly all?: boolean | undefined;
  readonly findings: readonly Finding[];
  /** Whether findings are the main answer. */
  readonly findingsFirst: boolean;
  readonly catalogue: DescribedCatalogue;
}

/** Above this number, the page draws the fleet, and a pool only when it is opened. */
const DRAWN_UP_TO = 50;

export async function explainPage(answer: ExplainedAnswer): Promise<string> {
  const { title, pools, pictures, outputs = [], asked, proofs = [], all, findings, findingsFirst, catalogue } = answer;
  const several = new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  const isFleet = pools.length > DRAWN_UP_TO;
  const drawings = new Drawings(pictures.tables);
  const found = findingSection(findings);
  const each = isFleet
    ? [fleetSection(pictures, drawings), html`<section id="pool" aria-label="The opened pool" hidden></section>`]
    : pageParts(
        pools.map((pool, at) => poolSection(pool, { id: `p${at}`, several })),
        new Map(pools.map((pool, at) => [`p${at}`, picturesOf(pool, at, pictures, drawings)])),
      );
  const count = poolsThatCount(pools, outputs);
  const states = tally(STATES, count, stateOf);
  const parts: (Markup | undefined | false)[] = [
    ...pageParts(proofSections(proofs, all)),
    findingsFirst && found,
    ...pageParts(asked === undefined ? [] : podSections(asked)),
    ...pageParts(outputs.map((pool, at) => outputSection(pool, { id: `o${at}`, several }))),
    pools.length > 0 && stripSection(pools, several, isFleet),
    ...(isFleet ? each.toReversed() : []),
    overlapSection(pictures.overlaps, several),
    ...(isFleet ? [] : each),
    !findingsFirst && found,
  ];
  return pageOf({
    title,
    about: several
      ? counted(new Set(pools.map(({ hostedCluster }) => hostedCluster)).size, "hosted cluster")
      : (pools[0]?.hostedCluster ?? ""),
    tally: [
      [count.length, count.length === 1 ? "pool" : "pools"],
      ...states.map(([state, many]) => [many, state] as const),
      [findings.length, findings.length === 1 ? "finding" : "findings"],
    ],
    drawings,
    parts,
    sources: pools.some(knowsTypes) ? [instanceTypesWords(pools, catalogue), ...pricesOf(pictures)] : [],
    ...(isFleet ? { data: fleetData(pools, pictures) } : {}),
  });
}

function picturesOf(pool: DescribedPool, at: number, { pools }: ExplainedPictures, drawings: Drawings) {
  const picture = pools[at];
  return picture !== undefined && knowsTypes(pool) ? poolPictures(pool, picture, drawings, `p${at}`) : undefined;
}

function podSections(asked: AskedPods): Block[] {
  const blocks = podBlocks(asked);
  return blocks.length === 0
    ? []
    : [{ kind: "section", id: "pods", heading: { kind: "heading", name: "Pods" }, blocks }];
}

function stripSection(pools: readonly DescribedPool[], several: boolean, isFleet: boolean): Markup {
  const counts = tally(STATES, pools, stateOf);
  return html`<section aria-labelledby="pools">
    <h2 id="pools">Pools</h2>
    <div class="tools" data-filters="pool" hidden>
      <fieldset>
        <legend>Verdict</legend>
        ${counts.map(
          ([verdict, count]) =>
            html`<label><input type="checkbox" value="${verdict}" checked /> ${verdict} (${count})</label>`,
        )}
      </fieldset>
      <label>Find <input type="search" aria-label="Find among the pools" /></label><span role="status"></span>
    </div>
    ${poolStrip(pools, { several, opens: isFleet ? "button" : "part" })}
  </section>`;
}

function pricesOf({ tables }: ExplainedPictures): string[] {
  return [
    ...new Set(
      tables.flatMap(({ prices }) => (prices === null ? [] : [`(prices: ${prices.source}, ${placeOfPrices(prices)})`])),
    ),
  ];
}

interface StripLook {
  /** Whether the names of clusters are shown. */
  readonly several: boolean;
  /** Where the details of a pool are: in a part of the page, or drawn by the script on demand. */
  readonly opens: "part" | "button";
}

function poolStrip(pools: readonly DescribedPool[], { several, opens }: StripLook): Markup {
  const rows = pools.map((pool, at) => {
    const { total, compatible } = pool.instanceTypes;
    const { tone = "" } = verdictOfPool(pool);
    const name =
      opens === "part"
        ? html`<a href="#p${at}">${pool.name}</a>`
        : html`<button type="button" data-open="${at}">${pool.name}</button>`;
    const types = knowsTypes(pool)
      ? html`${compatible} <span class="soft">of ${total}</span>`
      : html`<span class="soft">not known</span>`;
    const state = stateOf(pool);
    return html`<tr data-verdict="${state}">
      <th scope="row">${name}</th>
      ${several && html`<td data-of="cluster">${pool.hostedCluster ?? ""}</td>`}
      <td>${mark(tone, state)}</td>
      <td class="n" data-of="types left">${types}</td>
      <td class="w">${bar(compatible / Math.max(1, total))}</td>
      <td data-of="capacity">${unbroken(capacityTypes(pool))}</td>
      <td data-of="zones">${unbroken(zonesLeft(pool))}</td>
      <td class="n" data-of="price from">${priceFrom(pool) ?? "–"}</td>
      <td class="soft" data-of="at">${placeText(pool)}</td>
    </tr> `;
  });
  return scrollTable({
    label: "All pools",
    look: "stack",
    id: "strip",
    heads: [
      "pool",
      several && "cluster",
      "verdict",
      { figures: "types left" },
      undefined,
      "capacity",
      "zones",
      { figures: "price from" },
      "where",
    ],
    rows,
  });
}

/** Lines of a list break after commas only, and not at the dashes of names. */
function unbroken(list: string): Markup {
  return html`${list.split(/(?<=,) /).map((part, at) => html`${at > 0 && " "}<span class="nb">${part}</span>`)}`;
}
