/** The formats of `anp rollout`. */
import type { RolloutPlan, RolloutStatus } from "../../analyze/rollout/rollout-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { Block } from "../../report/blocks/blocks.ts";
import { blocksMarkdown } from "../../report/blocks/markdown.ts";
import { terminalText } from "../../report/blocks/terminal.ts";
import { rolloutPlanBlocks, rolloutStatusBlocks } from "../../report/rollout/rollout-blocks.ts";
import { printableJson } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import type { SharedOptions } from "../cli/options.ts";

export const ROLLOUT_FORMATS = ["text", "json", "markdown", "html"] as const;

export type RolloutFormat = (typeof ROLLOUT_FORMATS)[number];

type Look = Pick<SharedOptions, "color">;

export function formatRolloutPlan(
  format: RolloutFormat,
  plan: RolloutPlan,
  findings: readonly Finding[],
  look: Look,
  context: Context,
): Promise<string> {
  const page = { title: "anp rollout plan", about: "A change of policies in waves of hosted clusters", findings };
  return formatted(format, plan, rolloutPlanBlocks(plan), page, look, context);
}

export function formatRolloutStatus(
  format: RolloutFormat,
  status: RolloutStatus,
  findings: readonly Finding[],
  look: Look,
  context: Context,
): Promise<string> {
  const page = { title: "anp rollout status", about: "How far a change of policies has come", findings };
  return formatted(format, status, rolloutStatusBlocks(status), page, look, context);
}

interface Page {
  readonly title: string;
  readonly about: string;
  readonly findings: readonly Finding[];
}

async function formatted(
  format: RolloutFormat,
  answer: RolloutPlan | RolloutStatus,
  blocks: readonly Block[],
  page: Page,
  { color }: Look,
  context: Context,
): Promise<string> {
  switch (format) {
    case "json":
      return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
    case "text":
      return terminalText(blocks, { style: context.outStyle(color), width: context.outWidth });
    case "markdown":
      return blocksMarkdown(blocks, `${page.title} -o json`);
    case "html": {
      const { rolloutPage } = await import("../../report/html/pictures.ts");
      return rolloutPage({ ...page, blocks, waves: answer.waves.length });
    }
  }
}
