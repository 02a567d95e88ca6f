/** Simulations as JSON for programs (docs/simulate.md#for-programs). */
import type { DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { Stretch } from "../../analyze/simulate/timeline.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { printableJson } from "../terminal/printable.ts";

export interface SimulateJsonOptions {
  readonly mode: InputMode;
  readonly at: number;
  /** Whether the pools are of several hosted clusters: a name then tells too little. */
  readonly several: boolean;
  /** What is there only because it was asked for. */
  readonly asked: { readonly batch: boolean; readonly nodeTime: boolean };
  /** Milliseconds since 1970 to RFC 3339. */
  readonly instant: (at: number) => string;
}

export function simulateJson(pools: readonly DescribedSimulation[], options: SimulateJsonOptions): string {
  const nodePools = pools.map((pool) => poolJson(pool, options));
  return printableJson(
    `${JSON.stringify({ schemaVersion: 1, mode: options.mode, at: options.at, nodePools }, replacer(options), 2)}\n`,
  );
}

/** Moments are numbers up to here. */
function replacer({ instant }: SimulateJsonOptions): (key: string, value: unknown) => unknown {
  const moments = new Set(["at", "from", "to", "begins", "ends", "earliest", "latest"]);
  return (key, value) => (moments.has(key) && typeof value === "number" ? instant(value) : value);
}

function poolJson(answer: DescribedSimulation, { several, asked }: SimulateJsonOptions): unknown {
  const { pool, nodes, headroom, provisioning, events, disruption, deprovision, roll, digits } = answer;
  return {
    name: pool.name,
    ...(several ? { hostedCluster: pool.hostedCluster ?? null } : {}),
    nodes: nodes.total,
    // Where a number would lose digits, they are a text.
    limit: pool.limit === undefined ? null : { nodes: digits?.limit ?? pool.limit.nodes, mode: pool.limit.mode },
    headroom: digits?.headroom ?? headroom,
    provisioning,
    messages: events.map(({ message }) => message),
    disruption,
    deprovision: deprovision.map(({ name }) => name),
    ...(asked.batch ? { worstCase: digits?.worstCase ?? answer.worstCase } : {}),
    ...(asked.nodeTime
      ? { roll: { nodes: roll.nodes, begins: roll.begins ?? null, ends: roll.ends ?? null, atOnce: roll.atOnce } }
      : {}),
    settles: settlesJson(answer),
    ...(answer.timeline === undefined ? {} : { timeline: answer.timeline.map(stretchJson) }),
  };
}

function settlesJson({ settles }: DescribedSimulation): unknown {
  const { until, earliest = null, latest = null, why, steps } = settles;
  return { until, earliest, latest, why, steps };
}

function stretchJson({ from, to, disruption }: Stretch): unknown {
  return { from, to, disruption };
}
