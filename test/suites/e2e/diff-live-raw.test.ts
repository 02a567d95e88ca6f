/** `anp diff --live` of raw objects on a real API server: files compared with live objects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, until, waitEstablished } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { anp, buildOnce } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";

const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web, labels: {team: shop}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
      expireAfter: 24h
  disruption: {consolidateAfter: 1m}
  weight: 10
`;
const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiSelectorTerms: [{alias: al2023@latest}]
  role: nodes
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  userData: hunter2
`;
const OTHER = POOL.replace("name: web", "name: other").replace("  weight: 10\n", "");

const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);

describe("anp diff --live of raw objects", () => {
  let cluster: ControlPlane;

  beforeAll(async () => {
    await buildOnce();
    cluster = await startControlPlane();
    for (const crd of await karpenterCrds("karpenter-1.15"))
      expect((await create(cluster, "system:admin", crd)).status).toBe(201);
    await waitEstablished(cluster, KARPENTER_CRD_NAMES);
    for (const object of [POOL, CLASS, OTHER].flatMap(objectsOf))
      expect((await apply(cluster, "system:admin", object, { fieldManager: "kubectl" })).status).toBe(201);
  });

  afterAll(async () => {
    await cluster?.stop();
  });

  function ask(files: Readonly<Record<string, string>>, ...args: string[]) {
    return askAs("system:admin", files, args);
  }

  function askAs(user: UserName, files: Readonly<Record<string, string>>, args: readonly string[]) {
    const folder = folderWith(files);
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig(user));
    return anp(["diff", "in", "--live", "--kubeconfig", "kubeconfig", ...args], { cwd: folder });
  }

  const NOTE = "note: NodePools are compared as they are: neither side has a policy or a wrapper\n";

  test("finds no difference if the files were applied, whatever else the cluster has", () => {
    const ended = ask({ "in/pool.yaml": POOL, "in/class.yaml": CLASS });
    expect(ended).toStrictEqual({ exit: 0, stdout: "", stderr: `${NOTE}no changes\n` });
  });

  test("shows a removed field, although another manager owns it", () => {
    const { stdout, stderr, exit } = ask({ "in/pool.yaml": POOL.replace("  weight: 10\n", "").replace("24h", "48h") });
    expect({ stdout, stderr, exit }).toStrictEqual({
      exit: 1,
      stderr: NOTE,
      stdout: `~ NodePool web  replaces all nodes: there are none
    done at once: it has no nodes
    spec:
      template:
        spec:
-         expireAfter: 24h  # replaces-all, in/pool.yaml:9
+         expireAfter: 48h
-     weight: 10  # behavioural, in/pool.yaml:4

1 changed (replaces-all 1); done at once
1 pool changes · +0 −0 types
`,
    });
  });

  test("reports changed user data without showing it, and changes nothing", async () => {
    const [live] = objectsOf(CLASS);
    const before = (await get(cluster, "system:admin", live!)).body.metadata?.resourceVersion;
    const { stdout, stderr, exit } = ask({ "in/class.yaml": CLASS.replace("hunter2", "hunter3") }, "-o", "json");
    expect([exit, stdout + stderr]).toStrictEqual([1, expect.not.stringContaining("hunter")]);
    expect((JSON.parse(stdout) as { changes: unknown }).changes).toMatchObject([
      { effect: "replaces-all", fields: [{ path: "spec.userData" }] },
    ]);
    expect((await get(cluster, "system:admin", live!)).body.metadata?.resourceVersion).toBe(before);
  });

  test("answers the same for a user who may only read, and says what was not asked", async () => {
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] }];
    const head = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "reader" } };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "plain-user" }];
    for (const object of [
      { ...head, kind: "ClusterRole", rules },
      { ...head, kind: "ClusterRoleBinding", roleRef, subjects },
    ])
      expect((await create(cluster, "system:admin", object)).status).toBe(201);
    const changed = {
      "in/pool.yaml": POOL.replace("  weight: 10\n", "").replace("24h", "48h"),
      "in/class.yaml": CLASS.replace("hunter2", "hunter3").replace("sg-1", "sg-2"),
    };
    await until("the user may read", async () => askAs("plain-user", changed, []).exit === 1);
    const { stdout, stderr } = askAs("plain-user", changed, []);
    expect(stdout).toBe(ask(changed).stdout);
    expect(stderr).toContain("note: the API server was not asked what it would store");
    expect(stdout + stderr).not.toContain("hunter");
    expect(askAs("plain-user", { "in/pool.yaml": POOL, "in/class.yaml": CLASS }, []).exit).toBe(0);
  });

  test("counts a pool outside of the files that uses a class", () => {
    const spare = CLASS.replace("name: default", "name: spare");
    expect(ask({ "in/class.yaml": spare }).stdout).toContain("+ EC2NodeClass spare  touches no node");
  });

  test("reports what Karpenter's CRDs refuse, without the user data", () => {
    const wrong = CLASS.replace("subnet-1", "sub net").replace("hunter2", "hunter3");
    const { exit, stdout, stderr } = ask({ "in/class.yaml": wrong });
    expect([exit, stdout]).toStrictEqual([3, ""]);
    expect(stderr).not.toContain("hunter");
  });

  test("refuses a hosted cluster", async () => {
    const rendered = objectsOf(OTHER).map((object) => ({
      ...object,
      metadata: {
        name: "rendered",
        labels: { "app.kubernetes.io/managed-by": "anp" },
        annotations: { "anp.hypershift.openshift.io/rendered-from": "OpenshiftNodePool/rendered" },
      },
    }));
    expect((await create(cluster, "system:admin", rendered[0]!)).status).toBe(201);
    const { exit, stdout, stderr } = ask({ "in/pool.yaml": POOL });
    expect([exit, stdout]).toStrictEqual([3, ""]);
    expect(stderr).toContain("[raw-object]");
  });
});
