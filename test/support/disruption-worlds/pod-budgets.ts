/** Random PodDisruptionBudgets for the pods of a world's nodes. */
import type { Random } from "../plan-worlds/random.ts";
import { GROUPS, NAMESPACES } from "../plan-worlds/workloads.ts";
import type { Manifest } from "../plan-worlds/world.ts";
import type { Style } from "./world.ts";

export function budgetsFor(random: Random, style: Style): Manifest[] {
  const most = style === "held" ? 4 : random.chance(0.2) ? 1 : 0;
  return Array.from({ length: random.between(Math.min(most, 1), most) }, (_, at) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: `budget-${at}`, namespace: random.pick(NAMESPACES) },
    spec: {
      selector: {
        matchLabels: random.chance(0.7) ? { group: random.pick(GROUPS) } : { app: `work-${random.pick(["a", "b"])}` },
      },
      ...random.pick<Manifest>([
        { maxUnavailable: 0 },
        { maxUnavailable: "0%" },
        { minAvailable: "100%" },
        { maxUnavailable: 1 },
        { minAvailable: 1 },
      ]),
      ...(random.chance(0.3) ? { unhealthyPodEvictionPolicy: "AlwaysAllow" } : {}),
    },
    status: {
      disruptionsAllowed: random.pick([0, 0, 1, 2]),
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    },
  }));
}
