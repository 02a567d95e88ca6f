/** Every scenario, for one cluster, and the one that comes after them. */
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

/** When its pod, which comes after all others, has its node, Karpenter has thought twice about them. */
export const LAST: Scenario = scenario("last", [], [], 146);

const POD_NAMES = [...SCENARIOS, LAST, ...PRICED].flatMap(({ pods }) => pods.map(({ name }) => name));

/** A CPU request that no other pod has, and no two together: by it the NodeClaim for a pod is known. */
export function cpuOf(pod: string): string {
  return `${101 + POD_NAMES.indexOf(pod)}m`;
}
