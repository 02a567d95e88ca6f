/** A real API server that serves Karpenter's kinds in both versions with `anp webhook`: writes in one version are visible in the other. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import { KARPENTER_CRD_NAMES } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { collectionPath, objectPath } from "../../support/controlplane/rest-path.ts";
import { run } from "../../support/golden/case.ts";
import { issueInto } from "../../support/webhook/issue.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "../../support/webhook/objects.ts";
import {
  ADMIN,
  clear,
  expectDone,
  inVersion,
  startWebhookRig,
  useWebhook,
  type WebhookRig,
} from "../../support/webhook/rig.ts";

const VERSIONS = ["v1beta1", "v1"] as const;
const MERGE = { "content-type": "application/merge-patch+json" };

// Go is needed for the CRDs in its module cache, whichever programs are used.
const KUBECTL = "kubectl";
const kubectlMissing = spawnSync(KUBECTL, ["version", "--client"]).status !== 0;
if (kubectlMissing) console.log("no kubectl: the patch of anp webhook is not tried with it");

describe("an API server with anp webhook", () => {
  let rig: WebhookRig;

  beforeAll(async () => {
    rig = await startWebhookRig();
  });

  afterAll(async () => {
    await rig?.stop();
  });

  afterEach(async () => {
    await clear(rig.on);
  });

  /** The fields that users write, without those of the server. */
  function plain({ apiVersion, kind, metadata, spec, status }: KubernetesObject): KubernetesObject {
    const { name = "", labels, annotations } = metadata ?? {};
    const own = {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    };
    return {
      apiVersion: apiVersion ?? "",
      kind: kind ?? "",
      metadata: own,
      ...(spec === undefined ? {} : { spec }),
      ...(status === undefined ? {} : { status }),
    };
  }

  async function read(object: KubernetesObject, version: KarpenterVersion): Promise<KubernetesObject> {
    const answer = await get(rig.on, ADMIN, inVersion(object, version));
    expectDone(answer);
    return answer.body;
  }

  const send = async (object: KubernetesObject, fieldManager: string, force = false): Promise<KubernetesObject> => {
    const answer = await apply(rig.on, ADMIN, object, { fieldManager, force });
    expectDone(answer);
    return answer.body;
  };

  describe.each(VERSIONS)("objects written in %s", (written) => {
    const other = written === "v1" ? "v1beta1" : "v1";
    const everything = [ec2NodeClass("default"), nodePool("web"), nodeClaim("web-1", "web")];

    test.each(["created", "applied server-side"])("and %s is read in both", async (how) => {
      for (const both of everything)
        expectDone(await (how === "created" ? create : apply)(rig.on, ADMIN, both[written]));
      for (const both of everything) {
        expect(plain(await read(both[written], written))).toStrictEqual(both[written]);
        expect(plain(await read(both[written], other))).toStrictEqual(both[other]);
      }
    });
  });

  test("lists hold all objects in the requested version", async () => {
    for (const [index, version] of [...VERSIONS, ...VERSIONS].entries())
      expectDone(await create(rig.on, ADMIN, nodePool(`pool-${index}`)[version]));
    for (const version of VERSIONS) {
      const path = await collectionPath(rig.on, nodePool("any")[version]);
      const { body } = await rig.on.request(ADMIN, "GET", path);
      const wanted = [0, 1, 2, 3].map((index) => nodePool(`pool-${index}`)[version]);
      expect((body.items ?? []).map(plain)).toStrictEqual(wanted);
    }
  });

  test("a watch in one version reports writes in the other", async () => {
    const api = httpClusterApi({ kubeconfig: rig.kubeconfig });
    const collection = { apiVersion: "karpenter.sh/v1beta1", kind: "NodePool", plural: "nodepools" };
    const ending = new AbortController();
    try {
      const list = await api.list(collection);
      const resourceVersion = list.ok ? list.value.resourceVersion : "";
      const events = api.watch(collection, { resourceVersion, timeoutSeconds: 30, signal: ending.signal });
      const { v1, v1beta1 } = nodePool("web");
      await send(v1, "A");
      await send({ ...v1, spec: { ...v1.spec, weight: 7 } }, "A");
      expectDone(await remove(rig.on, ADMIN, v1));
      const seen: unknown[] = [];
      for await (const event of events) {
        if (!event.ok) throw new Error(event.error.message);
        seen.push([event.value.type, event.value.object.spec]);
        if (seen.length === 3) break;
      }
      const heavier = { ...v1beta1.spec, weight: 7 };
      expect(seen).toStrictEqual([
        ["ADDED", v1beta1.spec],
        ["MODIFIED", heavier],
        ["DELETED", heavier],
      ]);
    } finally {
      ending.abort();
      api.close();
    }
  });

  /** Karpenter's own webhook ended with a nil pointer here (aws/karpenter-provider-aws#6824). */
  test("server-side apply by two managers, one in each version: neither causes a change", async () => {
    const { v1beta1 } = nodePool("web");
    const heavy = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "web" }, spec: { weight: 10 } };
    await send(v1beta1, "A");
    const { metadata } = await send(heavy, "B");
    for (let round = 0; round < 3; round++)
      for (const [object, manager] of [
        [v1beta1, "A"],
        [heavy, "B"],
      ] as const)
        expect((await send(object, manager)).metadata?.resourceVersion).toBe(metadata?.resourceVersion);
    expect(plain(await read(v1beta1, "v1beta1")).spec).toStrictEqual({ ...v1beta1.spec, weight: 10 });
  });

  test("server-side apply knows the owner of a field in the other version", async () => {
    const { v1beta1 } = nodePool("web");
    const shorter = {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name: "web" },
      spec: { template: { spec: { expireAfter: "1h" } } },
    };
    await send(v1beta1, "A");
    const conflict = await apply(rig.on, ADMIN, shorter, { fieldManager: "B" });
    expect([conflict.status, conflict.body.message]).toStrictEqual([
      409,
      'Apply failed with 1 conflict: conflict with "A": .spec.disruption.expireAfter',
    ]);
    await send(shorter, "B", true);
    expect((await read(v1beta1, "v1beta1")).spec).toMatchObject({ disruption: { expireAfter: "1h" } });
    const back = await apply(rig.on, ADMIN, v1beta1, { fieldManager: "A" });
    expect([back.status, back.body.message]).toStrictEqual([
      409,
      'Apply failed with 1 conflict: conflict with "B": .spec.template.spec.expireAfter',
    ]);
  });

  test("server-side apply removes fields that its manager gives up, also those that v1 keeps in an annotation", async () => {
    const { v1beta1 } = nodePool("web");
    await send(v1beta1, "A");
    await send(
      { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "web", labels: { of: "B" } } },
      "B",
    );
    const { template, ...spec } = v1beta1.spec as { template: { spec: Record<string, unknown> } };
    const { kubelet: _gone, ...rest } = template.spec;
    await send({ ...v1beta1, spec: { ...spec, template: { spec: rest } } }, "A");
    const { metadata } = await read(v1beta1, "v1");
    expect(metadata?.labels).toStrictEqual({ of: "B" });
    expect(metadata?.annotations).toStrictEqual({
      "compatibility.karpenter.sh/v1beta1-nodeclass-reference": '{"name":"default"}',
    });
  });

  test.each(VERSIONS)("a status written in %s is read in both", async (version) => {
    const { v1, v1beta1 } = nodePool("web");
    expectDone(await create(rig.on, ADMIN, v1beta1));
    const conditions = [
      { type: "Ready", status: "True", lastTransitionTime: "2024-02-02T19:54:34Z", reason: "Ready", message: "" },
    ];
    const status = { resources: { cpu: "20", nodes: "5" }, conditions };
    const path = `${await objectPath(rig.on, inVersion(v1, version))}/status`;
    expectDone(await rig.on.request(ADMIN, "PATCH", path, { status, spec: { weight: 9 } }, MERGE));
    expect(plain(await read(v1, "v1"))).toStrictEqual({ ...v1, status });
    expect(plain(await read(v1, "v1beta1"))).toStrictEqual({ ...v1beta1, status });
  });

  test.each(VERSIONS)("deletion in %s waits for finalizers in both", async (version) => {
    const { v1 } = nodeClaim("web-1", "web");
    const metadata = { ...v1.metadata, finalizers: ["karpenter.sh/termination"] };
    expectDone(await create(rig.on, ADMIN, { ...v1, metadata }));
    expectDone(await remove(rig.on, ADMIN, inVersion(v1, version)));
    const other = version === "v1" ? "v1beta1" : "v1";
    const going = await read(v1, other);
    expect(going.metadata?.["deletionTimestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const path = await objectPath(rig.on, inVersion(v1, other));
    expectDone(await rig.on.request(ADMIN, "PATCH", path, { metadata: { finalizers: null } }, MERGE));
    await waitGone(rig.on, inVersion(v1, version));
  });

  test("the storage version can be changed and changed back, and nothing else changes", async () => {
    const objects = [ec2NodeClass("default"), nodePool("web"), nodeClaim("web-1", "web")];
    for (const both of objects) expectDone(await create(rig.on, ADMIN, both.v1beta1));
    const all = () =>
      Promise.all(objects.flatMap(({ v1 }) => VERSIONS.map(async (version) => plain(await read(v1, version)))));
    const before = await all();
    for (const version of ["v1beta1", "v1"] as const) {
      await store(version);
      const both = version === "v1" ? VERSIONS.toReversed() : VERSIONS;
      // The handlers see the change a little later than requests for the CRD.
      await until(`all is stored as ${version}`, async () => {
        for (const { v1 } of objects) {
          const object = await read(v1, version);
          expectDone(await rig.on.request(ADMIN, "PUT", await objectPath(rig.on, object), object));
        }
        const statuses: number[][] = [];
        await rig.withoutWebhook(async () => {
          for (const { v1 } of objects) {
            const asked = both.map((one) => get(rig.on, ADMIN, inVersion(v1, one)));
            statuses.push((await Promise.all(asked)).map(({ status }) => status));
          }
        });
        return statuses.every(([inIt, inOther]) => inIt === 200 && inOther === 500);
      });
      for (const name of KARPENTER_CRD_NAMES)
        expectDone(
          await rig.on.request(
            ADMIN,
            "PATCH",
            `${crdPath(name)}/status`,
            { status: { storedVersions: [version] } },
            MERGE,
          ),
        );
      expect(await all()).toStrictEqual(before);
    }
  });

  const crdPath = (name: string): string => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;

  async function store(version: KarpenterVersion): Promise<void> {
    for (const name of KARPENTER_CRD_NAMES) {
      const { body } = await rig.on.request(ADMIN, "GET", crdPath(name));
      const { versions } = body.spec as { versions: { name: string; storage: boolean }[] };
      for (const one of versions) one.storage = one.name === version;
      expectDone(await rig.on.request(ADMIN, "PUT", crdPath(name), body));
    }
    await waitEstablished(rig.on, KARPENTER_CRD_NAMES);
  }

  test("a new certificate is served without a failed request", async () => {
    const { v1, v1beta1 } = nodePool("web");
    expectDone(await create(rig.on, ADMIN, v1));
    const certs = join(rig.folder, "certs");
    issueInto(certs, ["127.0.0.1"]);
    let reads = 0;
    await until("the new one is used", async () => {
      expect(plain(await read(v1, "v1beta1"))).toStrictEqual(v1beta1);
      if (rig.webhook.log().some((line) => line.startsWith('level=info msg="certificate changed"'))) reads += 1;
      return reads > 5;
    });
    // The API server keeps its connections; only a new one sees the new certificate.
    await rig.withoutWebhook(async () => undefined);
    expect(plain(await read(v1, "v1beta1"))).toStrictEqual(v1beta1);
  });

  test("a new authority needs the patch again, and then everything works", async () => {
    const { v1, v1beta1 } = nodePool("web");
    expectDone(await create(rig.on, ADMIN, v1));
    await rig.withoutWebhook(async () => rmSync(join(rig.folder, "certs"), { recursive: true }));
    const { status, body } = await get(rig.on, ADMIN, v1beta1);
    expect([status, body.message]).toStrictEqual([
      500,
      expect.stringContaining("certificate signed by unknown authority"),
    ]);
    expect(rig.webhook.log()).toContain("level=warn msg=refused reason=ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE times=1");
    await useWebhook(rig.on, rig.folder, rig.webhook.url);
    expect((await get(rig.on, ADMIN, v1beta1)).status).toBe(200);
  });

  test.skipIf(kubectlMissing)("kubectl takes the patch for all CRDs at once", async () => {
    const args = ["webhook", "--print-crd-patch", "--service", "karpenter/anp", "--ca", "certs/ca.crt"];
    const { stdout } = await run(rig.folder, args);
    writeFileSync(join(rig.folder, "conversion.yaml"), stdout);
    const env = { ...process.env, HOME: rig.folder, KUBECONFIG: rig.kubeconfig };
    const patch = ["patch", "crd", ...KARPENTER_CRD_NAMES, "--type", "json", "--patch-file", "conversion.yaml"];
    const { stdout: told, stderr, status } = spawnSync(KUBECTL, patch, { cwd: rig.folder, env, encoding: "utf8" });
    expect({ told, stderr, status }).toStrictEqual({
      told: KARPENTER_CRD_NAMES.map((name) => `customresourcedefinition.apiextensions.k8s.io/${name} patched\n`).join(
        "",
      ),
      stderr: "",
      status: 0,
    });
    for (const name of KARPENTER_CRD_NAMES) {
      const { body } = await rig.on.request(ADMIN, "GET", crdPath(name));
      const caBundle = readFileSync(join(rig.folder, "certs/ca.crt")).toString("base64");
      const service = { namespace: "karpenter", name: "anp", port: 443, path: "/convert" };
      const webhook = { conversionReviewVersions: ["v1"], clientConfig: { service, caBundle } };
      expect(body.spec?.["conversion"]).toStrictEqual({ strategy: "Webhook", webhook });
    }
    await useWebhook(rig.on, rig.folder, rig.webhook.url);
  });

  test("a claim has the lifetime of its pool, and without its pool no end", async () => {
    expectDone(await create(rig.on, ADMIN, nodePool("web").v1));
    expectDone(await create(rig.on, ADMIN, nodeClaim("web-1", "web").v1beta1));
    expectDone(await create(rig.on, ADMIN, nodeClaim("lost-1", "lost").v1beta1));
    const expiry = async (name: string) => (await read(nodeClaim(name, "").v1, "v1")).spec?.["expireAfter"];
    expect([await expiry("web-1"), await expiry("lost-1")]).toStrictEqual(["48h", "Never"]);
  });

  test("a failed conversion names the object, and not its content", async () => {
    const { v1 } = nodePool("web");
    const annotations = { "compatibility.karpenter.sh/v1beta1-kubelet-conversion": "{secret" };
    expectDone(await create(rig.on, ADMIN, { ...v1, metadata: { name: "web", annotations } }));
    const { status, body } = await get(rig.on, ADMIN, inVersion(v1, "v1beta1"));
    const message =
      "conversion webhook for karpenter.sh/v1, Kind=NodePool failed: NodePool web cannot be converted to v1beta1: the annotation compatibility.karpenter.sh/v1beta1-kubelet-conversion is not the JSON that a conversion writes; remove it";
    // Since 1.37 such an object counts as corrupt.
    const corrupt =
      /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/karpenter.sh\/nodepools\/web, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\d+: /;
    expect([status, body.message?.replace(corrupt, "")]).toStrictEqual([500, message]);
    const { body: list } = await rig.on.request(ADMIN, "GET", await collectionPath(rig.on, inVersion(v1, "v1beta1")));
    expect(list.message).toContain("NodePool web cannot be converted to v1beta1");
    expect(rig.webhook.log().join("\n")).not.toContain("{secret");
  });

  test("while the webhook is down, the storage version is readable, and other requests fail with the reason", async () => {
    const { v1, v1beta1 } = nodePool("web");
    expectDone(await create(rig.on, ADMIN, v1));
    await rig.withoutWebhook(async () => {
      expectDone(await get(rig.on, ADMIN, v1));
      const { status, body } = await get(rig.on, ADMIN, v1beta1);
      expect([status, body.message]).toStrictEqual([
        500,
        expect.stringMatching(/conversion webhook for karpenter.sh\/v1, Kind=NodePool failed: Post "https:.*refused/),
      ]);
    });
    expect(plain(await read(v1, "v1beta1"))).toStrictEqual(v1beta1);
  });
});
