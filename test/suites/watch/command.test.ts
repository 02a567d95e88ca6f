/** The command `anp watch` on real API servers: flags, files, exit codes, log lines, and that it follows changes until SIGTERM. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { get, remove, until } from "../../support/controlplane/objects.ts";
import { run } from "../../support/golden/case.ts";
import { allow } from "../../support/watch-process/rbac.ts";
import { ARCH, isIn, NAMESPACE, nodeClass, policy, pool, TOKEN } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, live, nodePool, OPERATOR, put, type Rig } from "../../support/watch/rig.ts";

describeOnClusters("anp watch", (rig) => {
  let manifests: string;

  beforeAll(() => {
    manifests = join(rig.folder, "manifests");
  });

  beforeEach(() => {
    rmSync(manifests, { recursive: true, force: true });
    mkdirSync(manifests);
  });

  function write(name: string, ...objects: KubernetesObject[]): void {
    writeFileSync(join(manifests, name), objects.map((object) => toYaml(object)).join("---\n"));
  }

  const guest = (user: Parameters<Rig["kubeconfig"]>[1] = OPERATOR) => [
    "--guest-kubeconfig",
    rig.kubeconfig("guest", user),
  ];
  const management = () => ["--management-kubeconfig", rig.kubeconfig("management", "guest-admin")];
  const ofCluster = ["--hosted-cluster", NAMESPACE, "--once"];
  const once = (...args: string[]) => run(rig.folder, ["watch", ...ofCluster, ...args]);

  async function exists(object: KubernetesObject): Promise<boolean> {
    return (await get(rig.guest, ADMIN, object)).status === 200;
  }

  test("one pass over live clusters logs its changes and a summary", async () => {
    const { exit, stdout, stderr } = await once(...guest(), ...management());
    expect([exit, stdout]).toEqual([0, ""]);
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^time=\S+ /, ""));
    expect(lines).toContain('level=info msg=created cluster=watch object="NodePool web"');
    expect(lines.at(-1)).toMatch(
      /^level=info msg=reconciled cluster=watch result=ok policy=Apply ready=True reason=Applied created=10 updated=0 inSync=0 pruned=0 kept=0 held=0 foreign=0 failed=0 drift=0 ms=\d+$/,
    );
    expect(stderr).not.toContain(TOKEN);
    expect(stderr).not.toContain(Buffer.from(TOKEN).toString("base64"));
  });

  test("a user that the guards would deny applies nothing: exit 4, naming allowedWriters", async () => {
    const { exit, stderr } = await once(...guest("guest-admin"), ...management());
    expect(exit).toBe(4);
    expect(stderr).toContain(
      "the admission policies would not allow guest-admin to write NodePools and EC2NodeClasses",
    );
    expect(stderr).toContain("RenderConfig.spec.admission.allowedWriters");
    expect(await exists(nodePool("web"))).toBe(false);
    write("config.yaml", {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      spec: { admission: { allowedWriters: ["guest-admin"] } },
    });
    const config = ["--config", join(manifests, "config.yaml")];
    // The API server enforces the deleted guards of the last test for some time.
    await until("the writer is allowed", async () => {
      const allowed = await once(...guest("guest-admin"), ...management(), ...config);
      return allowed.exit === 0;
    });
    expect(await exists(nodePool("web"))).toBe(true);
  });

  test("without the right to write, each object is reported: exit 4", async () => {
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] }];
    await allow(rig.guest, "plain-user", "reads-all", rules);
    write("config.yaml", {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      spec: { admission: { mode: "None" } },
    });
    const { exit, stderr } = await once(
      ...guest("plain-user"),
      ...management(),
      "--config",
      join(manifests, "config.yaml"),
    );
    expect(exit).toBe(4);
    expect(stderr).toContain('msg="create failed" cluster=watch object="NodePool web"');
    expect(stderr).toContain("forbidden");
  });

  test("a directory: its policy and wrappers are applied without any management cluster", async () => {
    write("all.yaml", policy([isIn(ARCH, "arm64")]), pool("from-file"));
    const { exit } = await once(...guest(), manifests);
    expect(exit).toBe(0);
    expect((await live(rig.guest, nodePool("from-file"))).spec).toMatchObject({
      template: { spec: { requirements: [isIn(ARCH, "arm64")] } },
    });
    expect(await exists(nodePool("web"))).toBe(false);
  });

  test("a directory that is empty, has a broken file, or lost its folder: nothing is deleted", async () => {
    write("pools.yaml", pool("a"), pool("b"));
    write("policy.yaml", policy([isIn(ARCH, "arm64")]));
    expect((await once(...guest(), manifests)).exit).toBe(0);
    const still = async () => {
      expect(await exists(nodePool("a"))).toBe(true);
      expect((await live(rig.guest, nodePool("b"))).spec).toMatchObject({
        template: { spec: { requirements: [isIn(ARCH, "arm64")] } },
      });
    };
    writeFileSync(join(manifests, "policy.yaml"), "kind: AutoNodePolicy\n  spec: [\n");
    expect((await once(...guest(), manifests)).exit).toBe(3);
    await still();
    rmSync(join(manifests, "policy.yaml"));
    rmSync(join(manifests, "pools.yaml"));
    expect((await once(...guest(), manifests)).exit).toBe(3);
    await still();
    write("policy.yaml", policy([isIn(ARCH, "arm64")]));
    const empty = await once(...guest(), manifests);
    expect(empty.exit).toBe(1);
    expect(empty.stderr).toContain("no wrapper was read; --allow-empty prunes it anyway");
    rmSync(manifests, { recursive: true });
    expect((await once(...guest(), manifests)).exit).toBe(3);
    await still();
    mkdirSync(manifests);
    write("policy.yaml", policy([isIn(ARCH, "arm64")]));
    expect((await once(...guest(), manifests, "--allow-empty")).exit).toBe(0);
    expect(await exists(nodePool("a"))).toBe(false);
  });

  test("the directory's policy and the management cluster's must not differ", async () => {
    write("all.yaml", policy([isIn(ARCH, "amd64")]), pool("web"), nodeClass("default"));
    expect((await once(...guest(), ...management(), manifests)).exit).toBe(0);
    write("all.yaml", policy([isIn(ARCH, "arm64")]), pool("web"), nodeClass("default"));
    const { exit, stderr } = await once(...guest(), ...management(), manifests);
    expect(exit).toBe(1);
    expect(stderr).toContain("and the one in the management cluster differ");
    expect((await live(rig.guest, nodePool("web"))).spec).toMatchObject({
      template: { spec: { requirements: [isIn(ARCH, "amd64")] } },
    });
  });

  test("a dry run logs what would be done, as JSON if configured", async () => {
    const { exit, stderr } = await once(...guest(), ...management(), "--dry-run", "--log-format", "json");
    expect(exit).toBe(0);
    const entries = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toContainEqual({
      time: expect.any(String),
      level: "info",
      msg: "would be created",
      cluster: "watch",
      object: "NodePool web",
    });
    expect(entries.at(-1)).toMatchObject({ msg: "dry run", result: "ok", created: 10 });
    expect(await exists(nodePool("web"))).toBe(false);
  });

  test("a WatchConfig lists clusters, and its errors have a line and a hint", async () => {
    const cluster = {
      name: "c1",
      namespace: NAMESPACE,
      guest: { kubeconfig: rig.kubeconfig("guest", OPERATOR), context: "test" },
      management: { kubeconfig: rig.kubeconfig("management", "guest-admin") },
    };
    const config = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig" };
    write("watch.yaml", { ...config, spec: { clusters: [cluster], interval: "30s" } });
    const file = join(manifests, "watch.yaml");
    const good = await run(rig.folder, ["watch", "--config", file, "--once"]);
    expect(good.exit).toBe(0);
    expect(good.stderr).toContain("cluster=c1 result=ok");
    write("watch.yaml", { ...config, spec: { clusters: [cluster], intervall: "30s" } });
    const slip = await run(rig.folder, ["watch", "--config", file, "--once"]);
    expect(slip.exit).toBe(3);
    expect(slip.stderr).toMatch(/watch\.yaml:\d+ `spec\.intervall` is not a field here \(did you mean interval\?\)/);
  });

  test("a guest cluster that cannot be reached: exit 4 with the reason", async () => {
    const text = rig.guest.kubeconfig(OPERATOR).replace(/127\.0\.0\.1:\d+/, "127.0.0.1:9");
    const file = join(rig.folder, "unreachable");
    writeFileSync(file, text);
    const { exit, stderr } = await once("--guest-kubeconfig", file, ...management());
    expect(exit).toBe(4);
    expect(stderr).toContain("the guest cluster cannot be listed: https://127.0.0.1:9 cannot be reached");
  });

  test.each([
    [["--once"], 2, "say which hosted cluster"],
    [["--hosted-cluster", NAMESPACE], 2, "say which guest cluster"],
    [
      ["--hosted-cluster", NAMESPACE, "--guest-context", "x"],
      2,
      "without a PATH the policy is in the management cluster",
    ],
    [
      ["--hosted-cluster", NAMESPACE, "--guest-kubeconfig", "nowhere", ".", "--once"],
      4,
      "the kubeconfig nowhere cannot be read",
    ],
    [["--interval", "0s"], 2, "Write a duration from one second to a day, such as 30s or 5m."],
    [["--interval", "720h"], 2, "Write a duration from one second to a day, such as 30s or 5m."],
  ])("%j is wrong: exit %i", async (args, exit, words) => {
    const result = await run(rig.folder, ["watch", ...args]);
    expect(result.stderr).toContain(words);
    expect(result.exit).toBe(exit);
  });

  test("it follows changes, and ends with 0 after SIGTERM", async () => {
    const ended = run(rig.folder, [
      "watch",
      "--hosted-cluster",
      NAMESPACE,
      ...guest(),
      ...management(),
      "--interval",
      "10m",
    ]);
    await until("the first pass", () => exists(nodePool("web")));
    await put(rig.guest, pool("later"));
    await until("the new pool", () => exists(nodePool("later")));
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    await until("the new policy", async () =>
      JSON.stringify((await live(rig.guest, nodePool("later"))).spec).includes("arm64"),
    );
    await remove(rig.guest, OPERATOR, nodePool("web"));
    await until("the pool is there again", () => exists(nodePool("web")));
    process.emit("SIGTERM");
    expect((await ended).exit).toBe(0);
  });

  test("it follows a directory as well", async () => {
    write("all.yaml", policy([]), pool("one"));
    const ended = run(rig.folder, ["watch", "--hosted-cluster", NAMESPACE, ...guest(), manifests, "--interval", "10m"]);
    await until("the first pass", () => exists(nodePool("one")));
    write("more.yaml", pool("two"));
    await until("the new file", () => exists(nodePool("two")));
    process.emit("SIGTERM");
    expect((await ended).exit).toBe(0);
  });
});
