/** deploy/webhook on a real API server: it is accepted, its role is sufficient, and the patch names its Service. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, until, waitEstablished } from "../../support/controlplane/objects.ts";
import { builtManifests } from "../../support/deploy/built-manifests.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { run } from "../../support/golden/case.ts";
import { ROOT } from "../../support/process/built.ts";
import { addFiles } from "../../support/process/inputs.ts";
import { ADMIN, expectDone } from "../../support/webhook/rig.ts";

interface Secret {
  readonly secretName: string;
}

describe("deploy/webhook", () => {
  let cluster: ControlPlane;
  let objects: readonly KubernetesObject[];
  let root: string;

  beforeAll(async () => {
    cluster = await startControlPlane();
    root = followedPage();
    objects = await builtManifests("with-cert-manager", root);
    // A namespace that allows only restricted pods.
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    expectDone(await apply(cluster, ADMIN, { apiVersion: "v1", kind: "Namespace", metadata: { name: "anp", labels } }));
    for (const crd of await karpenterCrds("karpenter-1.14")) expectDone(await create(cluster, ADMIN, crd));
    await waitEstablished(cluster, KARPENTER_CRD_NAMES);
  });

  afterAll(async () => {
    await cluster?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const isCertManagers = ({ apiVersion }: KubernetesObject): boolean => apiVersion === "cert-manager.io/v1";
  const find = (kind: string): KubernetesObject => objects.find((object) => object.kind === kind)!;

  test("is accepted, field by field, and its pod meets the restricted standard", async () => {
    const own = objects.filter((object) => !isCertManagers(object));
    expect(own.map(({ kind }) => kind)).toStrictEqual([
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "Service",
      "Deployment",
      "PodDisruptionBudget",
    ]);
    for (const object of own) expectDone(await apply(cluster, ADMIN, object));
    const { template } = find("Deployment").spec as { template: { metadata: object; spec: Record<string, unknown> } };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...template.metadata, name: "p", namespace: "anp" },
      spec: template.spec,
    };
    expectDone(await create(cluster, ADMIN, pod, { dryRun: true }));
  });

  test("differs with service-ca only in its Service, which names the mounted Secret", async () => {
    const { template } = find("Deployment").spec as { template: { spec: { volumes: [{ secret: Secret }] } } };
    const [{ secret }] = template.spec.volumes;
    const annotations = { "service.beta.openshift.io/serving-cert-secret-name": secret.secretName };
    const annotated = (object: KubernetesObject): KubernetesObject =>
      object.kind === "Service" ? { ...object, metadata: { ...object.metadata, annotations } } : object;
    const built = await builtManifests("with-service-ca", root);
    expect(built).toStrictEqual(objects.filter((object) => !isCertManagers(object)).map(annotated));
    expectDone(
      await apply(
        cluster,
        ADMIN,
        built.find(({ kind }) => kind === "Service")!,
        { dryRun: true },
      ),
    );
  });

  test("has no certificate without a component, and with each one all referenced objects are in its namespace", async () => {
    const certificates = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
      objects.filter(({ kind }) => ["Certificate", "Issuer", "Secret"].includes(kind ?? ""));
    expect(certificates(await builtManifests("deploy/webhook"))).toStrictEqual([]);
    expect(certificates(objects).map(({ kind, metadata }) => [kind, metadata?.namespace])).toStrictEqual([
      ["Certificate", "anp"],
      ["Issuer", "anp"],
    ]);
  });

  test("is also accepted with its network policy", async () => {
    const kustomization = {
      resources: ["../anp/deploy/webhook"],
      components: ["../anp/deploy/webhook/network-policy"],
    };
    mkdirSync(join(root, "with-network-policy"));
    writeFileSync(join(root, "with-network-policy/kustomization.yaml"), JSON.stringify(kustomization));
    const built = await builtManifests("with-network-policy", root);
    const policy = built.find(({ kind }) => kind === "NetworkPolicy")!;
    expect(policy.metadata?.namespace).toBe("anp");
    expectDone(await apply(cluster, ADMIN, policy));
    const { podSelector, ingress } = policy.spec as { podSelector: unknown; ingress: { ports: { port: string }[] }[] };
    const { selector, template } = find("Deployment").spec as {
      selector: unknown;
      template: { spec: { containers: { ports: { name: string }[] }[] } };
    };
    expect(podSelector).toStrictEqual(selector);
    expect(ingress[0]?.ports[0]?.port).toBe(template.spec.containers[0]?.ports[0]?.name);
  });

  test("may list NodePools, and nothing else", async () => {
    const as = (path: string) =>
      cluster.request(ADMIN, "GET", path, undefined, { "impersonate-user": "system:serviceaccount:anp:anp-webhook" });
    await until(
      "the role is known",
      async () => (await as("/apis/karpenter.sh/v1/nodepools?limit=500")).status === 200,
    );
    for (const path of ["/apis/karpenter.sh/v1/nodepools/web", "/apis/karpenter.sh/v1/nodeclaims", "/api/v1/secrets"])
      expect([path, (await as(path)).status]).toStrictEqual([path, 403]);
  });

  test("the certificate, the Service, the patch and the arguments match", async () => {
    const args = ["webhook", "--print-crd-patch", "--service", "anp/anp-webhook"];
    const { stdout } = await run(import.meta.dirname, args);
    const [{ value }] = parse(stdout) as [
      { value: { webhook: { clientConfig: { service: Record<string, unknown> } } } },
    ];
    const { name, namespace, port } = value.webhook.clientConfig.service;
    const service = find("Service");
    expect([service.metadata?.name, service.metadata?.namespace]).toStrictEqual([name, namespace]);
    expect(service.spec?.["ports"]).toMatchObject([{ port }]);
    expect(find("Certificate").spec).toMatchObject({
      dnsNames: [`${String(name)}.${String(namespace)}.svc`],
      secretName: "anp-webhook",
    });
    const [container] = (find("Deployment").spec as { template: { spec: { containers: { args: string[] }[] } } })
      .template.spec.containers;
    // It cannot serve here only because the volume is not mounted.
    expect(await run(import.meta.dirname, container?.args ?? [])).toStrictEqual({
      exit: 3,
      stdout: "",
      stderr: "anp: /certs/tls.crt cannot be read: ENOENT\n",
    });
  });
});

/** A folder with the files of the page, and the repository beside them. */
function followedPage(): string {
  const root = mkdtempSync(join(tmpdir(), "anp-webhook-"));
  for (const { note, lines } of blocksOf(readPage("docs/webhook.md")))
    if (note?.name === "file") addFiles(root, { [note.value]: `${lines.join("\n")}\n` });
  cpSync(join(ROOT, "deploy"), join(root, "anp/deploy"), { recursive: true });
  return root;
}
