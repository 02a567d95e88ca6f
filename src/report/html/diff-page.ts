/** The answer of `anp diff` as a page: changes, types gained and lost, how nodes are replaced. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import type { DescribedSummary } from "../../analyze/diff/diff-answer.ts";
import { type ChangePicture, type DiffPictures, FATES } from "../../analyze/pictures/diff-pictures.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { counted } from "../../krm/values/counted.ts";
import { placeOfPrices } from "../../model/values/money.ts";
import type { Block } from "../blocks/blocks.ts";
import { changeId } from "../diff/diff-blocks.ts";
import { summaryWords } from "../diff/summary-words.ts";
import { nameOf } from "../diff/words.ts";
import { pageParts } from "./blocks-html.ts";
import { mapPicture } from "./draw-map.ts";
import { scatterPicture } from "./draw-scatter.ts";
import { Drawings } from "./drawings.ts";
import { findingSection } from "./finding-list.ts";
import { goneOverTime } from "./gone-over-time.ts";
import { legend } from "./legend.ts";
import { html, type Markup } from "./markup.ts";
import { pageOf } from "./page.ts";
import { typesTable } from "./types-table.ts";

interface DiffToDraw {
  readonly title: string;
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
  const { title, changes, blocks, pictures, summary, findings } = answer;
  const drawings = new Drawings(pictures.tables);
  const drawn = new Map(changes.map((change, at) => [changeId(at), drawingsOf(change, at, answer, drawings)]));
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return pageOf({
    title,
    about: changes.length === 0 ? "The rendered objects are the same." : summaryWords(summary, changes),
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

const WORDS = { kept: "as before", gained: "gained", lost: "lost", never: "on neither side" } as const;

/** @param page the id of the part */
function changedTypes(
  { table: at, fate }: NonNullable<ChangePicture["types"]>,
  name: string,
  { drawings, page }: { readonly drawings: Drawings; readonly page: string },
): Markup | undefined {
  const table = drawings.tables[at]!;
  if (table.types.length === 0) return undefined;
  const drawn = drawings.draw(
    { table: at, fates: fate, kinds: FATES, dots: { kept: "kept", gained: "gained", lost: "lost" } },
    page,
  );
  const set = drawings.describe(
    at,
    fate,
    FATES.map((one) => WORDS[one]),
  );
  const count = (one: number): number => fate.filter((other) => other === one).length;
  const entries = FATES.map((one, index) => ({ look: `k-${one}`, words: `${WORDS[one]} (${count(index)})` }));
  const about = entries.map(({ words }) => words).join(", ");
  const { prices } = table;
  return html`<div class="two">
      <figure>
        <figcaption>Instance types: ${count(1)} gained, ${count(2)} lost</figcaption>
        ${mapPicture({ id: drawn.id, table: at, page: `${page}m`, set }, { title: `Instance types of ${name}: gained and lost`, description: about })}
        ${legend(entries)}
        <p class="detail" id="${page}mdetail" aria-live="polite"></p>
      </figure>
      <figure>
        <figcaption>Price an hour against vCPUs</figcaption>
        ${
          prices === null
            ? html`<p class="soft">No prices are known.</p>`
            : html`${scatterPicture({ id: `${drawn.id}s`, table: at, page: `${page}s` }, { title: `Price an hour against vCPUs of ${name}: gained and lost`, description: about })}
                ${legend((["kept", "gained", "lost"] as const).map((one) => ({ look: `d-${one}`, words: WORDS[one], isDot: true })))}
                <p class="soft">on demand (${placeOfPrices(prices)})</p>`
        }
      </figure>
    </div>
    ${count(1) > 0 && typesTable(table, (type) => fate[type] === 1, { caption: `${counted(count(1), "type")} gained` })}${count(2) > 0 && typesTable(table, (type) => fate[type] === 2, { caption: `${counted(count(2), "type")} lost` })}`;
}
