/** Prints a table of predictions and Karpenter's decisions. */
import type { Decision } from "./decisions.ts";
import type { Prediction } from "./prediction.ts";
import type { Entry, Scenario } from "./scenarios/scenario.ts";

export function outcomeTable(
  scenarios: readonly Scenario[],
  predictions: ReadonlyMap<Scenario, Prediction>,
  decisions: ReadonlyMap<string, Decision>,
): string {
  const head = ["pod", "policy", "pool", "verdict", "anp", "Karpenter"];
  const rows = scenarios.flatMap((scenario) => {
    const { pods, pools } = predictions.get(scenario)!;
    const verdictOf = (name: string) => pools.find((pool) => pool.name === name)?.verdict;
    const verdicts = scenario.pools.map(({ name }) => verdictOf(name)).join(" | ");
    const policy = entriesText(scenario.policy);
    const own = scenario.pools.map(({ requirements, labels = {} }) => {
      const labelled = Object.entries(labels).map(([key, value]) => `${nameOf(key)}: ${value}`);
      return [entriesText(requirements), ...labelled].filter((text) => text !== "").join(", ");
    });
    return scenario.pods.map(({ name }) => {
      const { takenBy, instanceTypes } = pods.get(name)!;
      const predicted = takenBy === null ? "nothing" : countText(instanceTypes);
      const decision = decisions.get(name)!;
      const launched = "nothing" in decision ? "nothing" : countText(decision.candidates);
      return [name, policy, own.join(" | "), verdicts, predicted, launched];
    });
  });
  return align([head, ...rows]);
}

function countText(types: readonly string[]): string {
  return types.length === 1 ? "1 type" : `${types.length} types`;
}

function entriesText(entries: readonly Entry[]): string {
  return entries.map(entryText).join(", ");
}

function entryText({ key, operator, values, minValues }: Entry): string {
  const list = values === undefined ? "" : ` [${values.join(" ")}]`;
  return `${nameOf(key)} ${operator}${list}${minValues === undefined ? "" : ` minValues ${minValues}`}`;
}

function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
