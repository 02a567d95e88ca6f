/** Wrappers that vanish with their CRD or during a list do not cost pools. Runs on real API servers. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { failed } from "../../../src/cluster/api/api-answer.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { installOurCrds } from "../../support/e2e/own-crds.ts";
import { ARCH, isIn, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnOwnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, apiOf, OPERATOR, pass, put, said, watched } from "../../support/watch/rig.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "openshiftnodepools.karpenter.hypershift.openshift.io" },
};

async function remakeCrd(on: ControlPlane): Promise<void> {
  await remove(on, ADMIN, CRD);
  await waitGone(on, CRD);
  await installOurCrds(on, "hypershift");
  await waitEstablished(on, [CRD.metadata.name]);
}

describeOnOwnClusters("wrappers that vanish", (rig) => {
  describe("with their CustomResourceDefinition", () => {
    test("nothing is pruned, neither with some wrappers back nor with none", async () => {
      await put(rig.guest, pool("batch"));
      await pass(watched(rig));
      // Times of the API server have no fractions of seconds.
      await sleep(1100);
      await remakeCrd(rig.guest);
      const reason =
        "the CustomResourceDefinition of OpenshiftNodePool was deleted since, and all wrappers with it; --allow-empty prunes it anyway";
      const empty = await pass(watched(rig));
      expect(said(empty)).toEqual(["in-sync EC2NodeClass/default", "keep NodePool/batch", "keep NodePool/web"]);
      expect(empty.result).toBe("held");
      expect(stepsOf(empty).at(-1)?.step.reason).toBe(`NodePool web stays: ${reason}`);
      // A restore creates them one after the other.
      await put(rig.guest, pool("web"));
      expect(said(await pass(watched(rig)))).toEqual([
        "in-sync EC2NodeClass/default",
        "in-sync NodePool/web",
        "keep NodePool/batch",
      ]);
      await put(rig.guest, pool("batch"));
      expect((await pass(watched(rig))).result).toBe("ok");
      await remove(rig.guest, ADMIN, pool("batch"));
      expect(said(await pass(watched(rig, { allowEmpty: true })))).toContain("prune NodePool/batch");
    });

    test("deleting the last wrapper prunes its pool, unless the watch may not read the CRD", async () => {
      await pass(watched(rig));
      await remove(rig.guest, ADMIN, pool("web"));
      const guest = apiOf(rig, "guest", OPERATOR);
      const refused = { kind: "forbidden", status: 403, reason: "Forbidden", message: "no" } as const;
      const blind: ClusterApi = {
        ...guest,
        get: (kind, name) =>
          kind.kind === "CustomResourceDefinition" ? Promise.resolve(failed(refused)) : guest.get(kind, name),
      };
      const kept = await pass(watched(rig, { guest: blind }));
      expect(stepsOf(kept).at(-1)?.step.reason).toBe(
        "NodePool web stays: no OpenshiftNodePool was read, and anp cannot check whether its CustomResourceDefinition was deleted; --allow-empty prunes it anyway",
      );
      expect(said(await pass(watched(rig)))).toEqual(["in-sync EC2NodeClass/default", "prune NodePool/web"]);
    });
  });

  describe("from a list, because another replica was faster", () => {
    /** A slow list: the other replica works after the wrappers were listed, and before the pools are. */
    function overtaken(byOther: () => Promise<void>): ClusterApi {
      const guest = apiOf(rig, "guest", OPERATOR);
      const { promise: worked, resolve: hasWorked } = Promise.withResolvers<void>();
      return {
        ...guest,
        list: async (kind, options) => {
          // Wrappers are not listed yet: they are in files, or listed later.
          if (kind.kind === "NodePool") await Promise.race([worked, sleep(1500).then(byOther)]);
          const answer = await guest.list(kind, options);
          if (kind.kind === "OpenshiftNodePool") await byOther().then(hasWorked);
          return answer;
        },
      };
    }

    const once = (act: () => Promise<unknown>) => {
      let begun = false;
      return async () => {
        if (begun) return;
        begun = true;
        await act();
      };
    };

    test("a pool of a wrapper that was created in between is not an orphan", async () => {
      await pass(watched(rig));
      const byOther = once(async () => {
        await put(rig.guest, pool("new"));
        await pass(watched(rig));
      });
      const result = await pass(watched(rig, { guest: overtaken(byOther) }));
      expect(said(result).filter((line) => line.startsWith("prune") || line.startsWith("keep"))).toEqual([]);
      expect(said(await pass(watched(rig)))).toContain("in-sync NodePool/new");
    });

    test("nor is one of a file that was created in between", async () => {
      const folder = join(rig.folder, "raced");
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const write = (name: string) => writeFileSync(join(folder, `${name}.yaml`), toYaml(pool(name)));
      writeFileSync(join(folder, "policy.yaml"), toYaml(policy([isIn(ARCH, "amd64")])));
      write("one");
      const source = { paths: [folder], policyDir: undefined, config: undefined };
      const ofFiles = () => ({ source, management: undefined, readDirectory: directoryReader(source) });
      await pass(watched(rig, ofFiles()));
      const byOther = once(async () => {
        write("two");
        await pass(watched(rig, ofFiles()));
      });
      const result = await pass(watched(rig, { ...ofFiles(), guest: overtaken(byOther) }));
      expect(said(result).filter((line) => line.startsWith("prune") || line.startsWith("keep"))).toEqual([]);
      expect(said(await pass(watched(rig, ofFiles())))).toContain("in-sync NodePool/two");
    });
  });
});
