/** The inventory decides which objects anp owns, not fields that users can write. Runs on real API servers. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failed } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, remove, until, waitGone } from "../../support/controlplane/objects.ts";
import { ARCH, isIn, NAMESPACE, nodeClass, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  apiOf,
  appliedObjects,
  clearInventories,
  ec2NodeClass,
  live,
  nodePool,
  OPERATOR,
  pass,
  put,
  readyOf,
  requirementsOf,
  said,
  watched,
} from "../../support/watch/rig.ts";
import { marksOf, openWatch, rewrite, THIRD_USER, WIPED } from "../../support/watch/third-user.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

const TIGHT = [isIn(ARCH, "arm64")];

const BINDING: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
};

const CLASS_REF = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" };

describeOnClusters("the inventory", (rig) => {
  const open = (over: Partial<WatchedCluster> = {}) => openWatch(rig, over);

  /** A pool that a provider created by hand. */
  async function theirs(name: string): Promise<KubernetesObject> {
    const spec = { template: { spec: { nodeClassRef: CLASS_REF, requirements: [] } }, weight: 3 };
    const { status, body } = await create(rig.guest, OPERATOR, { ...nodePool(name), spec });
    expect(status).toBe(201);
    return body;
  }

  const drop = async (object: KubernetesObject) => {
    await remove(rig.guest, OPERATOR, object);
    await waitGone(rig.guest, object);
  };

  test("a pool without managedFields gets a tightened policy, and is pruned without its wrapper", async () => {
    await put(rig.guest, pool("batch"));
    await pass(open());
    expect(await rewrite(rig.guest, nodePool("web"), WIPED)).toBe(200);
    await put(rig.management, policy(TIGHT));
    expect(said(await pass(open()))).toContain("update NodePool/web");
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { updated: 0, inSync: 11 } });
    expect(await rewrite(rig.guest, nodePool("web"), WIPED)).toBe(200);
    await remove(rig.guest, ADMIN, pool("web"));
    expect(said(await pass(open()))).toContain("prune NodePool/web");
  });

  test("and so is one without marks, or with the marks and the owner of others", async () => {
    await pass(open());
    const owner = { apiVersion: "karpenter.hypershift.openshift.io/v1beta1", kind: "OpenshiftNodePool", name: "web" };
    const { uid } = (await live(rig.guest, pool("web"))).metadata!;
    const reference = { ...owner, uid, controller: true };
    const labels = { "app.kubernetes.io/managed-by": "velero", "anp.hypershift.openshift.io/set": "f".repeat(40) };
    expect(
      await rewrite(rig.guest, nodePool("web"), [
        { op: "add", path: "/metadata/labels", value: labels },
        { op: "remove", path: "/metadata/annotations" },
        { op: "add", path: "/metadata/ownerReferences", value: [reference] },
        ...WIPED,
      ]),
    ).toBe(200);
    await put(rig.management, policy(TIGHT));
    expect(said(await pass(open()))).toContain("update NodePool/web");
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
    expect((await pass(open())).result).toBe("ok");
  });

  test.each<[string, (entry: Record<string, unknown>) => unknown[]]>([
    ["leave a field out", ({ fieldsV1, ...entry }) => [{ ...entry, fieldsV1: without(fieldsV1, "f:limits") }]],
    ["own the spec as one", (entry) => [{ ...entry, fieldsV1: { "f:spec": {} } }]],
    [
      "name another owner",
      (entry) => [entry, { ...entry, manager: "x", fieldsV1: { "f:spec": { "f:limits": { "f:cpu": {} } } } }],
    ],
    [
      "name another owner for a subresource",
      (entry) => [
        entry,
        {
          ...entry,
          manager: "x",
          operation: "Update",
          subresource: "scale",
          fieldsV1: { "f:spec": { "f:limits": { "f:cpu": {} } } },
        },
      ],
    ],
  ])("managedFields that %s keep no field that is no longer rendered", async (_what, forge) => {
    await put(rig.guest, pool("web", [], { limits: { cpu: "4" } }));
    await pass(open());
    const { metadata, spec } = await live(rig.guest, nodePool("web"));
    expect(spec).toHaveProperty("limits");
    const entries = metadata?.["managedFields"] as Record<string, unknown>[];
    const ours = entries.find(({ manager }) => manager === "anp")!;
    const value = forge(ours);
    expect(await rewrite(rig.guest, nodePool("web"), [{ op: "replace", path: "/metadata/managedFields", value }])).toBe(
      200,
    );
    await remove(rig.guest, ADMIN, pool("web"));
    await waitGone(rig.guest, pool("web"));
    await put(rig.guest, pool("web"));
    expect((await pass(open())).result).toBe("ok");
    expect((await live(rig.guest, nodePool("web"))).spec).not.toHaveProperty("limits");
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { updated: 0 } });
  });

  test("a provider's pool with all marks of anp is neither deleted nor overwritten", async () => {
    await pass(open());
    const { metadata } = await theirs("theirs");
    expect(await rewrite(rig.guest, nodePool("theirs"), await marksOf(rig.guest, nodePool("web")))).toBe(200);
    const path = "/metadata/annotations/anp.hypershift.openshift.io~1rendered-from";
    const value = "OpenshiftNodePool/theirs";
    expect(await rewrite(rig.guest, nodePool("theirs"), [{ op: "replace", path, value }])).toBe(200);
    const marked = await pass(open());
    expect(said(marked)).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web", "unclaimed NodePool/theirs"]);
    expect(stepsOf(marked).at(-1)?.step).toMatchObject({
      reason:
        "NodePool theirs has anp's marks and no wrapper, and is not in the inventory: it is neither changed nor deleted",
      advice: "--adopt NodePool/theirs adds it",
    });
    await put(rig.guest, pool("theirs"));
    expect(said(await pass(open()))).toContain("foreign-object NodePool/theirs");
    await remove(rig.guest, ADMIN, pool("theirs"));
    await pass(open());
    const now = await live(rig.guest, nodePool("theirs"));
    expect([now.metadata?.uid, now.metadata?.generation]).toEqual([metadata?.uid, 1]);
  });

  test("a guard that was made foreign and set to Audit is taken over again, and so is a foreign one", async () => {
    await pass(open());
    const before = (await live(rig.guest, BINDING)).spec;
    const audit = { op: "replace", path: "/spec/validationActions", value: ["Audit"] } as const;
    expect(await rewrite(rig.guest, BINDING, [audit, { op: "remove", path: "/metadata/labels" }, ...WIPED])).toBe(200);
    expect((await pass(open())).result).toBe("ok");
    expect((await live(rig.guest, BINDING)).spec).toEqual(before);
    await drop(BINDING);
    const labels = { "app.kubernetes.io/managed-by": "anp", "anp.hypershift.openshift.io/set": "f".repeat(40) };
    const metadata = { ...BINDING.metadata, labels };
    await create(rig.guest, THIRD_USER, { ...BINDING, metadata, spec: { ...before, validationActions: ["Audit"] } });
    expect((await pass(open())).result).toBe("ok");
    expect((await live(rig.guest, BINDING)).spec).toEqual(before);
    expect((await pass(open())).counts).toMatchObject({ updated: 0, inSync: 10 });
  });

  test("an object that is restored from a backup is anp's again while its wrapper exists", async () => {
    await put(rig.guest, pool("batch"));
    await pass(open());
    const objects = await appliedObjects(rig.guest);
    expect(objects).toHaveLength(11);
    for (const object of objects) await drop(object);
    for (const { apiVersion, kind, metadata, spec } of objects) {
      const { name, labels, annotations } = metadata!;
      const again = { apiVersion, kind, metadata: { name, labels, annotations }, spec };
      expect((await create(rig.guest, OPERATOR, again as KubernetesObject, { fieldManager: "velero" })).status).toBe(
        201,
      );
    }
    await put(rig.management, policy(TIGHT));
    const restored = await pass(open());
    expect(restored).toMatchObject({ result: "ok", counts: { foreign: 0, created: 0, updated: 10 } });
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
    // The binding for node classes equals that of HyperShift's operator, which may have created it.
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { updated: 0, inSync: 10 } });
    await remove(rig.guest, ADMIN, pool("batch"));
    expect(said(await pass(open()))).toContain("prune NodePool/batch");
  });

  test("an object that anp deleted leaves the inventory: a new one with its name is foreign", async () => {
    await put(rig.guest, pool("batch"));
    await pass(open());
    await remove(rig.guest, ADMIN, pool("batch"));
    await pass(open());
    await waitGone(rig.guest, nodePool("batch"));
    await pass(open());
    const { metadata } = await theirs("batch");
    await put(rig.guest, pool("batch"));
    expect(said(await pass(open()))).toContain("foreign-object NodePool/batch");
    expect((await live(rig.guest, nodePool("batch"))).metadata).toMatchObject({ uid: metadata?.uid, generation: 1 });
  });

  const partOf = async (): Promise<KubernetesObject> =>
    live(rig.management, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `anp-inventory.${NAMESPACE}.watch.0`, namespace: NAMESPACE },
    });

  test("it lists the objects, and is written only when something changes", async () => {
    await pass(open());
    const part = await partOf();
    const { data } = part as unknown as { data: { objects: string } };
    const entries = JSON.parse(data.objects) as { kind: string; name: string; uid: string }[];
    const objects = await appliedObjects(rig.guest);
    const ids = objects.map(({ kind, metadata }) => `${kind}/${metadata?.name} ${metadata?.uid}`);
    expect(entries.map(({ kind, name, uid }) => `${kind}/${name} ${uid}`).toSorted()).toEqual(ids.toSorted());
    await pass(open());
    expect((await partOf()).metadata?.["resourceVersion"]).toBe(part.metadata?.["resourceVersion"]);
    await pass(open({ name: "other" }));
    expect((await partOf()).metadata?.["resourceVersion"]).toBe(part.metadata?.["resourceVersion"]);
  });

  /** The management cluster, with other answers to requests for ConfigMaps. */
  function withConfigMaps(over: (management: ClusterApi) => Partial<ClusterApi>): ClusterApi {
    const management = apiOf(rig, "management", THIRD_USER);
    return { ...management, ...over(management) };
  }

  const FORBIDDEN = failed({ kind: "forbidden", status: 403, message: "no" });

  test("while it cannot be read nothing is created, changed or deleted, and the guards stay in force", async () => {
    await put(rig.guest, pool("batch"));
    await pass(open());
    await put(rig.management, policy(TIGHT));
    await put(rig.guest, pool("new"));
    await remove(rig.guest, ADMIN, pool("batch"));
    await remove(rig.guest, ADMIN, BINDING);
    const blind = withConfigMaps(({ get }) => ({
      get: (kind, name) => (kind.kind === "ConfigMap" ? Promise.resolve(FORBIDDEN) : get(kind, name)),
    }));
    const held = await pass(open({ management: blind }));
    expect(said(held)).toEqual(["hold EC2NodeClass/default", "hold NodePool/new", "hold NodePool/web"]);
    expect(held).toMatchObject({ result: "failed", mode: "Hold", counts: { created: 1, pruned: 0 } });
    expect(await readyOf(rig)).toMatchObject({
      status: "False",
      reason: "InventoryUnreadable",
      message: `the inventory ${NAMESPACE}/anp-inventory.${NAMESPACE}.watch.0 of the management cluster cannot be read: no; which objects anp owns is unknown, so nothing is changed`,
    });
    expect(await requirementsOf(rig, "web")).toEqual([isIn(ARCH, "amd64")]);
    await live(rig.guest, BINDING);
    const after = await pass(open());
    expect(said(after)).toEqual([
      "in-sync EC2NodeClass/default",
      "create NodePool/new",
      "update NodePool/web",
      "prune NodePool/batch",
    ]);
    expect(after.result).toBe("ok");
  });

  test.each<[string, Record<string, string | null>, string]>([
    ["of another set", { set: "f".repeat(40) }, "it belongs to another watch or hosted cluster"],
    ["cut off", { objects: "[" }, "its objects are not JSON"],
    ["with an invalid object", { objects: '[{"kind":"NodePool"}]' }, "its object 1 is invalid"],
    ["without one of its parts", { parts: "2" }, "a part of it is missing"],
    ["without a number of parts", { parts: null }, "it does not say how many parts it has"],
  ])(
    "one that is %s is repaired: nothing is deleted in that pass, and orphans of its copies in the next",
    async (_what, data, words) => {
      await put(rig.guest, pool("batch"));
      await pass(open());
      // A change, so that the earlier copy has all entries.
      await put(rig.guest, pool("other"));
      await pass(open());
      const { metadata } = await partOf();
      const path = `/api/v1/namespaces/${NAMESPACE}/configmaps/${metadata?.name}`;
      expect((await rig.management.request(ADMIN, "PATCH", path, { data })).status).toBe(200);
      await remove(rig.guest, ADMIN, pool("batch"));
      await put(rig.management, policy(TIGHT));
      const first = await pass(open());
      expect(first).toMatchObject({ counts: { pruned: 0, foreign: 0 } });
      expect(first.outcomes).toContainEqual(
        expect.objectContaining({ state: "repaired", why: expect.stringContaining(words) as string }),
      );
      expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
      const next = await pass(open());
      // The copy of another set does not count: then batch is reported as an object that only has marks.
      const last = "set" in data ? "unclaimed NodePool/batch" : "prune NodePool/batch";
      expect(said(next).at(-1)).toBe(last);
    },
  );

  test("an object is not created if its entry cannot be written", async () => {
    const mute = withConfigMaps(({ patch }) => ({
      patch: (kind, name, change) =>
        kind.kind === "ConfigMap" ? Promise.resolve(FORBIDDEN) : patch(kind, name, change),
    }));
    const refused = await pass(open({ management: mute }));
    expect(said(refused)).toEqual(["create EC2NodeClass/default failed", "create NodePool/web failed"]);
    expect(refused).toMatchObject({ result: "failed", counts: { created: 8 } });
    await pass(open());
    await put(rig.management, policy(TIGHT));
    expect(said(await pass(open({ management: mute })))).toContain("update NodePool/web");
    expect(await requirementsOf(rig, "web")).toEqual(TIGHT);
  });

  test("an object is found again if the watch ended between its creation and the write of its uid", async () => {
    let writes = 0;
    const dying = withConfigMaps(({ patch }) => ({
      patch: (kind, name, change) =>
        kind.kind === "ConfigMap" && ++writes > 1 ? Promise.resolve(FORBIDDEN) : patch(kind, name, change),
    }));
    const cut = await pass(open({ management: dying }));
    expect(cut).toMatchObject({ result: "failed", counts: { created: 10 } });
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { foreign: 0, failed: 0 } });
    // Except for the binding, which may be the operator's.
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { updated: 0, inSync: 9 } });
  });

  test("two replicas that write it at once lose no entries", async () => {
    await pass(open());
    await put(rig.guest, pool("mine"));
    let other: Promise<unknown> | undefined;
    const raced = withConfigMaps(({ patch }) => ({
      patch: async (kind, name, change) => {
        if (kind.kind !== "ConfigMap" || other !== undefined) return patch(kind, name, change);
        await put(rig.guest, pool("others"));
        other = pass(open());
        await other;
        return patch(kind, name, change);
      },
    }));
    expect((await pass(open({ management: raced }))).result).toBe("ok");
    expect(await pass(open())).toMatchObject({ result: "ok", counts: { foreign: 0, inSync: 12 } });
  });

  test("after an upgrade, objects with marks, managedFields and a wrapper are anp's; the others are reported", async () => {
    for (const name of ["batch", "orphan", "wiped"]) await put(rig.guest, pool(name));
    await pass(open());
    await clearInventories(rig.management, NAMESPACE);
    await remove(rig.guest, ADMIN, pool("orphan"));
    expect(await rewrite(rig.guest, nodePool("wiped"), WIPED)).toBe(200);
    const uids = await uidsOf(rig.guest);
    const first = await pass(open());
    expect(said(first)).toEqual([
      "in-sync EC2NodeClass/default",
      "in-sync NodePool/batch",
      "in-sync NodePool/web",
      "foreign-object NodePool/wiped",
      "unclaimed NodePool/orphan",
    ]);
    expect(first.counts).toMatchObject({ updated: 0, pruned: 0, created: 0 });
    expect(await uidsOf(rig.guest)).toEqual(uids);
    await remove(rig.guest, ADMIN, pool("batch"));
    expect(said(await pass(open()))).toContain("prune NodePool/batch");
    const adopt = new Set(["NodePool/orphan", "NodePool/wiped"]);
    const adopted = await pass(open({ adopt }));
    expect(said(adopted)).toEqual([
      "in-sync EC2NodeClass/default",
      "in-sync NodePool/web",
      "update NodePool/wiped",
      "unclaimed NodePool/orphan",
    ]);
    expect(said(await pass(open({ adopt })))).toEqual([
      "in-sync EC2NodeClass/default",
      "in-sync NodePool/web",
      "in-sync NodePool/wiped",
      "prune NodePool/orphan",
    ]);
  });

  test("it is not created while a wrapper may be one that could not be read", async () => {
    await pass(open());
    await clearInventories(rig.management, NAMESPACE);
    const guest = apiOf(rig, "guest", OPERATOR);
    const blind: ClusterApi = {
      ...guest,
      list: (kind, options) =>
        kind.kind === "OpenshiftNodePool" ? Promise.resolve(FORBIDDEN) : guest.list(kind, options),
    };
    expect(await pass(open({ guest: blind }))).toMatchObject({
      mode: "Hold",
      ready: {
        reason: "InventoryUnreadable",
        message:
          "there is no inventory yet, and it cannot be created while the wrapper of NodePool web may be one that could not be read",
      },
    });
    await put(rig.management, policy(TIGHT));
    expect(said(await pass(open()))).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
  });

  test("a pool that lost its wrapper with the CRD is checked by its name, not by its marks", async () => {
    await pass(open());
    const path = "/metadata/annotations/anp.hypershift.openshift.io~1rendered-from";
    expect(await rewrite(rig.guest, nodePool("web"), [{ op: "remove", path }])).toBe(200);
    await remove(rig.guest, ADMIN, pool("web"));
    const guest = apiOf(rig, "guest", OPERATOR);
    const blind: ClusterApi = {
      ...guest,
      get: (kind, name) =>
        kind.kind === "CustomResourceDefinition" ? Promise.resolve(FORBIDDEN) : guest.get(kind, name),
    };
    expect(said(await pass(open({ guest: blind })))).toContain("keep NodePool/web");
  });

  test("without a management cluster it is in the guest cluster, and only allowed writers can write it", async () => {
    const folder = join(rig.folder, "alone");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "all.yaml"), [policy(TIGHT), pool("web")].map((object) => toYaml(object)).join("---\n"));
    const source = { paths: [folder], policyDir: undefined, config: undefined };
    const alone = () => watched(rig, { management: undefined, source, readDirectory: directoryReader(source) });
    expect(await pass(alone())).toMatchObject({ result: "ok", counts: { created: 11 } });
    const path = "/api/v1/namespaces/kube-system/configmaps";
    const name = `anp-inventory.${NAMESPACE}.watch.0`;
    const request = (method: "POST" | "PATCH" | "DELETE", to: string, body?: object) =>
      rig.guest.request(THIRD_USER, method, `${path}${to}`, body);
    const made = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });
    // The API server enforces a new guard after a moment.
    await until("the guard is in force", async () => (await request("PATCH", `/${name}`, { data: {} })).status === 422);
    const denied = async (...given: Parameters<typeof request>) => (await request(...given)).body.message;
    const words = expect.stringContaining("What anp has made is written by anp alone.");
    expect(await denied("PATCH", `/${name}`, { metadata: { labels: { a: "b" } } })).toEqual(words);
    expect(await denied("DELETE", `/${name}`)).toEqual(words);
    expect(await denied("DELETE", "?fieldSelector=metadata.name%3D" + name)).toEqual(words);
    expect(await denied("POST", "", made({ name: "anp-inventory.clusters-c1.watch.1" }))).toEqual(words);
    expect((await request("POST", "", made({ name: "other" }))).status).toBe(201);
    expect((await request("POST", "", made({ generateName: "other-" }))).status).toBe(201);
    expect((await request("PATCH", "/other", { data: { a: "b" } })).status).toBe(200);
    expect((await request("DELETE", "/other")).status).toBe(200);
    expect(await pass(alone())).toMatchObject({ result: "ok", counts: { updated: 0, inSync: 11 } });
    rmSync(folder, { recursive: true });
  });

  test("a class that HyperShift's operator created again is the operator's, though anp had created one with its name", async () => {
    await pass(open());
    await drop(ec2NodeClass("default"));
    const { apiVersion, kind, metadata } = await live(rig.guest, nodeClass("default"));
    const owner = { apiVersion, kind, name: "default", uid: metadata?.uid, controller: true };
    const spec = { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-0f00" }] };
    const object = { ...ec2NodeClass("default"), metadata: { name: "default", ownerReferences: [owner] }, spec };
    expect((await create(rig.guest, OPERATOR, object as KubernetesObject)).status).toBe(201);
    expect(said(await pass(open()))).toContain("managed-by-operator EC2NodeClass/default");
  });
});

function without(fields: unknown, key: string): unknown {
  const { "f:spec": spec, ...others } = fields as Record<string, Record<string, unknown>>;
  const { [key]: _left, ...rest } = spec!;
  return { ...others, "f:spec": rest };
}

async function uidsOf(on: ControlPlane): Promise<string[]> {
  return (await appliedObjects(on)).map(({ kind, metadata }) => `${kind}/${metadata?.name} ${metadata?.uid}`);
}
