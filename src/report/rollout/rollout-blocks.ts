/** The answers of `anp rollout`: a row for each wave, and what is left of each cluster. */
import type { PlannedWave, RolloutPlan, RolloutStatus } from "../../analyze/rollout/rollout-answer.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import type { Block, Tone } from "../blocks/blocks.ts";
import { budgetWords, ROLLOUT_COLUMNS, rolloutCells } from "../diff/rollout-table.ts";

/** At most this many clusters are named, and the others counted. */
const MOST_CLUSTERS = 5;

export function rolloutPlanBlocks({ waves, written }: RolloutPlan): Block[] {
  const isAnyKnown = waves.some(({ nodes }) => nodes !== null);
  const first = waves[0]!;
  return [
    {
      kind: "table",
      label: "What each wave does",
      columns: ["wave", "clusters", ...ROLLOUT_COLUMNS].map((head) => ({ head })),
      rows: waves.map((wave, at) => ({
        cells: [waveName(at, wave), String(wave.clusters.length), ...rolloutCells(wave, budgetsOf(wave), isAnyKnown)],
      })),
    },
    ...waves.map((wave, at): Block => ({ kind: "paragraph", words: waveWords(wave, at) })),
    {
      kind: "paragraph",
      tone: "faint",
      words:
        written === null
          ? "-d DIR writes the files of each wave"
          : `make the first wave: cp -r ${written}/${waveFolder(0, first)}/. . and commit it; then: anp rollout status --plan ${written}`,
    },
  ];
}

function budgetsOf({ clusters }: PlannedWave): string {
  return someOf([...new Set(clusters.map(budgetWords))].filter((words) => words !== "").toSorted(), MOST_CLUSTERS);
}

/** The folder of a wave below that of the plan: `1-canary`, `2-10-percent`. */
export function waveFolder(at: number, { name }: Pick<PlannedWave, "name">): string {
  const plain = name.replace("%", "-percent").replaceAll(/[^A-Za-z0-9._-]/g, "-");
  return `${at + 1}-${plain.slice(0, MOST_LETTERS)}`;
}

const MOST_LETTERS = 63;

function waveName(at: number, { name }: Pick<PlannedWave, "name">): string {
  return `${at + 1} ${name}`;
}

/** `1 canary: clusters-chat, clusters-docs; 2 files`. */
function waveWords(wave: PlannedWave, at: number): string {
  const names = wave.clusters.map(({ hostedCluster }) => hostedCluster);
  const gone = wave.remove.length === 0 ? "" : `; remove ${someOf(wave.remove, MOST_CLUSTERS)}`;
  return `${waveName(at, wave)}: ${someOf(names, MOST_CLUSTERS)}; ${counted(wave.files.length, "file")}${gone}`;
}

type Wave = RolloutStatus["waves"][number];
type State = Wave["clusters"][number]["state"];

const STATES: Readonly<Record<State, { readonly words: string; readonly tone: Tone }>> = {
  "not-in-files": { words: "not in the manifests", tone: "faint" },
  "not-applied": { words: "not applied", tone: "warning" },
  replacing: { words: "replacing", tone: "warning" },
  converged: { words: "converged", tone: "good" },
  unknown: { words: "unknown", tone: "error" },
};

export function rolloutStatusBlocks({ waves }: RolloutStatus): Block[] {
  const next = waves.findIndex(({ converged }) => !converged);
  return [
    {
      kind: "table",
      label: "How far each wave has come",
      columns: ["wave", "clusters", "converged", "nodes left", "state"].map((head) => ({ head })),
      rows: waves.map((wave, at) => ({ cells: waveCells(wave, at) })),
    },
    ...waves.flatMap((wave, at) => leftOf(wave, at)),
    { kind: "paragraph", oneLine: true, words: lastWords(waves, next) },
  ];
}

function waveCells(wave: Wave, at: number) {
  const { clusters } = wave;
  const known = clusters.flatMap(({ nodes }) => nodes ?? []);
  const sum = (part: "total" | "outdated") => known.reduce((total, nodes) => total + nodes[part], 0);
  const states = [...new Set(clusters.map(({ state }) => state))];
  return [
    waveName(at, wave),
    String(clusters.length),
    String(clusters.filter(({ state }) => state === "converged").length),
    known.length === 0 ? "" : `${sum("outdated")} of ${sum("total")}`,
    states.flatMap((state, index) => [
      ...(index === 0 ? [] : [", "]),
      { text: STATES[state].words, tone: STATES[state].tone },
    ]),
  ];
}

/** The clusters that have not converged; those with one reason together. */
function leftOf(wave: Wave, at: number): Block[] {
  const left = wave.clusters.filter(({ state }) => state !== "converged" && state !== "not-in-files");
  const byReason = [...Map.groupBy(left, ({ state, why }) => JSON.stringify([state, why])).values()];
  return byReason.map((some): Block => {
    const { state, why } = some[0]!;
    const names = some.map(({ hostedCluster }) => hostedCluster);
    const words = [`${waveName(at, wave)}: ${someOf(names, MOST_CLUSTERS)}: `, { text: why, tone: STATES[state].tone }];
    return { kind: "paragraph", words };
  });
}

function lastWords(waves: readonly Wave[], next: number): string {
  if (next === -1) return `all ${counted(waves.length, "wave")} converged`;
  const wave = waves[next]!;
  const isBegun = wave.clusters.some(({ state }) => state !== "not-in-files");
  const done = next === 0 ? "" : `${counted(next, "wave")} of ${waves.length} converged; `;
  return `${done}${waveName(next, wave)} ${isBegun ? "has not converged" : "is next"}`;
}
