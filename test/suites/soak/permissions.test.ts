/** Proves on two real API servers that the roles of deploy/ are enough, and that each verb of each rule is needed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { formatLogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { remove } from "../../support/controlplane/objects.ts";
import { CAPI_CLUSTER, NAMESPACE, policy, pool } from "../../support/watch/inputs.ts";
import { ADMIN, clear, pass, put, putEverything, type Rig, startRig, watched } from "../../support/watch/rig.ts";
import { NAME, prepareBusyPass } from "../../support/deploy/busy-pass.ts";
import { type Grant, install, type Installed, withhold } from "../../support/deploy/installed.ts";

/**
 * What a user reads in the log of a pass that has everything to do and lacks one verb. Those of `watch` and of leases
 * are for a watch that goes on, and shown below.
 */
const WITHOUT: Readonly<Record<string, string>> = {
  "management list autonodepolicies": "AutoNodePolicy of the management cluster cannot be listed: ",
  "management patch autonodepolicies/status": "the status of AutoNodePolicy default cannot be written: ",
  "management list hostedcontrolplanes": "HostedControlPlane cannot be read: ",
  "management list secrets": "Secret cannot be read: ",
  "management get configmaps":
    "the inventory clusters-c1/anp-inventory.clusters-c1.c1.0 of the management cluster cannot be read: ",
  "management patch configmaps": 'msg="create failed" cluster=c1 object="EC2NodeClass fresh"',
  "management create events": "events cannot be written: ",
  "management patch events": "events cannot be written: ",
  "guest list openshiftnodepools": "OpenshiftNodePool of the guest cluster cannot be listed: ",
  "guest list openshiftec2nodeclasses": "OpenshiftEC2NodeClass of the guest cluster cannot be listed: ",
  "guest patch openshiftnodepools/status": "the status of OpenshiftNodePool web cannot be written: ",
  "guest patch openshiftec2nodeclasses/status": "the status of OpenshiftEC2NodeClass default cannot be written: ",
  "guest list nodepools": "NodePool of the guest cluster cannot be listed: ",
  "guest create nodepools": 'msg="create failed" cluster=c1 object="NodePool fresh"',
  "guest patch nodepools": 'msg="update failed" cluster=c1 object="NodePool web"',
  "guest delete nodepools": 'msg="prune failed" cluster=c1 object="NodePool old"',
  "guest list ec2nodeclasses": "EC2NodeClass of the guest cluster cannot be listed: ",
  "guest create ec2nodeclasses": 'msg="create failed" cluster=c1 object="EC2NodeClass fresh"',
  "guest patch ec2nodeclasses": 'msg="update failed" cluster=c1 object="EC2NodeClass default"',
  "guest delete ec2nodeclasses": 'msg="prune failed" cluster=c1 object="EC2NodeClass old"',
  "guest list validatingadmissionpolicies": "ValidatingAdmissionPolicy of the guest cluster cannot be listed: ",
  "guest create validatingadmissionpolicies":
    'msg="create failed" cluster=c1 object="ValidatingAdmissionPolicy karpenter.ec2nodeclass.hypershift.io"',
  "guest patch validatingadmissionpolicies":
    'msg="update failed" cluster=c1 object="ValidatingAdmissionPolicy karpenter.nodepool.hypershift.io"',
  "guest delete validatingadmissionpolicies":
    'msg="prune failed" cluster=c1 object="ValidatingAdmissionPolicy karpenter.nodeclaim.hypershift.io"',
  "guest list validatingadmissionpolicybindings":
    "ValidatingAdmissionPolicyBinding of the guest cluster cannot be listed: ",
  "guest create validatingadmissionpolicybindings":
    'msg="create failed" cluster=c1 object="ValidatingAdmissionPolicyBinding karpenter-binding.ec2nodeclass.hypershift.io"',
  "guest patch validatingadmissionpolicybindings":
    'msg="update failed" cluster=c1 object="ValidatingAdmissionPolicyBinding karpenter-binding.nodepool.hypershift.io"',
  "guest delete validatingadmissionpolicybindings":
    'msg="prune failed" cluster=c1 object="ValidatingAdmissionPolicyBinding karpenter-binding.nodeclaim.hypershift.io"',
  "guest list nodeclaims": "NodeClaim of the guest cluster cannot be listed: ",
  "guest create events": "events cannot be written: ",
  "guest patch events": "events cannot be written: ",
  "guest create selfsubjectreviews": "nothing is applied: anp cannot find out its own user in the guest cluster",
  "guest delete nodeclaims": "",
  "guest list nodes": "Node of the guest cluster cannot be listed: ",
  "guest list pods": "Pod of the guest cluster cannot be listed: ",
};

/** Of the enhancement's own rules (docs/design.md#the-autonode-policy-enhancement); anp lists and patches. */
const UNUSED = ["management get autonodepolicies", "management update autonodepolicies/status"];

/** Without it an event that comes again counts two for ever: nothing is refused in the log. */
const COUNTING = ["management get events", "guest get events"];

/** Before the first object is made. */
const BEGINNING = "management create configmaps";

/** Of deploy/guest/inventory. */
const ALONE = ["guest get configmaps", "guest create configmaps", "guest patch configmaps"];

const ABOUT_CRDS = "guest get customresourcedefinitions";
const ABOUT_NAMESPACE = "management get namespaces";
const ABOUT_CLUSTER = "management get clusters";

describe("the roles of deploy/", () => {
  let rig: Rig;
  let installed: Installed;
  let grants: ReadonlyMap<string, Grant>;

  beforeAll(async () => {
    rig = await startRig();
    installed = await install(rig, { guest: "deploy/guest/inventory" });
    grants = new Map(installed.grants.map((grant) => [nameOf(grant), grant]));
  });

  afterAll(async () => {
    await rig?.stop();
  });

  /** @param paths of a watch that has no management cluster */
  async function passWithRoles(config: string, paths: readonly string[] = []): Promise<string> {
    const source = { paths, policyDir: undefined, config };
    const [guest, management] = (["guest", "management"] as const).map((side) =>
      httpClusterApi({ kubeconfig: installed.kubeconfigs[side] }),
    ) as [ReturnType<typeof httpClusterApi>, ReturnType<typeof httpClusterApi>];
    const readDirectory = directoryReader(source);
    const result = await pass(
      watched(rig, {
        name: NAME,
        guest,
        management: paths.length === 0 ? management : undefined,
        source,
        readDirectory,
        nodeLimits: "Full",
      }),
    );
    guest.close();
    management.close();
    const { done, state, summary } = logLines(result, 0);
    return [...done, ...state, summary].map((entry) => formatLogEntry(entry, "", "logfmt")).join("");
  }

  test("with all of them nothing is refused", async () => {
    const log = await passWithRoles(await prepareBusyPass(rig));
    expect(log).not.toContain("forbidden");
    expect(log.trimEnd().split("\n").at(-1)).toContain(
      "result=ok policy=Apply ready=True reason=Applied created=4 updated=5 inSync=1 pruned=4",
    );
  });

  test.each(Object.entries(WITHOUT))("without %s", async (name, words) => {
    const grant = grants.get(name);
    if (grant === undefined) throw new Error(`deploy/ has no such rule: ${name}`);
    const config = await prepareBusyPass(rig);
    const giveBack = await withhold(rig, grant);
    const log = await passWithRoles(config);
    await giveBack();
    const line = log.split("\n").find((text) => text.includes(words) && text.includes("is forbidden: User"));
    expect(line, log).toContain(`cannot ${grant.verb} resource \\"${grant.resource}\\"`);
  });

  test.each(COUNTING)("without %s, an event that comes again is not counted", async (name) => {
    const grant = grants.get(name)!;
    const path = `/apis/events.k8s.io/v1/namespaces/${grant.role.metadata?.namespace}/events`;
    const request = (method: "GET" | "DELETE") => rig[grant.side].request(ADMIN, method, path);
    const highest = async (): Promise<number> => {
      const { body } = await request("GET");
      return Math.max(...(body.items ?? []).map((event) => Number(valueAt(event, ["series", "count"]) ?? 1)));
    };
    const config = await prepareBusyPass(rig);
    const giveBack = await withhold(rig, grant);
    await request("DELETE");
    // Who passes anew remembers no event, as a replica that has just taken over.
    for (const count of [1, 2, 2]) {
      await passWithRoles(config);
      expect(await highest()).toBe(count);
    }
    await giveBack();
    await passWithRoles(config);
    expect(await highest()).toBe(3);
  });

  test(`without ${BEGINNING}, nothing is made that was not there before`, async () => {
    const config = await prepareBusyPass(rig);
    await clear(rig);
    await putEverything(rig, []);
    const giveBack = await withhold(rig, grants.get(BEGINNING)!);
    const log = await passWithRoles(config);
    await giveBack();
    expect(log).toMatch(
      /msg="create failed" cluster=c1 object="NodePool web" reason="the inventory .* cannot be written: .* cannot create resource/,
    );
    expect(await passWithRoles(config)).toContain('msg=created cluster=c1 object="NodePool web"');
  });

  test.each(ALONE)("without %s, a watch that has no management cluster makes nothing", async (name) => {
    const config = await prepareBusyPass(rig);
    await clear(rig);
    const file = join(rig.folder, "alone.yaml");
    writeFileSync(file, [policy([]), pool("web")].map((object) => toYaml(object)).join("---\n"));
    const grant = grants.get(name)!;
    const giveBack = await withhold(rig, grant);
    const log = await passWithRoles(config, [file]);
    await giveBack();
    expect(log).toMatch(
      new RegExp(`the inventory kube-system/.* cannot be (read|written): .*cannot ${grant.verb} resource`),
    );
    const created = 'msg=created cluster=c1 object="NodePool web"';
    expect(log).not.toContain(created);
    expect(await passWithRoles(config, [file])).toContain(created);
    await clear(rig);
  });

  test(`without ${ABOUT_CRDS}, the last pool stays, because it is unknown why its wrapper is gone`, async () => {
    const config = await prepareBusyPass(rig);
    const wrappers = "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools";
    await rig.guest.request(ADMIN, "DELETE", wrappers);
    const giveBack = await withhold(rig, grants.get(ABOUT_CRDS)!);
    const log = await passWithRoles(config);
    await giveBack();
    expect(log).toContain("no OpenshiftNodePool was read, and anp cannot check whether its CustomResourceDefinition");
    expect(await passWithRoles(config)).toContain('msg=deleted cluster=c1 object="NodePool web"');
  });

  test(`without ${ABOUT_CLUSTER}, pools that HyperShift's operator deletes are made again`, async () => {
    const config = await prepareBusyPass(rig);
    const going = { ...CAPI_CLUSTER, metadata: { ...CAPI_CLUSTER.metadata, finalizers: ["cluster.cluster.x-k8s.io"] } };
    await put(rig.management, going);
    expect((await remove(rig.management, ADMIN, CAPI_CLUSTER)).status).toBe(200);
    expect(await passWithRoles(config)).toContain("reason=HostedClusterGoing");
    const giveBack = await withhold(rig, grants.get(ABOUT_CLUSTER)!);
    expect(await passWithRoles(config)).toContain("reason=Applied");
    await giveBack();
    await put(rig.management, { ...CAPI_CLUSTER, metadata: { ...CAPI_CLUSTER.metadata, finalizers: [] } });
  });

  // The last one: what is being deleted takes no new objects.
  test(`without ${ABOUT_NAMESPACE}, a namespace that is deleted opens the pools when its policy goes first`, async () => {
    const config = await prepareBusyPass(rig);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
    for (const object of [namespace, policy([])])
      expect((await remove(rig.management, ADMIN, object)).status).toBe(200);
    expect(await passWithRoles(config)).toContain(`its Namespace ${NAMESPACE} is; applied objects stay`);
    const giveBack = await withhold(rig, grants.get(ABOUT_NAMESPACE)!);
    expect(await passWithRoles(config)).toContain("policy=Permissive");
    await giveBack();
  });

  test("nothing is granted that no test here needs", () => {
    const about = [ABOUT_CRDS, ABOUT_NAMESPACE, ABOUT_CLUSTER];
    const needed = [...Object.keys(WITHOUT), ...COUNTING, ...UNUSED, ...ALONE, BEGINNING, ...about];
    const others = [...grants.values()].filter(({ verb, resource }) => verb !== "watch" && resource !== "leases");
    expect(others.map(nameOf).toSorted()).toEqual(needed.toSorted());
  });
});

function nameOf({ side, verb, resource }: Grant): string {
  return `${side} ${verb} ${resource}`;
}
