/** The answer of `anp simulate` as a page: limits, a calendar, budgets, how nodes are replaced. */
import type { DescribedBudget, DescribedSimulation } from "../../analyze/simulate/describe.ts";
import { localTime } from "../../analyze/simulate/zone.ts";
import { counted } from "../../krm/counted.ts";
import type { Finding } from "../../krm/finding.ts";
import { howMany, reasonsText, stateText, timesText } from "../simulate/budgets-text.ts";
import { forecastLines } from "../simulate/forecast-text.ts";
import type { SimulateLook } from "../simulate/look.ts";
import { nodesText } from "../simulate/text.ts";
import { clockText, dayAndTime, dayText } from "../simulate/time-text.ts";
import { PLAIN } from "../terminal/style.ts";
import { bar, mark } from "./bar.ts";
import { calendar } from "./calendar.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { goneOverTime } from "./gone-over-time.ts";
import { html, type Markup } from "./markup.ts";
import { pageOf } from "./page.ts";
import { scrollTable } from "./scroll-table.ts";

export interface SimulatedAnswer {
  readonly pools: readonly DescribedSimulation[];
  readonly findings: readonly Finding[];
  readonly look: Omit<SimulateLook, "style" | "width">;
}

/** No wrapping: the browser wraps lines. */
const WIDEST = 100_000;

/** Only the first pools have calendars; -o json has all. */
const DRAWN_UP_TO = 200;

export async function simulatePage({ pools, findings, look: given }: SimulatedAnswer): Promise<string> {
  const look: SimulateLook = { ...given, style: PLAIN, width: WIDEST };
  const { at, zone } = look;
  const several = new Set(pools.map(({ pool }) => pool.hostedCluster)).size > 1;
  const blocked = pools.filter(({ provisioning }) => provisioning === "blocked").length;
  const closed = pools.filter(({ disruption }) => disruption.every(({ allowed }) => allowed === 0)).length;
  const nodes = pools.reduce((sum, one) => sum + one.nodes.total, 0);
  return pageOf({
    title: "anp simulate",
    about: `${dayText(at, zone)} ${localTime(at, zone).year} ${clockText(at, zone)} ${zone.name}`,
    tally: [
      [pools.length, pools.length === 1 ? "pool" : "pools"],
      [nodes, nodes === 1 ? "node" : "nodes"],
      [closed, "closed to disruption at that moment"],
      [blocked, "at their limit"],
    ],
    drawings: new Drawings([]),
    parts: [
      pools.length > 0 && strip(pools, several),
      ...pools.slice(0, DRAWN_UP_TO).map((pool, index) => section(pool, { page: `p${index}`, several, look })),
      pools.length > DRAWN_UP_TO &&
        html`<section>
          <p>${counted(pools.length - DRAWN_UP_TO, "more pool")}: name some with --nodepool, or take -o json.</p>
        </section>`,
      findingSection(findings),
    ],
    sources: [],
  });
}

function strip(pools: readonly DescribedSimulation[], several: boolean): Markup {
  const reasons = pools[0]!.disruption.map(({ reason }) => reason);
  const rows = pools.map((one, index) => {
    const { pool, nodes, disruption, provisioning } = one;
    const share = pool.limit === undefined ? undefined : nodes.total / Math.max(1, pool.limit.nodes);
    const name = index < DRAWN_UP_TO ? html`<a href="#p${index}">${pool.name}</a>` : pool.name;
    const limit = pool.limit === undefined ? "none" : (one.digits?.limit ?? pool.limit.nodes);
    return html`<tr>
      <th scope="row">${name}</th>
      ${several && html`<td data-of="cluster">${pool.hostedCluster ?? ""}</td>`}
      <td class="n" data-of="nodes">${nodes.total}</td>
      <td class="n" data-of="limit">${limit}</td>
      <td class="w">${share !== undefined && bar(share)}</td>
      <td>${mark(provisioning === "allowed" ? "good" : "error", provisioning)}</td>
      ${disruption.map(({ reason, allowed }) => html`<td data-of="${reason}">${allowed === 0 ? mark("error", "none") : howMany(allowed)}</td>`)}
    </tr> `;
  });
  return html`<section aria-labelledby="pools">
    <h2 id="pools">Pools</h2>
    ${scrollTable({
      label: "All pools",
      look: "stack",
      id: "strip",
      heads: [
        "pool",
        several && "cluster",
        { figures: "nodes" },
        { figures: "limit" },
        undefined,
        "provisioning",
        ...reasons,
      ],
      rows,
    })}
  </section>`;
}

function section(
  one: DescribedSimulation,
  { page, several, look }: { readonly page: string; readonly several: boolean; readonly look: SimulateLook },
): Markup {
  const { pool, nodes, events, rollout, budgets, timeline = [] } = one;
  const cluster = several && pool.hostedCluster !== undefined && html`<span class="soft">${pool.hostedCluster}</span> `;
  const forecast = forecastLines(one, look).filter((line) => !/[▁▂▃▄▅▆▇█]/.test(line));
  return html`<section id="${page}" aria-labelledby="${page}h">
    <div class="head">
      <h2 id="${page}h">${cluster}${pool.name}</h2>
      <span>${nodesText(one)}</span> <span class="code soft">${one.place}</span>
    </div>
    ${calendar(timeline, { nodes: nodes.counted, page: `${page}c`, name: pool.name }, look)}
    <h3>Budgets</h3>
    ${
      budgets.length === 0
        ? html`<p>None: the empty list limits nothing.</p>`
        : scrollTable({
            label: "Budgets",
            look: "stack",
            heads: ["nodes", "for", "when", "state", "where"],
            rows: budgets.map((budget) => budgetRow(budget, look)),
          })
    }${
      events.length > 0 &&
      html`<h3>Events</h3>
        <ul>
          ${events.map(({ reason, message }) => html`<li><b>${reason}</b> ${message}</li>`)}
        </ul>`
    }
    ${goneOverTime({ steps: rollout.steps, total: nodes.total, at: look.at }, { page: `${page}g`, name: pool.name, caption: "If a change replaced all nodes now", zone: look.zone })}
    ${forecast.map((line) => html`<p>${line.trim().replaceAll(/ {2,}/g, ": ")}</p>`)}
  </section> `;
}

function budgetRow(budget: DescribedBudget, { zone, at }: SimulateLook): Markup {
  const state = stateText(budget, (moment) => dayAndTime(moment, zone, at));
  return html`<tr>
    <th scope="row">${budget.nodes}</th>
    <td data-of="for">${reasonsText(budget)}</td>
    <td data-of="when"><code>${timesText(budget)}</code></td>
    <td data-of="state">${budget.state === "unreadable" ? mark("error", state) : state}</td>
    <td class="soft" data-of="at">${budget.place ?? "Karpenter's default"}</td>
  </tr> `;
}
