/** The answer of `anp diff` as a page: changes, types gained and lost, how nodes are replaced. */
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { describeCost } from "../../analyze/diff/money/describe-cost.ts";
import type { DiffPictures } from "../../analyze/pictures/diff-pictures.ts";
import type { Finding } from "../../krm/finding.ts";
import { costLines } from "../diff/cost-words.ts";
import { keepingWords } from "../diff/keeping-words.ts";
import { offerWords, reasonWords } from "../diff/offer-words.ts";
import { summaryWords } from "../diff/summary-words.ts";
import { EFFECT_TONES, effectWords, nameOf, nodeNames, nodesWords, settlesWords } from "../diff/words.ts";
import type { YamlLine } from "../diff/yaml.ts";
import { mark } from "./bar.ts";
import { changedTypes } from "./changed-types.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { goneOverTime } from "./gone-over-time.ts";
import { html, type Markup } from "./markup.ts";
import { pageOf } from "./page.ts";
import { lineBlock } from "./line-block.ts";
import { scrollTable } from "./scroll-table.ts";

export interface DiffAnswer {
  readonly changes: readonly Change[];
  /** Texts on changes of policies, by line. */
  readonly policies: readonly string[];
  readonly pictures: DiffPictures;
  /** The pictures of each change. */
  readonly yaml: readonly (readonly YamlLine[])[];
  readonly summary: DescribedSummary;
  readonly findings: readonly Finding[];
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
}

/** Only the first changes have pictures; all are listed. */
const DRAWN_UP_TO = 50;

export async function diffPage(answer: DiffAnswer): Promise<string> {
  const { changes, policies, pictures, summary, findings } = answer;
  const drawings = new Drawings(pictures.tables);
  const parts = changes.map((_, index) => changeSection(index, answer, drawings));
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return pageOf({
    title: "anp diff",
    about: changes.length === 0 ? "The rendered objects are the same." : summaryWords(summary),
    tally: (["added", "changed", "removed"] as const).map((action) => [count(action), action] as const),
    drawings,
    parts: [
      policies.length > 0 && policySection(policies),
      changes.length > 0 && strip(changes, keepingWords(summary.keeping)),
      ...parts,
      findingSection(findings),
    ],
    sources: [],
  });
}

function strip(changes: readonly Change[], howToKeep: string): Markup {
  return html`<section aria-labelledby="changes">
    <h2 id="changes">Changes</h2>
    ${scrollTable({
      label: "All changes",
      look: "stack",
      id: "strip",
      heads: ["object", "action", "effect", "types", "nodes", "holds"],
      rows: changes.map((change, index) => {
        const { types } = change.offer ?? {};
        return html`<tr>
          <th scope="row"><a href="#d${index}">${nameOf(change)}</a></th>
          <td>${change.action}</td>
          <td>${mark(EFFECT_TONES[change.effect] ?? "good", effectWords(change))}</td>
          <td data-of="types">${types === undefined ? "" : `+${types.gained.length} −${types.lost.length}`}</td>
          <td data-of="nodes">${nodesWords(change)}</td>
          <td>${settlesWords(change)}</td>
        </tr> `;
      }),
    })}
    ${howToKeep !== "" && html`<p>${howToKeep}</p>`}
  </section>`;
}

function policySection(lines: readonly string[]): Markup {
  return html`<section aria-labelledby="policies">
    <h2 id="policies">Policies</h2>
    ${lineBlock(lines.map((text) => ({ text })))}
  </section>`;
}

function changeSection(index: number, { changes, pictures, yaml, at }: DiffAnswer, drawings: Drawings): Markup {
  const change = changes[index]!;
  const page = `d${index}`;
  const { types, rollouts } = pictures.changes[index]!;
  const { settles, cost, offer } = change;
  const says = [
    offerWords(change),
    ...(offer === undefined ? [] : reasonWords(offer)),
    nodeNames(change),
    settles === undefined ? "" : `${settlesWords(change)}: ${settles.why}`,
    ...costLines(cost === undefined ? null : describeCost(cost)),
  ];
  const name = nameOf(change);
  const drawn = index < DRAWN_UP_TO && types !== undefined && changedTypes(types, name, { drawings, page });
  const flows = rollouts.map(({ pool, rollout, total }, flow) =>
    goneOverTime(
      { steps: rollout.steps, total, at },
      { page: `${page}g${flow}`, name: pool, caption: `Nodes of ${pool} replaced over time` },
    ),
  );
  return html`<section id="${page}" aria-labelledby="${page}h">
    <div class="head">
      <h2 id="${page}h">${name}</h2>
      <span>${change.action}</span> ${mark(EFFECT_TONES[change.effect] ?? "good", effectWords(change))}
      <span>${nodesWords(change)}</span>
    </div>
    ${says.filter((words) => words !== "").map((words) => html`<p>${words}</p>`)}${drawn}${flows}${yamlOf(yaml[index]!)}
  </section> `;
}

const LOOKS = { " ": undefined, "+": "add", "-": "del" } as const;

function yamlOf(lines: readonly YamlLine[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  return html`<details>
    <summary>What is written otherwise</summary>
    ${lineBlock(lines.map(({ mark: sign, text }) => ({ text: `${sign} ${text}`, look: LOOKS[sign] })))}
  </details>`;
}
