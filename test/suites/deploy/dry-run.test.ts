/** Proves on a real API server that everything in deploy/ is accepted as it stands, and its pods where only the restricted may run. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, waitEstablished } from "../../support/controlplane/objects.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { run } from "../../support/golden/case.ts";
import { ROOT } from "../../support/process/built.ts";
import { addFiles, folderWith } from "../../support/process/inputs.ts";
import { builtManifests } from "../../support/deploy/built-manifests.ts";
import { PROMETHEUS_RULE_CRD, SERVICE_MONITOR_CRD } from "../../support/deploy/service-monitor-crd.ts";

const FOLDERS = [
  "deploy/management",
  "deploy/fleet",
  "deploy/hosted-cluster",
  "deploy/beside-control-plane",
  "deploy/guest",
  "deploy/guest/node-limits-full",
  "deploy/guest/install-crds",
  "deploy/management/install-crds",
  "deploy/management/alerts",
  "deploy/management/dashboard",
  "deploy/fleet/alerts",
  "deploy/management/flow-schema",
] as const;

describe("deploy/ on an API server", () => {
  let cluster: ControlPlane;

  beforeAll(async () => {
    cluster = await startControlPlane();
    const [namespace] = await builtManifests("deploy/management");
    const hosted = ["clusters-c1", "clusters-shop", "clusters-lab"];
    const value = 100_000_000;
    const priority = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value };
    // What is there before: the first as the page says, the others by OpenShift and HyperShift.
    for (const object of [
      namespace!,
      ...hosted.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
      { ...priority, metadata: { name: "hypershift-control-plane" } },
      SERVICE_MONITOR_CRD,
      PROMETHEUS_RULE_CRD,
    ]) {
      const { status, text } = await apply(cluster, "system:admin", object);
      if (status >= 300) throw new Error(text);
    }
    await waitEstablished(cluster, ["servicemonitors.monitoring.coreos.com", "prometheusrules.monitoring.coreos.com"]);
  });

  afterAll(async () => {
    await cluster?.stop();
  });

  async function expectAccepted(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) {
      const { status, text } = await apply(cluster, "system:admin", object, { dryRun: true });
      expect(`${nameOf(object)} ${status < 300 ? "accepted" : text}`).toBe(`${nameOf(object)} accepted`);
    }
  }

  test.each(FOLDERS)("%s: a dry run of everything, without unknown fields", async (folder) => {
    await expectAccepted(await builtManifests(folder));
  });

  test("the network policy of the watch, beside what it is for", async () => {
    const root = followedInstall();
    const text = JSON.stringify({
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      resources: ["../fleet"],
      components: ["../anp/deploy/management/network-policy"],
    });
    mkdirSync(join(root, "closed"));
    writeFileSync(join(root, "closed/kustomization.yaml"), text);
    const objects = await builtManifests("closed", root);
    await expectAccepted(objects.filter(({ kind }) => kind === "NetworkPolicy"));
    expect(objects.filter(({ kind }) => kind === "NetworkPolicy").map(nameOf)).toEqual(["NetworkPolicy anp/anp-watch"]);
  });

  test.each(["beside", "fleet", "found"])(
    "%s, as docs/watch-install.md has it: a dry run of everything",
    async (folder) => {
      const root = followedInstall();
      const objects = await builtManifests(folder, root);
      await expectAccepted(objects);
      // Each account that is bound is there.
      const accounts = objects.filter(({ kind }) => kind === "ServiceAccount").map(nameOf);
      for (const { subjects } of objects.filter(({ kind }) => kind === "RoleBinding") as unknown as Binding[])
        expect(accounts).toContain(`ServiceAccount ${subjects[0]?.namespace}/${subjects[0]?.name}`);
      // What the pods would read is a configuration that anp takes: all that is missing here are the credentials.
      const { data } = objects.find(({ kind }) => kind === "ConfigMap") as unknown as { data: Record<string, string> };
      addFiles(root, Object.fromEntries(Object.entries(data).map(([name, text]) => [`etc/${name}`, text])));
      const { exit, stderr } = await run(root, ["watch", "--config", "etc/watch.yaml", "--once"], "");
      expect([exit, stderr]).toEqual([4, expect.stringMatching(folder === "found" ? NO_POD : NO_KUBECONFIG)]);
    },
  );

  test.each(["deploy/management", "deploy/beside-control-plane", "deploy/fleet"])(
    "%s: a pod of it may run where only restricted ones may",
    async (folder) => {
      const pod = podOf(await builtManifests(folder));
      const accepted = await create(cluster, "system:admin", pod, { dryRun: true });
      expect([accepted.status, accepted.text]).toEqual([201, expect.any(String)]);
      const slack = structuredClone(pod) as { spec: { containers: { securityContext?: object }[] } };
      delete slack.spec.containers[0]?.securityContext;
      const refused = await create(cluster, "system:admin", slack, { dryRun: true });
      expect([refused.status, refused.body.message]).toEqual([
        403,
        expect.stringContaining('violates PodSecurity "restricted'),
      ]);
    },
  );
});

const NO_KUBECONFIG = /^anp: the kubeconfig \/var\/run\/anp\/guests\/\S+ cannot be read/;
const NO_POD = /^anp: no cluster is given: name a kubeconfig and a context, or run in a pod with a service account/;

interface Binding {
  readonly subjects: readonly { readonly name: string; readonly namespace: string }[];
}

/** A folder with the files of the page, and the repository beside them. */
function followedInstall(): string {
  const blocks = blocksOf(readPage("docs/watch-install.md"));
  const root = folderWith(
    Object.fromEntries(
      blocks.flatMap(({ note, lines }) => (note?.name === "file" ? [[note.value, `${lines.join("\n")}\n`]] : [])),
    ),
  );
  mkdirSync(join(root, "anp"));
  cpSync(join(ROOT, "deploy"), join(root, "anp/deploy"), { recursive: true });
  return root;
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata?.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata?.name}`;
}

/** As a Deployment's controllers make it, in the namespace of deploy/management, where the API server enforces `restricted`. */
function podOf(objects: readonly KubernetesObject[]): KubernetesObject {
  const deployment = objects.find(({ kind }) => kind === "Deployment")!;
  const { template } = deployment.spec as { template: { metadata: object; spec: Record<string, unknown> } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...template.metadata, name: "anp-watch-0", namespace: "anp" },
    spec: template.spec,
  };
}

test("the image is that of this version", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  for (const folder of ["deploy/management", "deploy/beside-control-plane", "deploy/fleet"])
    expect(JSON.stringify(podOf(await builtManifests(folder)))).toContain(`"image":"anp:${version}"`);
});
