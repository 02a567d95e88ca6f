/** `anp fn` over ten thousand wrappers. */
import { beforeAll, expect, it } from "vitest";
import { anp, buildOnce } from "../../support/process/built.ts";
import { manyPools, policy } from "../../support/process/inputs.ts";
import { listOf } from "../../support/process/resource-lists.ts";

beforeAll(buildOnce);

it("takes less than thirty times as long as over a thousand", () => {
  const took = (count: number): number => {
    const input = listOf({ "policy.yaml": policy(), "pools.yaml": manyPools(count) });
    const start = performance.now();
    const { exit, stdout } = anp(["fn"], { input });
    const milliseconds = performance.now() - start;
    expect(exit).toBe(0);
    expect(stdout.startsWith(input)).toBe(true);
    expect(stdout.match(/^ {2}kind: NodePool$/gm)).toHaveLength(count);
    return milliseconds;
  };
  expect(took(10_000)).toBeLessThan(30 * took(1000));
});
