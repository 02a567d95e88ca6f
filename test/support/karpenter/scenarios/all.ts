/** Lists every scenario for one cluster, and the final one. */
import { BYPASSED } from "./bypassed.ts";
import { PRICED } from "../prices/scenarios.ts";
import { CHOOSING } from "./choosing.ts";
import { RESOURCES } from "./resources.ts";
import { SATISFIABLE } from "./satisfiable.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { UNSATISFIABLE } from "./unsatisfiable.ts";

export const SCENARIOS: readonly Scenario[] = [
  ...SATISFIABLE,
  ...UNSATISFIABLE,
  ...BYPASSED,
  ...CHOOSING,
  ...RESOURCES,
];

/** Once its pod, the last one, has its node, Karpenter has evaluated the others twice. */
export const LAST: Scenario = scenario("last", [], [], 146);

const POD_NAMES = [...SCENARIOS, LAST, ...PRICED].flatMap(({ pods }) => pods.map(({ name }) => name));

/** A CPU request that is unique, also as a sum of two: it identifies the NodeClaim of a pod. */
export function cpuOf(pod: string): string {
  return `${101 + POD_NAMES.indexOf(pod)}m`;
}
