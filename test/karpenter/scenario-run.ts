/** All scenarios in one cluster: Karpenter in, what anp rendered and what Karpenter decided on every pod out. */
import { createPending } from "./pods.ts";
import { type Decision, decisionsOn, decisionsSoFar, type PendingPod } from "./decisions.ts";
import { createNodeClass, createReadyPools, forKwok, mustCreate } from "./pools.ts";
import { type RenderedPools, renderedPools } from "./rendered-pools.ts";
import { podsOf } from "./scenario-input.ts";
import { cpuOf, LAST, SCENARIOS } from "./scenarios/all.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import type { Karpenter } from "./start-karpenter.ts";

export interface ScenarioRun {
  readonly rendered: ReadonlyMap<Scenario, RenderedPools>;
  /** By the name of the pod. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

export async function runScenarios(karpenter: Karpenter): Promise<ScenarioRun> {
  await createNodeClass(karpenter.controlPlane);
  const rendered = new Map<Scenario, RenderedPools>();
  for (const each of [...SCENARIOS, LAST]) rendered.set(each, await renderedPools(each));
  const pools = [...rendered.values()].flatMap(({ pools: own }) => own);
  await createReadyPools(karpenter, pools.map(forKwok));
  await askFor(karpenter, SCENARIOS);
  await askFor(karpenter, [LAST]);
  return { rendered, decisions: await decisionsSoFar(karpenter, SCENARIOS.flatMap(pendingPods)) };
}

async function askFor(karpenter: Karpenter, scenarios: readonly Scenario[]): Promise<void> {
  const objects = scenarios.flatMap(podsOf);
  const [pods, daemonSets] = [
    objects.filter(({ kind }) => kind === "Pod"),
    objects.filter(({ kind }) => kind !== "Pod"),
  ];
  for (const daemonSet of daemonSets) await mustCreate(karpenter.controlPlane, daemonSet);
  await createPending(karpenter.controlPlane, pods);
  await decisionsOn(karpenter, scenarios.flatMap(pendingPods));
}

function pendingPods({ pods, pools }: Scenario): PendingPod[] {
  return pods.map(({ name }) => ({ name, cpu: cpuOf(name), pools: pools.map((pool) => pool.name) }));
}
