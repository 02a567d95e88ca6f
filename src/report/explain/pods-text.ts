/** Pods for people: the pool that takes each, its types, why others do not, unchecked needs. */
import { placeText } from "../../krm/location.ts";
import { OBSTACLES } from "../../analyze/pods/attempt.ts";
import type { AskedPods, PlacedPod, PoolAttempt } from "../../analyze/pods/place-pods.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { counted } from "../../krm/counted.ts";
import { padTo, widestOf } from "../terminal/text-width.ts";
import { typesOrFamilies } from "./type-families.ts";
import { hanging, indented, NARROWEST, wrapText, wrapWords } from "../terminal/wrap.ts";

/** Empty if no pods were asked for or found. @param width columns of the terminal */
export function podsText({ pods, waiting }: AskedPods, style: Style, width: number): string {
  if (pods.length === 0) return waiting ? "no pod waits for a node\n" : "";
  const several = new Set(pods.map(({ hostedCluster }) => hostedCluster)).size > 1;
  const lines = pods.flatMap((pod) => [...describePod(pod, several, style, width), ""]);
  return withoutCommands([...lines, summary(pods, style), ""].join("\n"));
}

/** At most this many pools are shown for a pod, and the rest counted. */
const POOLS_SHOWN = 10;
const FAMILIES_SHOWN = 6;
const NOT_CONSIDERED = "not looked at";

function describePod(pod: PlacedPod, several: boolean, style: Style, width: number): string[] {
  const cluster = several && pod.hostedCluster !== null ? `${printable(pod.hostedCluster)} ` : "";
  const name = pod.namespace === null ? pod.name : `${pod.namespace}/${pod.name}`;
  const place = printable(placeText(pod));
  const alike = pod.count === null || pod.count === 1 ? "" : ` (${counted(pod.count, "pod")})`;
  const count = pod.instanceTypes.length;
  const families = typesOrFamilies(pod.instanceTypes, FAMILIES_SHOWN);
  const types =
    count === 0 ? [] : wrapWords([`${counted(count, "instance type")}:`, ...families.map(printable)], width - 2);
  const shown = shownAttempts(pod);
  const names = [
    ...shown.map(({ pool }) => printable(pool)),
    ...(pod.notConsidered.length > 0 ? [NOT_CONSIDERED] : []),
  ];
  const column = widestOf(names);
  const row = (title: string, paint: (text: string) => string, text: string): string[] =>
    rowOf({ title: printable(title), text: printable(text), paint, column }, width);
  const rest = pod.attempts.length - shown.length;
  return [
    `${style.faint(cluster)}${style.strong(printable(name))} ${style.faint(printable(pod.kind) + alike)}  ${verdict(pod, style)}  ${style.faint(place)}`,
    ...indented(types, 2),
    ...(pod.attempts.length === 0 ? wrapText(printable(pod.why ?? ""), width, 2) : []),
    ...shown.flatMap((attempt) => row(attempt.pool, paintOf(attempt, pod, style), attempt.sentence)),
    ...(rest === 0 ? [] : [style.faint(`  and ${counted(rest, "more pool")} (-o json lists all)`)]),
    ...pod.notConsidered.flatMap((text, index) => row(index === 0 ? NOT_CONSIDERED : "", style.faint, text)),
  ];
}

function verdict({ takenBy, why, attempts }: PlacedPod, style: Style): string {
  if (takenBy !== null) return style.good(`${printable(takenBy)} takes it`);
  return style.error(attempts.length === 0 ? "gets no node" : `gets no node: ${printable(why ?? "")}`);
}

/** In the order of attempts; if there are many, only those that take the pod or came closest. */
function shownAttempts({ attempts, takenBy }: PlacedPod): readonly PoolAttempt[] {
  if (attempts.length <= POOLS_SHOWN) return attempts;
  const rank = ({ pool, fits, reason }: PoolAttempt): number => {
    if (pool === takenBy) return Infinity;
    if (fits || reason === "machine-image" || reason === null) return OBSTACLES.length;
    return OBSTACLES.indexOf(reason);
  };
  return attempts.toSorted((a, b) => rank(b) - rank(a)).slice(0, POOLS_SHOWN);
}

function paintOf({ pool, fits }: PoolAttempt, { takenBy }: PlacedPod, style: Style): (text: string) => string {
  if (pool === takenBy) return style.good;
  return fits ? style.info : style.faint;
}

interface Row {
  readonly title: string;
  readonly text: string;
  readonly paint: (text: string) => string;
  readonly column: number;
}

function rowOf({ title, text, paint, column }: Row, width: number): string[] {
  const start = 2 + column + 2;
  if (width - start < NARROWEST) {
    const under = wrapText(text, width, 4);
    return title === "" ? under : [`  ${paint(title)}`, ...under];
  }
  return hanging(wrapText(text, width - start), `  ${padTo(title, column, { paint })}  `, start);
}

function summary(pods: readonly PlacedPod[], style: Style): string {
  const sum = (some: readonly PlacedPod[]): number => some.reduce((total, { count }) => total + (count ?? 1), 0);
  const total = sum(pods);
  const taken = sum(pods.filter(({ takenBy }) => takenBy !== null));
  const none = total - taken;
  const all = counted(total, "pod");
  const parts = [
    ...(none === 0 ? [] : [style.error(`${String(none)} without a node`)]),
    ...(taken === 0 ? [] : [style.good(`${String(taken)} taken`)]),
  ];
  return `${all}: ${parts.join(", ")}`;
}
