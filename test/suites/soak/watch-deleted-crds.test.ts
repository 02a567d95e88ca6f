/** Proves on real API servers that deleted CRDs come back, and that no applied object is deleted or widened with them. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { ourCrds } from "../../support/e2e/own-crds.ts";
import { ARCH, isIn, nodeClass, policy, pool } from "../../support/watch/inputs.ts";
import { ADMIN, apiOf, OPERATOR, pass, put, putEverything, said } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";
import {
  crd,
  crdsOf,
  describeWithoutCrds,
  installing,
  NODE_CLASSES,
  NODE_POOLS,
  outcomes,
  POLICIES,
} from "../../support/watch/without-crds.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

describeWithoutCrds("deleted CRDs", (rig) => {
  beforeEach(async () => {
    await pass(installing(rig));
    await putEverything(rig, [isIn(ARCH, "amd64")]);
    await put(rig.guest, pool("batch"));
    expect((await pass(installing(rig))).result).toBe("ok");
    // Times of the API server have no fractions of seconds.
    await sleep(1100);
  });

  test("they come back while the watch runs, and nothing of what was applied goes", async () => {
    const { state, fleet, ended } = runInProcess([specOf(rig, "watch", { installCrds: true })], { intervalMs: 500 });
    await expect.poll(() => state("watch")?.last?.result, { timeout: 20_000 }).toBe("ok");
    for (const name of [NODE_POOLS, NODE_CLASSES]) await remove(rig.guest, ADMIN, crd(name));
    const words = () =>
      stepsOf(state("watch")?.last ?? { outcomes: [] }).map(({ step }) => `${step.action} ${step.kind}/${step.name}`);
    await expect
      .poll(words, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(["keep NodePool/batch", "keep NodePool/web", "keep EC2NodeClass/default"]));
    await waitEstablished(rig.guest, [NODE_POOLS, NODE_CLASSES]);
    // A user restores them one after the other.
    await put(rig.guest, nodeClass("default"));
    await put(rig.guest, pool("web"));
    await expect
      .poll(() => words(), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(["in-sync EC2NodeClass/default", "in-sync NodePool/web", "keep NodePool/batch"]));
    expect(state("watch")?.pruned).toBe(0);
    fleet.quit();
    await ended;
  });

  /** As if it had been there for so much longer. */
  function older(api: ClusterApi, kind: string, milliseconds: number): ClusterApi {
    return {
      ...api,
      list: async (collection, options) => {
        const answer = await api.list(collection, options);
        if (!answer.ok || collection.kind !== kind) return answer;
        const items = answer.value.items.map((item) => {
          const created = Date.parse(item.metadata.creationTimestamp ?? "") - milliseconds;
          return { ...item, metadata: { ...item.metadata, creationTimestamp: new Date(created).toISOString() } };
        });
        return { ok: true, value: { ...answer.value, items } };
      },
    };
  }

  test("the one of the policy comes back without any policy, and opens no pool", async () => {
    await remove(rig.management, ADMIN, crd(POLICIES));
    await waitGone(rig.management, crd(POLICIES));
    const guest = older(apiOf(rig, "guest", OPERATOR), "NodePool", 3_600_000);
    const result = await pass(installing(rig, { guest }));
    expect(outcomes(result)[2]).toBe(`management ${POLICIES} created`);
    expect(result).toMatchObject({
      result: "held",
      mode: "Hold",
      ready: {
        reason: "PolicyRequired",
        message:
          "there is no AutoNodePolicy, and its CustomResourceDefinition is younger than NodePool batch: deleting it deleted every policy; apply the policy again, or one with an empty spec if you want none; applied objects stay as they are",
      },
    });
    expect(said(result).filter((line) => /^(update|prune|create)/.test(line))).toEqual([]);
    await put(rig.management, { ...policy([]), spec: {} });
    expect((await pass(installing(rig, { guest }))).mode).toBe("Apply");
  });

  /** Whose role says nothing of definitions. */
  function blind(): ClusterApi {
    const management = apiOf(rig, "management", "guest-admin");
    return {
      ...management,
      get: (kind, name) =>
        kind.kind === "CustomResourceDefinition"
          ? apiOf(rig, "management", "plain-user").get(kind, name)
          : management.get(kind, name),
    };
  }

  test("the one of the policy also holds if anp may not read CRDs", async () => {
    await remove(rig.management, ADMIN, policy([]));
    expect((await pass(installing(rig))).mode).toBe("Permissive");
    const result = await pass(installing(rig, { management: blind() }));
    expect([result.mode, result.ready.reason]).toEqual(["Hold", "PolicyUnavailable"]);
  });

  test("created anew by another user, the one of the policy opens no pool if a watch may read it", async () => {
    await remove(rig.management, ADMIN, crd(POLICIES));
    await waitGone(rig.management, crd(POLICIES));
    for (const definition of await ourCrds("hypershift"))
      if (definition.metadata?.name === POLICIES) await put(rig.management, definition);
    await waitEstablished(rig.management, [POLICIES]);
    const asked = { installCrds: false, guest: older(apiOf(rig, "guest", OPERATOR), "NodePool", 3_600_000) };
    const result = await pass(installing(rig, asked));
    expect([result.mode, result.ready.reason]).toEqual(["Hold", "PolicyRequired"]);
    const judged = await pass(installing(rig, { ...asked, management: blind(), dryRun: true }));
    expect(judged.mode).toBe("Permissive");
  });

  test("one that is still being deleted is waited for by the next pass", async () => {
    const finalizers = ["anp.test/wait"];
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${NODE_POOLS}`;
    const hold = (value: readonly string[]) =>
      rig.guest.request(ADMIN, "PATCH", path, { metadata: { finalizers: value } });
    expect((await hold(finalizers)).status).toBe(200);
    await remove(rig.guest, ADMIN, crd(NODE_POOLS));
    const result = await pass(installing(rig));
    expect(crdsOf(result)[1]).toMatchObject({ words: "serve failed", result: "failed" });
    expect([result.result, said(result).filter((line) => line.startsWith("prune"))]).toEqual(["failed", []]);
    expect((await hold([])).status).toBe(200);
    await waitGone(rig.guest, crd(NODE_POOLS));
    expect(outcomes(await pass(installing(rig)))[1]).toBe(`guest ${NODE_POOLS} created`);
  });
});
