/** Pods: the pool that takes each, or why none does. */
import type { AskedPods, PlacedPod } from "../../analyze/pods/place-pods.ts";
import { counted } from "../../krm/counted.ts";
import { placeText } from "../../krm/location.ts";
import { mark } from "./bar.ts";
import { html, type Markup } from "./markup.ts";
import { scrollTable } from "./scroll-table.ts";

/** Undefined if no pods were asked for. */
export function podSection({ pods, waiting }: AskedPods): Markup | undefined {
  if (pods.length === 0 && !waiting) return undefined;
  return html`<section aria-labelledby="pods">
    <h2 id="pods">Pods</h2>
    ${
      pods.length === 0
        ? html`<p>No pod waits for a node.</p>`
        : scrollTable({
            label: "Pods",
            look: "stack",
            heads: ["pod", "taken by", { figures: "types" }, "pools as they are tried", "where"],
            rows: pods.map(row),
          })
    }
  </section>`;
}

function row(pod: PlacedPod): Markup {
  const { takenBy, why, attempts, instanceTypes, count, kind, namespace, name } = pod;
  const alike = count === null || count === 1 ? kind : `${kind}, ${counted(count, "pod")}`;
  const taken = takenBy === null ? html`${mark("error", "no node")} ${why ?? ""}` : mark("good", takenBy);
  return html`<tr>
    <th scope="row">${namespace === null ? name : `${namespace}/${name}`} <span class="soft">${alike}</span></th>
    <td>${taken}</td>
    <td class="n" data-of="types">${instanceTypes.length}</td>
    <td>
      ${
        attempts.length > 0 &&
        html`<details>
          <summary>${counted(attempts.length, "pool")}</summary>
          <ul>
            ${attempts.map((one) => html`<li><b>${one.pool}</b> ${one.sentence}</li>`)}
          </ul>
        </details>`
      }${pod.notConsidered.map((words) => html`<p class="soft">not looked at: ${words}</p>`)}
    </td>
    <td class="soft" data-of="at">${placeText(pod)}</td>
  </tr> `;
}
