/** A watch of a hosted cluster in which users write NodePools, and the way there and back. On real API servers. */
import { expect, test, vi } from "vitest";
import { admissionPolicyName } from "../../../src/model/objects/reserved-names.ts";
import { apply, remove } from "../../support/controlplane/objects.ts";
import { pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, live, nodePool, pass, put, said, watched } from "../../support/watch/rig.ts";

const RAW = { render: { nodePools: "Raw" } } as const;

const GUARD = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: admissionPolicyName("nodepool") },
};

describeOnClusters("users' NodePools", (rig) => {
  test("are neither changed nor deleted, and their own admission policy is gone", async () => {
    await pass(watched(rig));
    const spec = (await live(rig.guest, nodePool("web"))).spec ?? {};
    const users = { ...nodePool("users"), spec };
    await live(rig.guest, GUARD);
    await pass(watched(rig, RAW));
    await expect(live(rig.guest, GUARD)).rejects.toThrow("not found");
    // API servers drop an admission policy some time after its deletion.
    await vi.waitFor(
      async () => expect((await apply(rig.guest, "guest-admin", users)).status).toBeLessThan(300),
      20_000,
    );
    const made = await live(rig.guest, users);
    expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
    expect(await live(rig.guest, users)).toEqual(made);
  });

  test("take over the pools of wrappers and give them back, and no pool is deleted", async () => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    const own = { ...nodePool("web"), spec: before.spec ?? {} };
    expect((await apply(rig.guest, "guest-admin", own)).status).toBeLessThan(300);
    await remove(rig.guest, ADMIN, pool("web"));
    const kept = await pass(watched(rig, RAW));
    expect(said(kept)).toContain("keep NodePool/web");
    expect((await live(rig.guest, nodePool("web"))).metadata?.uid).toBe(before.metadata?.uid);
    await put(rig.guest, pool("web"));
    const back = await pass(watched(rig));
    // Both own its fields, and anp is the only one that keeps them.
    expect(said(back)).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
    const after = await live(rig.guest, nodePool("web"));
    expect([after.metadata?.uid, after.spec]).toEqual([before.metadata?.uid, before.spec]);
  });
});
