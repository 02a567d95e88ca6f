/** Changes for people: each object with its effect on nodes, and its fields as YAML. */
import { placeText } from "../../krm/location.ts";
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { describeCost } from "../../analyze/diff/money/describe-cost.ts";
import type { PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { costLines } from "./cost-words.ts";
import { offerWords, reasonWords } from "./offer-words.ts";
import { EFFECT_TONES, effectWords, nameOf, nodeNames, nodesWords, ownerOf, settlesWords, summaryOf } from "./words.ts";
import { diffYaml, type YamlLine } from "./yaml.ts";
import { policyLines } from "./policies-text.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { textWidth } from "../terminal/text-width.ts";
import { wrapText } from "../terminal/wrap.ts";

export interface DiffTextOptions {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
  /** Policy changes come before all objects. */
  readonly policies?: readonly PolicyChange[];
  /** The summary of all changes, if it has more than their number. */
  readonly summary: readonly string[];
  /** How to keep nodes. The summary stays last, for programs that read the last line. */
  readonly keeping: string;
}

/** Empty without changes. */
export function diffText(changes: readonly Change[], options: DiffTextOptions): string {
  const lines = [
    ...(options.policies ?? []).flatMap((policy) => policyLines(policy, options)),
    ...changes.flatMap((change) => [
      ...headLines(change, options),
      ...offerLines(change, options),
      ...settlesLines(change, options),
      ...moneyLines(change, options),
      ...bodyLines(change, options),
      "",
    ]),
    ...(changes.length === 0 ? [] : endLines(changes, options)),
  ];
  return withoutCommands(lines.join("\n"));
}

function endLines(changes: readonly Change[], { keeping, summary, width }: DiffTextOptions): string[] {
  const say = (words: string): string[] => wrapText(printable(words), width);
  return [...(keeping === "" ? [] : say(keeping)), summaryOf(changes), ...summary.flatMap(say), ""];
}

const MARKS = { added: "+", removed: "-", changed: "~" } as const;

function headLines(change: Change, { style, width }: DiffTextOptions): string[] {
  const { action, effect } = change;
  const mark = paintOf(MARKS[action], style)(MARKS[action]);
  const name = printable(nameOf(change));
  const words = [effectWords(change), nodesWords(change)].filter((part) => part !== "");
  const paint = (text: string): string => style[EFFECT_TONES[effect] ?? "faint"](text);
  const inOneLine = `${name}  ${words.join(": ")}`;
  if (textWidth(inOneLine) + 2 <= width) return [`${mark} ${style.strong(name)}  ${paint(words.join(": "))}`];
  const wrapped = words.flatMap((part) => wrapText(part, Math.max(width - 4, 20)));
  return [`${mark} ${style.strong(name)}`, ...wrapped.map((line) => `    ${paint(line)}`)];
}

/** The instance types that it may launch, the reasons, and the affected nodes. */
function offerLines(change: Change, { style, width }: DiffTextOptions): string[] {
  const offer = offerWords(change);
  const reasons = change.offer === undefined || offer === "" ? [] : reasonWords(change.offer);
  const names = nodeNames(change);
  const say = (words: string): string[] => (words === "" ? [] : wrapText(printable(words), width, 4));
  return [...say(offer), ...reasons.flatMap((words) => say(words).map(style.faint)), ...say(names)];
}

/** When running nodes comply, and why then. */
function settlesLines(change: Change, { style, width }: DiffTextOptions): string[] {
  const words = settlesWords(change);
  if (words === "") return [];
  const paint = change.settles?.until === "never" ? style.error : style.faint;
  return wrapText(printable(`${words}: ${change.settles?.why}`), width, 4).map(paint);
}

function moneyLines({ cost }: Change, { style, width }: DiffTextOptions): string[] {
  const lines = costLines(cost === undefined ? null : describeCost(cost));
  return lines.flatMap((line) => wrapText(printable(line), width, 4).map(style.faint));
}

function paintOf(mark: string, style: Style): (text: string) => string {
  if (mark === "+") return style.good;
  if (mark === "-") return style.error;
  return mark === "~" ? style.warning : (text) => text;
}

function bodyLines(change: Change, { style, width }: DiffTextOptions): string[] {
  const differ = change.fields.some(({ effect }) => effect !== change.effect);
  return diffYaml(change).flatMap((line) => {
    const text = printable(`${line.mark}   ${line.text}`);
    const note = noteOf(line, differ);
    const painted = paintOf(line.mark, style)(text);
    if (note === "") return [painted];
    if (textWidth(text + note) + 2 <= width) return [`${painted}  ${style.faint(note)}`];
    const indent = /^ */.exec(line.text)?.[0] ?? "";
    return [style.faint(`    ${indent}${note}`), painted];
  });
}

/** The effect of the field, if it differs from that of the object, and where it is set. */
function noteOf({ field }: YamlLine, differ: boolean): string {
  if (field === undefined) return "";
  const parts = [ownerOf(field), differ ? field.effect : "", placeText(field)];
  const words = parts.filter((part) => part !== "").join(", ");
  return words === "" ? "" : `# ${printable(words)}`;
}
