/** `anp collect`: a file that other commands answer from as from the cluster, without its secrets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import { waitEstablished } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { AKS_CRD, CLUSTER, PODS } from "../../support/e2e/explained-objects.ts";
import { type LiveObject, putObjects } from "../../support/e2e/put-objects.ts";
import { run } from "../../support/golden/case.ts";

/** Each has the word that must not be collected. */
const WITH_SECRETS: readonly LiveObject[] = [
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "token", namespace: "default" },
    stringData: { token: "canary" },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "with-token",
      namespace: "default",
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "canary", "example.com/token": "canary" },
    },
    spec: {
      nodeName: "node-a",
      containers: [{ name: "main", image: "canary", args: ["canary"], env: [{ name: "TOKEN", value: "canary" }] }],
      volumes: [{ name: "token", secret: { secretName: "canary" } }],
    },
  },
  { apiVersion: "v1", kind: "Node", metadata: { name: "node-a", labels: { "karpenter.sh/nodepool": "web" } } },
];

describe("a cluster", () => {
  let cluster: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    cluster = await startControlPlane();
    folder = mkdtempSync(join(tmpdir(), "anp-collect-"));
    await putObjects(cluster, [...(await karpenterCrds("karpenter-1.15")), AKS_CRD]);
    await waitEstablished(cluster, [...KARPENTER_CRD_NAMES, AKS_CRD.metadata!.name!]);
    await putObjects(cluster, [...CLUSTER, ...PODS, ...WITH_SECRETS]);
  });

  afterAll(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  function collect(args: readonly string[], user: UserName = "system:admin") {
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig(user), { mode: 0o600 });
    return run(folder, ["collect", ...args, "--kubeconfig", "kubeconfig"]);
  }

  const read = (path: string): string => readFileSync(join(folder, path), "utf8");

  test("is collected into a folder of its own, and again in its place", async () => {
    const { exit, stdout, stderr } = await collect(["dumps", "--live"]);
    expect([exit, stdout]).toStrictEqual([0, ""]);
    const [name] = readdirSync(join(folder, "dumps"));
    expect(stderr).toMatch(new RegExp(`^dumps/${name}/cluster\\.json: \\d+ objects\\n$`));
    const { items } = JSON.parse(read(`dumps/${name}/cluster.json`)) as { items: { kind: string; metadata: object }[] };
    const kinds = Object.groupBy(items, ({ kind }) => kind);
    expect(Object.keys(kinds)).toStrictEqual(
      ["NodePool", "EC2NodeClass", "AKSNodeClass", "Node", "Pod", "Namespace", "DaemonSet"].filter(
        (kind) => kind in kinds,
      ),
    );
    expect([kinds["NodePool"]?.length, kinds["Pod"]?.length, kinds["Node"]?.length]).toStrictEqual([2, 7, 1]);
    expect((await collect(["dumps", "--live"])).exit).toBe(0);
    expect(readdirSync(join(folder, "dumps", name!))).toStrictEqual(["cluster.json"]);
  });

  test("has no secret in its file", async () => {
    await collect(["secrets", "--live", "--name", "one"]);
    const text = read("secrets/one/cluster.json");
    expect(text).toContain('"with-token"');
    expect(text).not.toMatch(/canary|"secret"/);
  });

  test("is answered from its file as from the cluster", async () => {
    await collect(["dumps", "--live", "--name", "prod"]);
    const dump = "dumps/prod/cluster.json";
    const live = ["--live", "--kubeconfig", "kubeconfig"];
    const at = ["--at", "2026-11-23T09:00:00Z", "-o", "json"];
    const ofLive = await run(folder, ["simulate", ...at, ...live]);
    const ofFile = await run(folder, ["simulate", ...at, "--node-data", dump]);
    const withoutPlaces = (text: string): unknown =>
      JSON.parse(text, (key, value: unknown) => (key === "file" || key === "line" ? undefined : value));
    expect(withoutPlaces(ofFile.stdout)).toStrictEqual(withoutPlaces(ofLive.stdout));
    const explained = async (...args: string[]) => {
      const { stdout } = await run(folder, ["explain", "-o", "json", ...args]);
      return (withoutPlaces(stdout) as { nodePools: unknown }).nodePools;
    };
    expect(await explained(dump)).toStrictEqual(await explained(...live));
  });

  test("is planned from its file as from the cluster, with its pools or those of a path", async () => {
    await collect(["dumps", "--live", "--name", "prod"]);
    const dump = "dumps/prod/cluster.json";
    const live = ["--live", "--kubeconfig", "kubeconfig"];
    const planned = async (...args: string[]) => {
      const { exit, stdout, stderr } = await run(folder, ["plan", "-o", "json", ...args]);
      if (stdout === "") throw new Error(`${exit} ${stderr}`);
      return { exit, stderr, answer: JSON.parse(stdout) as { summary: { pods: number } } };
    };
    await expect(planned(...live)).rejects.toThrow("2 anp: the pools are of several cloud providers");
    const { items } = JSON.parse(read(dump)) as { items: object[] };
    const ofAws = items.filter((one) => !JSON.stringify(one).includes("AKSNodeClass"));
    writeFileSync(join(folder, "aws.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items: ofAws }));
    const ofFile = await planned("aws.json", "--node-data", dump);
    expect(ofFile.answer.summary.pods).toBeGreaterThan(0);
    expect((await planned("aws.json", ...live)).answer).toStrictEqual(ofFile.answer);
  });

  test("has no plan for a user who may not read its nodes", async () => {
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig("plain-user"), { mode: 0o600 });
    const { exit, stdout, stderr } = await run(folder, ["plan", "--live", "--kubeconfig", "kubeconfig"]);
    expect([exit, stdout]).toStrictEqual([4, ""]);
    expect(stderr).toMatch(/^anp: .*forbidden/);
  });

  test("names what the user may not read, and writes the rest", async () => {
    const { exit, stderr } = await collect(["dumps", "--live", "--name", "some"], "plain-user");
    expect(exit).toBe(0);
    expect(stderr).toContain("warning: the nodes are unknown, because the user may not list nodes: nodes is forbidden");
    expect(stderr).toContain("warning: the NodePools are unknown, because the user may not list nodepools:");
    expect(stderr).toContain("dumps/some/cluster.json: 0 objects\n");
  });

  test("leaves a file of others as it is", async () => {
    await collect(["dumps", "--live", "--name", "kept"]);
    writeFileSync(join(folder, "dumps/kept/cluster.json"), '{"kind": "List"}');
    const { exit, stderr } = await collect(["dumps", "--live", "--name", "kept"]);
    expect([exit, stderr.split("\n")[0]]).toMatchObject([1, expect.stringContaining("dumps/kept/cluster.json")]);
    expect(read("dumps/kept/cluster.json")).toBe('{"kind": "List"}');
  });

  test("gives its folder a name that leads nowhere else", async () => {
    expect((await collect(["dumps", "--live", "--name", "../arn:aws:eks:eu-west-1:1:cluster/prod"])).stderr).toMatch(
      /^dumps\/arn-aws-eks-eu-west-1-1-cluster-prod\/cluster\.json: /,
    );
    expect((await collect(["dumps", "--live", "--name", "../.."])).stderr).toBe(
      "anp: --name ../..: a folder's name has letters or digits\nSee anp collect --help.\n",
    );
    expect((await collect(["dumps"])).exit).toBe(2);
  });
});
