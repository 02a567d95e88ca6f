/** Whether the policy holds: each of its keys, with an entry that bypasses it, if there is one. */
import type { DescribedKeyProof, DescribedProof } from "../../analyze/check/check-answer.ts";
import { placeText } from "../../krm/location.ts";
import { KEY_RESULTS, mayWords, reason, RESULTS, UNTIL } from "../explain/prove-text.ts";
import { bar, mark } from "./bar.ts";
import { lineBlock } from "./line-block.ts";
import { html, type Markup } from "./markup.ts";

export function proofSections(proofs: readonly DescribedProof[]): Markup[] {
  return proofs.map((proof, at) => {
    const [tone, words] = RESULTS[proof.result];
    const { total, compatible } = proof.admitted;
    const page = `proof${at}`;
    return html`<section aria-labelledby="${page}">
      <div class="head">
        <h2 id="${page}">${proof.hostedCluster ?? "The policy"}</h2>
        ${mark(tone, proof.result)} <span>${words}</span>
      </div>
      ${
        proof.result !== "no-policy" &&
        html`<p>It admits ${compatible} of ${total} instance types.</p>
          ${bar(compatible / Math.max(1, total))}`
      }
      ${
        proof.keys.length > 0 &&
        html`<div class="scroll" tabindex="0" role="group" aria-label="Keys of the policy">
          <table class="stack">
            <caption>
              Each key of the policy
            </caption>
            <thead>
              <tr>
                <th scope="col">key</th>
                <th scope="col">policy</th>
                <th scope="col">result</th>
                <th scope="col">why</th>
                <th scope="col">where</th>
              </tr>
            </thead>
            <tbody>
              ${proof.keys.map(keyRow)}
            </tbody>
          </table>
        </div>`
      }${running(proof)}${points("Ways past the wrappers", proof.ways)}${points("Assumed", proof.assumptions)}
    </section> `;
  });
}

function keyRow(proof: DescribedKeyProof): Markup {
  const [tone, word] = KEY_RESULTS[proof.result];
  return html`<tr>
    <th scope="row"><code>${proof.key}</code></th>
    <td><code>${proof.policy}</code></td>
    <td>${mark(tone, word)}</td>
    <td>${reason(proof)}${witness(proof)}</td>
    <td class="soft">${proof.places.map((place) => placeText(place)).join(", ")}</td>
  </tr> `;
}

/** The entry or label of a wrapper that bypasses the key. */
function witness({ escape }: DescribedKeyProof): Markup | undefined {
  if (escape === undefined) return undefined;
  const { entry, label } = escape;
  const lines =
    label === undefined
      ? [`- key: ${entry?.key ?? ""}`, `  operator: ${entry?.operator ?? ""}`]
      : ["labels:", `  ${label.key}: ${JSON.stringify(label.value)}`];
  return lineBlock(
    lines.map((text) => ({ text })),
    "witness",
  );
}

function running({ running: nodes }: DescribedProof): Markup | undefined {
  if (nodes === undefined) return undefined;
  return html`<h3>Nodes that run already</h3>
    <p>${mayWords(nodes)}</p>
    ${
      nodes.pools.length > 0 &&
      html`<ul>
        ${nodes.pools.map(({ pool, until, why, ...place }) => html`<li><b>${pool}</b> ${UNTIL[until]}: ${why} <span class="soft">${placeText(place)}</span></li>`)}
      </ul>`
    }`;
}

function points(
  title: string,
  some: readonly { readonly what: string; readonly why: string; readonly file?: string; readonly line?: number }[],
): Markup | undefined {
  if (some.length === 0) return undefined;
  return html`<h3>${title}</h3>
    <ul>
      ${some.map(({ what, why, ...place }) => html`<li><b>${what}</b>: ${why} <span class="soft">${placeText(place)}</span></li>`)}
    </ul>`;
}
