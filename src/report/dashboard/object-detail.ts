/** The detail lines of the selected pool or node class of an opened cluster. */
import { joinFitting } from "./bars.ts";
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import type { NodeClassView, PoolView } from "./fleet-view.ts";
import { conditionWords, notReadyWords, poolNote, stateWords, usageWords, verdictOf } from "./pool-words.ts";
import type { Look } from "./screen.ts";
import { verdictWords } from "../explain/verdict-meanings.ts";

/** The name and verdict, a note, and the figures. */
export const DETAIL_LINES = 3;

export function objectDetail(
  pool: PoolView | undefined,
  nodeClass: NodeClassView | undefined,
  now: number,
  { columns, style }: Look,
): string[] {
  const room = columns - 2;
  const lines = (name: string, words: string, note: string, figures: readonly string[]): string[] => {
    const first = cutTo(oneLine(name), room);
    const rest = cutTo(oneLine(words), room - textWidth(first) - 2);
    return [
      ` ${style.strong(first)}${rest === "" ? "" : `  ${rest}`}`,
      ` ${cutTo(oneLine(note), room)}`,
      ` ${style.faint(joinFitting(figures.filter((one) => one !== "").map(oneLine), room))}`,
    ];
  };
  if (pool !== undefined) {
    const judged = verdictOf(pool);
    const verdict = judged === undefined ? stateWords(pool, now) : verdictWords(judged);
    const facts = [usageWords(pool), `node class ${pool.nodeClass}`, `Ready ${conditionWords(pool)}`];
    return lines(pool.name, verdict, poolNote(pool), facts);
  }
  if (nodeClass !== undefined) {
    const facts = nodeClass.found.map(([name, values]) => `${name} ${values.join(", ") || "none"}`);
    const note = nodeClass.state.why || notReadyWords(nodeClass);
    return lines(nodeClass.name, stateWords(nodeClass, now), note, [`Ready ${conditionWords(nodeClass)}`, ...facts]);
  }
  return Array<string>(DETAIL_LINES).fill("");
}
