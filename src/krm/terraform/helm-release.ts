/** `helm_release` as the HelmReleases that say the same, one for each text of its values. */
import { evaluate } from "./evaluate.ts";
import { indentPieces } from "./functions.ts";
import type { Block } from "./hcl-syntax.ts";
import { manifestPieces } from "./manifest-value.ts";
import type { Scope } from "./scope.ts";
import { knownText, type Piece, type Place, type Value } from "./values.ts";

export function isHelmRelease({ type, labels }: Block): boolean {
  return type === "resource" && labels[0] === "helm_release";
}

/** @param at of the block, where everything stands that no value says */
export function releasePieces(block: Block, scope: Scope, at: Place): (readonly Piece[])[] {
  const { attributes } = block.body;
  const given = (name: string): Value | undefined => {
    const attribute = attributes.get(name);
    return attribute === undefined ? undefined : evaluate(attribute.value, scope);
  };
  const chart = given("chart");
  const head = headOf(block.labels[1] ?? "", (chart && knownText(chart)) ?? "");
  const list = given("values");
  const texts = list?.is === "list" ? list.items : [];
  const ofValues = texts.flatMap((value) => {
    const pieces = manifestPieces(value, scope.budget);
    if (pieces === undefined) return [];
    return [[{ text: `${head}    `, place: at }, ...indentPieces(pieces, 4), { text: "\n", place: at }]];
  });
  const settings = settingsOf(block, given("set"), scope);
  return settings === undefined ? ofValues : [...ofValues, [{ text: `${head}    settings: ${settings}\n`, place: at }]];
}

function headOf(name: string, chart: string): string {
  const spec = { chart: { spec: { chart: chart.slice(chart.lastIndexOf("/") + 1) } } };
  const metadata = JSON.stringify({ name });
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: ${metadata}\nspec:\n  chart: ${JSON.stringify(spec.chart)}\n  values:\n`;
}

/** The settings of Karpenter's chart by `set`, as blocks or as a list; undefined without any. */
function settingsOf(block: Block, list: Value | undefined, scope: Scope): string | undefined {
  const ofBlocks = block.body.blocks.flatMap(({ type, body }) => {
    const [name, value] = ["name", "value"].map((one) => body.attributes.get(one)?.value);
    return type !== "set" || name === undefined || value === undefined
      ? []
      : [[evaluate(name, scope), evaluate(value, scope)] as const];
  });
  const ofList = (list?.is === "list" ? list.items : []).flatMap((one) => {
    const [name, value] = one.is === "object" ? ["name", "value"].map((key) => one.entries.get(key)?.value) : [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const settings: Record<string, unknown> = {};
  for (const [name, value] of [...ofBlocks, ...ofList]) {
    const [root, ...path] = (knownText(name) ?? "").split(".");
    const text = value.is === "plain" ? String(value.value) : knownText(value);
    if (root !== "settings" || text === undefined || path.length === 0 || path.length > 2) continue;
    const [group, field = ""] = path as [string, string?];
    // Helm takes the words for truth values.
    const scalar = text === "true" ? true : text === "false" ? false : text;
    const inside = Object.hasOwn(settings, group) ? (settings[group] as Record<string, unknown>) : {};
    const isNested = path.length === 2 && typeof inside === "object";
    settings[group] = isNested ? Object.fromEntries([...Object.entries(inside), [field, scalar]]) : scalar;
  }
  return Object.keys(settings).length === 0 ? undefined : JSON.stringify(settings);
}
