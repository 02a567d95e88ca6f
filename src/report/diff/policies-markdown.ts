/** Changes of policies as Markdown: a line each, and the witness wrappers folded. */
import { witnessWrapper } from "../../analyze/diff/policies/witness-wrapper.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import type { Witness } from "../../analyze/diff/policies/policy-witness.ts";
import { toYaml } from "../../krm/write.ts";
import { asManyAsFit, fenced, markdownText } from "../terminal/markdown-text.ts";
import { policyName, poolsWords, relationWords, rootVolumeWords, witnessWords } from "./policy-words.ts";

/** @param room the number of characters that fit */
export function policiesMarkdown(policies: readonly PolicyChange[], room: number): string {
  const all = policies.map(policyMarkdown);
  const shown = asManyAsFit(all, room, (text) => text);
  const hidden = all.length - shown.length;
  return `${shown.join("")}${hidden === 0 ? "" : `\n… and ${hidden} more policies (\`anp diff -o json\` has all)\n`}`;
}

function policyMarkdown(change: PolicyChange): string {
  const { gained, lost, rootVolume, pools } = change;
  const parts = [
    relationWords(change),
    ...(rootVolume === undefined ? [] : [rootVolumeWords(rootVolume)]),
    ...(pools.length === 0 ? [] : [poolsWords(pools)]),
  ];
  const line = `\n**${markdownText(policyName(change))}**: ${markdownText(parts.join("; "))}\n`;
  return `${line}${witnessMarkdown("lets in", gained)}${witnessMarkdown("keeps out", lost)}`;
}

function witnessMarkdown(does: string, witness: Witness | undefined): string {
  if (witness === undefined) return "";
  const lines = toYaml(witnessWrapper(witness.asked)).trimEnd().split("\n");
  const summary = markdownText(`${does} ${witnessWords(witness)}`);
  return `\n<details><summary>${summary}</summary>\n\n${fenced("yaml", lines)}\n\n</details>\n`;
}
