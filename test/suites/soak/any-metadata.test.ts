/** At least three hundred random rewritings of metadata by a third user on a real API server. */
import { expect, test } from "vitest";
import { rewriteAtRandom } from "../../support/watch/any-metadata.ts";
import { describeOnOwnClusters } from "../../support/watch/on-clusters.ts";

describeOnOwnClusters("any metadata", (rig) => {
  test("changes no spec and no owner when it is rewritten three hundred times", async () => {
    expect(await rewriteAtRandom(rig, 200)).toBeGreaterThanOrEqual(300);
  });
});
