/** Short texts for the state of a watched cluster. */
import { counted } from "../../krm/values/counted.ts";
import type { Style } from "../terminal/style.ts";
import type { ClusterView, ObjectCounts, PassView } from "./fleet-view.ts";

export type Result = PassView["result"];

/** A pass without a result has failed. Undefined before the first pass. */
export function resultOf({ pass, broken }: ClusterView): Result | undefined {
  return broken === undefined ? pass?.result : "failed";
}

/** `ok 20s`: the result of the last pass, and how long ago it ended. */
export function lastWords(cluster: ClusterView, now: number): string {
  const result = resultOf(cluster);
  if (result === undefined) return "–";
  if (cluster.lastEnd === undefined) return result;
  return `${result} ${ageWords(now - cluster.lastEnd)}`;
}

export function nextWords({ phase, nextRun }: ClusterView, now: number): string {
  const until = nextRun === undefined ? undefined : nextRun <= now ? "now" : ageWords(nextRun - now);
  if (phase === "backing-off") return until === undefined ? "retry" : `retry ${until}`;
  return phase === "waiting" ? (until ?? "–") : phase;
}

/** Only states that need attention have a colour. */
export function resultTone(cluster: ClusterView): keyof Style | undefined {
  const result = resultOf(cluster);
  if (result === "failed") return "error";
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

/** The reason of the current state, in one text. */
export function readyMessage({ pass, broken, phase }: ClusterView): string {
  if (broken !== undefined) return broken;
  return pass?.ready.message ?? (phase === "standby" ? "another replica holds the lease" : "no pass has ended yet");
}

export const OBJECT_WORDS: readonly (readonly [keyof ObjectCounts, words: string, tone: keyof Style | undefined])[] = [
  ["inSync", "in sync", undefined],
  ["changed", "changed", "info"],
  ["held", "held", "warning"],
  ["foreign", "foreign", "warning"],
  ["failed", "failed", "error"],
];

/** `8 in sync, 1 held`; counts of 0 are left out, except `in sync`. */
export function objectWords(objects: ObjectCounts): string {
  return OBJECT_WORDS.filter(([name], index) => index === 0 || objects[name] > 0)
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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time, in coarse steps so that the screen does not flicker: `5s`, `10s`, … `55s`, `1m`, `2h`, `3d`. */
export function ageWords(milliseconds: number): string {
  if (milliseconds <= 55 * SECOND) return `${Math.max(1, Math.ceil(milliseconds / (5 * SECOND))) * 5}s`;
  if (milliseconds < HOUR) return `${Math.max(1, Math.floor(milliseconds / MINUTE))}m`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)}h`;
  return `${Math.floor(milliseconds / DAY)}d`;
}
