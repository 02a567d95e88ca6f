/** Whatever a third user writes into the metadata of objects, specs stay as rendered, and nothing of others is touched; many more cases in test/soak. */
import { expect, test } from "vitest";
import { rewriteAtRandom } from "../../support/watch/any-metadata.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";

describeOnClusters("any metadata", (rig) => {
  test("changes no spec and no owner", async () => {
    expect(await rewriteAtRandom(rig, 12)).toBeGreaterThan(12);
  });
});
