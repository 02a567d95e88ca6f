/** Proves that the shipped watch runs with the shipped roles: once, in a loop, and as one of several replicas. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { auditedRequests } from "../../support/controlplane/audit.ts";
import { get, until } from "../../support/controlplane/objects.ts";
import { readPage } from "../../support/docs/page.ts";
import type { AnpProcess } from "../../support/watch/anp-process.ts";
import { ARCH, isIn, NAMESPACE, policy } from "../../support/watch/inputs.ts";
import { ADMIN, live, put, readyOf, requirementsOf, type Rig, startRig } from "../../support/watch/rig.ts";
import { CREATED, prepareBusyPass, PRUNED } from "../../support/deploy/busy-pass.ts";
import { type Grant, install, type Installed, USERS, withhold } from "../../support/deploy/installed.ts";
import { startShippedWatch } from "../../support/deploy/shipped-watch.ts";

const LEASE = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "anp-watch", namespace: "anp" },
};

/** No file tells the namespace of a pod here. */
const IN_POD = ["--leader-election-namespace", "anp"];

/**
 * Asked for by nothing here: the enhancement's own rules that anp has no use for; what matters only without a policy;
 * what server-side apply is asked for beside patch, which is no request of its own; and what only nodeLimits: Full does.
 * permissions.test.ts needs all but the first two.
 */
const UNASKED = [
  "management get autonodepolicies",
  "management update autonodepolicies/status",
  "management create configmaps",
  "guest create nodepools",
  "guest create ec2nodeclasses",
  "guest create validatingadmissionpolicies",
  "guest create validatingadmissionpolicybindings",
  "guest delete nodeclaims",
  "guest list nodes",
  "guest list pods",
];

describe("the watch of deploy/", () => {
  let rig: Rig;
  let installed: Installed;
  let anp: AnpProcess | undefined;

  beforeAll(async () => {
    rig = await startRig({ audited: Object.values(USERS) });
    installed = await install(rig);
  });

  afterEach(async () => {
    await stop();
  });

  afterAll(async () => {
    await rig?.stop();
  });

  async function start(...more: string[]): Promise<AnpProcess> {
    const renderConfig = await prepareBusyPass(rig);
    anp = await startShippedWatch(rig, installed, { renderConfig, more });
    return anp;
  }

  async function stop(): Promise<number | string | undefined> {
    anp?.send("SIGTERM");
    return anp?.ended;
  }

  function entries(): Readonly<Record<string, unknown>>[] {
    const lines = (anp?.log() ?? "").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  test("one pass: everything is applied and pruned, and told on both clusters", async () => {
    const { ended } = await start("--once");
    expect([await ended, entries().filter(({ level }) => level === "error")]).toEqual([0, []]);
    expect(entries().filter(({ msg }) => msg === "not written")).toEqual([]);
    expect(entries().at(-1)).toMatchObject({ msg: "reconciled", result: "ok", created: 4, updated: 5, pruned: 4 });
    for (const object of CREATED) {
      const { metadata } = await live(rig.guest, object);
      // A user that uninstalls anp finds them by the label. They need no anp to be deleted, and stay without it.
      expect(metadata).toMatchObject({ labels: { "app.kubernetes.io/managed-by": "anp" } });
      expect([metadata?.finalizers, metadata?.["ownerReferences"]]).toEqual([undefined, undefined]);
    }
    for (const object of PRUNED) expect((await get(rig.guest, ADMIN, object)).status).toBe(404);
    expect(await readyOf(rig)).toMatchObject({ status: "True", reason: "Applied" });
    expect(await eventsOf("management")).toContain("AutoNodePolicy default Applied");
    expect(await eventsOf("guest")).toEqual(
      expect.arrayContaining(["OpenshiftNodePool fresh Applied", "NodePool old Pruned"]),
    );
  });

  test("in a loop: it leads, answers its probes, follows what changes, and gives the lease back", async () => {
    const { said } = await start(...IN_POD);
    const [, address] = await said(/"address":"([^"]+)"/);
    const probe = async (path: string) => (await fetch(`http://${address}${path}`)).status;
    await said(/"msg":"leading"/);
    await until("ready", async () => (await probe("/readyz")) === 200);
    expect(await probe("/healthz")).toBe(200);
    const metrics = await (await fetch(`http://${address}/metrics`)).text();
    // This one leads; what replicas have that share is test/suites/cluster/metrics.test.ts's.
    const alerts = readPage("docs/watch-runbook.md").match(/\banp_(?!shards)[a-z_]+/g) ?? [];
    expect(alerts.filter((name) => !metrics.includes(`\n${name}{`) && !metrics.includes(`\n${name} `))).toEqual([]);
    expect(alerts.length).toBeGreaterThan(0);
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    await until("the changed policy is applied", () => isAsked("fresh", "arm64"), 10_000);
    expect(await holder()).toMatch(/./);
    expect(await stop()).toBe(0);
    expect(await holder()).toBe("");
    expect(entries().filter(({ level }) => level === "error")).toEqual([]);
  });

  test("no request was refused, and no permission is granted that is not used", () => {
    const asked = (["management", "guest"] as const).flatMap((side) =>
      auditedRequests(rig[side].auditLog)
        // Whether a server answers is asked of no resource: a refusal is an answer, too.
        .filter(({ user, resource }) => user === USERS[side] && resource !== "")
        .map(({ verb, resource, status }) => ({ name: `${side} ${verb} ${resource}`, status })),
    );
    expect(asked.filter(({ status }) => status === 403)).toEqual([]);
    const names = new Set(asked.map(({ name }) => name));
    const granted = [...new Set(installed.grants.map(nameOf))];
    expect(granted.filter((name) => !names.has(name)).toSorted()).toEqual(UNASKED.toSorted());
    expect([...names].filter((name) => !granted.includes(name))).toEqual([]);
  });

  test("without watch on policies, a changed one waits for the next pass by the clock; other Secrets bring none", async () => {
    const giveBack = await withhold(rig, grantOf("management watch autonodepolicies"));
    // Its own writes are heard, and bring one more pass.
    await (await start(...IN_POD)).said(/"msg":"reconciled".*"created":0,"updated":0/);
    await sleep(1000);
    const passes = () => entries().filter(({ msg }) => msg === "reconciled").length;
    const before = passes();
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    // One of the many that are there and hold no user data.
    const metadata = { name: "etcd-client-tls", namespace: NAMESPACE };
    await put(rig.management, { apiVersion: "v1", kind: "Secret", metadata, data: { "tls.key": "eA==" } });
    await sleep(2000);
    expect(passes()).toBe(before);
    const isFollowed = await isAsked("web", "arm64");
    await stop();
    await giveBack();
    expect(isFollowed).toBe(false);
    const told = entries().filter(({ msg }) => msg === "cannot be watched");
    expect(told).toMatchObject([{ kind: "AutoNodePolicy", reason: expect.stringContaining("cannot watch resource") }]);
  });

  test.each(["create", "get", "update"])("without %s on leases it does not lead, and says why", async (verb) => {
    const path = "/apis/coordination.k8s.io/v1/namespaces/anp/leases/anp-watch";
    await rig.management.request(ADMIN, "DELETE", path);
    if (verb === "update") await put(rig.management, { ...LEASE, spec: { holderIdentity: "" } });
    const giveBack = await withhold(rig, grantOf(`management ${verb} leases`));
    const { said } = await start(...IN_POD);
    const [line] = await said(/.*"msg":"lease not reached".*\n/);
    await stop();
    await giveBack();
    expect(line).toContain(`cannot ${verb} resource \\"leases\\"`);
    expect(entries().filter(({ msg }) => msg === "leading" || msg === "reconciled")).toEqual([]);
  });

  test("a server by another name: tls-server-name says whose certificate it has", async () => {
    // The certificate of these API servers knows the name kubernetes.default.svc.
    const whoAmI = async (name: string) => {
      const kubeconfig = join(rig.folder, "renamed.kubeconfig");
      const text = readFileSync(installed.kubeconfigs.guest, "utf8");
      writeFileSync(kubeconfig, text.replace(/^( *)server: .*$/m, `$&\n$1tls-server-name: ${name}`));
      const api = httpClusterApi({ kubeconfig });
      const answer = await api.whoAmI();
      api.close();
      return answer;
    };
    expect(await whoAmI("kubernetes.default.svc")).toEqual({ ok: true, value: "anp-watch" });
    expect(await whoAmI("kube-apiserver")).toMatchObject({
      error: { kind: "unavailable", message: expect.stringContaining("does not match certificate's altnames") },
    });
  });

  async function isAsked(pool: string, arch: string): Promise<boolean> {
    return JSON.stringify(await requirementsOf(rig, pool)).includes(arch);
  }

  async function holder(): Promise<unknown> {
    return (await live(rig.management, LEASE)).spec?.["holderIdentity"];
  }

  async function eventsOf(side: "management" | "guest"): Promise<string[]> {
    const { body } = await rig[side].request(ADMIN, "GET", "/apis/events.k8s.io/v1/events");
    return (body.items ?? []).map((event) => {
      const { kind, name } = event["regarding"] as { kind: string; name: string };
      return `${kind} ${name} ${event.reason}`;
    });
  }

  function grantOf(name: string): Grant {
    const found = installed.grants.find((grant) => nameOf(grant) === name);
    if (found === undefined) throw new Error(`deploy/ has no such rule: ${name}`);
    return found;
  }
});

function nameOf({ side, verb, resource }: Grant): string {
  return `${side} ${verb} ${resource}`;
}
