/** `anp plan --consolidate` and `--remove`: moves, and what drained nodes leave behind. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { explainClusters } from "../../analyze/explain/explain.ts";
import type { MovesAnswer } from "../../analyze/consolidate/moves-answer.ts";
import { planMoves } from "../../analyze/consolidate/plan-moves.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { blocksMarkdown } from "../../report/blocks/markdown.ts";
import { terminalText } from "../../report/blocks/terminal.ts";
import { movesBlocks } from "../../report/plan/moves-blocks.ts";
import { printableJson } from "../../report/terminal/printable.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode, UsageError } from "../cli/exit-codes.ts";
import { choice, collect, type KarpenterOption, karpenterGates } from "../cli/options.ts";
import { catalogues, pricesFor, type RegionOption } from "../input/load-catalogue.ts";
import { NO_POOL, type NodesOptions, readNodes } from "../input/read-nodes.ts";
import { onlyCluster } from "./answer.ts";

export interface ConsolidateOptions extends NodesOptions, RegionOption {
  readonly output: "text" | "wide" | "json" | "markdown" | "html";
  readonly catalogue?: string;
  readonly consolidate?: boolean;
  readonly remove: readonly string[];
  readonly consolidationPolicy?: string;
  readonly consolidateAfter?: string;
  readonly gates?: KarpenterOption["karpenterGates"];
}

const POLICIES = ["WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"] as const;

export function addConsolidateOptions(command: Command): Command {
  return command
    .option("--consolidate", "show all moves that Karpenter would make with the nodes that are there")
    .option("--remove <node>", "show where the pods of a node would go if it is drained; repeatable", collect, [])
    .option("--at <time>", "with --consolidate or --remove, the time of the answer (default: now)")
    .addOption(choice("--consolidation-policy <policy>", "with --consolidate, as if each pool had this one", POLICIES))
    .addOption(
      new Option(
        "--consolidate-after <duration>",
        "with --consolidate, as if each pool had this one, such as 30s or Never",
      ).argParser(durationOrNever),
    )
    .addOption(
      new Option(
        "--gates <gates>",
        "with --consolidate, as if Karpenter had these, such as SpotToSpotConsolidation=true",
      ).argParser(karpenterGates),
    );
}

function durationOrNever(text: string): string {
  if (text === "Never" || (parseGoMilliseconds(text) ?? -1) >= 0) return text;
  throw new InvalidArgumentError("Write a duration such as 30s or 1h, or Never.");
}

/** Whether the nodes that are there are asked about. @throws UsageError for options of one question with the other */
export function asksForMoves(options: ConsolidateOptions & Readonly<Record<string, unknown>>): boolean {
  const { consolidate, remove } = options;
  const given = (names: readonly string[]): string | undefined =>
    names.find((name) => {
      const value = options[name];
      return Array.isArray(value) ? value.length > 0 : value instanceof Map ? value.size > 0 : value !== undefined;
    });
  if (consolidate !== true && remove.length === 0) {
    const alone = given(["at", ...CHANGES]);
    if (alone === undefined) return false;
    throw new UsageError(`${flagOf(alone)} needs --consolidate${alone === "at" ? " or --remove" : ""}`);
  }
  const other = given(OF_PLANS);
  if (other !== undefined)
    throw new UsageError(
      `${flagOf(other)} plans pods, and --consolidate and --remove ask about the nodes that are there`,
    );
  const change = consolidate === true ? undefined : given(CHANGES);
  if (change !== undefined) throw new UsageError(`${flagOf(change)} needs --consolidate`);
  return true;
}

const CHANGES = ["consolidationPolicy", "consolidateAfter", "gates"];
const OF_PLANS = ["pods", "against", "replicas", "scale", "hpa", "withoutZone", "withoutTypes", "empty"];

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export async function runConsolidate(
  paths: readonly string[],
  options: ConsolidateOptions,
  context: Context,
): Promise<ExitCode> {
  const read = await readNodes(
    `anp plan --${options.consolidate === true ? "consolidate" : "remove"}`,
    paths,
    options,
    context,
  );
  if (typeof read === "number") return read;
  const { loaded, dump, ended } = read;
  if (dump === undefined) return ended;
  const catalogueFor = catalogues(options.catalogue, context);
  const prices = pricesFor(catalogueFor, options, context);
  const cluster = onlyCluster(explainClusters(loaded.clusters, catalogueFor, prices, true));
  if (cluster === undefined) throw new UsageError(NO_POOL);
  const { consolidationPolicy: policy, consolidateAfter, gates } = options;
  const answer = planMoves({
    input: { demands: dump.daemonSets, others: loaded.objects, dump: dump.value },
    cluster,
    mode: loaded.mode,
    consolidates: options.consolidate === true,
    removed: options.remove,
    changes: { policy, consolidateAfter, gates },
    missing: options.live === true ? [] : missingKinds(dump.value.objects),
  });
  if ("problem" in answer) throw new UsageError(answer.problem);
  context.writeOut(await outputOf(answer, options, context));
  return ended === EXIT.done && (answer.removal?.unplaced.length ?? 0) > 0 ? EXIT.no : ended;
}

/** Kinds that most clusters have and that decide about moves. */
function missingKinds(objects: readonly Resource[]): string[] {
  const kinds = new Set(objects.map(({ kind }) => kind));
  return ["PodDisruptionBudget", "DaemonSet"].filter((kind) => !kinds.has(kind)).map((kind) => `${kind}s`);
}

async function outputOf(answer: MovesAnswer, { output, color }: ConsolidateOptions, context: Context): Promise<string> {
  if (output === "json") return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
  if (output === "html") return (await import("../../report/html/pictures.ts")).movesPage(answer);
  const blocks = movesBlocks(answer, output === "wide");
  if (output === "markdown") return blocksMarkdown(blocks, "anp plan --consolidate -o json");
  const width = output === "wide" ? (context.outColumns ?? Infinity) : context.outWidth;
  return terminalText(blocks, { style: context.outStyle(color), width });
}
