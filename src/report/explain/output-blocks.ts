/** Live NodePools beside their wrappers, as blocks: origin, and differences from the render. */
import type { DescribedOutput } from "../../analyze/check/explain-answer.ts";
import type { Block, Fact } from "../blocks/blocks.ts";

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
