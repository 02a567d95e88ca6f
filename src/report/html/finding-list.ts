/** Findings with excerpts, the worst first, and filters by severity and words. */
import { placeText } from "../../krm/places/location.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { tally } from "../../krm/values/counted.ts";
import { inOrder, withCluster } from "../findings/common.ts";
import { shortened } from "../terminal/printable.ts";
import { mark } from "./bar.ts";
import { html, type Markup } from "./markup.ts";

/** Longer keys and values of the input are cut. */
const LONGEST = 2000;
/** At most this many findings are shown; errors come first. */
const SHOWN = 1000;

export function findingSection(findings: readonly Finding[], title = "Findings"): Markup {
  if (findings.length === 0)
    return html`<section aria-labelledby="findings">
      <h2 id="findings">${title}</h2>
      <p>No findings.</p>
    </section>`;
  const counts = tally(SEVERITIES, findings, ({ severity }) => severity);
  const shown = inOrder(findings).slice(0, SHOWN);
  const rest = findings.length - shown.length;
  return html`<section aria-labelledby="findings">
    <h2 id="findings">${title}</h2>
    <div class="tools" data-filters="finding" hidden>
      <fieldset>
        <legend>Severity</legend>
        ${counts.map(
          ([severity, count]) =>
            html`<label><input type="checkbox" value="${severity}" checked /> ${severity} (${count})</label>`,
        )}
      </fieldset>
      <label>Find <input type="search" aria-label="Find among the findings" /></label><span role="status"></span>
    </div>
    ${shown.map(finding)}${rest > 0 && html`<p class="soft">and ${rest} more, which --report json lists</p>`}
  </section>`;
}

function finding(one: Finding): Markup {
  const { severity, code, hint, excerpt, line } = one;
  const place = placeText(one);
  return html`<article class="finding" data-finding="${severity}">
    <div class="head">
      ${mark(severity, severity)} <code>${code}</code>${place !== "" && html` <span class="code soft">${place}</span>`}
    </div>
    <p>${shortened(withCluster(one), LONGEST)}</p>
    ${excerpt !== undefined && excerpt.trim() !== "" && html`<pre>${line !== undefined && html`<span class="soft">${line} | </span>`}${shortened(excerpt, 240)}</pre>`}${hint !== undefined && html`<p class="soft">help: ${shortened(hint, LONGEST)}</p>`}
  </article> `;
}
