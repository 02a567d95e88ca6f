/** `anp diff --pods`: what the plans of both sides need. */
import type { CatalogueFor, PricesFor } from "../../analyze/explain/explain.ts";
import { planDump } from "../../analyze/plan/plan-dump.ts";
import type { Context } from "../cli/context.ts";
import { type KarpenterOption, renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { clustersOf } from "../input/load-clusters.ts";
import { readPodFiles } from "../input/pod-files.ts";
import { readClusterFile } from "../input/read-dump.ts";
import type { PlanQuestion } from "../plan/answer.ts";
import type { Read } from "./sides.ts";

interface Asked {
  readonly pods: readonly string[];
  readonly nodeData: string | undefined;
  /** When the change is made: milliseconds since 1970. */
  readonly at: number;
  readonly catalogueFor: CatalogueFor;
  readonly pricesFor: PricesFor;
}

/** @throws UnreadableError for a dump that is none */
export function plansOfSides(
  read: Read,
  readOld: Read,
  { pods: files, nodeData, at, catalogueFor, pricesFor }: Asked,
  options: SharedOptions & KarpenterOption,
  context: Context,
): PlanQuestion {
  const clusters = ({ findings, ...value }: Read) =>
    clustersOf({ value, findings }, { ...options, ...renderOptionsOf(options) });
  const objects = nodeData === undefined ? undefined : readClusterFile(nodeData, context);
  const storage = [...read.resources, ...(objects ?? [])];
  const { value, findings, resources } = readPodFiles(files, storage, context.readStdin);
  return {
    loaded: clusters(read),
    old: clusters(readOld),
    pods: { value, findings },
    others: [...read.resources, ...resources],
    dump: objects && planDump(objects, storage, { at }),
    catalogueFor,
    pricesFor,
  };
}
