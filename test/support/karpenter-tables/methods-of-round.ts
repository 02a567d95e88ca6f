/** Compares what a method of disruption decides in a recorded run with what anp says. */
import { whyWorld } from "../../../src/analyze/why/why-world.ts";
import { type Disruption, disruptionOf } from "../../../src/analyze/moves/running-cluster.ts";
import type { Method } from "../../../src/analyze/moves/next-command.ts";
import type { MethodReply } from "../disruption-worlds/ask-karpenter.ts";
import { linesBetween } from "../disruption-worlds/compare.ts";
import { repliesOf } from "../disruption-worlds/moves-by-anp.ts";
import { inputOf } from "./plan-round.ts";
import type { MethodRound } from "./round.ts";

const METHODS: Readonly<Record<string, Method>> = {
  Emptiness: "emptiness",
  StaticDrift: "static-drift",
  Drift: "drift",
  MultiNodeConsolidation: "multi-node",
  SingleNodeConsolidation: "single-node",
};

/** Undefined if they agree. @throws Error if a pool has findings */
export function differenceOf(round: MethodRound): string | undefined {
  const { candidates, commands, error } = round;
  const method = METHODS[round.method];
  if (method === undefined) return `anp has no method ${round.method}`;
  const theirs: MethodReply = { method, candidates, commands, said: {}, ...(error === "" ? {} : { error }) };
  const lines = linesBetween(answerTo(round, method), theirs);
  return lines.length === 0 ? undefined : lines.join("\n");
}

function answerTo(round: MethodRound, method: Method): MethodReply {
  const { disruption, nameOf } = readRound(round);
  const { commands, ...reply } = repliesOf(disruption).find((one) => one.method === method)!;
  return {
    ...reply,
    commands: commands.map(({ replacements, ...command }) => ({
      ...command,
      replacements: replacements.map(({ instanceTypes, ...claim }) => ({
        ...claim,
        instanceTypes: instanceTypes?.map(nameOf) ?? null,
      })),
    })),
  };
}

function readRound(round: MethodRound): { readonly disruption: Disruption; readonly nameOf: (name: string) => string } {
  const { cluster, input, nameOf } = inputOf(round);
  const { planned, disruption } = whyWorld(input, cluster);
  const named = round.nodes.map(({ node, nodeClaim, ...one }) => {
    const { metadata } = (node ?? nodeClaim) as { metadata: { name: string } };
    return { ...one, name: metadata.name };
  });
  const nominated = new Map(named.filter((one) => one.nominated).map(({ name }) => [name, "a pod"]));
  const buffered = new Set(named.filter((one) => one.buffered).map(({ name }) => name));
  return { disruption: disruptionOf(planned, cluster, { ...disruption, nominated, buffered }), nameOf };
}
