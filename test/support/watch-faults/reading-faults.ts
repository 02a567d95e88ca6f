/** Input that cannot be read as it was: directories, files, and kinds that the guest cluster no longer serves. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { get, remove, until, waitEstablished } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { ourCrds } from "../e2e/own-crds.ts";
import { nodeClass } from "../watch/inputs.ts";
import { ADMIN, put } from "../watch/rig.ts";
import { NODE_CLASS } from "../watch-process/karpenter-rig.ts";
import { kwokPool } from "../watch-process/kwok-pools.ts";
import type { FaultCases } from "./fault.ts";
import { type HostedCluster, POLICY, TIGHTER } from "./hosted-cluster.ts";
import { listOf } from "./state.ts";

const WEB = toYaml(kwokPool("web"));
const BATCH = toYaml(kwokPool("batch"));
const CLASS = toYaml(nodeClass("default", NODE_CLASS));

export const readingFaults: FaultCases = {
  "directory emptied, file broken, version unknown": {
    done: "one after another: all files gone, the directory gone, no YAML in a pool's file, a version v1beta9 there",
    act: (cluster) =>
      throughDirectory(cluster, [
        (folder) => {
          rmSync(folder, { recursive: true });
          mkdirSync(folder);
        },
        (folder) => rmSync(folder, { recursive: true }),
        (folder) => writeAll(folder, { batch: `${BATCH}  - [` }),
        (folder) => writeAll(folder, { batch: BATCH.replace("v1beta1", "v1beta9") }),
      ]),
  },
  "version not served": {
    done: "the CRD of OpenshiftNodePool serves v1beta9 only, then v1beta1 again",
    act: async (cluster) => {
      const { rig, setPolicy } = cluster;
      const watch = await cluster.start();
      const crd = await poolCrd();
      const path = await objectPath(rig.guest, crd);
      const { body } = await rig.guest.request(ADMIN, "GET", path);
      const [version] = (body.spec!["versions"] ?? []) as [object];
      const patch = async (...versions: object[]) => {
        const { status, text } = await rig.guest.request(ADMIN, "PATCH", path, { spec: { versions } });
        if (status !== 200) throw new Error(text);
      };
      await patch({ ...version, served: false }, { ...version, name: "v1beta9", storage: false });
      await untilServed(cluster, false);
      await setPolicy(TIGHTER);
      await untouched(cluster, () => watch.morePasses(2));
      const { reason } = watch.passes().at(-1)!;
      await patch(version);
      await untilServed(cluster, true);
      await cluster.settled(watch);
      await setPolicy(POLICY);
      await cluster.settled(watch);
      return `nothing written, ${String(reason)}; afterwards applied`;
    },
  },
  "CRD of the wrappers recreated": {
    done: "deleted, and with it all OpenshiftNodePools; put there again, empty; then the wrappers",
    act: async (cluster) => {
      const { rig } = cluster;
      const watch = await cluster.start();
      const crd = await poolCrd();
      await untouched(cluster, async () => {
        await remove(rig.guest, ADMIN, crd);
        await until("the CRD is gone", async () => (await get(rig.guest, ADMIN, crd)).status === 404);
        await watch.morePasses(1);
        await put(rig.guest, crd);
        await waitEstablished(rig.guest, [crd.metadata!.name!]);
        expect(await listOf(rig.guest, "OpenshiftNodePool")).toEqual([]);
        await watch.morePasses(2);
        expect(watch.passes().at(-1)).toMatchObject({ kept: 2, pruned: 0 });
        await cluster.add(kwokPool("web"), kwokPool("batch"));
        await watch.morePasses(2);
      });
      await cluster.settled(watch);
      return "no pool written or deleted";
    },
  },
};

async function poolCrd() {
  const crds = await ourCrds("hypershift");
  return crds.find(({ metadata }) => metadata?.name?.startsWith("openshiftnodepools."))!;
}

async function untilServed({ rig }: HostedCluster, is: boolean): Promise<void> {
  await until(`OpenshiftNodePool ${is ? "served" : "not served"}`, () =>
    listOf(rig.guest, "OpenshiftNodePool").then(
      () => is,
      () => !is,
    ),
  );
}

/** Whatever is done, pools and classes are neither written nor otherwise than before. */
async function untouched(cluster: HostedCluster, act: () => Promise<void>): Promise<void> {
  const before = await cluster.state();
  const since = cluster.requests();
  await act();
  expect(cluster.writes(since)).toEqual([]);
  expect(await cluster.state()).toEqual(before);
}

function writeAll(folder: string, other: { readonly batch?: string } = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ web: WEB, batch: BATCH, class: CLASS, ...other }))
    writeFileSync(join(folder, `${name}.yaml`), text);
}

/** The wrappers come from files. While they cannot be read the policy is tightened. */
async function throughDirectory(
  cluster: HostedCluster,
  damages: readonly ((folder: string) => void)[],
): Promise<string> {
  const { rig, setPolicy } = cluster;
  const folder = join(rig.folder, "wrappers");
  writeAll(folder);
  const watch = await cluster.start([folder]);
  expect(watch.passes().at(-1)).toMatchObject({ result: "ok", created: 0, pruned: 0 });
  const reasons: unknown[] = [];
  await untouched(cluster, async () => {
    for (const damage of damages) {
      damage(folder);
      if (reasons.length === 0) {
        // One that has read the files already would go by the policy.
        await watch.morePasses(1);
        await setPolicy(TIGHTER);
      }
      await watch.morePasses(1);
      reasons.push(watch.passes().at(-1)?.["reason"]);
    }
  });
  expect(reasons).toEqual(damages.map(() => "InputUnreadable"));
  writeAll(folder);
  await cluster.settled(watch);
  await setPolicy(POLICY);
  await cluster.settled(watch);
  return "each time nothing written, InputUnreadable; afterwards applied";
}
