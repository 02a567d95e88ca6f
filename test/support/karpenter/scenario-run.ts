/** Runs all scenarios in one cluster and collects rendered pools and Karpenter's decisions. */
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
  const rendered = await renderPools(karpenter, [...SCENARIOS, LAST]);
  await askFor(karpenter, SCENARIOS);
  await askFor(karpenter, [LAST]);
  return { rendered, decisions: await driftedDecisions(karpenter) };
}

/** Without waiting for drift. */
export async function launchScenarios(karpenter: Karpenter, scenarios: readonly Scenario[]): Promise<ScenarioRun> {
  const rendered = await renderPools(karpenter, scenarios);
  await askFor(karpenter, scenarios);
  return { rendered, decisions: await decisionsSoFar(karpenter, scenarios.flatMap(pendingPods)) };
}

async function renderPools(karpenter: Karpenter, scenarios: readonly Scenario[]): Promise<ScenarioRun["rendered"]> {
  await createNodeClass(karpenter.controlPlane);
  const rendered = new Map<Scenario, RenderedPools>();
  for (const each of scenarios) rendered.set(each, await renderedPools(each));
  const pools = [...rendered.values()].flatMap(({ pools: own }) => own);
  await createReadyPools(karpenter, pools.map(forKwok));
  return rendered;
}

/** Once the expected nodes have drifted, the others have had the same time. */
async function driftedDecisions(karpenter: Karpenter): Promise<ScenarioRun["decisions"]> {
  const drifting = SCENARIOS.filter(({ drifts }) => drifts).flatMap(({ pods }) => pods.map(({ name }) => name));
  let waitedFor = drifting;
  const ask = async (): Promise<ScenarioRun["decisions"] | undefined> => {
    const decisions = await decisionsSoFar(karpenter, SCENARIOS.flatMap(pendingPods));
    waitedFor = drifting.filter((pod) => !hasDrifted(decisions.get(pod)));
    return waitedFor.length === 0 ? decisions : undefined;
  };
  return karpenter.waitFor("drift of every node that is to drift", ask).catch((error: unknown) => {
    throw new Error(`not drifted: ${waitedFor.join(", ")}`, { cause: error });
  });
}

function hasDrifted(decision: Decision | undefined): boolean {
  return decision !== undefined && "drifted" in decision && decision.drifted !== undefined;
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
