/** Pools that can take the same pods, and which of them gets the pods: a matrix or a list. */
import type { PictureOverlap } from "../../analyze/pictures/explained-pictures.ts";
import { counted } from "../../krm/values/counted.ts";
import { html, type Markup } from "./markup.ts";
import { scrollTable } from "./scroll-table.ts";

/** Above this number of pools, a list replaces the matrix. */
const MATRIX_UP_TO = 14;
/** At most this many rows are listed. */
const ROWS = 200;

/** Undefined if no two pools overlap. */
export function overlapSection(overlaps: readonly PictureOverlap[], several: boolean): Markup | undefined {
  if (overlaps.length === 0) return undefined;
  const clusters = Map.groupBy(overlaps, ({ hostedCluster }) => hostedCluster);
  const parts = [...clusters].map(([cluster, all]) => {
    const names = tried(all);
    const head = several && cluster !== undefined && html`<h3>${cluster}</h3>`;
    return html`${head}${names.length <= MATRIX_UP_TO ? matrix(names, all) : list(all)}`;
  });
  return html`<section aria-labelledby="overlaps">
    <h2 id="overlaps">Pools that take the same pods</h2>
    <p class="soft">
      Karpenter tries the pool with the higher weight first; of equal weights the one whose name comes later in the
      alphabet.
    </p>
    ${parts}
  </section>`;
}

/** In the order in which Karpenter tries them, as far as the pairs determine it. */
function tried(all: readonly PictureOverlap[]): string[] {
  const firsts = new Map<string, number>();
  for (const { first, second } of all) {
    firsts.set(first, firsts.get(first) ?? 0);
    firsts.set(second, (firsts.get(second) ?? 0) + 1);
  }
  return [...firsts].toSorted(([, a], [, b]) => a - b).map(([name]) => name);
}

const HOW_TO_READ =
  "The pool of the row gets pods that the pool of the column could take too; the figure is how many instance types both may launch.";

function matrix(names: readonly string[], all: readonly PictureOverlap[]): Markup {
  const of = new Map(all.map((one) => [`${one.first}\n${one.second}`, one] as const));
  const rows = names.slice(0, -1).map(
    (first) =>
      html`<tr>
        <th scope="row">${first}</th>
        ${names.slice(1).map((second) => {
          const one = of.get(`${first}\n${second}`);
          if (one === undefined) return html`<td></td>`;
          return html`<td class="hit">${one.types}<br /><small>by ${one.by}</small></td>`;
        })}
      </tr> `,
  );
  return html`<p class="soft">${HOW_TO_READ}</p>
    ${scrollTable({
      label: "Pools that overlap",
      look: "matrix",
      heads: [undefined, ...names.slice(1)],
      rows,
    })}`;
}

function list(all: readonly PictureOverlap[]): Markup {
  const rows = all.slice(0, ROWS).map(
    ({ first, second, types, by }) =>
      html`<tr>
        <th scope="row">${first}</th>
        <td data-of="before">${second}</td>
        <td class="n" data-of="shared types">${types}</td>
        <td data-of="by">${by}</td>
      </tr> `,
  );
  const rest = all.length - ROWS;
  return html`${scrollTable({
    label: "Pools that overlap",
    look: "stack",
    heads: ["gets the pods", "before", { figures: "types of both" }, "by"],
    rows,
  })}
  ${rest > 0 && html`<p class="soft">and ${counted(rest, "other pool")}</p>`}`;
}
