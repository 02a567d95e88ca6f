/** An unusable kubeconfig affects its own hosted cluster only, and only until it is fixed. Runs on real API servers. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run } from "../../support/golden/case.ts";
import { NAMESPACE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { OPERATOR } from "../../support/watch/rig.ts";
import { runInProcess, specOf } from "../../support/watch/run-in-process.ts";

describeOnClusters("a kubeconfig that cannot be used", (rig) => {
  const file = () => join(rig.folder, "late.kubeconfig");

  beforeEach(() => {
    rmSync(file(), { force: true });
  });

  const usable = (side: "guest" | "management") =>
    readFileSync(rig.kubeconfig(side, side === "guest" ? OPERATOR : "guest-admin"), "utf8");

  test.each<[string, "guest" | "management", string | undefined, string]>([
    ["is missing", "guest", undefined, "cannot be read: ENOENT: no such file or directory"],
    ["is missing", "management", undefined, "cannot be read: ENOENT: no such file or directory"],
    ["is no kubeconfig", "guest", "{[", "cannot be read: "],
    ["names no cluster", "guest", "{}", "no cluster is given"],
  ])(
    "%s (%s): its cluster fails and says why, the other one goes on, and it works as soon as it is there",
    async (_, side, text, words) => {
      if (text !== undefined) writeFileSync(file(), text);
      // Both are of one guest cluster, where one of them owns what is there.
      const owner = runInProcess([specOf(rig, "well")], { intervalMs: 500, write: () => undefined });
      await expect.poll(() => owner.state("well")?.last?.ready.status, { timeout: 20_000 }).toBe("True");
      owner.fleet.quit();
      await owner.ended;
      const log: string[] = [];
      const { state, fleet, ended } = runInProcess(
        [specOf(rig, "late", { [side]: { kubeconfig: file() } }), specOf(rig, "well")],
        { intervalMs: 500, write: (line) => log.push(line) },
      );
      await expect.poll(() => state("late")?.passes.failed ?? 0, { timeout: 20_000 }).toBeGreaterThan(1);
      await expect.poll(() => state("well")?.last?.ready.status, { timeout: 20_000 }).toBe("True");
      const said = log.filter((line) => line.includes('"cluster":"late"'));
      expect(said.join("")).toContain(words);
      expect(said.filter((line) => line.includes('"msg":"pass failed"'))).toEqual([]);
      expect(state("late")).toMatchObject({ pruned: 0, last: { counts: { created: 0, updated: 0, pruned: 0 } } });
      writeFileSync(file(), usable(side));
      await expect.poll(() => state("late")?.last?.result, { timeout: 30_000 }).not.toBe("failed");
      expect(state("late")?.last?.problems).toEqual([]);
      fleet.quit();
      expect(await ended).toEqual({ result: "ok", findings: [] });
    },
  );

  const config = (...kubeconfigs: readonly string[]) => {
    const path = join(rig.folder, "watch.yaml");
    const management = { kubeconfig: rig.kubeconfig("management", "guest-admin") };
    const clusters = kubeconfigs.map((kubeconfig, index) => ({
      name: `c${index}`,
      namespace: NAMESPACE,
      management,
      guest: { kubeconfig },
    }));
    const kind = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig" };
    writeFileSync(path, JSON.stringify({ ...kind, spec: { clusters } }));
    return path;
  };

  test("with --once the others have their pass, and the exit code is 4", async () => {
    const args = ["watch", "--config", config(file(), rig.kubeconfig("guest", OPERATOR)), "--once"];
    const { exit, stderr } = await run(rig.folder, args);
    expect(exit).toBe(4);
    expect(stderr).toContain(
      `level=error msg="cannot be listed" cluster=c0 reason="the guest cluster cannot be listed: the kubeconfig ${file()} cannot be read: ENOENT`,
    );
    // One line for one cause, which is also the reason of Ready.
    const ofCause = stderr.split("\n").filter((line) => line.includes("cluster=c0") && line.includes("ENOENT"));
    expect(ofCause.map((line) => /msg="([^"]*)"/.exec(line)?.[1])).toStrictEqual([
      "cannot be listed",
      "policy not ready",
    ]);
    expect(stderr).toContain(`reason=ClusterUnreadable message="the kubeconfig ${file()} cannot be read: ENOENT`);
    expect(stderr).toMatch(/msg=reconciled cluster=c0 result=failed/);
    expect(stderr).toMatch(/msg=reconciled cluster=c1 result=ok/);
  });

  test("if all are unusable it ends at once with the reason: exit 4", async () => {
    for (const kubeconfigs of [[file()], [file(), file()]]) {
      const { exit, stderr } = await run(rig.folder, ["watch", "--config", config(...kubeconfigs)]);
      const missing = `ENOENT: no such file or directory, open '${file()}'`;
      expect([exit, stderr]).toEqual([4, `anp: the kubeconfig ${file()} cannot be read: ${missing}\n`]);
    }
  });
});
