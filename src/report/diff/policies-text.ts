/** Changes of policies for people: the relation, and a witness wrapper for each side. */
import { witnessWrapper } from "../../analyze/diff/policies/witness-wrapper.ts";
import { isLooser, type PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import type { Witness } from "../../analyze/diff/policies/policy-witness.ts";
import { placeText } from "../../krm/location.ts";
import { toYaml } from "../../krm/write.ts";
import { printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { wrapText } from "../terminal/wrap.ts";
import { policyName, poolsWords, relationWords, rootVolumeWords, witnessWords } from "./policy-words.ts";

const MARKS = { added: "+", removed: "-", changed: "~" } as const;

/** Ends with an empty line. */
export function policyLines(change: PolicyChange, { style, width }: { readonly style: Style; readonly width: number }) {
  const { action, gained, lost, rootVolume, pools, place } = change;
  const paint = isLooser(change) ? style.warning : style.info;
  const where = place === undefined ? "" : `  ${style.faint(printable(placeText(place)))}`;
  const say = (words: string): string[] => wrapText(printable(words), width, 4);
  return [
    `${paint(MARKS[action])} ${style.strong(printable(policyName(change)))}${where}`,
    ...wrapText(printable(relationWords(change)), width, 4).map(paint),
    ...(gained === undefined ? [] : say(`lets in ${witnessWords(gained)}, which this wrapper gets now:`)),
    ...wrapperLines(gained),
    ...(lost === undefined ? [] : say(`keeps out ${witnessWords(lost)}, which this wrapper gets no more:`)),
    ...wrapperLines(lost),
    ...(rootVolume === undefined ? [] : say(rootVolumeWords(rootVolume))),
    ...(pools.length === 0 ? [] : say(poolsWords(pools))),
    "",
  ];
}

function wrapperLines(witness: Witness | undefined): string[] {
  if (witness === undefined) return [];
  const lines = toYaml(witnessWrapper(witness.asked)).trimEnd().split("\n");
  return lines.map((line) => `      ${printable(line)}`);
}
