/** Any metadata that a third user writes changes no spec, and anp changes no metadata of others; more cases in test/soak. */
import { expect, test } from "vitest";
import { rewriteAtRandom } from "../../support/watch/any-metadata.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";

describeOnClusters("any metadata", (rig) => {
  test("changes no spec and no owner", async () => {
    expect(await rewriteAtRandom(rig, 12)).toBeGreaterThan(12);
  });
});
