/** A policy that is present, changed, deleted, invalid, forbidden or unreadable. Runs on real API servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { get, remove, until } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { allow } from "../../support/watch-process/rbac.ts";
import { ARCH, CONTROL_PLANE, isIn, NAMESPACE, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { describeOnOwnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  apiOf,
  live,
  pass,
  put,
  readyOf,
  requirementsOf,
  type Rig,
  said,
  watched,
} from "../../support/watch/rig.ts";

describeOnOwnClusters("the policy's life", (rig) => {
  beforeAll(allowPlainUser);

  beforeEach(async () => {
    await pass(watched(rig));
  });

  /** All objects of the hosted cluster except its policy. */
  async function allowPlainUser(): Promise<void> {
    const rules = [
      { apiGroups: [""], resources: ["secrets"], verbs: ["list"] },
      { apiGroups: ["hypershift.openshift.io"], resources: ["hostedcontrolplanes"], verbs: ["list"] },
      { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create"] },
    ];
    await allow(rig.management, "plain-user", "all-but-policy", rules, NAMESPACE);
  }

  const requirements = (name: string) => requirementsOf(rig, name);
  const restricted = [isIn(ARCH, "amd64")];
  const asPlainUser = () => ({ management: apiOf(rig, "management", "plain-user") });

  test("deleted, it no longer restricts pools, as the enhancement says", async () => {
    await remove(rig.management, ADMIN, policy([]));
    const result = await pass(watched(rig));
    expect(result).toMatchObject({ result: "ok", mode: "Permissive" });
    expect(await requirements("web")).toEqual([]);
  });

  test("required and deleted, applied objects are held", async () => {
    await remove(rig.management, ADMIN, policy([]));
    const result = await pass(watched(rig, { render: { requirePolicy: true } }));
    expect(result).toMatchObject({ result: "held", mode: "Hold", ready: { reason: "PolicyRequired" } });
    expect(await requirements("web")).toEqual(restricted);
  });

  test("another name is not recognised", async () => {
    await remove(rig.management, ADMIN, policy([]));
    await put(rig.management, { ...policy([isIn(ARCH, "arm64")]), metadata: { name: "strict", namespace: NAMESPACE } });
    const result = await pass(watched(rig));
    expect(result.mode).toBe("Permissive");
    expect(result.findings.map(({ code, file }) => [code, file])).toContainEqual([
      "policy-ignored",
      "management:autonodepolicies/strict",
    ]);
  });

  test("invalid, applied objects are held, and the guards stay in force", async () => {
    // Without the rules of the CRD, as with an older CRD.
    const entry = { key: ARCH, operator: "Within", values: ["amd64"] };
    await withLooseCrd(rig, () => put(rig.management, policy([entry])));
    await put(rig.guest, pool("new"));
    const guard = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "karpenter.nodepool.hypershift.io" },
    };
    await remove(rig.guest, ADMIN, guard);
    const result = await pass(watched(rig));
    expect(result).toMatchObject({ result: "held", mode: "Hold" });
    expect(said(result).toSorted()).toEqual(["hold EC2NodeClass/default", "hold NodePool/new", "hold NodePool/web"]);
    expect(await requirements("web")).toEqual(restricted);
    await live(rig.guest, guard);
    const ready = await readyOf(rig);
    expect(ready).toMatchObject({ status: "False", reason: "PolicyInvalid" });
    expect(ready?.["message"]).toContain("spec.nodePoolDefaults.requirements[0].operator");
  });

  test("on labels of another provider, it restricts nothing and applied objects are held", async () => {
    await put(rig.management, policy([isIn("karpenter.azure.com/sku-family", "D")]));
    const result = await pass(watched(rig));
    expect(result).toMatchObject({ result: "held", mode: "Hold", ready: { reason: "PolicyInvalid" } });
    expect(result.ready.message).toContain("karpenter.azure.com/sku-family is a label of Karpenter on Azure");
    expect(await requirements("web")).toEqual(restricted);
  });

  test("a field that a newer management cluster knows is a warning", async () => {
    const newer = { ...policy(restricted), spec: { nodePoolDefaults: { requirements: restricted, surprise: true } } };
    await withLooseCrd(rig, () => put(rig.management, newer));
    const result = await pass(watched(rig));
    expect(result).toMatchObject({ result: "ok", mode: "Apply" });
    expect(result.findings.map(({ code, severity, field }) => [code, severity, field])).toContainEqual([
      "unknown-field",
      "warning",
      "spec.nodePoolDefaults.surprise",
    ]);
  });

  test("forbidden by RBAC, applied objects are held; Permissive must be chosen", async () => {
    await put(rig.guest, pool("new"));
    const held = await pass(watched(rig, asPlainUser()));
    expect(held).toMatchObject({ result: "failed", mode: "Hold", ready: { reason: "PolicyForbidden" } });
    expect(said(held)).toEqual(["hold EC2NodeClass/default", "hold NodePool/new", "hold NodePool/web"]);
    expect(await requirements("web")).toEqual(restricted);
    const { body } = await rig.management.request(
      ADMIN,
      "GET",
      `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`,
    );
    expect(
      (body.items ?? []).map(({ reason, regarding }) => [reason, (regarding as { kind: string }).kind]),
    ).toContainEqual(["PolicyForbidden", "Namespace"]);
    // The inventory is unreadable then, too.
    const blind = await pass(watched(rig, { ...asPlainUser(), onPolicyUnreadable: "Permissive" }));
    expect(blind).toMatchObject({ mode: "Hold", ready: { reason: "PolicyForbidden" } });
    expect(await requirements("web")).toEqual(restricted);
    const { get, apply, patch } = apiOf(rig, "management", "guest-admin");
    const plain = apiOf(rig, "management", "plain-user");
    const withInventory: ClusterApi = { ...plain, get, apply, patch };
    const asPermissive = { management: withInventory, onPolicyUnreadable: "Permissive" } as const;
    const open = await pass(watched(rig, asPermissive));
    expect(open).toMatchObject({
      result: "failed",
      mode: "Permissive",
      ready: { status: "False", reason: "PolicyForbidden" },
    });
    expect(await requirements("web")).toEqual([]);
    const required = { render: { requirePolicy: true } };
    expect(await pass(watched(rig, { ...asPermissive, ...required }))).toMatchObject({ mode: "Hold" });
  });

  test("if the management cluster is unreachable, unauthorized or late, nothing changes, also with Permissive", async () => {
    await put(rig.guest, pool("new"));
    for (const management of [unreachable(), unauthorized(), late()]) {
      const result = await pass(watched(rig, { management, onPolicyUnreadable: "Permissive" }));
      expect(result).toMatchObject({ result: "failed", mode: "Hold", ready: { reason: "PolicyUnavailable" } });
      expect(await requirements("web")).toEqual(restricted);
      management.close();
    }
  });

  function unreachable(): ClusterApi {
    return httpClusterApi({
      kubeconfig: written("unreachable", rig.management.kubeconfig(ADMIN).replace(/127\.0\.0\.1:\d+/, "127.0.0.1:9")),
    });
  }

  function unauthorized(): ClusterApi {
    return httpClusterApi({
      kubeconfig: written("unauthorized", rig.management.kubeconfig(ADMIN).replace(/token: .*/, "token: unknown")),
    });
  }

  function late(): ClusterApi {
    return httpClusterApi({ kubeconfig: rig.kubeconfig("management", ADMIN), timeoutMs: 1 });
  }

  function written(name: string, text: string): string {
    const path = join(rig.folder, name);
    writeFileSync(path, text);
    return path;
  }

  test("a namespace without a hosted cluster makes no pool permissive", async () => {
    const result = await pass(watched(rig, { hostedCluster: "clusters-c2" }));
    expect(result).toMatchObject({ mode: "Hold", ready: { reason: "HostedClusterUnknown" } });
    await remove(rig.management, ADMIN, policy([]));
    await remove(rig.management, ADMIN, CONTROL_PLANE);
    expect(await pass(watched(rig))).toMatchObject({ mode: "Hold", ready: { reason: "HostedClusterUnknown" } });
    expect(await requirements("web")).toEqual(restricted);
  });

  test("a conflicting pool is applied anyway, so that no user can block a tightening", async () => {
    await put(rig.guest, pool("web", [isIn(TYPE, "m5.large")]));
    await put(rig.management, policy([isIn(TYPE, "m5.xlarge")]));
    await pass(watched(rig));
    expect(await requirements("web")).toEqual([isIn(TYPE, "m5.xlarge"), isIn(TYPE, "m5.large")]);
    expect(await readyOf(rig)).toMatchObject({
      status: "False",
      reason: "RequirementsConflict",
      message: `pools conflict with the policy: web (${TYPE})`,
    });
  });

  test("a pool that would bypass it is blocked", async () => {
    const key = "karpenter.k8s.aws/instance-gpu-count";
    await put(rig.guest, pool("web", [{ key, operator: "NotIn", values: ["99"] }]));
    await put(rig.management, policy([{ key, operator: "Exists" }]));
    const result = await pass(watched(rig));
    expect(await requirements("web")).toContainEqual(isIn(TYPE, "blocked-by-autonodepolicy"));
    expect(result.ready).toEqual({
      status: "False",
      reason: "PolicyBypassed",
      message: `pools would bypass the policy and are blocked: web (${key})`,
    });
  });

  test("a pool with an annotation that is reserved for Karpenter gets a tightened policy, without the annotation", async () => {
    const annotations = {
      "karpenter.sh/nodeclaim-termination-timestamp": "9999-01-01T00:00:00Z",
      "example.com/a": "b",
    };
    await put(rig.guest, pool("web", [], { template: { metadata: { annotations }, spec: { nodeClassRef: REF } } }));
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const result = await pass(watched(rig));
    expect(await requirements("web")).toEqual([isIn(ARCH, "arm64")]);
    const { spec } = (
      await get(rig.guest, ADMIN, { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "web" } })
    ).body;
    expect(spec).toMatchObject({ template: { metadata: { annotations: { "example.com/a": "b" } } } });
    expect(JSON.stringify(spec)).not.toContain("nodeclaim-termination-timestamp");
    expect(result.findings.map(({ code, severity }) => ({ code, severity }))).toContainEqual({
      code: "template-key-left-out",
      severity: "warning",
    });
  });

  test("a pool with a wrapper that no longer renders is held, and reported when a tightening does not reach it", async () => {
    // Karpenter cannot parse this duration.
    const template = { spec: { nodeClassRef: REF, requirements: [], expireAfter: "9999999h" } };
    await put(rig.guest, pool("web", [], { template }));
    const same = await pass(watched(rig));
    expect(said(same)).toContain("hold NodePool/web");
    expect(same.ready.reason).toBe("WrapperHeld");
    await put(rig.management, policy([isIn(ARCH, "arm64")]));
    const tightened = await pass(watched(rig));
    expect(tightened.ready.reason).toBe("PoolOutsidePolicy");
    expect(tightened.ready.message).toContain("the policy does not reach the NodePool web: ");
    expect(await requirements("web")).toEqual(restricted);
  });

  test("a wrapper with too many requirements is blocked, and does not prevent a tightening", async () => {
    await put(rig.guest, pool("web", manyEntries()));
    const full = await pass(watched(rig));
    expect(full.findings.map(({ code }) => code)).toContain("policy-bypass-blocked");
    expect(full.ready).toEqual({
      status: "False",
      reason: "NoInstanceTypes",
      message:
        "1 of 1 NodePools gets no nodes: web: no instance type satisfies node.kubernetes.io/instance-type In [blocked-by-autonodepolicy] (policy)",
    });
    expect(await requirements("web")).toEqual([...restricted, isIn(TYPE, "blocked-by-autonodepolicy")]);
    const tight = [isIn(ARCH, "arm64")];
    await put(rig.management, policy(tight));
    expect(said(await pass(watched(rig)))).toContain("update NodePool/web");
    expect(await requirements("web")).toEqual([...tight, isIn(TYPE, "blocked-by-autonodepolicy")]);
  });

  test("a pool with labels of another provider is held with the reason", async () => {
    const azure = { group: "karpenter.azure.com", kind: "AKSNodeClass", name: "default" };
    const labels = { "kubernetes.azure.com/mode": "user" };
    const entries = [isIn("karpenter.azure.com/sku-family", "D")];
    await put(rig.guest, pool("new", [], { template: { spec: { nodeClassRef: azure } } }));
    await put(
      rig.guest,
      pool("web", [], { template: { metadata: { labels }, spec: { nodeClassRef: REF, requirements: entries } } }),
    );
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(expect.arrayContaining(["hold NodePool/new", "hold NodePool/web"]));
    expect(result.findings.filter(({ code }) => code === "provider-mismatch")).toHaveLength(3);
    expect(result.ready).toMatchObject({ reason: "WrapperHeld" });
    expect(result.ready.message).toContain("Karpenter on AWS");
    expect(await requirements("web")).toEqual(restricted);
  });

  const REF = { group: "karpenter.hypershift.openshift.io", kind: "OpenshiftEC2NodeClass", name: "default" };

  /** Too many for a NodePool, together with the policy's. */
  function manyEntries() {
    return Array.from({ length: 100 }, (_, index) => ({ key: `example.com/k${index}`, operator: "Exists" }));
  }

  test("a Secret that may not be read holds the classes, and no message holds a secret", async () => {
    await put(rig.management, userData("default", "another-secret-token"));
    const result = await pass(watched(rig));
    expect(said(result)).toContain("update EC2NodeClass/default");
    expect(
      JSON.stringify({
        ...result,
        outcomes: result.outcomes.map(({ step: _step, ...outcome }) => outcome),
      }),
    ).not.toContain("another-secret");
  });

  /** The API server prunes unknown fields and refuses invalid ones, so loosen its CRD. */
  async function withLooseCrd({ management }: Rig, act: () => Promise<void>): Promise<void> {
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "autonodepolicies.karpenter.hypershift.openshift.io" },
    };
    const path = await objectPath(management, crd);
    const schema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
    const loose = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const change = [{ op: "replace", path: schema, value: loose }];
    const headers = { "content-type": "application/json-patch+json" };
    const { status, text } = await management.request(ADMIN, "PATCH", path, JSON.stringify(change), headers);
    if (status !== 200) throw new Error(text);
    await until("the looser CRD", async () => {
      // The API server refuses it until then.
      await act().catch(() => undefined);
      const { spec } = await live(management, policy([]));
      return JSON.stringify(spec).includes("Within") || JSON.stringify(spec).includes("surprise");
    });
  }
});
