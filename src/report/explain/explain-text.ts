/** Explanations for people: verdicts, types left, each entry with author, place and effect. */
import type {
  DescribedCatalogue,
  DescribedDemand,
  DescribedKey,
  DescribedPool,
  PoolSummary,
} from "../../analyze/explain/pool-answer.ts";
import { placeText } from "../../krm/location.ts";
import { missedWords } from "../../analyze/explain/why-no-nodes.ts";
import type { Explained } from "./explain-json.ts";
import { asTheyStand } from "./as-they-stand.ts";
import { outputLines } from "./outputs-text.ts";
import { demandWords, requirementWords } from "./demand-words.ts";
import { type DemandRow, layOutRows } from "./demand-rows.ts";
import { poolTable, type TableRoom } from "./pool-table.ts";
import { poolFacts } from "./pool-facts.ts";
import { costWords } from "./price-facts.ts";
import { TONES, VERDICTS, verdictOfPool } from "./verdict-of-pool.ts";
import { isSame } from "./same-demand.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import { shareBar } from "../terminal/share-bar.ts";
import type { Style } from "../terminal/style.ts";
import { textWidth } from "../terminal/text-width.ts";
import { typeFamilies, typesOrFamilies } from "./type-families.ts";
import { counted, tally } from "../../krm/counted.ts";
import { instanceTypesWords } from "./type-sources.ts";
import { indented, wrapText, wrapWords } from "../terminal/wrap.ts";

export interface ExplainTextOptions {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether every instance type is listed. */
  readonly types: boolean;
}

interface ExplainTableOptions extends Omit<ExplainTextOptions, "types">, TableRoom {}

export function explainText(
  { mode, pools, outputs }: Pick<Explained, "mode" | "pools" | "outputs">,
  catalogue: DescribedCatalogue,
  options: ExplainTextOptions,
): string {
  const several = new Set(pools.map(({ hostedCluster }) => hostedCluster)).size > 1;
  const lines = pools.flatMap((pool) => [...describePool(pool, several, options), ""]);
  const running = outputs.flatMap((pool) => [
    ...describePool(pool, several, options),
    ...outputLines(pool, options.style, options.width),
    "",
  ]);
  if (running.length > 0) lines.push("NodePools as they run beside their wrappers", "", ...running);
  const end = [...summary(pools, catalogue, options), ...asTheyStand(mode, options)];
  return withoutCommands([...lines, ...end, ""].join("\n"));
}

/** A table with a line for each pool. */
export function explainTable(
  { mode, pools, outputs }: SummarizedPools,
  catalogue: DescribedCatalogue,
  options: ExplainTableOptions,
): string {
  const end = [...summary(pools, catalogue, options), ...asTheyStand(mode, options), ""];
  return withoutCommands(`${poolTable([...pools, ...outputs], options)}${end.join("\n")}`);
}

/** The pools of the table. */
interface SummarizedPools extends Pick<Explained, "mode"> {
  readonly pools: readonly PoolSummary[];
  readonly outputs: readonly PoolSummary[];
}

function describePool(pool: DescribedPool, several: boolean, { style, width, types }: ExplainTextOptions): string[] {
  const { total, compatible, names } = pool.instanceTypes;
  const cluster = several && pool.hostedCluster !== undefined ? `${printable(pool.hostedCluster)} ` : "";
  const percent = total === 0 ? 0 : (100 * compatible) / total;
  const share = `${percent > 0 && percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
  const families = types ? typeFamilies(names) : typesOrFamilies(names, FAMILIES_SHOWN);
  const blocks = blocksOf(pool, style);
  const conflicts = [pool.conflict, ...pool.otherConflicts].map((demands) => demands.map(conflictRow));
  const layOut = layOutRows(
    blocks.flatMap(({ rows }) => rows),
    style,
    width,
  );
  return [
    `${style.faint(cluster)}${style.strong(printable(pool.name))}  ${verdictText(pool, style)}  ${style.faint(printable(placeText(pool)))}`,
    ...(knowsTypes(pool)
      ? [
          `  ${shareBar(compatible / Math.max(total, 1), BAR_WIDTH)}  ${String(compatible)} of ${String(total)} instance types left (${share})`,
          ...indented(wrapWords(families, width - 2), 2),
        ]
      : wrapText(unknownTypes(pool), width, 2)),
    ...whyNone(pool, conflicts, { style, width }),
    ...(blocks.length > 0 ? [""] : []),
    ...blocks.flatMap(({ head, rows }) => [head, ...rows.flatMap(layOut)]),
    "",
    ...poolFacts(pool, style, width),
    ...beyondPolicy(pool, style, width),
  ];
}

/** An empty catalogue still counts, because the user supplied it. */
export function knowsTypes({ instanceTypes, provider }: DescribedPool): boolean {
  return instanceTypes.total > 0 || provider.name === "aws" || provider.name === "eks-auto";
}

export function unknownTypes({ provider }: DescribedPool): string {
  return `anp knows no instance types of ${provider.title}, so it finds only contradictions (--catalogue supplies types)`;
}

/** How a raw pool exceeds the policy that it is compared with. */
function beyondPolicy({ underPolicy }: DescribedPool, style: Style, width: number): string[] {
  if (underPolicy === undefined || underPolicy.beyond.length === 0) return [];
  const rows = underPolicy.beyond.map(({ key, policy, user }) => ({
    key,
    rows: [...policy, ...user].map((demand) => ({ ...rowOf(demand), effect: "" })),
  }));
  const layOut = layOutRows(
    rows.flatMap((one) => one.rows),
    style,
    width,
  );
  return [
    "",
    ...rows.flatMap(({ key, rows: own }) => [
      `  ${style.strong(printable(key))}  ${style.error("admits what the policy does not")}`,
      ...own.flatMap(layOut),
    ]),
  ];
}

const BAR_WIDTH = 20;
const FAMILIES_SHOWN = 16;

function verdictText(pool: DescribedPool, style: Style): string {
  const { words, tone } = verdictOfPool(pool);
  return style[tone](words);
}

/** Labels that a pool puts on its nodes restrict no instance types. */
function onlyLabels({ entries, outcome }: DescribedKey): boolean {
  return outcome === "user-only" && entries.every(({ from }) => from === "label");
}

interface Block {
  readonly head: string;
  readonly rows: readonly DemandRow[];
}

/** One block for each key. Entries of the node class come last, below the result of the pool. */
function blocksOf(pool: DescribedPool, style: Style): Block[] {
  const shown = pool.requirements.filter((key) => !onlyLabels(key));
  const head = (key: string, outcome: string): string => `  ${style.strong(printable(key))}  ${outcome}`.trimEnd();
  const ofClass = (key: string): DemandRow[] =>
    pool.eliminated
      .filter((found) => found.from === "class" && found.key === key)
      .map((found) => pricedRow(found, pool));
  const ofPool = shown.map((key): Block => {
    const entries = key.entries.map((entry) => pricedRow(entry, pool));
    const result = { who: "result", requirement: requirementWords(key.effective), place: "", effect: "" };
    const rows = [...entries, ...(entries.length > 1 ? [result] : []), ...ofClass(key.key)];
    return { head: head(key.key, outcomeText(key, style)), rows };
  });
  const asked = new Set(shown.map(({ key }) => key));
  const others = new Set(
    pool.eliminated.filter(({ from, key }) => from === "class" && !asked.has(key)).map(({ key }) => key),
  );
  return [...ofPool, ...[...others].map((key) => ({ head: head(key, ""), rows: ofClass(key) }))];
}

function pricedRow(entry: DescribedDemand, pool: DescribedPool): DemandRow {
  const { meant = [] } = entry;
  const words = meant.length === 0 ? "" : `did you mean ${meant.join(", ")}?`;
  const note = [words, costWords(entry, pool)].filter((part) => part !== "").join("; ");
  return { ...rowOf(entry), effect: effectOf(entry, pool), note };
}

function rowOf(demand: DescribedDemand): Omit<DemandRow, "effect"> {
  return { who: WHO[demand.from], requirement: demandWords(demand), place: printable(placeText(demand)) };
}

function conflictRow(demand: DescribedDemand): DemandRow {
  const row = rowOf(demand);
  return { ...row, requirement: `${demand.key} ${row.requirement}`, effect: "" };
}

const WHO: Readonly<Record<DescribedDemand["from"], string>> = {
  policy: "policy",
  user: "pool",
  label: "label",
  class: "class",
};

function outcomeText({ outcome }: DescribedKey, style: Style): string {
  switch (outcome) {
    case "empty-blocking":
      return style.error("nothing in common: no node");
    case "empty-bypassed":
    case "widened":
      return style.error("the policy is bypassed");
    case "drifts":
      return style.warning("nodes get a label that the entries do not admit, and drift");
    case "ignored":
      return style.warning("ignored: nodes come without the label");
    case "foreign":
      return style.error("a label of another provider: selects nothing");
    case "narrowed":
      return style.info("narrowed");
    case "policy-only":
    case "user-only":
    case "same":
      return "";
  }
}

function effectOf(entry: DescribedDemand, { eliminated }: DescribedPool): string {
  const found = eliminated.find((one) => isSame(one, entry));
  if (found === undefined) return "";
  return `rules out ${String(found.types)}${found.only > 0 ? ` (${String(found.only)} alone)` : ""}`;
}

function whyNone(
  pool: DescribedPool,
  conflicts: readonly (readonly DemandRow[])[],
  { style, width }: Pick<ExplainTextOptions, "style" | "width">,
): string[] {
  if (pool.verdict !== "unsatisfiable") return [];
  const missed = pool.minValuesMissed.map((one) => `It ${missedWords(one)}`);
  const others = [...missed, ...pool.noNodes].flatMap((reason) =>
    wrapText(printable(reason), width - 2).map((line) => `  ${style.error(line)}`),
  );
  const layOut = layOutRows(conflicts.flat(), style, width);
  const heads = (rows: readonly DemandRow[], at: number): string => {
    if (at === 0) return conflictHead(pool, rows.length);
    if (missed.length > 0) return rows.length === 1 ? "So does this:" : "So do these together:";
    return rows.length === 1 ? "Nor this:" : "Nor these together:";
  };
  return [
    "",
    ...others,
    ...conflicts.flatMap((rows, at) =>
      rows.length === 0 ? [] : [`  ${style.error(heads(rows, at))}`, ...rows.flatMap(layOut)],
    ),
  ];
}

/** If only `minValues` cannot be met, instance types are left. */
export function conflictHead({ minValuesMissed }: Pick<DescribedPool, "minValuesMissed">, entries: number): string {
  if (minValuesMissed.length > 0) return entries === 1 ? "This leaves too few:" : "These together leave too few:";
  return `No instance type satisfies ${entries === 1 ? "this" : "these together"}:`;
}

function summary(
  pools: readonly PoolSummary[],
  catalogue: DescribedCatalogue,
  { style, width }: Pick<ExplainTextOptions, "style" | "width">,
): string[] {
  const counts = tally(VERDICTS, pools, ({ verdict }) => verdict).map(
    ([verdict, count]) => [verdict, `${String(count)} ${verdict}`] as const,
  );
  const outside = pools.filter(
    ({ underPolicy }) => underPolicy !== undefined && underPolicy.verdict !== "within",
  ).length;
  const all = counted(pools.length, "pool");
  const painted = counts.map(([verdict, text]) => style[TONES[verdict]](text));
  const of = instanceTypesWords(pools, catalogue);
  const beyond = outside === 0 ? [] : [`${String(outside)} outside the policy`];
  const plain = [all, ...counts.map(([, text]) => text), ...beyond].join(", ");
  const line = [all, ...painted, ...beyond.map(style.error)].join(", ");
  return textWidth(plain) + 2 + textWidth(of) <= width
    ? [`${line}  ${style.faint(of)}`]
    : [line, ...wrapText(of, width).map(style.faint)];
}
