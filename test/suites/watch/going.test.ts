/** A pass with a wrapper that is being deleted, and with an API server that is starting. Runs on real API servers. */
import { expect, test } from "vitest";
import { failed } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { get, remove } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { ARCH, isIn, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, apiOf, nodePool, OPERATOR, pass, put, requirementsOf, said, watched } from "../../support/watch/rig.ts";

describeOnClusters("a pass", (rig) => {
  test("a wrapper with a finalizer keeps its pool, and gets no new pool when that is deleted", async () => {
    const finalizers = ["hypershift.openshift.io/nodepool-finalizer"];
    await put(rig.guest, { ...pool("web"), metadata: { name: "web", finalizers } });
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("web"));
    expect(said(await pass(watched(rig)))).toContain("in-sync NodePool/web");
    await remove(rig.guest, OPERATOR, nodePool("web"));
    expect(said(await pass(watched(rig)))).toEqual(["in-sync EC2NodeClass/default"]);
    expect((await get(rig.guest, ADMIN, nodePool("web"))).status).toBe(404);
    const path = await objectPath(rig.guest, pool("web"));
    expect((await rig.guest.request(ADMIN, "PATCH", path, { metadata: { finalizers: [] } })).status).toBe(200);
  });

  test.each([
    [false, "Hold", [isIn(ARCH, "amd64")]],
    [true, "Permissive", []],
  ])("a forbidden policy counts only if the server is ready: %s", async (ready, mode, requirements) => {
    await pass(watched(rig));
    const management = apiOf(rig, "management", "guest-admin");
    const refused = { kind: "forbidden", status: 403, reason: "Forbidden", message: "no" } as const;
    const forbidding: ClusterApi = {
      ...management,
      list: (kind, options) =>
        kind.kind === "AutoNodePolicy" ? Promise.resolve(failed(refused)) : management.list(kind, options),
      isReady: () => Promise.resolve(ready),
    };
    const result = await pass(watched(rig, { management: forbidding, onPolicyUnreadable: "Permissive" }));
    expect(result.mode).toBe(mode);
    expect(await requirementsOf(rig, "web")).toEqual(requirements);
    expect(await management.isReady()).toBe(true);
  });
});
