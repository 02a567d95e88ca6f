/** Which metadata of applied objects the admission policies let users and Karpenter write. Runs on a real API server. */
import { expect, onTestFinished, test } from "vitest";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, remove, until, waitGone } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, ec2NodeClass, live, nodePool, OPERATOR, pass, watched } from "../../support/watch/rig.ts";
import { THIRD_USER, WIPED } from "../../support/watch/third-user.ts";

const LABEL = "/metadata/labels/app.kubernetes.io~1managed-by";
const SET = "/metadata/labels/anp.hypershift.openshift.io~1set";
const FROM = "/metadata/annotations/anp.hypershift.openshift.io~1rendered-from";

describeOnClusters("metadata that anp writes", (rig) => {
  async function patched(user: UserName, object: KubernetesObject, ops: readonly object[], sub = ""): Promise<number> {
    const headers = { "content-type": "application/json-patch+json" };
    const path = (await objectPath(rig.guest, object)) + sub;
    const { status } = await rig.guest.request(user, "PATCH", path, JSON.stringify(ops), headers);
    return status;
  }

  const inForce = (object: KubernetesObject) =>
    until("the guards are in force", async () => {
      const mark = { op: "add", path: "/metadata/annotations", value: { "anp.hypershift.openshift.io/new": "x" } };
      return (await patched(THIRD_USER, object, [mark], "?dryRun=All")) === 422;
    });

  test.each([
    ["NodePool", nodePool("web")],
    ["EC2NodeClass", ec2NodeClass("default")],
  ] as const)("only the writer may change it on a %s; other metadata may change", async (_kind, object) => {
    await pass(watched(rig));
    await inForce(object);
    const entries = (await live(rig.guest, object)).metadata?.["managedFields"] as object[];
    const denied: Record<string, readonly object[]> = {
      "takes a label away": [{ op: "remove", path: LABEL }],
      "takes all labels away": [{ op: "remove", path: "/metadata/labels" }],
      "changes the set": [{ op: "replace", path: SET, value: "other" }],
      "changes an annotation": [{ op: "replace", path: FROM, value: "OpenshiftNodePool/gone" }],
      "takes all annotations away": [{ op: "remove", path: "/metadata/annotations" }],
      "adds one of ours": [{ op: "add", path: "/metadata/annotations/anp.hypershift.openshift.io~1new", value: "x" }],
      "wipes the managedFields": WIPED,
      "forges ours": [
        { op: "replace", path: "/metadata/managedFields", value: entries.map((one) => ({ ...one, fieldsV1: {} })) },
      ],
      "adds one of our name": [
        { op: "add", path: "/metadata/managedFields/-", value: { ...entries[0], operation: "Update" } },
      ],
    };
    for (const [what, ops] of Object.entries(denied))
      expect([what, await patched(THIRD_USER, object, ops)]).toEqual([what, 422]);
    const allowed: Record<string, readonly object[]> = {
      "another label": [{ op: "add", path: "/metadata/labels/team", value: "a" }],
      "another annotation": [{ op: "add", path: "/metadata/annotations/note", value: "x" }],
      "a finalizer": [{ op: "add", path: "/metadata/finalizers", value: ["karpenter.sh/termination"] }],
      "no finalizer": [{ op: "remove", path: "/metadata/finalizers" }],
    };
    for (const user of [THIRD_USER, ADMIN])
      for (const [what, ops] of Object.entries(allowed))
        expect([what, await patched(user, object, ops)]).toEqual([what, 200]);
    expect(await patched(ADMIN, object, [{ op: "add", path: "/status", value: { conditions: [] } }], "/status")).toBe(
      200,
    );
    // Writes of the status do not change it.
    await patched(THIRD_USER, object, WIPED, "/status");
    expect(await pass(watched(rig))).toMatchObject({ result: "ok", counts: { updated: 0, inSync: 10 } });
    expect(await patched(OPERATOR, object, [{ op: "remove", path: LABEL }])).toBe(200);
    expect(await pass(watched(rig))).toMatchObject({ result: "ok", counts: { updated: 1 } });
  });

  test.each([
    ["NodePool", nodePool("web")],
    ["EC2NodeClass", ec2NodeClass("default")],
  ] as const)("keeps no finalizer on a %s that is being deleted", async (_kind, object) => {
    await pass(watched(rig));
    await inForce(object);
    const finalizers = ["example.com/a", "example.com/b"];
    onTestFinished(
      async () => void (await patched(OPERATOR, object, [{ op: "remove", path: "/metadata/finalizers" }])),
    );
    expect(await patched(OPERATOR, object, [{ op: "add", path: "/metadata/finalizers", value: finalizers }])).toBe(200);
    await remove(rig.guest, OPERATOR, object);
    expect(await patched(THIRD_USER, object, WIPED)).toBe(422);
    // After a change of the CRD, the API server changes managedFields with the next request.
    const without = (value: readonly string[]) => [{ op: "replace", path: "/metadata/finalizers", value }, ...WIPED];
    expect(await patched(THIRD_USER, object, without(["example.com/b"]))).toBe(200);
    expect(await patched(THIRD_USER, object, [{ op: "remove", path: LABEL }])).toBe(422);
    expect(await patched(THIRD_USER, object, without([]))).toBe(200);
    await waitGone(rig.guest, object);
  });

  test("a provider's pool cannot get the marks of anp; its other metadata can change", async () => {
    await pass(watched(rig));
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" };
    const metadata = { name: "theirs", labels: { "app.kubernetes.io/managed-by": "helm" } };
    const spec = { template: { spec: { nodeClassRef, requirements: [] } } };
    const theirs = { ...nodePool("theirs"), metadata, spec };
    expect((await create(rig.guest, OPERATOR, theirs)).status).toBe(201);
    await inForce(nodePool("theirs"));
    const tried = (ops: readonly object[]) => patched(THIRD_USER, nodePool("theirs"), ops);
    expect(await tried([{ op: "replace", path: LABEL, value: "anp" }])).toBe(422);
    expect(await tried([{ op: "add", path: SET, value: "x" }])).toBe(422);
    expect(await tried([{ op: "replace", path: LABEL, value: "flux" }])).toBe(200);
    expect(await tried([{ op: "remove", path: LABEL }])).toBe(200);
    expect(await tried(WIPED)).toBe(200);
  });
});
