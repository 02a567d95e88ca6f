/** Proves that a watch with the roles of deploy/ and its two install-crds installs the CRDs, and that each verb of these is needed and no definition but its own within reach. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { CUSTOM_RESOURCE_DEFINITIONS } from "../../../src/cluster/api/served-kind.ts";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { formatLogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, remove, waitGone } from "../../support/controlplane/objects.ts";
import { ourCrds } from "../../support/e2e/own-crds.ts";
import { CONTROL_PLANE } from "../../support/watch/inputs.ts";
import { ADMIN, pass, put, type Rig, startRig, watched } from "../../support/watch/rig.ts";
import { type Grant, install, type Installed, withhold } from "../../support/deploy/installed.ts";

/** What a user reads in the log of a pass that finds no definition, or one that is out of date. */
const WITHOUT: Readonly<Record<string, readonly [state: "absent" | "outdated", words: string]>> = {
  "management get customresourcedefinitions": ["absent", 'msg="read failed" cluster=c1 side=management'],
  "management create customresourcedefinitions": ["absent", 'msg="create failed" cluster=c1 side=management'],
  "management patch customresourcedefinitions": ["outdated", 'msg="update failed" cluster=c1 side=management'],
  "guest create customresourcedefinitions": ["absent", 'msg="create failed" cluster=c1 side=guest'],
  "guest patch customresourcedefinitions": ["outdated", 'msg="update failed" cluster=c1 side=guest'],
};

describe("the install-crds of deploy/", () => {
  let rig: Rig;
  let installed: Installed;
  let definitions: readonly KubernetesObject[];

  beforeAll(async () => {
    rig = await startRig();
    installed = await install(rig, {
      management: "deploy/management/install-crds",
      guest: "deploy/guest/install-crds",
    });
    definitions = await ourCrds("hypershift");
    await put(rig.management, CONTROL_PLANE);
  });

  afterAll(async () => {
    await rig?.stop();
  });

  beforeEach(async () => {
    for (const on of [rig.management, rig.guest])
      for (const definition of definitions) {
        await remove(on, ADMIN, definition);
        await waitGone(on, definition);
      }
  });

  const sideOf = ({ metadata }: KubernetesObject): ControlPlane =>
    metadata?.name?.startsWith("autonodepolicies") === true ? rig.management : rig.guest;

  /** Ours, from a version that had no columns. */
  async function putOutdated(): Promise<void> {
    for (const definition of definitions) {
      const old = structuredClone(definition);
      for (const version of (old.spec as { versions: Record<string, unknown>[] }).versions)
        delete version["additionalPrinterColumns"];
      const { status, text } = await apply(sideOf(definition), ADMIN, old, { fieldManager: "anp" });
      if (status >= 300) throw new Error(text);
    }
  }

  async function passWithRoles(): Promise<{ readonly result: string; readonly log: readonly string[] }> {
    const config = join(rig.folder, "render.yaml");
    const spec = { admission: { allowedWriters: ["anp-watch"] } };
    writeFileSync(config, toYaml({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig", spec }));
    const source = { paths: [], policyDir: undefined, config };
    const guest = httpClusterApi({ kubeconfig: installed.kubeconfigs.guest });
    const management = httpClusterApi({ kubeconfig: installed.kubeconfigs.management });
    const readDirectory = directoryReader(source);
    const cluster = watched(rig, { name: "c1", guest, management, source, readDirectory, installCrds: true });
    const result = await pass(cluster);
    guest.close();
    management.close();
    const { done, state } = logLines(result, 0);
    return { result: result.result, log: [...done, ...state].map((entry) => formatLogEntry(entry, "", "logfmt")) };
  }

  test("with all of them the first pass makes what is absent and sets right what is out of date", async () => {
    const made = await passWithRoles();
    expect(made.log.filter((line) => line.includes("forbidden"))).toEqual([]);
    expect(
      made.log.filter((line) => line.includes("msg=created") && line.includes("CustomResourceDefinition")),
    ).toHaveLength(3);
    expect(made.result).toBe("ok");
    await putOutdated();
    const updated = await passWithRoles();
    expect(updated.log.filter((line) => line.includes("msg=updated"))).toHaveLength(3);
    expect(updated.result).toBe("ok");
  });

  test.each(Object.entries(WITHOUT))("without %s", async (name, [state, words]) => {
    const grant = addedGrants().get(name);
    if (grant === undefined) throw new Error(`deploy/ has no such rule: ${name}`);
    if (state === "outdated") await putOutdated();
    const giveBack = await withhold(rig, grant);
    const { log } = await passWithRoles();
    await giveBack();
    const line = log.find((text) => text.includes(words) && text.includes("is forbidden: User"));
    expect(line, log.join("")).toContain(`cannot ${grant.verb} resource \\"customresourcedefinitions\\"`);
  });

  test("no other definition can be made or changed with them, although RBAC limits no create by a name", async () => {
    const other = structuredClone(definitions[0]) as unknown as KubeObject;
    const named = {
      ...other,
      metadata: { name: "webs.example.com" },
      spec: { ...other.spec, group: "example.com", names: { kind: "Web", plural: "webs" } },
    };
    for (const kubeconfig of Object.values(installed.kubeconfigs)) {
      const api = httpClusterApi({ kubeconfig });
      const options = { dryRun: true, force: true };
      expect(await api.apply(CUSTOM_RESOURCE_DEFINITIONS, named, options)).toMatchObject({
        error: { kind: "forbidden" },
      });
      expect(await api.create(CUSTOM_RESOURCE_DEFINITIONS, named)).toMatchObject({ error: { kind: "forbidden" } });
      api.close();
    }
  });

  test("nothing is granted that no test here needs", () => {
    expect([...addedGrants().keys()].toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  /** Of the two folders. */
  function addedGrants(): ReadonlyMap<string, Grant> {
    const added = installed.grants.filter(({ role }) => role.metadata?.name === "anp-watch-install-crds");
    return new Map(added.map((grant) => [`${grant.side} ${grant.verb} ${grant.resource}`, grant]));
  }
});
