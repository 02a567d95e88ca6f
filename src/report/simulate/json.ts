/** Simulations as JSON for programs (docs/simulate.md#for-programs). */
import type { DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { SimulateAnswer } from "../../analyze/simulate/simulate-answer.ts";
import type { InputMode } from "../../model/input-mode.ts";
import { printableJson } from "../terminal/printable.ts";

export interface SimulateJsonOptions {
  readonly mode: InputMode;
  readonly at: number;
  /** Whether the pools are of several hosted clusters: a name is then not unique. */
  readonly several: boolean;
  /** Fields that are in the answer only if a flag asks for them. */
  readonly asked: { readonly batch: boolean; readonly nodeTime: boolean };
  /** Milliseconds since 1970 to RFC 3339. */
  readonly instant: (at: number) => string;
}

type PoolAnswer = SimulateAnswer["nodePools"][number];

export function simulateJson(pools: readonly DescribedSimulation[], options: SimulateJsonOptions): string {
  const nodePools = pools.map((pool) => poolJson(pool, options));
  const answer: SimulateAnswer = { schemaVersion: 1, mode: options.mode, at: options.instant(options.at), nodePools };
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}

function poolJson(answer: DescribedSimulation, { several, asked, instant }: SimulateJsonOptions): PoolAnswer {
  const { pool, nodes, headroom, provisioning, events, disruption, deprovision, rollout, settles, digits } = answer;
  const moment = (at: number | undefined): string | null => (at === undefined ? null : instant(at));
  return {
    name: pool.name,
    ...(several ? { hostedCluster: pool.hostedCluster ?? null } : {}),
    nodes: nodes.total,
    // A number that would lose digits is a text.
    limit: pool.limit === undefined ? null : { nodes: digits?.limit ?? pool.limit.nodes, mode: pool.limit.mode },
    headroom: digits?.headroom ?? headroom,
    provisioning,
    messages: events.map(({ message }) => message),
    disruption,
    deprovision: deprovision.map(({ name }) => name),
    ...(asked.batch ? { worstCase: digits?.worstCase ?? answer.worstCase } : {}),
    ...(asked.nodeTime
      ? {
          roll: {
            nodes: rollout.nodes,
            begins: moment(rollout.begins),
            ends: moment(rollout.ends),
            atOnce: rollout.atOnce,
          },
        }
      : {}),
    settles: {
      until: settles.until,
      earliest: moment(settles.earliest),
      latest: moment(settles.latest),
      why: settles.why,
      steps: settles.steps.map(({ at, gone }) => ({ at: instant(at), gone })),
    },
    ...(answer.timeline === undefined
      ? {}
      : {
          timeline: answer.timeline.map((stretch) => ({
            from: instant(stretch.from),
            to: instant(stretch.to),
            disruption: stretch.disruption,
          })),
        }),
  };
}
