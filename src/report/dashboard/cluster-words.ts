/** A watched cluster in, the short words for its state out. */
import { counted } from "../../krm/counted.ts";
import type { Style } from "../terminal/style.ts";
import type { ClusterView, ObjectCounts, PassView } from "./fleet-view.ts";
import { ageWords, untilWords } from "./time-words.ts";

export type Result = PassView["result"];

/** A pass without any result is a failed one. Undefined before the first. */
export function resultOf({ pass, broken }: ClusterView): Result | undefined {
  return broken === undefined ? pass?.result : "failed";
}

/** `ok 20s`: the result of the last pass, and how long ago it came to an end, or since when it is so. */
export function lastWords(cluster: ClusterView, now: number): string {
  const result = resultOf(cluster);
  if (result === undefined) return "–";
  if (cluster.lastEnd === undefined) return result;
  return `${result} ${ageWords(now - cluster.lastEnd)}`;
}

export function nextWords({ phase, nextRun }: ClusterView, now: number): string {
  const until = nextRun === undefined ? undefined : untilWords(nextRun - now);
  if (phase === "backing-off") return until === undefined ? "retry" : `retry ${until}`;
  return phase === "waiting" ? (until ?? "–") : phase;
}

/** Only what asks for attention has a colour. */
export function resultTone(cluster: ClusterView): keyof Style | undefined {
  const result = resultOf(cluster);
  if (result === "failed" || result === "untried") return "error";
  return result === "held" ? "warning" : undefined;
}

export function readyTone({ pass, broken }: ClusterView): keyof Style | undefined {
  if (broken !== undefined) return "error";
  return pass?.ready.status === "False" ? "warning" : undefined;
}

export function readyWords({ pass, broken }: ClusterView): string {
  if (broken !== undefined) return "pass failed";
  return pass?.ready.reason ?? "–";
}

/** Why things are as they are, in one text. */
export function readyMessage({ pass, broken, phase, elsewhere }: ClusterView): string {
  if (broken !== undefined) return broken;
  if (elsewhere !== undefined)
    return [...elsewhere.notes, pass?.ready.message ?? ""].filter((words) => words !== "").join("; ");
  return pass?.ready.message ?? (phase === "standby" ? "another replica holds the lease" : "no pass has ended yet");
}

export const OBJECT_WORDS: readonly (readonly [keyof ObjectCounts, words: string, tone: keyof Style | undefined])[] = [
  ["inSync", "in sync", undefined],
  ["changed", "changed", "info"],
  ["held", "held", "warning"],
  ["foreign", "foreign", "warning"],
  ["failed", "failed", "error"],
];

/** Who only looks on changes nothing. */
export function objectNames(isObserved: boolean): typeof OBJECT_WORDS {
  return isObserved
    ? OBJECT_WORDS.map(([name, words, tone]) => [name, name === "changed" ? "differ" : words, tone])
    : OBJECT_WORDS;
}

/** `8 in sync, 1 held`; all of them where nothing is left out for being zero. */
export function objectWords(objects: ObjectCounts, isObserved = false): string {
  return objectNames(isObserved)
    .filter(([name], index) => index === 0 || objects[name] > 0)
    .map(([name, words]) => `${String(objects[name])} ${words}`)
    .join(", ");
}

export function totalOf({ inSync, changed, held, foreign, failed }: ObjectCounts): number {
  return inSync + changed + held + foreign + failed;
}

/** `no findings`, `1 finding`. */
export function countWords(count: number, one: string): string {
  return count === 0 ? `no ${one}s` : counted(count, one);
}
