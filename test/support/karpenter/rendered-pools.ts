/** Renders the NodePools of a scenario with anp. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { objectsIn } from "../e2e/own-crds.ts";
import { run } from "../golden/case.ts";
import { anpInput } from "./scenario-input.ts";
import type { Scenario } from "./scenarios/scenario.ts";

export interface RenderedPools {
  readonly pools: readonly KubernetesObject[];
  /** Findings of anp with the default to refuse bypasses. */
  readonly said: string;
  readonly exit: number;
}

/** The pools of a bypassed scenario without anp's protection: policy first, then the pool's own entries. */
export async function renderedPools(scenario: Scenario): Promise<RenderedPools> {
  const { exit, stdout, stderr } = await renderWith(scenario, scenario.blocked ? "Block" : "Fail");
  if (!scenario.bypassed) return { pools: nodePools(stdout, scenario), said: stderr, exit };
  const blocked = await renderWith(scenario, "Block");
  return { pools: nodePools(blocked.stdout, scenario).map(unblocked), said: stderr, exit };
}

function renderWith(scenario: Scenario, onBypass: "Fail" | "Block") {
  return run(import.meta.dirname, ["render", "-"], anpInput(scenario, onBypass));
}

function nodePools(stdout: string, { name, pools }: Scenario): KubernetesObject[] {
  const rendered = objectsIn(stdout).filter(({ kind }) => kind === "NodePool");
  if (rendered.length !== pools.length)
    throw new Error(`${name}: ${rendered.length} of ${pools.length} pools rendered`);
  return rendered;
}

/** Blocking adds one entry at the end. */
function unblocked(pool: KubernetesObject): KubernetesObject {
  const copy = structuredClone(pool) as KubernetesObject & {
    spec: { template: { spec: { requirements: { values?: string[] }[] } } };
  };
  const blocker = copy.spec.template.spec.requirements.pop();
  if (blocker?.values?.[0] !== "blocked-by-autonodepolicy") throw new Error(`not blocked: ${JSON.stringify(pool)}`);
  return copy;
}
