/** A watch of a hosted cluster in which users write NodePools, and the way there and back. On real API servers. */
import { expect, test, vi } from "vitest";
import { inventoryLocation } from "../../../src/cluster/inventory/location.ts";
import { knownIn, readInventory } from "../../../src/cluster/inventory/read-inventory.ts";
import { admissionPolicyName } from "../../../src/model/objects/reserved-names.ts";
import { apply, remove, until, waitGone } from "../../support/controlplane/objects.ts";
import { nodeClass, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, live, nodePool, OPERATOR, pass, put, said, watched } from "../../support/watch/rig.ts";

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

  test("take over the pools of wrappers, and no pool is deleted: the inventory releases them", async () => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    await takeOver("web");
    await remove(rig.guest, ADMIN, pool("web"));
    const released = await pass(watched(rig, RAW));
    expect(said(released)).toEqual(["in-sync EC2NodeClass/default", "release NodePool/web"]);
    expect(released.result).toBe("ok");
    expect(await entryOf("web")).toMatchObject({ uid: before.metadata?.uid, released: true });
    const taken = await live(rig.guest, nodePool("web"));
    expect(taken.metadata?.uid).toBe(before.metadata?.uid);
    expect(taken.spec).toMatchObject({ weight: 7 });
    // It stays a user's without Raw and with every guard of pruning off, and its class stays for its nodes.
    for (const over of [RAW, { allowEmpty: true }, { ...RAW, allowEmpty: true }]) {
      const steps = said(await pass(watched(rig, over))).filter((step) => step.includes("/web"));
      expect(steps).toEqual("render" in over ? [] : ["unclaimed NodePool/web"]);
      expect(await live(rig.guest, nodePool("web"))).toEqual(taken);
    }
    await remove(rig.guest, ADMIN, nodeClass("default"));
    expect(said(await pass(watched(rig, { allowEmpty: true })))).toContain("keep EC2NodeClass/default");
  });

  test.each([RAW, {}])("are anp's again when their wrapper is back, with the same uid: %j", async (mode) => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    await takeOver("web");
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await put(rig.guest, pool("web"));
    // Both own its fields, and anp is the only one that keeps them.
    expect(said(await pass(watched(rig, mode)))).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
    const after = await live(rig.guest, nodePool("web"));
    expect([after.metadata?.uid, after.spec]).toEqual([before.metadata?.uid, before.spec]);
    expect(await entryOf("web")).not.toHaveProperty("released");
    await put(rig.guest, pool("other"));
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("web"));
    expect(said(await pass(watched(rig)))).toContain("prune NodePool/web");
  });

  test("lose their entry in the inventory when a user deletes them, and their wrapper makes new ones", async () => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await remove(rig.guest, OPERATOR, nodePool("web"));
    await waitGone(rig.guest, nodePool("web"));
    await put(rig.guest, pool("web"));
    expect(said(await pass(watched(rig, RAW)))).toContain("create NodePool/web");
    const made = await live(rig.guest, nodePool("web"));
    expect(made.metadata?.uid).not.toBe(before.metadata?.uid);
    expect(await entryOf("web")).toMatchObject({ uid: made.metadata?.uid });
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await remove(rig.guest, OPERATOR, nodePool("web"));
    await waitGone(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    expect(await entryOf("web")).toBeUndefined();
  });

  /** A user's own manifest of a pool, once the admission policy is gone. */
  async function takeOver(name: string): Promise<void> {
    const { spec } = await live(rig.guest, nodePool(name));
    const own = { ...nodePool(name), spec: { ...spec, weight: 7 } };
    await until(`NodePool ${name} taken over`, async () => {
      const { status } = await apply(rig.guest, "guest-admin", own, { force: true });
      return status < 300;
    });
  }

  async function entryOf(name: string): Promise<unknown> {
    const reading = await readInventory(inventoryLocation(watched(rig)));
    return knownIn(reading)?.get(`NodePool/${name}`);
  }
});
