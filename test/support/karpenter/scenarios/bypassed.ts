/** Defines pools that would bypass their policy: anp refuses them, Karpenter launches nodes for them. */
import { absent, exists, gt, isIn, KEYS, lt, notIn, type Scenario, scenario } from "./scenario.ts";

const { gpus, tier } = KEYS;
const bypassed = true;
const drifts = true;

export const BYPASSED: readonly Scenario[] = [
  scenario("custom-emptied", [isIn(tier, "gold")], [isIn(tier, "silver")], 146, { bypassed }),
  scenario("custom-emptied-by-label", [isIn(tier, "gold")], [], 146, {
    bypassed,
    drifts,
    labels: { [tier]: "silver" },
  }),
  // The label stays on the node, regardless of the requirements.
  scenario("label-excluded", [notIn(tier, "gold")], [], 146, { bypassed, drifts, labels: { [tier]: "gold" } }),
  scenario("label-unwanted", [absent(tier)], [isIn(tier, "gold")], 146, {
    bypassed,
    drifts,
    labels: { [tier]: "gold" },
  }),
  scenario("label-of-types-excluded", [absent(gpus)], [], 144, { bypassed, drifts, labels: { [gpus]: "1" } }),
  // The generated number ignores excluded values.
  scenario("number-excluded", [notIn(tier, "5")], [gt(tier, 4), lt(tier, 6)], 146, { bypassed, drifts }),
  scenario("custom-widened", [exists(tier)], [notIn(tier, "gold")], 146, { bypassed }),
  scenario("optional-emptied", [isIn(gpus, "1")], [isIn(gpus, "4")], 144, { bypassed }),
  scenario("optional-widened", [exists(gpus)], [notIn(gpus, "99")], 146, { bypassed }),
  {
    name: "widened-for-pods",
    policy: [exists(tier)],
    pools: [{ name: "widened-for-pods", requirements: [notIn(tier, "gold")] }],
    // Karpenter generates a value for the label, unless a pod requires its absence.
    pods: [{ name: "widened-for-pods", terms: [[absent(tier)]], gets: { pool: "widened-for-pods", types: 146 } }],
    bypassed,
  },
];
