/** Which objects are pruned, and which are kept. Runs on real API servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { apply, remove } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { nodeClass, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  apiOf,
  ec2NodeClass,
  live,
  nodePool,
  OPERATOR,
  pass,
  put,
  said,
  watched,
} from "../../support/watch/rig.ts";

describeOnClusters("pruning", (rig) => {
  test("orphans are pruned, pools before classes, and no objects of others", async () => {
    await put(rig.guest, pool("batch"));
    await pass(watched(rig));
    await apply(rig.guest, OPERATOR, {
      ...nodePool("theirs"),
      spec: (await live(rig.guest, nodePool("web"))).spec ?? {},
    });
    const status = { conditions: [], resources: { nodes: "2" } };
    const path = `${await objectPath(rig.guest, nodePool("web"))}/status`;
    expect((await rig.guest.request(ADMIN, "PATCH", path, { status })).status).toBe(200);
    await remove(rig.guest, ADMIN, pool("web"));
    await remove(rig.guest, ADMIN, nodeClass("default"));
    const result = await pass(watched(rig));
    // Its other pool still has nodes of the class.
    expect(said(result)).toEqual(["in-sync NodePool/batch", "prune NodePool/web", "keep EC2NodeClass/default"]);
    expect(result.counts.pruned).toBe(1);
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const notes = (body.items ?? []).filter(({ reason }) => reason === "Pruned").map(({ note }) => note);
    expect(notes).toContain("deleted with its 2 nodes, because OpenshiftNodePool web is gone");
    await live(rig.guest, nodePool("theirs"));
    await expect(live(rig.guest, nodePool("web"))).rejects.toThrow("not found");
  });

  test("without the right to read Secrets nothing is pruned, unless the operator owns the classes", async () => {
    await put(rig.guest, pool("batch"));
    const management = apiOf(rig, "management", "guest-admin");
    const withoutSecrets: ClusterApi = {
      ...management,
      list: (kind, given) =>
        kind.kind === "Secret"
          ? apiOf(rig, "management", "plain-user").list(kind, given)
          : management.list(kind, given),
    };
    const config = join(rig.folder, "skip.yaml");
    const skip = {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "skip" },
      spec: { ec2NodeClasses: "Skip" },
    };
    writeFileSync(config, toYaml(skip));
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("batch"));
    expect(said(await pass(watched(rig, { management: withoutSecrets })))).toContain("keep NodePool/batch");
    const source = { paths: [], policyDir: undefined, config };
    const result = await pass(watched(rig, { management: withoutSecrets, source }));
    expect(said(result)).toEqual(["in-sync NodePool/web", "prune NodePool/batch"]);
    expect(result.result).toBe("ok");
    await live(rig.guest, ec2NodeClass("default"));
  });

  /** A guest client that calls a function once wrappers were listed. */
  function afterFirstLook(act: () => Promise<void>): ClusterApi {
    const guest = apiOf(rig, "guest", OPERATOR);
    let looks = 0;
    return {
      ...guest,
      list: async (collection, options) => {
        const answer = await guest.list(collection, options);
        if (collection.kind === "OpenshiftNodePool" && ++looks === 1) await act();
        return answer;
      },
    };
  }

  test("a mass deletion during a pass is counted as a whole", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) await put(rig.guest, pool(name));
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("a"));
    const others = names.slice(1);
    const removed = afterFirstLook(async () => {
      for (const name of others) await remove(rig.guest, ADMIN, pool(name));
    });
    const result = await pass(watched(rig, { guest: removed, pruneAfterMs: 50 }));
    expect(result).toMatchObject({ result: "held", counts: { pruned: 0, kept: 6 } });
    for (const name of names) await live(rig.guest, nodePool(name));
    // A wrapper that is back costs no node.
    for (const name of others) await put(rig.guest, pool(name));
    const back = afterFirstLook(() => put(rig.guest, pool("a")));
    expect((await pass(watched(rig, { guest: back, pruneAfterMs: 50 }))).counts).toMatchObject({ pruned: 0, kept: 0 });
    await remove(rig.guest, ADMIN, pool("a"));
    expect((await pass(watched(rig, { pruneAfterMs: 100 }))).counts).toMatchObject({ pruned: 1, kept: 0 });
  });

  test("nothing is pruned without any wrapper, above the limit, with an error, or if an annotation says keep", async () => {
    await put(rig.guest, pool("a"));
    await put(rig.guest, pool("b"));
    await pass(watched(rig));
    for (const name of ["a", "b", "web"]) await remove(rig.guest, ADMIN, pool(name));
    expect(said(await pass(watched(rig, { maxPrune: 2 })))).toEqual([
      "in-sync EC2NodeClass/default",
      "keep NodePool/a",
      "keep NodePool/b",
      "keep NodePool/web",
    ]);
    await remove(rig.guest, ADMIN, nodeClass("default"));
    const empty = await pass(watched(rig));
    expect(said(empty).every((line) => line.startsWith("keep"))).toBe(true);
    expect(empty.result).toBe("held");
    await put(
      rig.guest,
      nodeClass("default", {
        kubelet: {
          evictionSoftGracePeriod: { "memory.available": "soon" },
          evictionSoft: { "memory.available": "1Gi" },
        },
      }),
    );
    expect(said(await pass(watched(rig)))).toContain("keep NodePool/web");
    await put(rig.guest, nodeClass("default"));
    const annotate = { metadata: { annotations: { "cli-utils.sigs.k8s.io/on-remove": "keep" } } };
    await rig.guest.request(ADMIN, "PATCH", await objectPath(rig.guest, nodePool("a")), annotate);
    expect(said(await pass(watched(rig)))).toEqual([
      "in-sync EC2NodeClass/default",
      "keep NodePool/a",
      "prune NodePool/b",
      "prune NodePool/web",
    ]);
    await remove(rig.guest, ADMIN, nodeClass("default"));
    await rig.guest.request(ADMIN, "PATCH", await objectPath(rig.guest, nodePool("a")), {
      metadata: { annotations: { "cli-utils.sigs.k8s.io/on-remove": null } },
    });
    expect(said(await pass(watched(rig, { allowEmpty: true })))).toEqual([
      "prune NodePool/a",
      "prune EC2NodeClass/default",
    ]);
  });

  test("guards are deleted if the RenderConfig says so, and nothing is deleted with the feature gate off", async () => {
    await pass(watched(rig));
    const file = join(rig.folder, "config.yaml");
    const config = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig" };
    writeFileSync(file, toYaml({ ...config, spec: { admission: { mode: "None", nodeClaims: "None" } } }));
    const source = { paths: [], policyDir: undefined, config: file };
    const off = await pass(watched(rig, { source, render: { autoNode: false } }));
    expect(off).toMatchObject({ mode: "Hold", ready: { reason: "GateOff" }, counts: { pruned: 0, updated: 0 } });
    expect((await pass(watched(rig, { source }))).counts).toMatchObject({ pruned: 8, inSync: 2 });
    writeFileSync(file, toYaml({ ...config, spec: { admision: {} } }));
    expect(await pass(watched(rig, { source }))).toMatchObject({ mode: "Hold", ready: { reason: "InputUnreadable" } });
  });
});
