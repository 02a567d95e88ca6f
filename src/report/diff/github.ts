/** Changes as annotations of GitHub Actions, one for each place of the new side. */
import type { Change } from "../../analyze/diff/compare-clusters.ts";
import { describeCost } from "../../analyze/diff/money/describe-cost.ts";
import { type Effect, REPLACING, worstEffect } from "../../analyze/diff/change-effect.ts";
import type { FieldChange } from "../../analyze/diff/compare-objects.ts";
import { jsonText } from "../../krm/exact-integer.ts";
import { isLooser, type PolicyChange } from "../../analyze/diff/policies/policy-changes.ts";
import { policyName, poolsWords, relationWords, rootVolumeWords, witnessWords } from "./policy-words.ts";
import { costLines } from "./cost-words.ts";
import { offerWords } from "./offer-words.ts";
import { effectWords, nameOf, nodesWords, settlesWords, summaryOf, worstFirst } from "./words.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import { annotation } from "../findings/github.ts";

/** An empty text for no changes. A step shows ten annotations of each kind, so the worst come first. */
export function diffGithub(
  changes: readonly Change[],
  { policies, summary: sum }: { readonly policies: readonly PolicyChange[]; readonly summary: readonly string[] },
): string {
  if (changes.length === 0 && policies.length === 0) return "";
  const annotations = worstFirst(changes.flatMap(annotationsOf));
  const summary =
    changes.length === 0 ? [] : [summaryOf(changes), ...sum.map((line) => withoutCommands(printable(line)))];
  return `${[...policies.map(policyCommand), ...annotations.map(command), ...summary].join("\n")}\n`;
}

interface Annotation {
  readonly effect: Effect;
  readonly title: string;
  readonly message: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

function annotationsOf(change: Change): Annotation[] {
  const name = nameOf(change);
  const byPlace = Map.groupBy(change.fields, ({ file, line }) => JSON.stringify([file, line]));
  return [...byPlace.values()].map((fields) => {
    const effect = worstEffect(fields.map((field) => field.effect));
    const [{ file, line } = { file: undefined, line: undefined }] = fields;
    const nodes = effect === change.effect ? nodesWords(change) : "";
    const does = `${effectWords({ effect, forever: change.forever && effect === change.effect })}${nodes === "" ? "" : ` (${nodes})`}`;
    const settles = effect === change.effect ? settlesWords(change) : "";
    const when = settles === "" ? "" : `\n${settles}: ${change.settles?.why}`;
    const what = change.action === "changed" ? fields.map(describe).join("\n") : change.action;
    const money =
      effect === change.effect ? costLines(change.cost === undefined ? null : describeCost(change.cost)) : [];
    const isOfRequirements = fields.some(({ path }) => path.startsWith("spec.template.spec.requirements"));
    const offer = isOfRequirements || change.action === "added" ? offerWords(change) : "";
    const message = [`${name}: ${does}${when}`, ...(offer === "" ? [] : [offer]), ...money, what].join("\n");
    return { effect, title: `${name}: ${effect}`, message, file, line };
  });
}

function describe({ path, from, to }: FieldChange): string {
  return `${path}: ${short(from)} → ${short(to)}`;
}

/** Whole objects are in the log, not in an annotation. */
const MAX_VALUE = 200;

function short(value: unknown): string {
  if (value === undefined || value === null) return "none";
  const text = jsonText(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function policyCommand(change: PolicyChange): string {
  const { gained, lost, rootVolume, pools, place, relation } = change;
  const words = [
    relationWords(change),
    ...(gained === undefined ? [] : [`lets in ${witnessWords(gained)}`]),
    ...(lost === undefined ? [] : [`keeps out ${witnessWords(lost)}`]),
    ...(rootVolume === undefined ? [] : [rootVolumeWords(rootVolume)]),
    ...(pools.length === 0 ? [] : [poolsWords(pools)]),
  ];
  const name = policyName(change);
  const level = isLooser(change) ? "warning" : "notice";
  return annotation(level, { ...place, title: `${name}: ${relation}` }, `${name}: ${words.join("\n")}`);
}

function command({ effect, title, message, file, line }: Annotation): string {
  return annotation(REPLACING.has(effect) ? "warning" : "notice", { file, line, title }, message);
}
