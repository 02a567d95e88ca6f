/** Simulations as JSON for programs (docs/simulate.md#for-programs). */
import type { DescribedSimulation } from "../../analyze/simulate/describe.ts";
import type { SimulateAnswer } from "../../analyze/simulate/simulate-answer.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { printableJson } from "../terminal/printable.ts";
import type { SimulationToShow } from "./simulate-blocks.ts";

/** The fields that are in the answer only on some conditions. */
interface Conditions {
  /** Whether the input has several hosted clusters: a name is then not unique. */
  readonly several: boolean;
  /** Whether a flag asks for them. */
  readonly batch: boolean;
  readonly nodeTime: boolean;
}

type PoolAnswer = SimulateAnswer["nodePools"][number];

export function simulateJson({ pools, mode, at }: SimulationToShow, has: Conditions): string {
  const nodePools = pools.map((pool) => poolJson(pool, has));
  const answer: SimulateAnswer = { schemaVersion: 1, mode, at: formatRfc3339(at), nodePools };
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}

function poolJson(answer: DescribedSimulation, has: Conditions): PoolAnswer {
  const { pool, nodes, headroom, provisioning, events, disruption, deprovision, rollout, settles, digits } = answer;
  const moment = (at: number | undefined): string | null => (at === undefined ? null : formatRfc3339(at));
  return {
    name: pool.name,
    ...(has.several ? { hostedCluster: pool.hostedCluster ?? null } : {}),
    nodes: nodes.total,
    // A number that would lose digits is a text.
    limit: pool.limit === undefined ? null : { nodes: digits?.limit ?? pool.limit.nodes, mode: pool.limit.mode },
    headroom: digits?.headroom ?? headroom,
    provisioning,
    messages: events.map(({ message }) => message),
    disruption,
    ...(answer.gates.length === 0 ? {} : { gates: answer.gates }),
    deprovision: deprovision.map(({ name }) => name),
    ...(has.batch ? { worstCase: digits?.worstCase ?? answer.worstCase } : {}),
    ...(has.nodeTime
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
      steps: settles.steps.map(({ at, gone }) => ({ at: formatRfc3339(at), gone })),
    },
    ...(answer.timeline === undefined
      ? {}
      : {
          timeline: answer.timeline.map((stretch) => ({
            from: formatRfc3339(stretch.from),
            to: formatRfc3339(stretch.to),
            disruption: stretch.disruption,
          })),
        }),
  };
}
