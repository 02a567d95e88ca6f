/** `anp crds` on an API server, which accepts the CRDs of every profile and serves the kinds as designed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, waitEstablished } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { run } from "../../support/golden/case.ts";
import { GROUP, installOurCrds, OWN_CRD_NAMES, ourCrds } from "../../support/e2e/own-crds.ts";

const KINDS: Record<string, KubernetesObject> = {
  autonodepolicies: {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "default" },
    spec: { ec2NodeClassDefaults: { rootVolume: { volumeSize: "75Gi" } } },
  },
  openshiftnodepools: {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "OpenshiftNodePool",
    metadata: { name: "web" },
    spec: {
      template: { spec: { nodeClassRef: { group: GROUP, kind: "OpenshiftEC2NodeClass", name: "fast" } } },
      weight: 7,
    },
  },
  openshiftec2nodeclasses: {
    apiVersion: `${GROUP}/v1`,
    kind: "OpenshiftEC2NodeClass",
    metadata: { name: "fast" },
    spec: { monitoring: "Detailed" },
  },
};

describe("anp crds", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  test.each(PROFILES)("the CRDs of %s are established, and applying them again changes nothing", async (profile) => {
    const crds = await ourCrds(profile);
    expect(crds.map(({ metadata }) => metadata?.name)).toEqual(OWN_CRD_NAMES);
    await installOurCrds(controlPlane, profile);
    for (const crd of crds) {
      const { body: before } = await get(controlPlane, "system:admin", crd);
      expect(conditions(before)).toMatchObject({ NamesAccepted: "True", Established: "True" });
      expect(conditions(before)).not.toHaveProperty("NonStructuralSchema");
      const again = await apply(controlPlane, "system:admin", crd);
      expect(again.status).toBe(200);
      expect(again.body.metadata?.resourceVersion).toBe(before.metadata?.resourceVersion);
    }
  });

  test("YAML and JSON are equal", async () => {
    const { exit, stdout } = await run(import.meta.dirname, ["crds", "-o", "json"]);
    expect(exit).toBe(0);
    const list = JSON.parse(stdout) as KubernetesObject;
    expect(list.items).toEqual(await ourCrds("hypershift"));
  });

  test("discovery has the kinds with their names and scopes", async () => {
    const resources = async (version: string): Promise<Record<string, unknown>> => {
      const { body } = await controlPlane.request("system:admin", "GET", `/apis/${GROUP}/${version}`);
      const all = body["resources"] as { name: string; [field: string]: unknown }[];
      return Object.fromEntries(
        all.map(({ name, singularName, kind, namespaced, shortNames = [] }) => [
          name,
          [singularName, kind, namespaced, shortNames],
        ]),
      );
    };
    await installOurCrds(controlPlane, "hypershift");
    expect(await resources("v1beta1")).toEqual({
      autonodepolicies: ["autonodepolicy", "AutoNodePolicy", true, []],
      "autonodepolicies/status": ["", "AutoNodePolicy", true, []],
      openshiftnodepools: ["openshiftnodepool", "OpenshiftNodePool", false, ["onp", "onps"]],
      "openshiftnodepools/status": ["", "OpenshiftNodePool", false, []],
    });
    expect(await resources("v1")).toEqual({
      openshiftec2nodeclasses: ["openshiftec2nodeclass", "OpenshiftEC2NodeClass", false, ["oec2nc", "oec2ncs"]],
      "openshiftec2nodeclasses/status": ["", "OpenshiftEC2NodeClass", false, []],
    });
  });

  test("each kind is stored in its only version", async () => {
    await installOurCrds(controlPlane, "hypershift");
    for (const crd of await ourCrds("hypershift")) {
      const { body } = await get(controlPlane, "system:admin", crd);
      const version = body.metadata?.name?.startsWith("openshiftec2nodeclasses") ? "v1" : "v1beta1";
      expect((body.status as { storedVersions: string[] }).storedVersions).toEqual([version]);
      expect(body.spec?.["versions"]).toMatchObject([{ name: version, served: true, storage: true }]);
    }
  });

  test("status is written apart from the spec, and `kubectl get` shows Ready with its reason", async () => {
    await installOurCrds(controlPlane, "hypershift");
    for (const [plural, object] of Object.entries(KINDS)) {
      const created = await create(controlPlane, "system:admin", { ...object, status: ready("False") });
      expect([plural, created.status]).toEqual([plural, 201]);
      expect(created.body.status).toBeUndefined();
      const path = `${await objectPath(controlPlane, object)}/status`;
      const patch = { spec: { weight: 99 }, status: ready("True") };
      const written = await controlPlane.request("system:admin", "PATCH", path, patch);
      expect([plural, written.status]).toEqual([plural, 200]);
      expect(written.body.spec).toEqual(created.body.spec);
      expect(written.body.metadata?.generation).toBe(1);
    }
    expect(await tableOf(controlPlane, "v1beta1/namespaces/default/autonodepolicies")).toEqual({
      Name: "default",
      Ready: "True",
      Reason: "Tested",
      Age: expect.stringMatching(/^\d+s$/),
    });
    expect(await tableOf(controlPlane, "v1beta1/openshiftnodepools")).toEqual({
      Name: "web",
      NodeClass: "fast",
      Nodes: null,
      Ready: "True",
      Reason: "Tested",
      Age: expect.stringMatching(/^\d+s$/),
      Weight: 7,
      CPU: null,
      Memory: null,
    });
    expect(await tableOf(controlPlane, "v1/openshiftec2nodeclasses")).toEqual({
      Name: "fast",
      Ready: "True",
      Reason: "Tested",
    });
  });

  test("an unknown status field is refused", async () => {
    await waitEstablished(controlPlane, OWN_CRD_NAMES);
    const object = { ...KINDS["autonodepolicies"], metadata: { name: "strict", namespace: "default" } };
    expect((await create(controlPlane, "system:admin", object)).status).toBe(201);
    const path = `${await objectPath(controlPlane, object)}/status?fieldValidation=Strict`;
    const write = async (status: object): Promise<number> =>
      (await controlPlane.request("system:admin", "PATCH", path, { status })).status;
    expect(await write({ phase: "Ready" })).toBe(422);
    expect(await write({ conditions: [{ type: "Ready", status: "Maybe" }] })).toBe(422);
    expect(await write(ready("Unknown"))).toBe(200);
  });
});

function ready(status: string): object {
  const lastTransitionTime = "2026-01-05T09:00:00Z";
  return { conditions: [{ type: "Ready", status, reason: "Tested", message: "", lastTransitionTime }] };
}

function conditions({ status }: KubernetesObject): Record<string, string> {
  const list = (status as { conditions: { type: string; status: string }[] }).conditions;
  return Object.fromEntries(list.map(({ type, status: value }) => [type, value]));
}

/** The only row of the table in kubectl's output. */
async function tableOf(controlPlane: ControlPlane, path: string): Promise<Record<string, unknown>> {
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { body } = await controlPlane.request("system:admin", "GET", `/apis/${GROUP}/${path}`, undefined, { accept });
  const columns = body["columnDefinitions"] as { name: string }[];
  const [row, ...others] = body["rows"] as { cells: unknown[] }[];
  if (row === undefined || others.length > 0) throw new Error(`${path}: not one row, but ${others.length} more`);
  return Object.fromEntries(columns.map(({ name }, index) => [name, row.cells[index]]));
}
