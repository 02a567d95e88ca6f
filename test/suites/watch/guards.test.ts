/** A weakened guard is restored by one pass, whatever was changed. Runs on a real API server. */
import { expect, test } from "vitest";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { live, OPERATOR, pass, type Rig, watched } from "../../support/watch/rig.ts";

const api = "admissionregistration.k8s.io/v1";
const POLICY = {
  apiVersion: api,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "karpenter.nodepool.hypershift.io" },
};
const BINDING = {
  apiVersion: api,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
};

interface Spec {
  readonly matchConditions: readonly object[];
  readonly validations: readonly object[];
}

/** An object, and a change of its spec by a user with all rights. */
const WEAKENED: readonly [what: string, object: KubernetesObject, change: (spec: Spec) => object][] = [
  ["a binding that only warns", BINDING, () => ({ validationActions: ["Warn"] })],
  ["a binding that only writes to the audit log", BINDING, () => ({ validationActions: ["Audit"] })],
  [
    "a binding for some namespaces",
    BINDING,
    () => ({ matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } }),
  ],
  [
    "a condition that lets one more pass",
    POLICY,
    ({ matchConditions }) => ({
      matchConditions: [...matchConditions, { name: "me-too", expression: "request.userInfo.username != 'me'" }],
    }),
  ],
  [
    "a condition that says something else",
    POLICY,
    () => ({ matchConditions: [{ name: "exclude-hcco-user", expression: "false" }] }),
  ],
  ["a validation that always holds", POLICY, () => ({ validations: [{ expression: "true" }] })],
  ["a policy that is ignored when it fails", POLICY, () => ({ failurePolicy: "Ignore" })],
];

describeOnClusters("a weakened guard", (rig: Rig) => {
  test.each(WEAKENED)("%s is restored", async (_what, object, change) => {
    expect((await pass(watched(rig))).result).toBe("ok");
    const before = (await live(rig.guest, object)).spec;
    const { status, text } = await rig.guest.request(OPERATOR, "PATCH", await objectPath(rig.guest, object), {
      spec: change(before as unknown as Spec),
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
    const result = await pass(watched(rig));
    expect((await live(rig.guest, object)).spec).toEqual(before);
    expect([result.result, result.counts.updated, result.counts.drift]).toEqual(["ok", 1, 1]);
    expect((await pass(watched(rig))).counts).toMatchObject({ updated: 0, drift: 0 });
  });
});
