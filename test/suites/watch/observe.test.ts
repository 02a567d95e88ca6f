/** Proves on real clusters that `anp watch --observe` shows the watch that runs elsewhere, with rights to read alone, and writes nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadAll } from "js-yaml";
import { auditedRequests } from "../../support/controlplane/audit.ts";
import { apply, until } from "../../support/controlplane/objects.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { run } from "../../support/golden/case.ts";
import { ARCH, isIn, NAMESPACE, policy } from "../../support/watch/inputs.ts";
import { describeOn, withOneCluster } from "../../support/watch/on-clusters.ts";
import { live, nodePool, OPERATOR, pass, put, startRig, watched } from "../../support/watch/rig.ts";
import { allow, type Rule } from "../../support/watch-process/rbac.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { type FoundFleet, foundFleet, namespaceOf } from "../../support/watch-fleet/found-fleet.ts";

const OBSERVER: UserName = "plain-user";
const LONG = 180_000;

function rulesIn(file: string): readonly Rule[] {
  const text = readFileSync(join(import.meta.dirname, "../../../deploy/observe", file), "utf8");
  const [role] = loadAll(text) as { rules: Rule[] }[];
  return role!.rules;
}

describeOn(
  "anp watch --observe",
  () => startRig({ audited: [OBSERVER] }),
  withOneCluster,
  (rig) => {
    let fleet: FoundFleet;
    let replica: WatchProcess | undefined;

    beforeEach(async () => {
      fleet = foundFleet(rig);
      for (const side of ["management", "guest"] as const) {
        const named = rulesIn(side === "guest" ? "guest/cluster-role.yaml" : "cluster-role.yaml");
        await allow(rig[side], OBSERVER, "anp-observe", named);
      }
    });

    afterEach(async () => {
      await replica?.stop("SIGKILL");
      replica = undefined;
      await fleet.stop();
      await rig.management.request(OPERATOR, "DELETE", `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`);
    });

    const sharing = { interval: "1s", sharding: { shards: 4, namespace: NAMESPACE } };
    /** As somebody has it who may only read. */
    const config = () => fleet.config({ management: { kubeconfig: rig.kubeconfig("management", OBSERVER) } }, sharing);
    const observe = (...more: string[]) => run(rig.folder, ["watch", "--observe", ...more]);
    const hasPassed = (cluster: string) =>
      replica!.lines().some((line) => ["reconciled", "dry run"].includes(line.msg) && line["cluster"] === cluster);
    const bothPassed = () => Promise.resolve(["a", "b"].every((name) => hasPassed(namespaceOf(name))));
    const askedBy = (side: "management" | "guest") =>
      auditedRequests(rig[side].auditLog).filter(({ user }) => user === OBSERVER);
    test("clusters that are found: what the watch says, who keeps each, and that nobody does any more", async () => {
      for (const name of ["a", "b"]) await fleet.add(name);
      await fleet.set("b", "dryRun: true");
      replica = startWatch(["--config", fleet.config({}, sharing)]);
      await replica.until("both have had a pass", bothPassed, LONG);
      await until("its words have come", async () => (await observe("--config", config(), "--once")).exit === 1, LONG);
      const before = askedBy("management").length;

      const { exit, stdout, stderr } = await observe("--config", config(), "--once");
      expect([exit, stderr]).toEqual([1, ""]);
      expect(stdout).toMatch(/^CLUSTER +NAMESPACE +RESULT +SINCE +POLICY +READY +POOLS +IN SYNC +KEEPER\n/);
      expect(stdout).toMatch(/\nclusters-a +clusters-a +held +\d+\w +Apply +WrapperHeld +1 +- +\S+\n/);
      expect(stdout).toMatch(/\nclusters-a: OpenshiftEC2NodeClass default is not complete without /);

      const json = JSON.parse((await observe("--config", config(), "-o", "json")).stdout) as Observed;
      const [a, b] = json.clusters;
      expect(a).toMatchObject({ name: "clusters-a", result: "held", policy: "Apply", keeper: { state: "works" } });
      expect(a!.made).toContainEqual({ kind: "NodePool", name: "web" });
      expect(a!.guest).toEqual({ read: false, why: "its kubeconfig is in a Secret, which --read-guests reads" });
      expect(a!.events.map(({ reason }) => reason)).toContain("WrapperHeld");
      expect(b).toMatchObject({ name: "clusters-b", dryRun: true });
      expect(json.replicas).toMatchObject([{ lives: true, shards: 4 }]);

      // Only questions, each of them allowed; and no Secret.
      const asked = askedBy("management").slice(before);
      expect(asked.length).toBeGreaterThan(5);
      expect(asked.filter(({ verb }) => !["get", "list", "watch"].includes(verb))).toEqual([]);
      expect(asked.filter(({ status }) => status >= 400)).toEqual([]);
      expect(asked.filter(({ resource }) => resource.startsWith("secrets"))).toEqual([]);

      await replica.stop("SIGKILL");
      await until("its Leases are over", async () => (await observe("--config", config(), "--once")).exit === 4, LONG);
      const dead = await observe("--config", config(), "--once", "--cluster", "clusters-a");
      expect(dead.stdout).toMatch(/\nclusters-a +clusters-a +untried +\d+\w +Apply +WrapperHeld +1 +- +nobody\n/);
      expect(dead.stdout).toMatch(/\nclusters-a: nobody holds the shard \d; /);
    });

    test("guests that are found are read with the Secrets that one may get", async () => {
      await fleet.add("a");
      replica = startWatch(["--config", fleet.config({}, sharing)]);
      await replica.until("it has had a pass", () => Promise.resolve(replica!.passes().length > 0), LONG);
      const refused = await observe("--config", config(), "--read-guests", "-o", "json");
      const reading = (JSON.parse(refused.stdout) as Observed).clusters[0]!.guest;
      expect(reading).toMatchObject({ read: false, why: expect.stringContaining("secrets") as string });
      const wrote = () => fleet.guest("a").requests();
      await replica.stop();
      const before = wrote();
      const file = fleet.config({}, sharing);
      const { stdout } = await observe("--config", file, "--read-guests", "--once");
      expect(stdout).toMatch(/\nclusters-a +clusters-a +untried +\d+\w +Apply +WrapperHeld +1 ok +7\/8 +nobody\n/);
      expect(wrote()).toBeGreaterThan(before);
      expect(JSON.stringify(fleet.guest("a").get("/apis/karpenter.sh/v1/nodepools", "web"))).toContain(
        '"resourceVersion"',
      );
    });

    test("one that is named, with a real guest: what differs is shown and stays, what may not be read is unknown", async () => {
      expect((await pass(watched(rig))).result).toBe("ok");
      const flags = [
        "--hosted-cluster",
        NAMESPACE,
        "--management-kubeconfig",
        rig.kubeconfig("management", OBSERVER),
        "--guest-kubeconfig",
        rig.kubeconfig("guest", OBSERVER),
      ];
      const before = { management: askedBy("management").length, guest: askedBy("guest").length };
      const { exit, stdout, stderr } = await observe(...flags, "--once");
      expect([exit, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/\nwatch +clusters-c1 +ok +\d+\w +Apply +Applied +1 ok +7\/7 +unknown\n$/);

      const { spec, ...pool } = await live(rig.guest, nodePool("web"));
      const { managedFields: _fields, ...metadata } = pool.metadata as Record<string, unknown>;
      const drifted = { ...pool, metadata, spec: { ...(spec as object), weight: 7 } } as KubernetesObject;
      expect((await apply(rig.guest, OPERATOR, drifted, { force: true })).status).toBe(200);
      const { guest } = (JSON.parse((await observe(...flags, "-o", "json")).stdout) as Observed).clusters[0]!;
      expect(guest.objects).toContainEqual({ kind: "NodePool", name: "web", state: "update" });
      expect(guest.objects).toContainEqual({
        kind: "EC2NodeClass",
        name: "default",
        state: "unknown",
        reason: expect.stringContaining("Secret of the management cluster cannot be listed") as string,
      });
      expect(guest.verdicts).toEqual([{ pool: "web", verdict: "ok" }]);
      expect(await live(rig.guest, nodePool("web"))).toMatchObject({ spec: { weight: 7 } });

      const asked = [...askedBy("management").slice(before.management), ...askedBy("guest").slice(before.guest)];
      expect(asked.filter(({ verb }) => !["get", "list", "watch"].includes(verb))).toEqual([]);
      // Of user data nobody who only looks on needs to know.
      expect([...new Set(asked.filter(({ status }) => status >= 400).map(({ resource }) => resource))]).toEqual(
        expect.arrayContaining(["secrets"]),
      );
    });

    test("a policy that nobody has passed over, and a server that does not answer", async () => {
      const flags = ["--hosted-cluster", NAMESPACE, "--management-kubeconfig"];
      await put(rig.management, policy([isIn(ARCH, "arm64")]));
      const { exit, stdout } = await observe(...flags, rig.kubeconfig("management", OBSERVER), "--once");
      expect(exit).toBe(0);
      expect(stdout).toMatch(/\nwatch +clusters-c1 +unknown +- +- +unknown +- +- +unknown\n/);
      expect(stdout).toMatch(/\nwatch: no watch has said anything on the AutoNodePolicy yet\n$/);

      const missing = await observe(...flags, join(rig.folder, "missing.kubeconfig"), "--once");
      expect(missing.exit).toBe(4);
      expect(missing.stderr.match(/missing\.kubeconfig/g)).toHaveLength(2);
      expect(missing.stderr).toMatch(
        /^anp: the management cluster cannot be read: the kubeconfig .* cannot be read: ENOENT/,
      );
    });
  },
);

interface Observed {
  readonly clusters: readonly {
    readonly name: string;
    readonly made: readonly unknown[];
    readonly guest: { readonly objects?: readonly unknown[]; readonly verdicts?: readonly unknown[] };
    readonly events: readonly { readonly reason: string }[];
  }[];
  readonly replicas: readonly unknown[];
}
