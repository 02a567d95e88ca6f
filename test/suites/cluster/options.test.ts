/** The options that follow from flags and a WatchConfig: which Lease in which cluster, passes at once, and wrong use. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Context, FILES } from "../../../src/commands/cli/context.ts";
import { readWatchConfig } from "../../../src/commands/watch/config.ts";
import type { WatchOptions } from "../../../src/commands/watch/options.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { run } from "../../support/golden/case.ts";

const folder = mkdtempSync(join(tmpdir(), "anp-options-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function config(spec: object, clusters: readonly object[] = [cluster("c1")]): string {
  const file = join(folder, "watch.yaml");
  const kind = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig" };
  writeFileSync(file, toYaml({ ...kind, spec: { clusters, ...spec } }));
  return file;
}

const cluster = (name: string, management: object = { context: "mgmt" }) => ({
  name,
  namespace: `clusters-${name}`,
  guest: { kubeconfig: `${name}.kubeconfig` },
  management,
});

const FLAGS = { featureGates: "AutoNode=true", adopt: [], logFormat: "logfmt" } as const;

/** In a pod of the namespace `anp`, or in none. */
function read(options: Partial<WatchOptions>, podNamespace?: string, paths: readonly string[] = []) {
  const read = (path: string): Buffer => {
    if (!path.startsWith("/var/run/secrets")) return FILES.read(path);
    if (podNamespace === undefined) throw new Error("ENOENT");
    return Buffer.from(`${podNamespace}\n`);
  };
  const context = { files: { ...FILES, read } } as Context;
  return readWatchConfig(paths, { ...FLAGS, ...options }, context);
}

const OF_FLAGS = { hostedCluster: "clusters-c1", guestContext: "guest", managementContext: "mgmt" };

describe("the Lease", () => {
  test("there is none by default", () => {
    expect(read(OF_FLAGS).leaderElection).toBeUndefined();
    expect(read({ config: config({}) }).leaderElection).toBeUndefined();
  });

  test.each<[string, Partial<WatchOptions>, string | undefined, object]>([
    [
      "is in the management cluster, in the pod's namespace",
      { ...OF_FLAGS, leaderElect: true },
      "anp",
      { namespace: "anp", name: "anp-watch", access: { kubeconfig: undefined, context: "mgmt" } },
    ],
    [
      "is where the flags say",
      { ...OF_FLAGS, leaderElectionNamespace: "ns", leaderElectionName: "lease" },
      undefined,
      { namespace: "ns", name: "lease", access: { kubeconfig: undefined, context: "mgmt" } },
    ],
  ])("%s", (_, options, podNamespace, lease) => {
    expect(read(options, podNamespace).leaderElection).toEqual(lease);
  });

  test("is in the guest cluster where there is no other one", () => {
    const options = { hostedCluster: "clusters-c1", guestContext: "guest", leaderElect: true };
    expect(read(options, "anp", ["."]).leaderElection).toMatchObject({ access: { context: "guest" } });
  });

  test("is where the WatchConfig says, unless a flag says otherwise", () => {
    const near = (name: string) => join(folder, name);
    expect(read({ config: config({ leaderElection: {} }) }, "anp").leaderElection).toEqual({
      namespace: "anp",
      name: "anp-watch",
      access: { kubeconfig: undefined, context: "mgmt" },
    });
    const full = { namespace: "ns", name: "lease", kubeconfig: "lease.kubeconfig", context: "c" };
    const file = config({ leaderElection: full });
    const access = { kubeconfig: near("lease.kubeconfig"), context: "c" };
    expect(read({ config: file }).leaderElection).toEqual({ namespace: "ns", name: "lease", access });
    expect(read({ config: file, leaderElectionName: "other" }).leaderElection).toMatchObject({ name: "other", access });
    expect(read({ config: file, once: true }).leaderElection).toBeUndefined();
  });

  test("of several management clusters must be named", () => {
    const clusters = [cluster("c1"), cluster("c2", { context: "other" })];
    const lease = { namespace: "ns" };
    expect(() => read({ config: config({ leaderElection: lease }, clusters) })).toThrow(
      "say which cluster holds the Lease, because there are several: spec.leaderElection.kubeconfig or context",
    );
    const named = read({ config: config({ leaderElection: { ...lease, context: "mgmt" } }, clusters) });
    expect(named.leaderElection).toMatchObject({ access: { context: "mgmt" } });
  });
});

test("what a WatchConfig leaves out, and what flags win over", () => {
  const defaults = { intervalMs: 60_000, concurrency: 4, listen: undefined };
  expect(read({ config: config({}) })).toMatchObject(defaults);
  expect(read(OF_FLAGS)).toMatchObject(defaults);
  const file = config({ interval: "30s", concurrency: 9, listen: ":8080", nodeLimits: "Full" });
  expect(read({ config: file })).toMatchObject({
    intervalMs: 30_000,
    concurrency: 9,
    listen: { host: undefined, port: 8080 },
    specs: [{ nodeLimits: "Full" }],
  });
  const flags = { interval: "5s", concurrency: 1, listen: "[::1]:1", nodeLimits: "Off" } as const;
  expect(read({ config: file, ...flags })).toMatchObject({
    intervalMs: 5000,
    concurrency: 1,
    listen: { host: "::1", port: 1 },
    specs: [{ nodeLimits: "Off" }],
  });
});

test("whether CRDs are installed: no, unless the WatchConfig says so for all or for one cluster, or the flag does", () => {
  const clusters = [cluster("c1"), { ...cluster("c2"), installCrds: false }, { ...cluster("c3"), installCrds: true }];
  const asked = (options: Parameters<typeof read>[0]) => read(options).specs.map(({ installCrds }) => installCrds);
  expect(asked(OF_FLAGS)).toEqual([false]);
  expect(asked({ ...OF_FLAGS, installCrds: true })).toEqual([true]);
  expect(asked({ config: config({}, clusters) })).toEqual([false, false, true]);
  expect(asked({ config: config({ installCrds: true }, clusters) })).toEqual([true, false, true]);
  expect(asked({ config: config({}, clusters), installCrds: true })).toEqual([true, true, true]);
});

const COMPLETE = ["--hosted-cluster", "clusters-c1", "--guest-context", "g", "--management-context", "m"];

test.each<[string[], string]>([
  [["--once", "--leader-elect"], "--once makes one pass without leader election: leave --leader-elect out"],
  [["--once", "--listen", ":0"], "--once and --listen exclude each other"],
  [["--leader-elect"], "say where the Lease is: --leader-election-namespace, or spec.leaderElection.namespace"],
  [["--listen", "8080"], "Write an address such as 127.0.0.1:8080, or :8080 for all addresses."],
  [["--concurrency", "0"], "Write a number from 1 to 999."],
  [["--node-limits", "full"], "Allowed choices are Disruption, Full, Off."],
])("%j is wrong use", async (args, words) => {
  const { exit, stderr } = await run(folder, ["watch", ...COMPLETE, ...args]);
  expect(stderr).toContain(words);
  expect(exit).toBe(2);
});

describe("clusters of a WatchConfig", () => {
  const fleet = (spec: object = {}) =>
    config(
      spec,
      ["c1", "c2", "c3"].map((name) => cluster(name)),
    );
  const names = (options: Partial<WatchOptions>, spec: object = {}) =>
    read({ config: fleet(spec), ...options }).specs.map(({ name }) => name);

  test("all, or those that are named, in their order", () => {
    expect(names({})).toEqual(["c1", "c2", "c3"]);
    expect(names({ cluster: ["c3", "c1"] })).toEqual(["c1", "c3"]);
    expect(names({ name: "c2" })).toEqual(["c2"]);
  });

  test("guards open for named clusters only", () => {
    const { specs } = read({ config: fleet(), cluster: ["c2"], maxPrune: 50, allowEmpty: true, adopt: ["web"] });
    expect(specs).toMatchObject([{ name: "c2", maxPrune: 50, allowEmpty: true, adopt: new Set(["web"]) }]);
    expect(names({ maxPrune: 2 })).toHaveLength(3);
    expect(names({ maxPrune: 9 }, { maxPrune: 9 })).toHaveLength(3);
    const alone = config({}, [cluster("c1")]);
    expect(read({ config: alone, maxPrune: 50, allowEmpty: true }).specs).toHaveLength(1);
  });

  test.each<[Partial<WatchOptions>, object, string]>([
    [{ cluster: ["c4"] }, {}, "--cluster c4 is not a cluster of the WatchConfig; it has c1, c2, c3"],
    [{ name: "watch" }, {}, "--name watch is not a cluster of the WatchConfig; it has c1, c2, c3"],
    [
      { allowEmpty: true },
      {},
      "--allow-empty relaxes a guard for all 3 clusters: name the clusters that it is for with --cluster",
    ],
    [
      { maxPrune: 6 },
      {},
      "--max-prune 6 relaxes a guard for all 3 clusters: name the clusters that it is for with --cluster",
    ],
    [
      { maxPrune: 6 },
      { maxPrune: 5 },
      "--max-prune 6 relaxes a guard for all 3 clusters: name the clusters that it is for with --cluster",
    ],
    [
      { adopt: ["web"] },
      {},
      "--adopt relaxes a guard for all 3 clusters: name the clusters that it is for with --cluster",
    ],
    [
      { cluster: ["c1"] },
      { leaderElection: { namespace: "anp" } },
      "--cluster needs --once if the WatchConfig has a leaderElection: the leader reconciles all clusters",
    ],
  ])("%o: %o is refused", (options, spec, words) => {
    expect(() => names(options, spec)).toThrow(words);
  });

  test("without a WatchConfig there is one cluster, and --name is the watch's", () => {
    expect(read(OF_FLAGS).specs[0]?.name).toBe("watch");
    expect(read({ ...OF_FLAGS, name: "c1" }).specs[0]?.name).toBe("c1");
    expect(() => read({ ...OF_FLAGS, cluster: ["c1"] })).toThrow("--cluster names clusters of a WatchConfig");
    expect(names({ cluster: ["c1"], once: true }, { leaderElection: { namespace: "anp" } })).toEqual(["c1"]);
  });
});

describe("spec.workers of an earlier version", () => {
  const found = (workers: unknown) => read({ config: config({ clusters: undefined, discover: {}, workers }) });

  test.each([{ count: 3, memory: "2Gi" }, { count: 0 }, {}, 4])(
    "%j: the watch goes on, and the log says so",
    (workers) => {
      const { notices } = found(workers);
      expect(notices).toMatchObject([
        { level: "warn", msg: "field without effect", fields: { field: "spec.workers" } },
      ]);
    },
  );

  test("nothing is said without it", () => {
    expect(found(undefined).notices).toEqual([]);
  });

  test("it has no effect for a list of clusters either", () => {
    expect(read({ config: config({ workers: {} }) }).notices).toHaveLength(1);
  });
});
