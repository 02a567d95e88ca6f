/** Reads the plan that `anp rollout plan -d DIR` wrote. */
import type { RolloutPlan } from "../../analyze/rollout/rollout-answer.ts";
import { isFields } from "../../krm/values/fields.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError } from "../cli/exit-codes.ts";
import { readText } from "../cli/read-text.ts";

export const PLAN_FILE = "plan.json";

type Planned = {
  readonly name: string;
  readonly clusters: readonly Pick<RolloutPlan["waves"][number]["clusters"][number], "hostedCluster" | "policy">[];
};

/** @throws UnreadableError for a file that is no plan */
export function readPlan(directory: string, context: Context): readonly Planned[] {
  const file = `${directory}/${PLAN_FILE}`;
  const text = readText(file, context);
  const plan = parse(text);
  const waves = isFields(plan) && plan["schemaVersion"] === 1 ? plan["waves"] : undefined;
  if (!Array.isArray(waves) || waves.length === 0 || !waves.every(isWave))
    throw new UnreadableError(file, "is no plan of a rollout", "write it with anp rollout plan -d DIR");
  return waves;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWave(wave: unknown): wave is Planned {
  if (!isFields(wave) || typeof wave["name"] !== "string") return false;
  const { clusters } = wave;
  return Array.isArray(clusters) && clusters.every(isCluster);
}

function isCluster(cluster: unknown): boolean {
  return isFields(cluster) && typeof cluster["hostedCluster"] === "string" && isFields(cluster["policy"]);
}
