/** The test rig itself: two control planes, their users, admission policies and a clean end. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditedRequests } from "../../support/controlplane/audit.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { HttpsClient } from "../../support/controlplane/https-client.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";

describe("control planes", () => {
  let management: ControlPlane;
  let guest: ControlPlane;

  beforeAll(async () => {
    [management, guest] = await Promise.all([startControlPlane(), startControlPlane()]);
  });

  afterAll(async () => {
    await Promise.all([management?.stop(), guest?.stop()]);
  });

  test("two of them are ready at once and keep their objects apart", async () => {
    const here = configMap("here");
    expect((await create(guest, "guest-admin", here)).status).toBe(201);
    expect((await get(guest, "system:admin", here)).status).toBe(200);
    expect((await get(management, "system:admin", here)).status).toBe(404);
  });

  test("a token of one is refused by the other", async () => {
    const authorization = `Bearer ${management.users["system:admin"].token}`;
    const answer = await guest.request("plain-user", "GET", "/api/v1/namespaces", undefined, { authorization });
    expect(answer.status).toBe(401);
  });

  test("every user has its name and groups", async () => {
    for (const [name, user] of Object.entries(guest.users)) {
      const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
      const { status, body } = await create(guest, name as UserName, review);
      expect(status).toBe(201);
      expect(body.status).toMatchObject({
        userInfo: { username: name, groups: [...user.groups, "system:authenticated"] },
      });
    }
  });

  test("only those bound to cluster-admin may read secrets", async () => {
    const statuses = Object.keys(guest.users).map(async (name) => {
      const { status } = await guest.request(name as UserName, "GET", "/api/v1/secrets");
      return [name, status];
    });
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      "system:hosted-cluster-config": 200,
      "system:admin": 200,
      "plain-user": 403,
      "karpenter-tenant": 403,
      "anp-watch": 403,
      "guest-admin": 200,
      "system:serviceaccount:kube-system:generic-garbage-collector": 200,
    });
  });

  test("a misspelt field is refused unless the test asks for something else", async () => {
    const misspelt = { ...configMap("misspelt"), dtaa: { key: "value" } };
    expect((await create(guest, "system:admin", misspelt)).status).toBe(400);
    expect((await apply(guest, "system:admin", misspelt)).status).toBe(500);
    const lenient = await create(guest, "system:admin", misspelt, { fieldValidation: "Warn", dryRun: true });
    expect(lenient.status).toBe(201);
    expect((await get(guest, "system:admin", misspelt)).status).toBe(404);
  });

  test("server-side apply records the owners of fields", async () => {
    const mine = configMap("owned", { key: "mine" });
    const theirs = configMap("owned", { key: "theirs" });
    expect((await apply(guest, "system:admin", mine, { fieldManager: "me" })).status).toBe(201);
    const conflict = await apply(guest, "system:admin", theirs, { fieldManager: "them" });
    expect(conflict).toMatchObject({ status: 409, body: { reason: "Conflict" } });
    const forced = await apply(guest, "system:admin", theirs, { fieldManager: "them", force: true });
    expect(forced).toMatchObject({ status: 200, body: { data: { key: "theirs" } } });
  });

  test("an admission policy denies one user and allows another", async () => {
    for (const object of policyExcept("system:hosted-cluster-config")) {
      expect((await apply(guest, "system:admin", object)).status).toBe(201);
    }
    const object = configMap("guarded");
    // A policy takes effect some time after it was stored.
    const denied = async (): Promise<boolean> =>
      (await create(guest, "guest-admin", object, { dryRun: true })).status === 422;
    await until("the policy denies", denied);
    const answer = await create(guest, "guest-admin", object);
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain("only the operator writes guarded objects");
    expect((await create(guest, "system:hosted-cluster-config", object)).status).toBe(201);
    expect((await remove(guest, "guest-admin", object)).status).toBe(422);
    expect((await remove(guest, "system:hosted-cluster-config", object)).status).toBe(200);
  });

  test("a kubeconfig names the server, the certificate and the token", () => {
    const text = guest.kubeconfig("plain-user");
    expect(text).toContain(`server: ${guest.url}\n`);
    expect(text).toContain(`token: ${guest.users["plain-user"].token}\n`);
    expect(text).toContain(Buffer.from(guest.ca).toString("base64"));
  });
});

describe("the end of a control plane", () => {
  test("stop ends both processes, even with an open watch", async () => {
    const controlPlane = await startControlPlane();
    const { etcd, apiServer } = controlPlane.pids;
    expect([isAlive(etcd), isAlive(apiServer)]).toEqual([true, true]);
    const client = new HttpsClient(controlPlane.url, controlPlane.ca);
    const { token } = controlPlane.users["system:admin"];
    const watch = client.send(token, "GET", "/api/v1/namespaces?watch=true").catch(() => "cut off");
    await controlPlane.stop();
    expect([isAlive(etcd), isAlive(apiServer)]).toEqual([false, false]);
    expect(await watch).toBe("cut off");
  });

  test("an API server that was killed restarts on its port with its objects and its audit log", async () => {
    const controlPlane = await startControlPlane({ audited: ["guest-admin"] });
    try {
      expect((await create(controlPlane, "guest-admin", configMap("kept"))).status).toBe(201);
      await controlPlane.killApiServer();
      await expect(get(controlPlane, "guest-admin", configMap("kept"))).rejects.toThrow("ECONNREFUSED");
      await controlPlane.startApiServer();
      expect((await get(controlPlane, "guest-admin", configMap("kept"))).status).toBe(200);
      await get(controlPlane, "system:admin", configMap("kept"));
      const asked = auditedRequests(controlPlane.auditLog).filter(({ resource }) => resource === "configmaps");
      expect(asked.map(({ verb, name, status }) => `${verb} ${name} ${status}`)).toEqual([
        "create kept 201",
        "get kept 200",
      ]);
    } finally {
      await controlPlane.stop();
    }
  });

  test("a server that cannot start reports the reason", async () => {
    const start = startControlPlane({ runtimeConfig: "no/such=maybe" });
    await expect(start).rejects.toThrow(/kube-apiserver ended: exit code 1\n[^]*no\/such/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function configMap(name: string, data?: Record<string, string>): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, ...(data && { data }) };
}

function policyExcept(user: UserName): KubernetesObject[] {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const metadata = { name: "guard.test" };
  const rule = {
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
    operations: ["*"],
    resourceNames: ["guarded"],
  };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [{ name: "not-the-operator", expression: `request.userInfo.username != '${user}'` }],
    validations: [{ expression: "false", message: "only the operator writes guarded objects" }],
  };
  const binding = { policyName: "guard.test", validationActions: ["Deny"] };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec },
    { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata, spec: binding },
  ];
}
