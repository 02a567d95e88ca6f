/** When a plan that deletes is carried out, and how many plans are made before. */
import { describe, expect, test } from "vitest";
import { nothing, type Step, type StepAction } from "../plan/step.ts";
import { stablePlan } from "./plan-pass.ts";

const step = (action: StepAction, name: string): Step => ({ ...nothing("NodePool", name), action });
const update = step("update", "web");
const prune = (...names: string[]) => [update, ...names.map((name) => step("prune", name))];
const keep = (...names: string[]) => [update, ...names.map((name) => step("keep", name))];

const STAYS = "stays: wrappers come and go, so that it is not clear yet which are meant to go";

async function settle(plans: readonly (readonly Step[])[], signal = new AbortController().signal) {
  let made = 0;
  const make = () => Promise.resolve({ steps: plans[made++]! });
  const { steps } = await stablePlan(make, { pauseMs: 1, signal });
  return { made, steps };
}

describe("a plan", () => {
  test.each<[string, { plans: Step[][]; made: number; steps: Step[] }]>([
    ["that deletes nothing is made once", { plans: [[update]], made: 1, steps: [update] }],
    ["that keeps what it could delete is made once", { plans: [keep("a")], made: 1, steps: keep("a") }],
    ["that deletes the same again is carried out", { plans: [prune("a"), prune("a")], made: 2, steps: prune("a") }],
    [
      "that deletes more is made again",
      { plans: [prune("a"), prune("a", "b"), prune("a", "b")], made: 3, steps: prune("a", "b") },
    ],
    ["that deletes another is made again", { plans: [prune("a"), prune("b"), prune("b")], made: 3, steps: prune("b") }],
    [
      "that grows beyond what may be deleted at once deletes nothing",
      { plans: [prune("a"), keep("a", "b")], made: 2, steps: keep("a", "b") },
    ],
    ["whose wrappers are back deletes nothing", { plans: [prune("a"), [update]], made: 2, steps: [update] }],
    [
      "that deletes something else each time deletes nothing, and does the rest",
      {
        plans: ["a", "b", "c", "d", "e", "f"].map((name) => prune(name)),
        made: 6,
        steps: [update, { ...step("keep", "f"), reason: `NodePool f ${STAYS}` }],
      },
    ],
  ])("%s", async (_what, { plans, ...wanted }) => {
    expect(await settle(plans)).toStrictEqual(wanted);
  });

  test("is made no more once the run ends", async () => {
    expect(await settle([prune("a")], AbortSignal.abort())).toStrictEqual({ made: 1, steps: prune("a") });
  });
});
