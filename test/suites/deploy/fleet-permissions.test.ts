/** Proves on a real API server that the roles of deploy/fleet are enough, that each verb is needed, and that anp writes no ConfigMaps but inventories. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { type Grant, install, type Installed, withhold } from "../../support/deploy/installed.ts";
import { HttpsClient } from "../../support/controlplane/https-client.ts";
import { ADMIN, type Rig, startRig } from "../../support/watch/rig.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { type FoundFleet, foundFleet, namespaceOf } from "../../support/watch-fleet/found-fleet.ts";
import { readFileSync } from "node:fs";

/** What a user reads in the log of a watch that lacks one verb. */
const WITHOUT: Readonly<Record<string, RegExp>> = {
  "list hostedcontrolplanes": /"cannot be followed","kind":"HostedControlPlane"/,
  "watch hostedcontrolplanes": /"cannot be followed","kind":"HostedControlPlane".*cannot watch/,
  "list autonodepolicies": /AutoNodePolicy of the management cluster cannot be listed: /,
  "watch autonodepolicies": /"cannot be followed","kind":"AutoNodePolicy".*cannot watch/,
  "patch autonodepolicies/status": /the status of AutoNodePolicy default cannot be written: /,
  "get secrets hcco-kubeconfig": /the kubeconfig of Secret clusters-a\/hcco-kubeconfig cannot be read: /,
  "list secrets hcco-kubeconfig": /"cannot be followed","kind":"Secret".*hcco-kubeconfig.*cannot list/,
  "watch secrets hcco-kubeconfig": /"cannot be followed","kind":"Secret".*hcco-kubeconfig.*cannot watch/,
  "list configmaps anp-watch-settings": /"cannot be followed","kind":"ConfigMap".*anp-watch-settings.*cannot list/,
  "watch configmaps anp-watch-settings": /"cannot be followed","kind":"ConfigMap".*anp-watch-settings.*cannot watch/,
  "create events": /events cannot be written: /,
  "list secrets": /Secret cannot be read: /,
  "watch secrets": /"cannot be followed","kind":"Secret".*cannot watch/,
  "get configmaps": /the inventory clusters-a\/\S+ of the management cluster cannot be read: /,
  "create configmaps": /the inventory clusters-a\/\S+ of the management cluster cannot be written: /,
  "patch configmaps": /the inventory clusters-a\/\S+ of the management cluster cannot be written: /,
  "create leases": /"lease not reached".*cannot create/,
  "get leases": /"lease not reached".*cannot get/,
  "update leases": /"lease not reached".*cannot update/,
  "list leases": /"shards not taken".*cannot list/,
};

/** Of deploy/hosted-cluster as well, whose suite shows them; and those that make the end of a replica quicker. */
const QUIET = ["get clusters", "get namespaces", "get events", "patch events", "patch leases", "delete leases"];

describe("the roles of deploy/fleet", () => {
  let rig: Rig;
  let installed: Installed;
  let fleet: FoundFleet;
  let watch: WatchProcess | undefined;

  beforeAll(async () => {
    rig = await startRig();
    installed = await install(rig, {}, ["deploy/fleet"]);
  });

  afterAll(async () => {
    await rig?.stop();
  });

  beforeEach(async () => {
    fleet = foundFleet(rig);
    await fleet.add("a");
  });

  afterEach(async () => {
    await watch?.stop("SIGKILL");
    watch = undefined;
    await fleet.stop();
    await rig.management.request(ADMIN, "DELETE", "/apis/coordination.k8s.io/v1/namespaces/anp/leases");
    await rig.management.request(ADMIN, "DELETE", "/apis/events.k8s.io/v1/namespaces/clusters-a/events");
  });

  function start(): WatchProcess {
    const management = { kubeconfig: installed.kubeconfigs.management };
    const sharding = { shards: 2, namespace: "anp" };
    watch = startWatch(["--config", fleet.config({ management }, { interval: "1s", sharding })]);
    return watch;
  }
  const log = () =>
    watch!
      .lines()
      .map((line) => JSON.stringify(line))
      .join("\n");

  test("are enough: nothing is refused, and what was taken is given back", async () => {
    const running = start();
    await running.until("some passes", () => Promise.resolve(running.passes(namespaceOf("a")).length > 2));
    expect(log()).not.toMatch(/forbidden|cannot be/);
    expect(await running.stop()).toBe(0);
    const path = "/apis/coordination.k8s.io/v1/namespaces/anp/leases";
    const { body } = await rig.management.request(ADMIN, "GET", path);
    const leases = (body.items ?? []) as unknown as { metadata: { name: string }; spec: { holderIdentity?: string } }[];
    expect(leases.map(({ metadata, spec }) => `${metadata.name} ${spec.holderIdentity ?? "-"}`).toSorted()).toEqual([
      "anp-watch.shard.0 ",
      "anp-watch.shard.1 ",
    ]);
  });

  test.each(Object.entries(WITHOUT))("without %s the log says what is missing", async (name, words) => {
    // The rule on all Secrets is one on those of the name as well.
    const [, verb] = /^(list|watch) secrets hcco-kubeconfig$/.exec(name) ?? [];
    const back: (() => Promise<void>)[] = [];
    for (const one of verb === undefined ? [name] : [`${verb} secrets`, name]) back.push(await withheld(one));
    try {
      const running = start();
      await running.until(String(words), () => Promise.resolve(words.test(log())));
    } finally {
      for (const giveBack of back.toReversed()) await giveBack();
    }
  });

  async function withheld(name: string): Promise<() => Promise<void>> {
    return withhold(
      rig,
      installed.grants.find((grant) => nameOf(grant) === name)!,
    );
  }

  test("nothing is granted that no test here needs", () => {
    const granted = installed.grants.filter(({ side }) => side === "management").map(nameOf);
    expect(granted.toSorted()).toEqual([...Object.keys(WITHOUT), ...QUIET].toSorted());
  });

  test("anp writes no ConfigMap but an inventory of its namespace", async () => {
    const token = /token: (\S+)/.exec(readFileSync(installed.kubeconfigs.management, "utf8"))?.[1] ?? "";
    const client = new HttpsClient(rig.management.url, rig.management.ca);
    const write = async (name: string) => {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "clusters-a" } };
      return client.send(token, "POST", "/api/v1/namespaces/clusters-a/configmaps", body);
    };
    await until("the guard is in force", async () => (await write("kube-root-ca")).status === 422);
    expect((await write("anp-inventory.clusters-b.shop.0")).text).toContain(
      "anp writes no ConfigMaps but its inventories",
    );
    expect((await write("anp-inventory.clusters-a.shop.0")).status).toBe(201);
    client.close();
  });
});

function nameOf({ verb, resource, name }: Grant): string {
  return [verb, resource, ...(name === undefined ? [] : [name])].join(" ");
}
