/** The probes and metrics that a watch serves. Runs on real API servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { version } from "../../../src/version.ts";
import { remove } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { type AnpProcess, startAnp } from "../../support/watch/anp-process.ts";
import { ARCH, isIn, NAMESPACE, pool } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, nodePool, OPERATOR, put } from "../../support/watch/rig.ts";

describeOnClusters("probes and metrics", (rig) => {
  let anp: AnpProcess | undefined;

  afterEach(async () => {
    anp?.send("SIGKILL");
    await anp?.ended;
  });

  function start(...args: string[]): AnpProcess {
    anp = startAnp([
      "watch",
      "--hosted-cluster",
      NAMESPACE,
      "--interval",
      "10m",
      "--listen",
      "127.0.0.1:0",
      "--guest-kubeconfig",
      rig.kubeconfig("guest", OPERATOR),
      "--management-kubeconfig",
      rig.kubeconfig("management", "guest-admin"),
      ...args,
    ]);
    return anp;
  }

  async function ask(path: string, method = "GET"): Promise<Response> {
    return anp!.ask(path, method);
  }

  const samples = async () => {
    const text = await (await ask("/metrics")).text();
    return text
      .split("\n")
      .filter((line) => line.startsWith("anp_") && !line.includes("_bucket") && !line.includes("_sum"));
  };

  test("pages, and paths and methods that are not served", async () => {
    start();
    await anp?.said(/msg=reconciled/);
    const pages = ["/healthz", "/readyz", "/nothing", "/metrics/", "/"].map(async (path) => {
      const response = await ask(path);
      return [path, response.status, await response.text()];
    });
    expect(await Promise.all(pages)).toEqual([
      ["/healthz", 200, "ok\n"],
      ["/readyz", 200, "ok\n"],
      ["/nothing", 404, "not found\n"],
      ["/metrics/", 404, "not found\n"],
      ["/", 404, "not found\n"],
    ]);
    expect((await ask("/healthz?verbose", "HEAD")).status).toBe(200);
    expect((await ask("/healthz", "POST")).status).toBe(405);
  });

  test("/healthz lists an unreachable cluster with the reason", async () => {
    const kubeconfig = join(rig.folder, "moved.kubeconfig");
    const right = rig.guest.kubeconfig(OPERATOR);
    writeFileSync(kubeconfig, right.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:9"));
    start("--guest-kubeconfig", kubeconfig, "--interval", "1s");
    await anp?.said(/msg=reconciled .*result=failed/);
    const health = async () => {
      const response = await ask("/healthz");
      return [response.status, await response.text()];
    };
    expect(await health()).toEqual([
      200,
      expect.stringMatching(
        /^ok\nwatch: the guest cluster cannot be listed: https:\/\/127\.0\.0\.1:9 cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:9\n$/,
      ),
    ]);
    writeFileSync(kubeconfig, right);
    await anp?.said(/msg=reconciled .*result=ok/);
    await expect.poll(health).toEqual([200, "ok\n"]);
  });

  test("an address in use: one line, exit 4", async () => {
    start();
    const [, address = ""] = (await anp?.said(/msg=listening address=(\S+)/)) ?? [];
    const second = startAnp([
      "watch",
      "--hosted-cluster",
      NAMESPACE,
      "--listen",
      address,
      "--guest-kubeconfig",
      rig.kubeconfig("guest", OPERATOR),
      rig.folder,
    ]);
    expect(await second.ended).toBe(4);
    expect(second.log()).toBe(`anp: cannot listen on ${address}: EADDRINUSE\n`);
  });

  test("metrics count passes and objects, and drop deleted clusters", async () => {
    await put(rig.guest, pool("batch"));
    await put(rig.guest, pool("web", [], { limits: { nodes: "10" } }));
    start();
    await anp?.said(/msg=reconciled .*created=11/);
    await expect.poll(samples).toContain('anp_objects{cluster="watch",kind="NodePool",state="applied"} 2');
    expect((await ask("/metrics")).headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");

    const path = await objectPath(rig.guest, nodePool("web"));
    await rig.guest.request(OPERATOR, "PATCH", `${path}?fieldManager=hand`, { spec: { weight: 9 } });
    await anp?.said(/msg="foreign change overwritten"/);
    await remove(rig.guest, ADMIN, pool("batch"));
    await anp?.said(/msg=deleted/);
    await put(rig.guest, pool("clash", [isIn(ARCH, "arm64")]));
    await expect.poll(samples).toContain('anp_policy_ready{cluster="watch",reason="RequirementsConflict"} 0');
    const counted = /(timestamp_seconds|_count|reconciles_total|version=)/;
    const stable = async () =>
      (await samples())
        .filter((line) => !line.startsWith("anp_api_requests_total"))
        .map((line) => (counted.test(line) ? line.replace(/ \S+$/, "") : line));
    // The pass that the last writes triggered may still be running.
    await expect.poll(stable).toEqual(METRICS);
    const text = await (await ask("/metrics")).text();
    expect(text).toMatch(/anp_reconcile_duration_seconds_bucket\{le="0.05",cluster="watch"\} \d+/);
    expect(text).toMatch(/process_resident_memory_bytes \d+/);
    expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
    const requests = (side: string, verb: string) =>
      Number(new RegExp(`requests_total.cluster="watch",side="${side}",verb="${verb}". (\\d+)`).exec(text)?.[1]);
    expect(requests("guest", "list")).toBeGreaterThanOrEqual(4 * 6);
    expect(requests("guest", "apply")).toBe(11 + 1 + 1);
    expect(requests("guest", "delete")).toBe(1);
    expect(requests("management", "list")).toBeGreaterThanOrEqual(4 * 3);
  });
});

const METRICS = [
  `anp_build_info{version="${version}"}`,
  "anp_concurrency 4",
  "anp_running_passes 0",
  "anp_queue_depth 0",
  ...["ok", "held", "failed"].map((result) => `anp_reconciles_total{cluster="watch",result="${result}"}`),
  ...["ok 1", "held 0", "failed 0", "untried 0"].map((one) => {
    const [result, value] = one.split(" ");
    return `anp_cluster_result{cluster="watch",result="${result}"} ${value}`;
  }),
  'anp_drift_corrected_fields_total{cluster="watch"} 1',
  'anp_pruned_objects_total{cluster="watch"} 1',
  'anp_last_reconcile_timestamp_seconds{cluster="watch"}',
  'anp_last_success_timestamp_seconds{cluster="watch"}',
  'anp_policy_mode{cluster="watch",mode="Apply"} 1',
  'anp_policy_mode{cluster="watch",mode="Hold"} 0',
  'anp_policy_mode{cluster="watch",mode="Permissive"} 0',
  'anp_policy_ready{cluster="watch",reason="RequirementsConflict"} 0',
  'anp_objects{cluster="watch",kind="ValidatingAdmissionPolicy",state="applied"} 4',
  'anp_objects{cluster="watch",kind="ValidatingAdmissionPolicyBinding",state="applied"} 4',
  'anp_objects{cluster="watch",kind="EC2NodeClass",state="applied"} 1',
  'anp_objects{cluster="watch",kind="NodePool",state="applied"} 2',
  'anp_nodepools{cluster="watch",verdict="unsatisfiable"} 1',
  'anp_nodepools{cluster="watch",verdict="ok"} 1',
  'anp_nodepools_outside_policy{cluster="watch"} 0',
  'anp_nodepool_nodes{cluster="watch",nodepool="web"} 0',
  'anp_nodepool_node_limit{cluster="watch",nodepool="web"} 10',
  'anp_findings{cluster="watch",severity="error"} 0',
  'anp_findings{cluster="watch",severity="warning"} 1',
  'anp_findings{cluster="watch",severity="info"} 0',
  'anp_reconcile_duration_seconds_count{cluster="watch"}',
];
