/** Explanations as blocks: verdicts, types left, each entry with author, place and effect. */
import type { DescribedOutput } from "../../analyze/check/explain-answer.ts";
import type {
  DescribedCatalogue,
  DescribedDemand,
  DescribedKey,
  DescribedPool,
  PoolSummary,
} from "../../analyze/explain/pool-answer.ts";
import { readyWords } from "../../analyze/explain/describe-clusters.ts";
import { missedWords } from "../../analyze/explain/why-no-nodes.ts";
import { placeText } from "../../krm/places/location.ts";
import { counted, tally } from "../../krm/values/counted.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import type { Block, Entries, EntryRow, Fact, Paragraph, Section, Span, Words } from "../blocks/blocks.ts";
import {
  demandWords,
  isSame,
  requirementWords,
  OUTCOMES,
  stateOf,
  STATES,
  TONES,
  verdictOfPool,
} from "./verdict-words.ts";
import type { Explained } from "./explain-json.ts";
import { factsOf, isOfAmazon, costWords } from "./pool-facts.ts";
import { typeFamilies, typesOrFamilies } from "./type-families.ts";

/** @param types whether every instance type is listed */
export function explainBlocks(
  { mode, pools, outputs }: Pick<Explained, "mode" | "pools" | "outputs">,
  catalogue: DescribedCatalogue,
  types: boolean,
): Block[] {
  const several = new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  return [
    ...withHeads({
      running: outputs.map((pool, at) => outputSection(pool, { id: `o${String(at)}`, several, types })),
      wrappers: pools.map((pool, at) => poolSection(pool, { id: `p${String(at)}`, several, types })),
    }),
    ...explainSummary({ mode, pools: poolsThatCount(pools, outputs) }, catalogue),
  ];
}

/** What runs comes first. Without running NodePools there are only wrappers, or only raw pools, and no heads. */
export function withHeads({ running, wrappers }: Readonly<Record<"running" | "wrappers", readonly Block[]>>): Block[] {
  if (running.length === 0) return [...wrappers];
  const head = (words: string): Block => ({ kind: "paragraph", words, tone: "strong" });
  return [head("NodePools as they run"), ...running, head("Their wrappers, as they render now"), ...wrappers];
}

/** A wrapper's running NodePool counts in its place. */
export function poolsThatCount<Pool extends Pick<PoolSummary, "name" | "hostedCluster">>(
  pools: readonly Pool[],
  outputs: readonly Pool[],
): Pool[] {
  const idOf = ({ name, hostedCluster = "" }: Pool): string => `${hostedCluster}/${name}`;
  const running = new Set(outputs.map(idOf));
  return [...outputs, ...pools.filter((pool) => !running.has(idOf(pool)))];
}

/** How many pools there are, by verdict. */
export function explainSummary(
  { mode, pools }: { readonly mode: InputMode; readonly pools: readonly PoolSummary[] },
  catalogue: DescribedCatalogue,
): Paragraph[] {
  const counts = tally(STATES, pools, stateOf).map(([state, count]): Span => ({
    text: `${String(count)} ${state}`,
    tone: TONES[state],
  }));
  const outside = pools.filter(
    ({ underPolicy }) => underPolicy !== undefined && underPolicy.verdict !== "within",
  ).length;
  const beyond: Span[] = outside === 0 ? [] : [{ text: `${String(outside)} outside the policy`, tone: "error" }];
  const words = [counted(pools.length, "pool"), ...[...counts, ...beyond].flatMap((one) => [", ", one])];
  // The types of EC2 decide nothing about the pools of another provider.
  const aside = pools.length > 0 && !pools.some(knowsTypes) ? "" : instanceTypesWords(pools, catalogue);
  return [{ kind: "paragraph", words, ...(aside === "" ? {} : { aside }) }, ...rawInputNote(mode)];
}

/** For NodePools that have no wrapper. */
export function rawInputNote(mode: InputMode): Paragraph[] {
  const words = NOTES[mode];
  return words === undefined ? [] : [{ kind: "paragraph", tone: "faint", words }];
}

const NOTES: Readonly<Record<InputMode, string | undefined>> = {
  hosted: undefined,
  shipped: "NodePools of Karpenter, and the node classes that their OpenshiftEC2NodeClasses render to",
  raw: "NodePools as they are: the input has no policy and no wrapper",
};

/**
 * The sources of the instance types that an answer uses: `(instance types: Amazon EC2, all regions, 2026-08)`. Hosted
 * clusters may have their own.
 *
 * @param catalogue for clusters without a catalogue of their own
 */
export function instanceTypesWords(
  asked: readonly { readonly catalogue?: DescribedCatalogue }[],
  catalogue: DescribedCatalogue,
): string {
  const all = asked.length === 0 ? [catalogue] : asked.map((one) => one.catalogue ?? catalogue);
  return `(instance types: ${[...new Set(all.map(({ source, date }) => `${source}, ${date}`))].join("; ")})`;
}

interface SectionOptions {
  /** Of the section and of its picture. */
  readonly id: string;
  /** Whether the hosted cluster is named. */
  readonly several: boolean;
  readonly types?: boolean;
}

/** A pool. */
export function poolSection(pool: DescribedPool, { id, several, types = false }: SectionOptions): Section {
  const { compatible, names } = pool.instanceTypes;
  const items = types ? typeFamilies(names) : typesOrFamilies(names, FAMILIES_SHOWN);
  const total = Math.max(1, pool.instanceTypes.total);
  const left: Block[] = knowsTypes(pool)
    ? [
        { kind: "bar", share: compatible / total, words: leftWords(pool), indent: 2 },
        // A page has them in a picture and its table.
        { kind: "list", inline: true, items, indent: 2, forms: ["terminal"] },
      ]
    : [{ kind: "paragraph", words: unknownTypes(pool), indent: 2 }];
  return {
    kind: "section",
    id,
    heading: {
      kind: "heading",
      hostedCluster: several ? pool.hostedCluster : undefined,
      name: pool.name,
      verdict: verdictOfPool(pool),
      place: placeText(pool),
      oneLine: true,
    },
    blocks: [
      ...left,
      ...whyNone(pool),
      ...entriesOf(keyGroups(pool)),
      GAP,
      { kind: "facts", facts: factsOf(pool), nameWidth: 13, indent: 2 },
      ...entriesOf(beyondPolicy(pool)),
      { kind: "picture", id },
    ],
  };
}

/** A live NodePool beside its wrapper. */
export function outputSection(output: DescribedOutput, options: SectionOptions): Section {
  const section = poolSection(output, options);
  return { ...section, blocks: [...section.blocks, ...outputBlocks(output)] };
}

const FAMILIES_SHOWN = 16;
const GAP = { kind: "gap" } as const;

/** With an empty line above; nothing without groups. */
function entriesOf(groups: Entries["groups"]): Block[] {
  return groups.length === 0 ? [] : [GAP, { kind: "entries", groups }];
}

function leftWords({ instanceTypes: { compatible, total }, unknown }: DescribedPool): string {
  const percent = total === 0 ? 0 : (100 * compatible) / total;
  const share = `${percent > 0 && percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
  return `${unknown === undefined ? "" : "at most "}${String(compatible)} of ${String(total)} instance types left (${share})`;
}

/** An empty catalogue still counts, because the user supplied it. */
export function knowsTypes({ instanceTypes, provider }: Pick<PoolSummary, "instanceTypes" | "provider">): boolean {
  return instanceTypes.total > 0 || isOfAmazon(provider);
}

function unknownTypes({ provider }: DescribedPool): string {
  return `anp knows no instance types of ${provider.title}, so it finds only contradictions (--catalogue supplies types)`;
}

/** Why the pool gets no nodes. */
function whyNone(pool: DescribedPool): Block[] {
  if (stateOf(pool) === "not ready")
    return [
      GAP,
      { kind: "paragraph", words: `Its cluster says: ${readyWords(pool.ready!)}`, tone: "error", indent: 2 },
    ];
  if (pool.unknown !== undefined) {
    const head: Words = [{ text: "These decide too, and have no value:" }];
    const rows = pool.unknown.map((one) => ({
      who: one.from,
      requirement: one.entry,
      place: placeText(one),
      effect: one.placeholder,
    }));
    return [GAP, { kind: "entries", groups: [{ head, rows }] }];
  }
  if (pool.verdict !== "unsatisfiable") return [];
  const missed = pool.minValuesMissed.map((one) => `It ${missedWords(one)}`);
  const headOf = (entries: number, at: number): string => {
    const one = entries === 1;
    if (at === 0 && missed.length > 0) return one ? "This leaves too few:" : "These together leave too few:";
    if (at === 0) return `No instance type satisfies ${one ? "this" : "these together"}:`;
    if (missed.length > 0) return one ? "So does this:" : "So do these together:";
    return one ? "Nor this:" : "Nor these together:";
  };
  const groups = [pool.conflict, ...pool.otherConflicts].flatMap((demands, at) => {
    const head: Words = [{ text: headOf(demands.length, at), tone: "error" }];
    return demands.length === 0 ? [] : [{ head, rows: demands.map(conflictRow) }];
  });
  const reasons = [...missed, ...pool.noNodes];
  return [
    GAP,
    ...reasons.map((words): Block => ({ kind: "paragraph", words, tone: "error", indent: 2 })),
    ...(groups.length === 0 ? [] : [{ kind: "entries", groups } as const]),
  ];
}

/** A group for each key. Entries of the node class come last, below the result of the pool. */
function keyGroups(pool: DescribedPool): Entries["groups"] {
  const shown = pool.requirements.filter((key) => !onlyLabels(key));
  const ofClass = (key: string): EntryRow[] =>
    pool.eliminated
      .filter((found) => found.from === "class" && found.key === key)
      .map((found) => pricedRow(found, pool));
  const ofPool = shown.map(({ key, entries, effective, outcome }) => {
    const result: EntryRow[] = entries.length > 1 ? [{ who: "result", requirement: requirementWords(effective) }] : [];
    const rows = [...entries.map((entry) => pricedRow(entry, pool)), ...result, ...ofClass(key)];
    return { head: keyHead(key, OUTCOMES[outcome]), rows };
  });
  const asked = new Set(shown.map(({ key }) => key));
  const others = new Set(
    pool.eliminated.filter(({ from, key }) => from === "class" && !asked.has(key)).map(({ key }) => key),
  );
  return [...ofPool, ...[...others].map((key) => ({ head: keyHead(key), rows: ofClass(key) }))];
}

/** Labels that a pool puts on its nodes restrict no instance types. */
function onlyLabels({ entries, outcome }: DescribedKey): boolean {
  return outcome === "user-only" && entries.every(({ from }) => from === "label");
}

/** How a raw pool exceeds the policy that it is compared with. */
function beyondPolicy({ underPolicy }: DescribedPool): Entries["groups"] {
  return (underPolicy?.beyond ?? []).map(({ key, policy, user }) => ({
    head: keyHead(key, { text: "admits what the policy does not", tone: "error" }),
    rows: [...policy, ...user].map(rowOf),
  }));
}

function keyHead(key: string, says?: Span): Words {
  return [{ text: key, tone: "strong" }, ...(says === undefined ? [] : ["  ", says])];
}

function rowOf(demand: DescribedDemand): EntryRow {
  return { who: demand.from, requirement: demandWords(demand), place: placeText(demand) };
}

function conflictRow(demand: DescribedDemand): EntryRow {
  return { ...rowOf(demand), requirement: `${demand.key} ${demandWords(demand)}` };
}

function pricedRow(entry: DescribedDemand, pool: DescribedPool): EntryRow {
  const { meant = [] } = entry;
  const words = meant.length === 0 ? "" : `did you mean ${meant.join(", ")}?`;
  const note = [words, costWords(entry, pool)].filter((part) => part !== "").join("; ");
  return { ...rowOf(entry), effect: effectOf(entry, pool), ...(note === "" ? {} : { note }) };
}

function effectOf(entry: DescribedDemand, { eliminated }: DescribedPool): string {
  const found = eliminated.find((one) => isSame(one, entry));
  if (found === undefined) return "";
  return `rules out ${String(found.types)}${found.only > 0 ? ` (${String(found.only)} alone)` : ""}`;
}

/** The blocks below those of the pool itself. */
export function outputBlocks({ madeBy, name, differences, policy }: DescribedOutput): Block[] {
  const wrapper = `OpenshiftNodePool ${name}`;
  const made: Fact = ["made by", `${madeBy === "anp" ? "anp" : "HyperShift's operator"}, of ${wrapper}`];
  const facts = (some: readonly Fact[]): Block => ({ kind: "facts", facts: some, nameWidth: 13, indent: 2 });
  if (differences === null) return [facts([made, ["rendered now", "nothing of this name"]])];
  if (differences.length === 0) return [facts([made, ["rendered now", "the same"]])];
  const unsure = policy === null ? " (no policy was read, so its additions are listed)" : "";
  const words = `differs from what ${wrapper} renders to now${unsure}:`;
  const items = differences.map(
    ({ field, here, rendered }) => `${field}: ${inAWord(here)} here, ${inAWord(rendered)} rendered`,
  );
  return [facts([made]), { kind: "paragraph", words, tone: "warning", indent: 2 }, { kind: "list", items, indent: 4 }];
}

const LONGEST = 80;

function inAWord(value: unknown): string {
  if (value === null) return "nothing";
  const text = isPlain(value)
    ? String(value)
    : Array.isArray(value) && value.every(isPlain)
      ? `[${value.join(" ")}]`
      : jsonOf(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function isPlain(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** Writes numbers of any size. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "";
}
