/** Proves on real API servers that wrappers that vanish in another way than by being deleted take no pool along. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { failed } from "../../../src/cluster/api/api-answer.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { toYaml } from "../../../src/krm/write.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { installOurCrds } from "../../support/e2e/our-crds.ts";
import { ARCH, isIn, policy, pool } from "../../support/watch/inputs.ts";
import { describeOnOwnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, apiOf, OPERATOR, pass, put, said, watched } from "../../support/watch/rig.ts";

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
    test("nothing is pruned, neither while some are back nor when none is", async () => {
      await put(rig.guest, pool("batch"));
      await pass(watched(rig));
      // Times of the API server have no fractions of seconds.
      await sleep(1100);
      await remakeCrd(rig.guest);
      const reason =
        "the CustomResourceDefinition of OpenshiftNodePool was deleted since, and all wrappers with it; --allow-empty prunes all the same";
      const empty = await pass(watched(rig));
      expect(said(empty)).toEqual(["in-sync EC2NodeClass/default", "keep NodePool/batch", "keep NodePool/web"]);
      expect(empty.result).toBe("held");
      expect(empty.results.at(-1)?.step.reason).toBe(`NodePool web stays: ${reason}`);
      // Whoever restores them does so one after the other.
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

    test("the last one that somebody deletes takes its pool along, unless nobody may read the definition", async () => {
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
      expect(kept.results.at(-1)?.step.reason).toBe(
        "NodePool web stays: no OpenshiftNodePool was read, and whether somebody deleted its CustomResourceDefinition cannot be told; --allow-empty prunes all the same",
      );
      expect(said(await pass(watched(rig)))).toEqual(["in-sync EC2NodeClass/default", "prune NodePool/web"]);
    });
  });

  describe("from sight, because another replica was faster", () => {
    /** As slow as the network likes: the other replica works after the wrappers were told, and before the pools are. */
    function overtaken(byOther: () => Promise<void>): ClusterApi {
      const guest = apiOf(rig, "guest", OPERATOR);
      const { promise: worked, resolve: hasWorked } = Promise.withResolvers<void>();
      return {
        ...guest,
        list: async (kind, options) => {
          // Not asked for wrappers by now: those are in files, or come later.
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

    test("a pool of a wrapper that came in between is not taken for an orphan", async () => {
      await pass(watched(rig));
      const byOther = once(async () => {
        await put(rig.guest, pool("new"));
        await pass(watched(rig));
      });
      const result = await pass(watched(rig, { guest: overtaken(byOther) }));
      expect(said(result).filter((line) => line.startsWith("prune") || line.startsWith("keep"))).toEqual([]);
      expect(said(await pass(watched(rig)))).toContain("in-sync NodePool/new");
    });

    test("nor one of a file that came in between", async () => {
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
