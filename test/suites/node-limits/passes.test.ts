/** Passes with Hard limits on a real API server: budgets are appended and removed, NodeClaims deleted, and when not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { type ApiError, failed } from "../../../src/cluster/api/api-answer.ts";
import { readLiveSide } from "../../../src/cluster/read/live-side.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { isIn, pool, policy, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { apiOf, live, nodePool, OPERATOR, pass, put, said, watched } from "../../support/watch/rig.ts";
import {
  budgets,
  claims,
  label,
  limited,
  lines,
  listing,
  mark,
  notesOn,
  removeClaim,
  withoutOurs,
} from "../../support/node-limits/limited-pool.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

const REASONS = ["Drifted", "Underutilized"];

describeOnClusters("Hard limits", (rig) => {
  const at = (over: Partial<WatchedCluster> = {}) => pass(watched(rig, over));

  test("at the limit a budget is appended, and below it is removed", async () => {
    await limited(rig, { limit: 3, claims: 3 });
    const first = await at();
    expect(said(first)).toContain("update NodePool/web");
    expect(await budgets(rig)).toEqual([{ nodes: "10%" }, { nodes: "0", reasons: REASONS }]);
    expect(await mark(rig)).toBe("0");
    expect(first).toMatchObject({ result: "ok", nodeLimits: { counts: { limited: 1, budgets: 1, surplus: 0 } } });
    expect(first.findings.map(({ code }) => code)).not.toContain("node-limit-not-enforced");
    expect(said(await at())).toContain("in-sync NodePool/web");
    await removeClaim(rig, "web-0");
    expect(said(await at())).toContain("update NodePool/web");
    expect(await budgets(rig)).toEqual([{ nodes: "10%" }]);
    expect(await mark(rig)).toBeUndefined();
    expect(said(await at())).toContain("in-sync NodePool/web");
  });

  test("a pool without disruption, or with budgets of its own, in each mode", async () => {
    const own = [{ nodes: "50%", reasons: ["Drifted"] }, { nodes: "1" }];
    await limited(rig, { limit: 2, claims: 2, more: { disruption: { consolidateAfter: "5m", budgets: own } } });
    await at();
    expect(await budgets(rig)).toEqual([...own, { nodes: "0", reasons: REASONS }]);
    await limited(rig, {
      limit: 2,
      more: { disruption: { consolidateAfter: "5m", budgets: own, nodeLimitMode: "Soft" } },
    });
    const soft = await at();
    expect(await budgets(rig)).toEqual(own);
    expect(soft.nodeLimits.pools).toEqual([]);
    await limited(rig, { limit: 2, more: {} });
    await at();
    expect(await budgets(rig)).toEqual([{ nodes: "10%" }, { nodes: "0", reasons: REASONS }]);
    const off = await at({ nodeLimits: "Off" });
    expect(await budgets(rig)).toEqual([{ nodes: "10%" }]);
    expect(off.nodeLimits.counts).toEqual({ limited: 0, budgets: 0, surplus: 0, deleted: 0 });
    expect(off.findings.map(({ code }) => code)).toContain("node-limit-not-enforced");
  });

  test("with wrappers in files it is the same, and events are on the NodePool", async () => {
    await limited(rig, { limit: 2, claims: 2 });
    const folder = mkdtempSync(join(tmpdir(), "anp-limits-"));
    try {
      writeFileSync(join(folder, "web.yaml"), stringify(pool("web", [], { limits: { nodes: 2 } })));
      await at({ source: { paths: [folder], policyDir: undefined, config: undefined } });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(valueAt(await live(rig.guest, nodePool("web")), ["spec", "disruption"])).toEqual({
      budgets: [{ nodes: "10%" }, { nodes: "0", reasons: REASONS }],
      consolidateAfter: "0s",
      consolidationPolicy: "WhenEmptyOrUnderutilized",
    });
    expect(await notesOn(rig, "NodePool")).toEqual(
      REASONS.map((reason) => `No allowed disruptions for disruption reason ${reason} due to node hard limit`),
    );
  });

  test("a floor for Drifted exceeds the limit: drifted nodes are replaced, consolidation stays within it", async () => {
    const config = join(rig.folder, "floor.yaml");
    const floor = (text: string) =>
      writeFileSync(
        config,
        stringify({
          apiVersion: "anp.hypershift.openshift.io/v1alpha1",
          kind: "RenderConfig",
          spec: { minDriftedBudget: text },
        }),
      );
    const source = { paths: [], policyDir: undefined, config };
    const never = [{ nodes: "0", reasons: ["Drifted"] }];
    const more = { disruption: { consolidateAfter: "5m", budgets: [{ nodes: "50%" }, ...never] } };
    const drifted = (nodes: string) => ({ nodes, reasons: ["Drifted"] });
    const rest = { nodes: "0", reasons: ["Underutilized"] };
    await limited(rig, { limit: 2, claims: 2, more });
    await at();
    expect(await budgets(rig)).toEqual([{ nodes: "50%" }, ...never, { nodes: "0", reasons: REASONS }]);
    floor("1");
    const first = await at({ source });
    expect(first.findings.map(({ code }) => code)).toContain("drifted-budget-raised");
    expect(await budgets(rig)).toEqual([{ nodes: "50%" }, drifted("1"), rest, drifted("1")]);
    expect(await mark(rig)).toBe("0,1");
    expect(said(await at({ source }))).toContain("in-sync NodePool/web");
    expect(await notesOn(rig, "OpenshiftNodePool")).toContain(
      "No allowed disruptions for disruption reason Underutilized due to node hard limit",
    );
    floor("50%");
    await at({ source });
    expect(await mark(rig)).toBe("0,50%");
    expect(await budgets(rig)).toEqual([{ nodes: "50%" }, drifted("50%"), rest, drifted("50%")]);
    const unlisted = listing(rig, (kind) => (kind === "NodeClaim" ? "forbidden" : undefined));
    await at({ source, guest: unlisted });
    expect(await mark(rig)).toBe("0,50%");
    await removeClaim(rig, "web-0");
    await removeClaim(rig, "web-1");
    await at({ source });
    expect(await budgets(rig)).toEqual([{ nodes: "50%" }, drifted("50%")]);
    expect(await mark(rig)).toBeUndefined();
  });

  test("a removed or loosened budget is corrected", async () => {
    await limited(rig, { limit: 2, claims: 2 });
    await at();
    const path = `${await objectPath(rig.guest, nodePool("web"))}?fieldManager=hand`;
    const change = { spec: { disruption: { budgets: [{ nodes: "100%" }] } } };
    expect((await rig.guest.request(OPERATOR, "PATCH", path, change)).status).toBe(200);
    const result = await at();
    const drift = stepsOf(result).flatMap(({ step }) => step.drift.map(({ field, owner }) => `${field} ${owner}`));
    expect(drift).toEqual(["spec.disruption.budgets hand"]);
    expect(await budgets(rig)).toEqual([{ nodes: "10%" }, { nodes: "0", reasons: REASONS }]);
  });

  test("NodeClaims are not listed without a Hard limit, nor with Off", async () => {
    const asked: string[] = [];
    const guest = listing(rig, (kind) => void asked.push(kind));
    await at({ guest });
    await limited(rig, { limit: 2 });
    await at({ guest, nodeLimits: "Off" });
    expect(asked).not.toContain("NodeClaim");
    await at({ guest });
    expect(asked.filter((kind) => ["NodeClaim", "Node", "Pod"].includes(kind))).toEqual(["NodeClaim"]);
  });

  test("a dry run evaluates everything and changes nothing", async () => {
    await limited(rig, { limit: 2, claims: 3 });
    const before = await live(rig.guest, nodePool("web"));
    const result = await at({ dryRun: true, nodeLimits: "Full" });
    expect(said(result)).toContain("update NodePool/web");
    expect(result.nodeLimits.pools[0]?.deleted).toEqual([{ name: "web-0", why: "not-launched" }]);
    expect(lines(result)).toContain(
      'level=warn msg="surplus node would be deleted" cluster=watch object="NodeClaim web-0" pool=web nodes=3 limit=2 reason=not-launched',
    );
    expect(await live(rig.guest, nodePool("web"))).toEqual(before);
    expect(await claims(rig)).toEqual(["web-0", "web-1", "web-2"]);
  });

  describe("with NodeClaims that cannot be listed", () => {
    test.each<[ApiError["kind"], ReconcileResult["result"]]>([
      ["forbidden", "held"],
      ["unavailable", "failed"],
    ])("%s: budgets stay as they are, nothing is deleted, and the policy is still applied", async (kind, result) => {
      await limited(rig, { limit: 2, claims: 3 });
      await at();
      await removeClaim(rig, "web-0");
      await removeClaim(rig, "web-1");
      const tighter = isIn(TYPE, "m5.xlarge");
      await put(rig.management, policy([tighter]));
      const guest = listing(rig, (asked) => asked === "NodeClaim" && kind);
      const blind = await at({ guest, nodeLimits: "Full" });
      expect(blind).toMatchObject({ result, ready: { status: "True" } });
      expect(await budgets(rig)).toEqual([{ nodes: "10%" }, { nodes: "0", reasons: REASONS }]);
      const requirements = ["spec", "template", "spec", "requirements"];
      expect(valueAt(await live(rig.guest, nodePool("web")), requirements)).toEqual([tighter]);
      expect(lines(blind)).toContain(
        'level=warn msg="node limit not kept" cluster=watch object="NodePool web" limit=2 budget=0 reason="its NodeClaims cannot be listed: its budgets stay as they are"',
      );
      await at();
      expect(await budgets(rig)).toEqual([{ nodes: "10%" }]);
    });
  });

  describe("Full", () => {
    const full = (over: Partial<WatchedCluster> = {}) => at({ nodeLimits: "Full", ...over });

    test("deletes the nodes above the limit and reports them", async () => {
      await limited(rig, { limit: 2, claims: 4 });
      const result = await full();
      expect(await claims(rig)).toEqual(["web-2", "web-3"]);
      expect(result.nodeLimits.counts).toEqual({ limited: 1, budgets: 1, surplus: 2, deleted: 2 });
      expect(lines(result)).toContain(
        'level=warn msg="surplus node deleted" cluster=watch object="NodeClaim web-0" pool=web nodes=4 limit=2 reason=not-launched',
      );
      expect(lines(result).at(-1)).toContain("limited=1 limitBudgets=1 surplus=2 surplusDeleted=2");
      expect((await full()).nodeLimits.counts).toMatchObject({ surplus: 0, deleted: 0 });
    });

    test("Disruption deletes none, and reports that Full would", async () => {
      await limited(rig, { limit: 2, claims: 4 });
      const result = await at();
      expect((await claims(rig)).length).toBe(4);
      expect(result).toMatchObject({ result: "ok", nodeLimits: { counts: { surplus: 2, deleted: 0 } } });
      expect(result.nodeLimits.pools[0]?.kept).toEqual(["nodeLimits: Full would delete the nodes above the limit"]);
    });

    test.each(["Node", "Pod"])("without %ss the pods of nodes are unknown: nothing is deleted", async (kind) => {
      await limited(rig, { limit: 2, claims: 4 });
      const result = await full({ guest: listing(rig, (asked) => asked === kind && "forbidden") });
      expect((await claims(rig)).length).toBe(4);
      expect(result.result).toBe("held");
      expect(result.nodeLimits.pools[0]?.kept).toEqual(["the pods on its nodes are unknown"]);
    });

    test("nothing is deleted while the policy is held, the pool is held, or the input has errors", async () => {
      await limited(rig, { limit: 2, claims: 4 });
      await at();
      const silent = listing(rig, (kind) => kind === "AutoNodePolicy" && "unavailable", "management");
      expect((await full({ management: silent })).mode).toBe("Hold");
      expect((await claims(rig)).length).toBe(4);
      // Karpenter cannot parse this duration.
      const nodeClassRef = {
        group: "karpenter.hypershift.openshift.io",
        kind: "OpenshiftEC2NodeClass",
        name: "default",
      };
      const template = { spec: { nodeClassRef, requirements: [], expireAfter: "9999999h" } };
      await put(rig.guest, pool("broken", [], { template }));
      const result = await full();
      expect(result.result).toBe("held");
      expect((await claims(rig)).length).toBe(4);
      expect(result.nodeLimits.pools[0]?.kept[0]).toMatch(/^nothing is pruned while the input has errors/);
    });

    test.each<[ApiError["kind"], ReconcileResult["result"]]>([
      ["forbidden", "held"],
      ["unavailable", "failed"],
    ])("a deletion that is %s ends those of the pool, and is reported", async (kind, result) => {
      await limited(rig, { limit: 1, claims: 4 });
      const asked: string[] = [];
      const remove: ClusterApi["remove"] = async (_collection, { name }) => {
        asked.push(name);
        return failed({ kind, status: undefined, message: "no" });
      };
      const refused = await full({ guest: { ...apiOf(rig, "guest", OPERATOR), remove } });
      expect(refused.result).toBe(result);
      expect(asked).toEqual(["web-0"]);
      expect(lines(refused)).toContain(
        'level=error msg="surplus node not deleted" cluster=watch object="NodeClaim web-0" reason=no',
      );
    });

    test("nothing of a foreign pool", async () => {
      await limited(rig, { limit: 2, claims: 4 });
      const result = await full({ name: "another" });
      expect(said(result)).toContain("foreign-object NodePool/web");
      expect(result.nodeLimits.pools).toEqual([]);
      expect((await claims(rig)).length).toBe(4);
    });

    test("a NodeClaim that changed since it was read stays for the next pass", async () => {
      await limited(rig, { limit: 2, claims: 3 });
      const guest = listing(rig, async (kind) => {
        if (kind === "Pod") await label(rig, "web-0");
        return undefined;
      });
      const result = await full({ guest });
      expect(result).toMatchObject({ result: "ok", nodeLimits: { counts: { surplus: 1, deleted: 0 } } });
      expect((await claims(rig)).length).toBe(3);
      expect((await full()).nodeLimits.counts.deleted).toBe(1);
    });
  });

  test("fifty budgets leave no room for another: held and reported", async () => {
    const own = Array.from({ length: 50 }, (_, index) => ({ nodes: String(index + 1), reasons: ["Drifted"] }));
    await limited(rig, { limit: 2, claims: 2, more: { disruption: { consolidateAfter: "5m", budgets: own } } });
    const result = await at();
    expect(await budgets(rig)).toEqual(own);
    expect(result.result).toBe("held");
    expect(result.nodeLimits.pools[0]?.kept).toEqual([
      "it has as many budgets as Karpenter accepts, so none can be added for its limit",
    ]);
  });

  test("anp diff --live sees no difference", async () => {
    await limited(rig, { limit: 2, claims: 2 });
    const result = await at();
    const rendered = stepsOf(result)
      .flatMap(({ step }) => step.desired ?? [])
      .filter(({ kind }) => kind === "NodePool");
    const plain = rendered.map(withoutOurs);
    const side = await readLiveSide(plain, { kubeconfig: rig.kubeconfig("guest", OPERATOR), withNodes: false });
    if ("problem" in side) throw new Error(side.problem);
    const before = side.before.filter(({ kind }) => kind === "NodePool");
    const after = side.after.filter(({ kind }) => kind === "NodePool");
    expect(before).toEqual(after);
    expect(valueAt(before[0], ["spec", "disruption", "budgets"])).toEqual([{ nodes: "10%" }]);
  });
});
