/** `anp explain --event --live`: the nodes, pods and PodDisruptionBudgets of a real API server that an event names. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitAccess } from "../../support/controlplane/access.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import { apply, waitEstablished } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { NODE_CLASS } from "../../support/e2e/explained-objects.ts";
import { type LiveObject, putObjects } from "../../support/e2e/put-objects.ts";
import { run } from "../../support/golden/case.ts";

const ADMIN: UserName = "system:admin";
const POD = "web-5d9f8c7b6-x4k2p";
const BUDGET_EVENT = "Pdb prevents pod evictions (PodDisruptionBudget=[default/web])";
const POD_EVENT = `Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/${POD})`;

let cluster: ControlPlane;
let folder: string;

beforeAll(async () => {
  cluster = await startControlPlane();
  folder = mkdtempSync(join(tmpdir(), "anp-event-live-"));
  await putObjects(cluster, await karpenterCrds("karpenter-1.15"));
  await waitEstablished(cluster, KARPENTER_CRD_NAMES);
  await putObjects(cluster, OBJECTS);
});

afterAll(async () => {
  await cluster?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function told(event: string, user: UserName = ADMIN) {
  writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig(user), { mode: 0o600 });
  return run(folder, ["explain", "--event", event, "--live", "--kubeconfig", "kubeconfig"]);
}

test("names the PodDisruptionBudget, and the pool of the node", async () => {
  const { exit, stdout, stderr } = await told(`NodeClaim general-x4k2p ${BUDGET_EVENT}`);
  expect([exit, stderr]).toStrictEqual([0, ""]);
  expect(stdout).toContain("see 3 objects of the cluster\n");
  expect(stdout).toContain("pool       general\n");
  expect(stdout).toContain("PodDisruptionBudget web has maxUnavailable: 0, which allows no eviction at any time");
  expect(stdout).toContain("(guest:poddisruptionbudgets/web)");
  expect(stdout).toContain("Deployment web has replicas: 2");
  expect(stdout).toMatch(/\n1 event {2}\(1 pool of the cluster\)\n$/);
});

test("names the annotation of the pod and what makes the pod", async () => {
  const { stdout } = await told(POD_EVENT);
  expect(stdout).toContain(`Pod ${POD} has the annotation karpenter.sh/do-not-disrupt: "true"`);
  expect(stdout).toContain("Deployment web has no annotation karpenter.sh/do-not-disrupt");
});

test("says that a pod is gone", async () => {
  const { stdout } = await told(POD_EVENT.replaceAll(POD, "api-0"));
  expect(stdout).toContain("note       pod default/api-0 is not in the cluster now\n");
});

test("says what a user may not read, and does not call it gone", async () => {
  const rbac = "rbac.authorization.k8s.io";
  for (const object of [
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "pools" },
      rules: [{ apiGroups: ["karpenter.sh", "karpenter.k8s.aws"], resources: ["*"], verbs: ["list"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "pools" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "pools" },
      subjects: [{ kind: "User", name: "plain-user", apiGroup: rbac }],
    },
  ])
    expect((await apply(cluster, ADMIN, object)).status).toBeLessThan(300);
  await waitAccess(cluster, "plain-user", { verb: "list", group: "karpenter.sh", resource: "nodepools" });
  const { stdout, stderr } = await told(POD_EVENT, "plain-user");
  expect(stderr).toContain("the pods that the events name are unknown, because the user may not list pods");
  expect(stdout).not.toContain("is not in the cluster");
});

const LABELS = { app: "web" };
const CONTAINERS = { containers: [{ name: "web", image: "web" }] };
const GENERAL = { "karpenter.sh/nodepool": "general" };

const OBJECTS: readonly LiveObject[] = [
  NODE_CLASS,
  {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name: "general" },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
          requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }],
          terminationGracePeriod: "24h",
        },
      },
      disruption: { consolidateAfter: "1m" },
    },
  },
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "ip-10-0-0-1", labels: GENERAL },
    spec: { providerID: "aws:///i-1" },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: POD,
      namespace: "default",
      labels: LABELS,
      annotations: { "karpenter.sh/do-not-disrupt": "true" },
    },
    spec: { ...CONTAINERS, nodeName: "ip-10-0-0-1", automountServiceAccountToken: false },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 2,
      selector: { matchLabels: LABELS },
      template: { metadata: { labels: LABELS }, spec: CONTAINERS },
    },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "web", namespace: "default" },
    spec: { maxUnavailable: 0, selector: { matchLabels: LABELS } },
  },
];
