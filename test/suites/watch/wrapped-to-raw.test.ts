/** The page from wrapped NodePools to raw ones and back, typed on two API servers between passes of a watch. */
import { expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { fillIn } from "../../support/docs/match-output.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { commandsOf } from "../../support/process/follow-page.ts";
import { isIn, pool, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { KUBECTL, pageShell } from "../../support/watch/page-shell.ts";
import { live, nodePool, pass, put, requirementsOf, said, watched } from "../../support/watch/rig.ts";

const PAGE = "docs/wrapped-to-raw.md";
const RUN_HERE = "run by test/suites/watch/wrapped-to-raw.test.ts";
const RAW = { render: { nodePools: "Raw" } } as const;
const MARK = { key: "anp.hypershift.openshift.io/policy-end", operator: "DoesNotExist" };

describeOnClusters("the way to raw NodePools and back", (rig) => {
  test.skipIf(KUBECTL === "")(
    "changes neither names nor uids nor what Karpenter's hash covers, and deletes nothing",
    async () => {
      const wrapped = pool("web", [isIn(TYPE, "m5.large", "m5.xlarge")], {
        limits: { cpu: 100 },
        disruption: { consolidationPolicy: "WhenEmpty", consolidateAfter: "5m", budgets: [{ nodes: "20%" }] },
      });
      await put(rig.guest, wrapped);
      await pass(watched(rig));
      const before = await live(rig.guest, nodePool("web"));
      const entries = await requirementsOf(rig, "web");
      const { typed } = pageShell(rig);
      const blocks = blocksOf(readPage(PAGE)).filter(({ note }) => note?.value.includes(RUN_HERE) === true);
      const isSame = async (list: unknown): Promise<void> => {
        const now = await live(rig.guest, nodePool("web"));
        expect(now.metadata?.uid).toBe(before.metadata?.uid);
        expect(now.metadata).not.toHaveProperty("deletionTimestamp");
        expect(withoutList(now)).toEqual(withoutList(before));
        expect(await requirementsOf(rig, "web")).toEqual(list);
      };
      const [policyEntry, own] = entries as unknown[];
      const marked = [policyEntry, MARK, own];
      const after: readonly (() => Promise<void>)[] = [
        // 1. Manifests are made; the watch gets its setting.
        async () => {
          expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
          await isSame(entries);
        },
        // 2. The admission policy is gone.
        async () => isSame(entries),
        // 3. The wrapper is deleted.
        async () => {
          expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default", "release NodePool/web"]);
          await isSame(entries);
        },
        // 4. The rendered NodePool is applied.
        async () => {
          await isSame(marked);
          expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default"]);
          await isSame(marked);
        },
        // Back: the wrapper is there again.
        async () => {
          expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
          await isSame(entries);
          expect(said(await pass(watched(rig)))).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
          await isSame(entries);
          expect((await live(rig.guest, pool("web"))).spec).toEqual((await wrapperAsMade()).spec);
        },
      ];
      const wrapperAsMade = async (): Promise<KubernetesObject> => {
        await put(rig.guest, { ...wrapped, metadata: { name: "as-made" } });
        return live(rig.guest, pool("as-made"));
      };
      expect(blocks).toHaveLength(after.length);
      for (const [index, { line, lines }] of blocks.entries()) {
        for (const { command, output } of commandsOf(lines)) {
          const printed = (await typed(command)).trimEnd().split("\n");
          expect(fillIn(output, printed), `${PAGE}:${line}: ${command}`).toStrictEqual(printed);
        }
        await after[index]!();
      }
    },
  );
});

/** All that the user asks for but the list of requirements, which is not part of the hash. */
function withoutList({ spec }: KubernetesObject): unknown {
  const template = valueAt(spec, ["template", "spec"]) as Readonly<Record<string, unknown>>;
  const { requirements: _list, ...others } = template;
  return { ...spec, template: { ...(valueAt(spec, ["template"]) as object), spec: others } };
}
