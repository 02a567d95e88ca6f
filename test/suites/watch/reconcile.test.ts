/** A pass: create, update, correct, prune, and its safeguards. Runs on real API servers. */
import { expect, test } from "vitest";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, remove } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import {
  ARCH,
  CONTROL_PLANE,
  isIn,
  NAMESPACE,
  nodeClass,
  policy,
  pool,
  TOKEN,
  TYPE,
  userData,
} from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  ec2NodeClass,
  live,
  nodePool,
  OPERATOR,
  pass,
  put,
  readyOf,
  requirementsOf,
  said,
  watched,
} from "../../support/watch/rig.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

describeOnClusters("a pass", (rig) => {
  const requirements = (name: string) => requirementsOf(rig, name);
  test("applies everything, sets the policy to Ready, and then has nothing to do", async () => {
    const first = await pass(watched(rig));
    expect(said(first)).toEqual(["create EC2NodeClass/default", "create NodePool/web"]);
    expect(first).toMatchObject({
      result: "ok",
      mode: "Apply",
      problems: [],
      counts: { created: 10, drift: 0 },
    });
    expect(first.outcomes.filter(({ severity }) => severity !== "info" && severity !== "none")).toEqual([]);
    expect(await requirements("web")).toEqual([isIn(ARCH, "amd64")]);
    expect((await live(rig.guest, ec2NodeClass("default"))).spec).toMatchObject({
      userData: TOKEN,
      tags: { team: "a" },
    });
    expect(await readyOf(rig)).toMatchObject({
      status: "True",
      reason: "Applied",
      message: "applied to 1 NodePools and 1 EC2NodeClasses",
      observedGeneration: 1,
    });
    const before = await readyOf(rig);
    const second = await pass(watched(rig));
    expect(said(second)).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
    expect(second.counts).toMatchObject({ created: 0, updated: 0, inSync: 10 });
    expect(await readyOf(rig)).toEqual(before);
  });

  test("a changed policy reaches every pool", async () => {
    await put(rig.guest, pool("batch", [isIn(TYPE, "m5.xlarge")]));
    await pass(watched(rig));
    const tighter = isIn(TYPE, "m5.xlarge", "m5.2xlarge");
    await put(rig.management, policy([tighter]));
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(["in-sync EC2NodeClass/default", "update NodePool/batch", "update NodePool/web"]);
    expect(result.counts.drift).toBe(0);
    expect(await requirements("batch")).toEqual([tighter, isIn(TYPE, "m5.xlarge")]);
    expect(await requirements("web")).toEqual([tighter]);
    expect(await readyOf(rig)).toMatchObject({ status: "True", observedGeneration: 2 });
  });

  test("changes of other writers are corrected and logged with field and owner; fields that they added are removed", async () => {
    await put(rig.guest, pool("web", [], { weight: 10 }));
    await pass(watched(rig));
    const path = await objectPath(rig.guest, nodePool("web"));
    const change = { spec: { weight: 99, limits: { cpu: "4" }, template: { spec: { requirements: [] } } } };
    const { status } = await rig.guest.request(OPERATOR, "PATCH", `${path}?fieldManager=hand`, change);
    expect(status).toBe(200);
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
    const drift = stepsOf(result).flatMap(({ step }) => step.drift.map(({ field, owner }) => `${field} ${owner}`));
    expect(drift.toSorted()).toEqual(["spec.limits hand", "spec.template.spec.requirements hand", "spec.weight hand"]);
    expect(result.counts.drift).toBe(3);
    const { spec } = await live(rig.guest, nodePool("web"));
    expect(spec).toMatchObject({ weight: 10 });
    expect(spec).not.toHaveProperty("limits");
    expect(said(await pass(watched(rig)))).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
  });

  test("a pass restores an admission policy that was weakened or deleted", async () => {
    await pass(watched(rig));
    const guard = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "karpenter.nodepool.hypershift.io" },
    };
    const binding = {
      ...guard,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
    };
    const before = (await live(rig.guest, guard)).spec;
    const excluded = {
      excludeResourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
    };
    const conditions = [...((before?.["matchConditions"] ?? []) as object[]), { name: "never", expression: "false" }];
    const path = await objectPath(rig.guest, guard);
    const change = { spec: { matchConstraints: excluded, matchConditions: conditions } };
    expect((await rig.guest.request(ADMIN, "PATCH", path, change)).status).toBe(200);
    await remove(rig.guest, ADMIN, binding);
    const result = await pass(watched(rig));
    expect(result).toMatchObject({ result: "ok", counts: { created: 1, updated: 1 } });
    expect((await live(rig.guest, guard)).spec).toEqual(before);
    expect((await live(rig.guest, binding)).spec).toMatchObject({ validationActions: ["Deny"] });
    expect((await pass(watched(rig))).counts).toMatchObject({ created: 0, updated: 0 });
  });

  test("removing a label does not bypass the policy", async () => {
    await pass(watched(rig));
    const path = await objectPath(rig.guest, nodePool("web"));
    const labels = { "app.kubernetes.io/managed-by": null, "anp.hypershift.openshift.io/set": null };
    const annotations = { "anp.hypershift.openshift.io/rendered-from": null };
    expect((await rig.guest.request(OPERATOR, "PATCH", path, { metadata: { labels, annotations } })).status).toBe(200);
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    expect(said(await pass(watched(rig)))).toContain("update NodePool/web");
    expect(await requirements("web")).toEqual([isIn(ARCH, "arm64")]);
  });

  test("a foreign object and one of another watch are not changed; --adopt takes them over", async () => {
    const spec = {
      template: {
        spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" }, requirements: [] },
      },
      weight: 3,
    };
    expect((await create(rig.guest, OPERATOR, { ...nodePool("web"), spec })).status).toBe(201);
    const before = await live(rig.guest, nodePool("web"));
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(["create EC2NodeClass/default", "foreign-object NodePool/web"]);
    expect(result.result).toBe("held");
    expect(await live(rig.guest, nodePool("web"))).toEqual(before);
    expect(await readyOf(rig)).toMatchObject({ status: "False", reason: "PoolOutsidePolicy" });
    expect((await readyOf(rig))?.["message"]).toContain("; --adopt NodePool/web takes it over");
    // Users of the guest cluster cannot use the advice for operators.
    const message = "a NodePool web exists that this watch did not create";
    expect(await readyOfWrapper(pool("web"))).toMatchObject({ status: "False", reason: "ForeignObject", message });
    expect(await notesOn("web")).toContain(`ForeignObject: ${message}`);
    const adopted = await pass(watched(rig, { adopt: new Set(["NodePool/web"]) }));
    expect(said(adopted)).toContain("update NodePool/web");
    expect((await live(rig.guest, nodePool("web"))).spec).not.toHaveProperty("weight");
    expect(await readyOfWrapper(pool("web"))).toBeUndefined();
    const other = await pass(watched(rig, { name: "other" }));
    expect(said(other)).toEqual(["foreign-object EC2NodeClass/default", "foreign-object NodePool/web"]);
  });

  test("a dry run reports everything and changes nothing", async () => {
    await pass(watched(rig));
    await put(rig.guest, pool("new"));
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    await put(rig.guest, pool("gone"));
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("gone"));
    await put(rig.management, policy([isIn(ARCH, "amd64")]));
    await put(rig.guest, pool("newer"));
    const before = await everything();
    const result = await pass(watched(rig, { dryRun: true }));
    expect(said(result)).toEqual([
      "in-sync EC2NodeClass/default",
      "update NodePool/new",
      "create NodePool/newer",
      "update NodePool/web",
      "prune NodePool/gone",
    ]);
    expect(await everything()).toEqual(before);
  });

  async function readyOfWrapper(object: KubernetesObject): Promise<Record<string, unknown> | undefined> {
    const { status } = await live(rig.guest, object);
    const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Record<string, unknown>[] };
    return conditions.find(({ type }) => type === "Ready");
  }

  async function notesOn(name: string): Promise<string[]> {
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const regarding = (item: Record<string, unknown>) => (item["regarding"] as { readonly name?: string }).name;
    return (body.items ?? [])
      .filter((item) => regarding(item) === name)
      .map(({ reason, note }) => `${String(reason)}: ${String(note)}`);
  }

  async function everything(): Promise<unknown> {
    const paths = [
      "/apis/karpenter.sh/v1/nodepools",
      "/apis/karpenter.k8s.aws/v1/ec2nodeclasses",
      "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools",
      "/apis/events.k8s.io/v1/events",
    ];
    const answers = await Promise.all(paths.map((path) => rig.guest.request(ADMIN, "GET", path)));
    const of = await rig.management.request(
      ADMIN,
      "GET",
      `/apis/karpenter.hypershift.openshift.io/v1beta1/namespaces/${NAMESPACE}/autonodepolicies`,
    );
    return [...answers, of].map(({ body }) => body.items);
  }

  test("a class without its hidden inputs is held: neither applied nor pruned", async () => {
    await remove(rig.management, ADMIN, userData("default"));
    expect(said(await pass(watched(rig)))).toEqual(["create NodePool/web", "hold EC2NodeClass/default"]);
    expect(await readyOf(rig)).toMatchObject({ status: "False", reason: "WrapperHeld" });
    const message =
      "OpenshiftEC2NodeClass default is not complete without amiSelectorTerms, userData: the HostedControlPlane and the user-data Secret hold them";
    expect(await readyOfWrapper(nodeClass("default"))).toMatchObject({ status: "False", reason: "Held", message });
    await put(rig.management, userData("default"));
    expect(said(await pass(watched(rig)))).toContain("create EC2NodeClass/default");
    expect(await readyOfWrapper(nodeClass("default"))).toBeUndefined();
    await remove(rig.management, ADMIN, CONTROL_PLANE);
    await remove(rig.guest, ADMIN, pool("web"));
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(["hold EC2NodeClass/default", "prune NodePool/web"]);
    expect(result.ready.message).toContain("is not complete without infraID");
  });

  test("Karpenter's status is mirrored to the wrappers, and events contain no secret", async () => {
    await pass(watched(rig));
    const path = await objectPath(rig.guest, nodePool("web"));
    const condition = {
      type: "Ready",
      status: "True",
      reason: "Ready",
      message: "",
      lastTransitionTime: "2026-01-05T09:00:00Z",
    };
    await rig.guest.request(ADMIN, "PATCH", `${path}/status`, {
      status: { conditions: [condition], resources: { cpu: "8", nodes: "2" } },
    });
    await pass(watched(rig));
    expect((await live(rig.guest, pool("web"))).status).toMatchObject({
      conditions: [condition],
      resources: { cpu: "8", nodes: "2" },
    });
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const events = (body.items ?? []).map(({ reason, note, regarding }) => [
      reason,
      note,
      (regarding as { kind: string }).kind,
    ]);
    expect(events).toContainEqual(["Applied", "NodePool web created", "OpenshiftNodePool"]);
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  });
});
