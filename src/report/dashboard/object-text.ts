/** A pool or node class of an opened cluster: changes by anp, and conditions of Karpenter. */
import type { DescribedCatalogue } from "../../analyze/explain/pool-answer.ts";
import { terminalLines } from "../blocks/terminal.ts";
import { explainBlocks } from "../explain/explain-blocks.ts";
import type { Style } from "../terminal/style.ts";
import type { ConditionView, NodeClassView, PoolView } from "./fleet-view.ts";
import { stateTone, stateWords, usageWords } from "./pool-words.ts";
import { cutPainted, padTo } from "../terminal/text-width.ts";
import { hanging, wrapWhole } from "../terminal/wrap.ts";

const NAME_WIDTH = 12;

export interface ObjectTextOptions {
  readonly now: number;
  readonly width: number;
  readonly style: Style;
  readonly catalogue: () => DescribedCatalogue;
}

/** With the whole answer of `anp explain`. */
export function poolText(pool: PoolView, options: ObjectTextOptions): string[] {
  const { width, style, catalogue } = options;
  const explained = pool.explained();
  const explanation =
    explained === undefined
      ? [style.faint("The instance types are unknown while the pool cannot be rendered.")]
      : terminalLines(explainBlocks({ mode: "hosted", outputs: [], pools: [explained] }, catalogue(), false), {
          style,
          width: width - 2,
        });
  const usage = usageWords(pool);
  return [
    ...stateLines(pool, options),
    ...(usage === "" ? [] : factLines("resources", usage, options)),
    ...factLines("node class", pool.nodeClass, options),
    ...conditionLines(pool.conditions, options),
    ...stayLines(pool, options),
    "",
    // A word may be wider than the terminal.
    ...explanation.map((line) => ` ${cutPainted(line, width - 2)}`),
  ];
}

export function nodeClassText(nodeClass: NodeClassView, options: ObjectTextOptions): string[] {
  const { pools, found, conditions } = nodeClass;
  return [
    ...stateLines(nodeClass, options),
    ...factLines("pools", pools.length === 0 ? "none" : pools.join(", "), options),
    ...found.flatMap(([name, values]) => factLines(name, values.length === 0 ? "none" : values.join(", "), options)),
    ...conditionLines(conditions, options),
  ];
}

/** How long nodes that no longer fit may stay. */
function stayLines(pool: PoolView, options: ObjectTextOptions): string[] {
  const stay = pool.stay();
  if (stay === undefined) return [];
  return factLines("nodes stay", stay.until === "never" ? `for ever: ${stay.why}` : stay.why, options);
}

function stateLines(object: PoolView | NodeClassView, options: ObjectTextOptions): string[] {
  const { why } = object.state;
  const tone = stateTone(object);
  const words = stateWords(object, options.now);
  const lines = factLines("state", why === "" ? words : `${words}: ${why}`, options);
  return tone === undefined ? lines : lines.map((line) => line.replace(words, options.style[tone](words)));
}

function conditionLines(conditions: readonly ConditionView[], options: ObjectTextOptions): string[] {
  const lines = conditions.map(({ type, status, reason, message }) => {
    const why = [reason === type ? "" : reason, message].filter((one) => one !== "").join(", ");
    return why === "" || status === "True" ? `${type} ${status}` : `${type} ${status}: ${why}`;
  });
  return lines.flatMap((line, index) => factLines(index === 0 ? "conditions" : "", line, options));
}

function factLines(name: string, value: string, { width, style }: ObjectTextOptions): string[] {
  const label = ` ${padTo(name, NAME_WIDTH, { paint: style.faint })} `;
  return hanging(wrapWhole(value, width - NAME_WIDTH - 3), label, NAME_WIDTH + 2);
}
