/** Pools that would get round their policy: anp refuses them, Karpenter launches nodes for them. */
import { absent, exists, isIn, KEYS, notIn, type Scenario, scenario } from "./scenario.ts";

const { gpus, tier } = KEYS;
const bypassed = true;

export const BYPASSED: readonly Scenario[] = [
  scenario("custom-emptied", [isIn(tier, "gold")], [isIn(tier, "silver")], 146, { bypassed }),
  scenario("custom-emptied-by-label", [isIn(tier, "gold")], [], 146, { bypassed, labels: { [tier]: "silver" } }),
  scenario("custom-widened", [exists(tier)], [notIn(tier, "gold")], 146, { bypassed }),
  scenario("optional-emptied", [isIn(gpus, "1")], [isIn(gpus, "4")], 144, { bypassed }),
  scenario("optional-widened", [exists(gpus)], [notIn(gpus, "99")], 146, { bypassed }),
  {
    name: "widened-for-pods",
    policy: [exists(tier)],
    pools: [{ name: "widened-for-pods", requirements: [notIn(tier, "gold")] }],
    // Karpenter invents a value for the label, unless a pod wants none.
    pods: [{ name: "widened-for-pods", terms: [[absent(tier)]], gets: { pool: "widened-for-pods", types: 146 } }],
    bypassed,
  },
];
