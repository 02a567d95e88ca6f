/** Tests a guard in static manifests of a real API server: what a cluster admin can do, and changes of the files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, until, waitEstablished } from "../../support/controlplane/objects.ts";
import { END, type Entries, outcomeOf, poolOf, requirementsOf } from "../../support/guard/guarded-cluster.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { KARPENTER_PROFILE } from "../../support/go/programs.ts";

const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  { key: "example.com/tier", operator: "In", values: ["gold", "silver"] },
];
const NEWER: Entries = POLICY.slice(1);
const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5"] }];
const ADMIN = "guest-admin";
const PROVIDER = "system:admin";
const NAME = "nodepool.guard.anp.hypershift.openshift.io.static.k8s.io";
const POLICIES = "/apis/admissionregistration.k8s.io/v1";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFINITIONS = "the definitions of Karpenter's kinds belong to whoever runs the control plane";

describe("a guard in files", () => {
  let folder: string;
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-static-"));
    await write(POLICY);
    controlPlane = await startControlPlane({ admissionConfiguration: join(folder, "out", "admission.yaml") });
    for (const crd of await karpenterCrds(KARPENTER_PROFILE))
      expect(outcomeOf(await create(controlPlane, PROVIDER, crd))).toBe("stored");
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
    await until("the guard acts", () => frontIs(POLICY));
  });

  afterAll(async () => {
    await controlPlane?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  async function write(requirements: Entries): Promise<void> {
    const policy = {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "AutoNodePolicy",
      metadata: { name: "default", namespace: "platform" },
      spec: { nodePoolDefaults: { requirements }, ec2NodeClassDefaults: { rootVolume: { volumeSize: "120Gi" } } },
    };
    writeFileSync(join(folder, "policy.yaml"), stringify(policy));
    const users = ["--karpenter-user", PROVIDER, "--installer", PROVIDER];
    const args = ["guard", "policy.yaml", "--static", join(folder, "out"), "--output-dir", "out", ...users];
    const { exit, stderr } = await runAnp(args, { cwd: folder });
    expect(stderr).toMatch(
      /^out: \d+ written, \d+ unchanged, 0 removed\nthe API server needs --admission-control-config-file=/,
    );
    expect(exit).toBe(0);
  }

  async function frontIs(policy: Entries): Promise<boolean> {
    const { status, body } = await create(controlPlane, ADMIN, poolOf("probe", OWN), { dryRun: true });
    return status === 201 && JSON.stringify(requirementsOf(body)) === JSON.stringify([...policy, END, ...OWN]);
  }

  const ask = (method: "GET" | "DELETE" | "PATCH", path: string, body?: object): Promise<Answer> =>
    controlPlane.request(ADMIN, method, path, body);

  test("enforces the policy on pools", async () => {
    expect(await frontIs(POLICY)).toBe(true);
    const round = poolOf("round", [{ key: "example.com/tier", operator: "In", values: ["bronze"] }]);
    expect(outcomeOf(await create(controlPlane, ADMIN, round))).toMatch(/would admit nodes/);
  });

  describe("cannot be changed by the cluster's admin, who", () => {
    test.each([
      "mutatingadmissionpolicies",
      "mutatingadmissionpolicybindings",
      "validatingadmissionpolicies",
      "validatingadmissionpolicybindings",
    ])("sees none of the %s, and deletes none", async (resource) => {
      expect((await ask("GET", `${POLICIES}/${resource}`)).body.items).toEqual([]);
      expect((await ask("DELETE", `${POLICIES}/${resource}/${NAME}`)).status).toBe(404);
      expect((await ask("DELETE", `${POLICIES}/${resource}`)).status).toBe(200);
      expect(await frontIs(POLICY)).toBe(true);
    });

    test("creates none of the same name", async () => {
      const own = {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: { name: NAME },
        spec: { policyName: NAME, validationActions: ["Audit"] },
      };
      expect(outcomeOf(await create(controlPlane, ADMIN, own))).toContain("are reserved for static manifest-based");
    });

    test("cannot delete CRDs, one by one or all, or change them", async () => {
      for (const name of KARPENTER_CRD_NAMES)
        expect(outcomeOf(await ask("DELETE", `${CRDS}/${name}`))).toBe(DEFINITIONS);
      expect(outcomeOf(await ask("DELETE", CRDS))).toContain(DEFINITIONS);
      const clientConfig = { url: "https://127.0.0.1:1/convert" };
      const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
      const change = { spec: { conversion } };
      expect(outcomeOf(await ask("PATCH", `${CRDS}/${KARPENTER_CRD_NAMES[0]}`, change))).toBe(DEFINITIONS);
      const labels = { metadata: { labels: { "example.com/team": "a" } } };
      expect(outcomeOf(await ask("PATCH", `${CRDS}/${KARPENTER_CRD_NAMES[0]}`, labels))).toBe("stored");
    });

    test("cannot redirect requests for the group to another server", async () => {
      const path = "/apis/apiregistration.k8s.io/v1/apiservices";
      const service = { service: { name: "mine", namespace: "default", port: 443 }, insecureSkipTLSVerify: true };
      expect(outcomeOf(await ask("PATCH", `${path}/v1.karpenter.sh`, { spec: service }))).toBe(DEFINITIONS);
      const spec = { group: "karpenter.sh", version: "v2", groupPriorityMinimum: 1, versionPriority: 1, ...service };
      const made = {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: "v2.karpenter.sh" },
        spec,
      };
      expect(outcomeOf(await create(controlPlane, ADMIN, made))).toBe(DEFINITIONS);
    });

    test("can change other CRDs, and the installer those of Karpenter", async () => {
      const [first] = await karpenterCrds(KARPENTER_PROFILE);
      const other = inAnotherGroup(first!);
      expect(outcomeOf(await create(controlPlane, ADMIN, other))).toBe("stored");
      const { name } = other.metadata as { name: string };
      expect(outcomeOf(await ask("DELETE", `${CRDS}/${name}`))).toBe("stored");
      expect(outcomeOf(await apply(controlPlane, PROVIDER, first!, { force: true }))).toBe("stored");
    });

    test("and cannot remove anything by another mutation", async () => {
      const metadata = { name: "zzz.example.com" };
      const group = { apiVersion: "admissionregistration.k8s.io/v1", metadata };
      const expression = `[JSONPatch{op: "add", path: "/spec/template/spec/requirements", value: []}]`;
      const resourceRules = [
        { apiGroups: ["karpenter.sh"], apiVersions: ["*"], operations: ["CREATE"], resources: ["nodepools"] },
      ];
      const spec = {
        failurePolicy: "Ignore",
        reinvocationPolicy: "IfNeeded",
        matchConstraints: { resourceRules },
        mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
      };
      const objects: KubernetesObject[] = [
        { ...group, kind: "MutatingAdmissionPolicy", spec },
        { ...group, kind: "MutatingAdmissionPolicyBinding", spec: { policyName: metadata.name } },
      ];
      for (const object of objects) expect(outcomeOf(await create(controlPlane, ADMIN, object))).toBe("stored");
      await until("it acts", async () => !(await frontIs(POLICY)));
      const answer = await create(controlPlane, ADMIN, poolOf("emptied", OWN), { dryRun: true });
      if (answer.status === 201) expect(requirementsOf(answer.body)).toEqual([...POLICY, END]);
      else expect(outcomeOf(answer)).toMatch(/^the requirements must begin with/);
      await ask("DELETE", `${POLICIES}/mutatingadmissionpolicybindings/${metadata.name}`);
      await ask("DELETE", `${POLICIES}/mutatingadmissionpolicies/${metadata.name}`);
      await until("it is gone", () => frontIs(POLICY));
    });
  });

  test("follows its files, keeps the last valid ones, and is loaded again after a restart", async () => {
    await write(NEWER);
    await until("the newer policy acts", () => frontIs(NEWER), 120_000);
    const folderOf = join(folder, "out", "mutating");
    const file = join(
      folderOf,
      readdirSync(folderOf).find((name) => name.includes("-nodepool."))!,
    );
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("failurePolicy: Fail", "failurePolicy: [Fail"));
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await frontIs(NEWER)).toBe(true);
    writeFileSync(file, before);
    await controlPlane.killApiServer();
    await controlPlane.startApiServer();
    await until("pools can be written", () => frontIs(NEWER), 60_000);
  });
});

/** The same kind in another group. */
function inAnotherGroup(crd: KubernetesObject): KubernetesObject {
  const spec = { ...(crd.spec as Record<string, unknown>), group: "example.com" };
  return { ...crd, metadata: { name: "nodepools.example.com" }, spec };
}
