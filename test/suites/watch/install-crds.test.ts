/** A watch with installCrds creates and updates its CRDs, and changes no others. Runs on real API servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { formatLogEntry } from "../../../src/cluster/objects/log-entry.ts";
import { figuresOf } from "../../../src/cluster/fleet/figures.ts";
import { PROFILES } from "../../../src/model/crds/profile.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, get, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import { ourCrds } from "../../support/e2e/own-crds.ts";
import { run } from "../../support/golden/case.ts";
import { ARCH, isIn, NAMESPACE } from "../../support/watch/inputs.ts";
import { ADMIN, apiOf, live, OPERATOR, pass, put, putEverything, said, watched } from "../../support/watch/rig.ts";
import {
  crd,
  describeWithoutCrds,
  crdsOf,
  installing,
  NODE_CLASSES,
  NODE_POOLS,
  outcomes,
  POLICIES,
} from "../../support/watch/without-crds.ts";

describeWithoutCrds("CRDs of a watch", (rig) => {
  const log = (result: ReconcileResult) => {
    const { done, state } = logLines(result, 0);
    const lines = [...done, ...state].map((entry) =>
      formatLogEntry(entry, "", "logfmt")
        .replace(/^time="" /, "")
        .trim(),
    );
    return lines.filter((line) => line.includes("CustomResourceDefinition"));
  };

  const ALL = (outcome: string) => [
    `guest ${NODE_CLASSES} ${outcome}`,
    `guest ${NODE_POOLS} ${outcome}`,
    `management ${POLICIES} ${outcome}`,
  ];

  async function applyCrds(as: string, change: (definition: KubernetesObject) => void): Promise<void> {
    for (const definition of await ourCrds("hypershift")) {
      change(definition);
      const on = definition.metadata?.name === POLICIES ? rig.management : rig.guest;
      const { status, text } = await apply(on, ADMIN, definition, { fieldManager: as });
      if (status >= 300) throw new Error(text);
      await waitEstablished(on, [definition.metadata?.name ?? ""]);
    }
  }

  /** As the first version of anp has it. */
  type Version = {
    additionalPrinterColumns?: unknown[];
    name: string;
    schema: { openAPIV3Schema: { properties: Record<string, unknown> } };
  };
  const versionOf = ({ spec }: KubernetesObject) => (spec as { versions: [Version] }).versions[0];

  test("the first pass creates them and applies objects; the second writes nothing", async () => {
    const first = await pass(installing(rig));
    expect(outcomes(first)).toEqual(ALL("created"));
    expect(first).toMatchObject({ result: "ok", mode: "Permissive", problems: [] });
    expect(log(first)).toEqual([
      `level=info msg=created cluster=watch side=guest object="CustomResourceDefinition ${NODE_CLASSES}"`,
      `level=info msg=created cluster=watch side=guest object="CustomResourceDefinition ${NODE_POOLS}"`,
      `level=info msg=created cluster=watch side=management object="CustomResourceDefinition ${POLICIES}"`,
    ]);
    await putEverything(rig, [isIn(ARCH, "amd64")]);
    expect(said(await pass(installing(rig)))).toEqual(["create EC2NodeClass/default", "create NodePool/web"]);
    const guest = httpClusterApi({ kubeconfig: rig.kubeconfig("guest", OPERATOR) });
    const management = httpClusterApi({ kubeconfig: rig.kubeconfig("management", OPERATOR) });
    const quiet = await pass(installing(rig, { guest, management }));
    expect(outcomes(quiet)).toEqual(ALL("in-sync"));
    expect([quiet.result, log(quiet)]).toEqual(["ok", []]);
    expect(guest.requests()).toEqual({ get: 2, list: 6 });
    expect(management.requests()).not.toHaveProperty("apply");
    expect(figuresOf(quiet).objects).toContainEqual({ kind: "CustomResourceDefinition", state: "applied", count: 3 });
    for (const on of [rig.guest, rig.management])
      expect((await get(on, ADMIN, crd("nodepools.karpenter.sh"))).status).toBe(on === rig.guest ? 200 : 404);
    guest.close();
    management.close();
  });

  test("they equal anp crds for the profile of the cluster, and then are in sync", async () => {
    for (const profile of PROFILES) {
      await pass(installing(rig, { render: { profile } }));
      expect(outcomes(await pass(installing(rig, { render: { profile } })))).toEqual(ALL("in-sync"));
      for (const definition of await ourCrds(profile)) {
        const on = definition.metadata?.name === POLICIES ? rig.management : rig.guest;
        const { spec } = await live(on, definition);
        expect(spec).toMatchObject(definition.spec as object);
      }
    }
  });

  test("without installCrds it creates none, and the pass fails", async () => {
    const result = await pass(watched(rig));
    expect([result.result, outcomes(result), result.mode]).toEqual(["failed", [], "Hold"]);
    expect((await get(rig.guest, ADMIN, crd(NODE_POOLS))).status).toBe(404);
  });

  test.each<[string, (version: Version) => void]>([
    ["lacks a column", (version) => void version.additionalPrinterColumns?.pop()],
    [
      "lacks a field",
      ({ schema }) => void delete (schema.openAPIV3Schema.properties["spec"] as { properties?: object }).properties,
    ],
    ["has a field that is gone", ({ schema }) => void (schema.openAPIV3Schema.properties["more"] = { type: "string" })],
  ])("one of ours that %s is brought up to date, with its objects", async (_, change) => {
    await applyCrds("anp", (definition) => {
      if (definition.metadata?.name === NODE_POOLS) change(versionOf(definition));
    });
    const before = await live(rig.guest, crd(NODE_POOLS));
    const result = await pass(installing(rig));
    expect(outcomes(result)).toEqual([
      `guest ${NODE_CLASSES} in-sync`,
      `guest ${NODE_POOLS} updated`,
      `management ${POLICIES} in-sync`,
    ]);
    expect(log(result)).toEqual([
      `level=info msg=updated cluster=watch side=guest object="CustomResourceDefinition ${NODE_POOLS}" fields=spec.versions`,
    ]);
    const after = await live(rig.guest, crd(NODE_POOLS));
    expect(after.metadata?.uid).toBe(before.metadata?.uid);
    const declared = (await ourCrds("hypershift")).find(({ metadata }) => metadata?.name === NODE_POOLS)!;
    expect(versionOf(after)).toEqual(versionOf(declared));
    expect(outcomes(await pass(installing(rig)))).toEqual(ALL("in-sync"));
  });

  test("a change of another writer is corrected and logged with the owner", async () => {
    await pass(installing(rig));
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${NODE_POOLS}?fieldManager=kubectl-edit`;
    const change = [{ op: "remove", path: "/spec/versions/0/additionalPrinterColumns" }];
    const headers = { "content-type": "application/json-patch+json" };
    expect((await rig.guest.request(ADMIN, "PATCH", path, change, headers)).status).toBe(200);
    expect(log(await pass(installing(rig)))).toContain(
      `level=warn msg="foreign change overwritten" cluster=watch side=guest object="CustomResourceDefinition ${NODE_POOLS}" field=spec.versions owner=kubectl-edit`,
    );
    expect(outcomes(await pass(installing(rig)))).toEqual(ALL("in-sync"));
  });

  test("a foreign CRD is not changed: an info line, or a warning if it does not serve the version of anp", async () => {
    await applyCrds("hypershift", (definition) => {
      if (definition.metadata?.name === NODE_CLASSES) versionOf(definition).additionalPrinterColumns?.pop();
      if (definition.metadata?.name === NODE_POOLS) versionOf(definition).name = "v1";
    });
    const before = await Promise.all([NODE_CLASSES, NODE_POOLS].map((name) => live(rig.guest, crd(name))));
    const result = await pass(installing(rig));
    expect(outcomes(result)).toEqual(ALL("foreign"));
    const line = (level: string, side: string, name: string, more = "") =>
      `level=${level} msg="foreign object" cluster=watch side=${side} object="CustomResourceDefinition ${name}" reason="anp did not create it and does not change it${more}"`;
    expect(log(result).slice(0, 3)).toEqual([
      line("info", "guest", NODE_CLASSES),
      line("warn", "guest", NODE_POOLS, "; it serves v1, and anp reads v1beta1"),
      line("info", "management", POLICIES),
    ]);
    // The kind itself is reported as unreadable.
    expect([result.result, result.ready.reason]).toEqual(["failed", "ClusterUnreadable"]);
    const { problems } = result.details(() => {
      throw new Error("not asked");
    });
    expect(problems[0]).toMatchObject({ about: `CustomResourceDefinition ${NODE_POOLS}`, severity: "warning" });
    const after = await Promise.all([NODE_CLASSES, NODE_POOLS].map((name) => live(rig.guest, crd(name))));
    expect(after.map(({ metadata }) => metadata?.resourceVersion)).toEqual(
      before.map(({ metadata }) => metadata?.resourceVersion),
    );
  });

  test("a dry run creates none, and reports what it cannot check without them", async () => {
    const result = await pass(installing(rig, { dryRun: true }));
    expect(outcomes(result)).toEqual(ALL("created"));
    expect(result.result).toBe("held");
    const { done, state } = logLines(result, 0);
    expect(done.slice(0, 3).map(({ msg }) => msg)).toEqual(Array(3).fill("would be created"));
    expect(state.filter(({ msg }) => msg === "not judged").map(({ fields }) => fields["reason"])).toEqual([
      "AutoNodePolicy of the management cluster is checked only when its CustomResourceDefinition exists",
      "OpenshiftNodePool of the guest cluster is checked only when its CustomResourceDefinition exists",
      "OpenshiftEC2NodeClass of the guest cluster is checked only when its CustomResourceDefinition exists",
    ]);
    expect(state.filter(({ level }) => level === "error")).toEqual([]);
    expect(figuresOf(result).objects).toContainEqual({ kind: "CustomResourceDefinition", state: "pending", count: 3 });
    for (const [on, name] of [
      [rig.guest, NODE_POOLS],
      [rig.management, POLICIES],
    ] as const)
      expect((await get(on, ADMIN, crd(name))).status).toBe(404);
  });

  test("without the right to create them the pass uses existing ones, is held, and reports each", async () => {
    const definitions = await ourCrds("hypershift");
    for (const definition of definitions.filter(({ metadata }) => metadata?.name !== NODE_POOLS))
      await put(definition.metadata?.name === POLICIES ? rig.management : rig.guest, definition);
    const forbidden = apiOf(rig, "guest", "plain-user");
    const result = await pass(installing(rig, { guest: forbidden }));
    expect(crdsOf(result).map(({ words, result: of }) => [words, of])).toEqual([
      ["read failed", "held"],
      ["read failed", "held"],
      ["foreign object", "ok"],
    ]);
    expect(log(result)[0]).toContain(
      `level=error msg="read failed" cluster=watch side=guest object="CustomResourceDefinition ${NODE_CLASSES}" reason="customresourcedefinitions.apiextensions.k8s.io \\"${NODE_CLASSES}\\" is forbidden: User`,
    );
    // The user may read CRDs, and write everything except CRDs.
    const guest = apiOf(rig, "guest", OPERATOR);
    const reading: ClusterApi = {
      ...guest,
      apply: (kind, ...rest) => (kind.kind === "CustomResourceDefinition" ? forbidden : guest).apply(kind, ...rest),
    };
    const half = await pass(installing(rig, { guest: reading }));
    expect(crdsOf(half).map(({ words }) => words)).toEqual(["foreign object", "create failed", "foreign object"]);
    await put(
      rig.guest,
      definitions.find(({ metadata }) => metadata?.name === NODE_POOLS)!,
    );
    await waitEstablished(rig.guest, [NODE_POOLS]);
    const blind: ClusterApi = {
      ...guest,
      get: (kind, name) => (kind.kind === "CustomResourceDefinition" ? forbidden : guest).get(kind, name),
    };
    await putEverything(rig, []);
    const there = await pass(installing(rig, { guest: blind }));
    expect([there.result, said(there), there.ready.status]).toEqual([
      "held",
      ["create EC2NodeClass/default", "create NodePool/web"],
      "True",
    ]);
  });

  test("several watches at once: each succeeds, and one of them created the CRD", async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => pass(installing(rig))));
    const came = new Set(results.flatMap((result) => crdsOf(result).map(({ state }) => state)));
    expect([...came].filter((state) => state !== "create" && state !== "in-sync")).toEqual([]);
    expect(outcomes(await pass(installing(rig)))).toEqual(ALL("in-sync"));
  });

  test("by the command and by the WatchConfig: one pass on empty clusters is exit 0", async () => {
    const management = rig.kubeconfig("management", "guest-admin");
    const guest = rig.kubeconfig("guest", OPERATOR);
    const flags = ["--hosted-cluster", NAMESPACE, "--guest-kubeconfig", guest, "--management-kubeconfig", management];
    const first = await run(rig.folder, ["watch", ...flags, "--once", "--install-crds"]);
    expect([first.exit, first.stderr.match(/msg=created .*CustomResourceDefinition/g)?.length]).toEqual([0, 3]);
    const file = join(rig.folder, "installing.yaml");
    const cluster = {
      name: "watch",
      namespace: NAMESPACE,
      management: { kubeconfig: management },
      guest: { kubeconfig: guest },
    };
    const spec = { installCrds: true, clusters: [cluster] };
    writeFileSync(
      file,
      JSON.stringify({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig", spec }),
    );
    await remove(rig.guest, ADMIN, crd(NODE_POOLS));
    await waitGone(rig.guest, crd(NODE_POOLS));
    const second = await run(rig.folder, ["watch", "--config", file, "--once"]);
    expect([second.exit, second.stderr]).toEqual([
      0,
      expect.stringContaining(`CustomResourceDefinition ${NODE_POOLS}`),
    ]);
  });
});
