/**
 * The enhancement's test plan (docs/design.md#the-autonode-policy-enhancement) on an API server: rendered objects are
 * applied and read back.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { goldenCases, run } from "../../support/golden/case.ts";
import { objectsIn } from "../../support/e2e/own-crds.ts";

const OPERATOR = "system:hosted-cluster-config";
const TYPE = "node.kubernetes.io/instance-type";

const POOL = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "web" } };
const NODE_CLASS = { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata: { name: "default" } };

const BUILT_IN = [{ deviceName: "/dev/xvda", ebs: { volumeSize: "75Gi", volumeType: "gp3", encrypted: true } }];

interface Requirement {
  key: string;
  operator: string;
  values: string[];
}

const isIn = (key: string, ...values: string[]): Requirement => ({ key, operator: "In", values });

// Go is needed for the CRDs in its module cache, whichever programs are used.
describe("test plan", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
    for (const crd of await karpenterCrds("hypershift")) {
      expect((await create(controlPlane, "system:admin", crd)).status).toBe(201);
    }
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  beforeEach(async () => {
    for (const object of [POOL, NODE_CLASS]) {
      await remove(controlPlane, OPERATOR, object);
      await waitGone(controlPlane, object);
    }
  });

  /** Renders a case and applies it as the operator does. Returns the findings. */
  async function put(name: string): Promise<string> {
    const golden = goldenCases().find((candidate) => candidate.name === `design-test-plan/${name}`);
    if (golden === undefined) throw new Error(`no golden case of ${name}`);
    // The provider wrote it, so findings on loosened policies are off.
    const { exit, stdout, stderr } = await run(golden.folder, [...golden.args, "--config", "in/config.yaml"]);
    expect(exit).toBe(0);
    for (const object of objectsIn(stdout)) {
      const { status, text } = await apply(controlPlane, OPERATOR, object, { fieldManager: "anp" });
      if (status >= 300) throw new Error(text);
    }
    return stderr;
  }

  async function read(object: KubernetesObject): Promise<KubernetesObject> {
    const { status, body } = await get(controlPlane, OPERATOR, object);
    expect(status).toBe(200);
    return body;
  }

  async function requirements(): Promise<Requirement[]> {
    const { spec } = (await read(POOL)) as { spec?: { template: { spec: { requirements: Requirement[] } } } };
    return spec?.template.spec.requirements ?? [];
  }

  async function blockDevices(): Promise<unknown> {
    return (await read(NODE_CLASS)).spec?.["blockDeviceMappings"];
  }

  test("1. Basic policy enforcement: the policy's requirements come before the pool's own", async () => {
    expect(await put("1-basic-policy-enforcement")).toBe("");
    expect(await requirements()).toEqual([
      isIn(TYPE, "m5.large", "m5.xlarge", "m5.2xlarge"),
      isIn("kubernetes.io/arch", "amd64"),
      isIn(TYPE, "m5.xlarge"),
    ]);
    expect((await read(POOL)).spec?.["template"]).toMatchObject({
      metadata: { labels: { "hypershift.openshift.io/nodepool-globalps-enabled": "true" } },
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" } },
    });
  });

  test("2. Policy restriction: of A, B, C and B, D only B remains", async () => {
    expect(await put("2-policy-restriction")).toBe("");
    const entries = await requirements();
    expect(entries).toEqual([isIn(TYPE, "m5.large", "m5.xlarge", "m5.2xlarge"), isIn(TYPE, "m5.xlarge", "c5.xlarge")]);
    expect(common(entries)).toEqual(["m5.xlarge"]);
  });

  test("3. Conflicting requirements: no type remains, and anp reports it because no status does", async () => {
    const said = await put("3-conflicting-requirements");
    const entries = await requirements();
    expect(entries).toEqual([isIn(TYPE, "m5.xlarge"), isIn(TYPE, "t3.micro")]);
    expect(common(entries)).toEqual([]);
    expect(said).toContain("[requirements-conflict]");
  });

  test("5. Policy update propagation: the same pool gets the new requirements", async () => {
    await put("5-policy-update-before");
    const before = await read(POOL);
    const arch = isIn("kubernetes.io/arch", "amd64");
    expect(await requirements()).toEqual([isIn(TYPE, "m5.xlarge"), arch]);
    await put("5-policy-update-after");
    expect(await requirements()).toEqual([isIn(TYPE, "m5.xlarge", "m6i.xlarge"), arch]);
    expect((await read(POOL)).metadata).toMatchObject({ uid: before.metadata?.uid, generation: 2 });
    await put("5-policy-update-after");
    expect((await read(POOL)).metadata?.generation).toBe(2);
  });

  test("6. Root volume policy: it becomes the mapping of /dev/xvda", async () => {
    await put("6-root-volume-policy");
    expect(await blockDevices()).toEqual(BUILT_IN);
    expect((await read(NODE_CLASS)).spec?.["instanceStorePolicy"]).toBe("RAID0");
  });

  test("7. No AutoNodePolicy: requirements pass through, the root volume is the built-in one", async () => {
    await put("7-no-policy-permissive");
    expect(await requirements()).toEqual([isIn(TYPE, "t3.micro")]);
    expect(await blockDevices()).toEqual(BUILT_IN);
  });

  test("8. Empty requirements: everything is allowed", async () => {
    expect(await put("8-empty-requirements")).toContain("[policy-empty]");
    expect(await requirements()).toEqual([isIn(TYPE, "t3.micro")]);
  });

  test("9. Policy deletion: pool and node class become as without a policy", async () => {
    await put("9-policy-deletion-before");
    const arch = isIn("kubernetes.io/arch", "amd64");
    expect(await requirements()).toEqual([isIn(TYPE, "m5.xlarge"), arch]);
    const restricted = { volumeSize: "200Gi", volumeType: "io1", encrypted: true, iops: 3000 };
    expect(await blockDevices()).toEqual([{ deviceName: "/dev/xvda", ebs: restricted }]);
    await put("9-policy-deletion-after");
    expect(await requirements()).toEqual([arch]);
    expect(await blockDevices()).toEqual(BUILT_IN);
  });

  test("11. Well-known name: a policy that is not named default is ignored", async () => {
    expect(await put("11-well-known-name")).toContain("AutoNodePolicy strict is ignored");
    expect(await requirements()).toEqual([isIn(TYPE, "t3.micro")]);
  });
});

/** The instance types that all requirements allow, which Karpenter may launch. */
function common(entries: readonly Requirement[]): string[] {
  const [first = [], ...others] = entries.filter(({ key }) => key === TYPE).map(({ values }) => values);
  return first.filter((value) => others.every((values) => values.includes(value)));
}
