/** `--live` of `anp get` and `anp simulate`: the same answers as for a dump, or one line with the reason for none. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { NODE_CLASS } from "../../support/e2e/explained-objects.ts";
import { type LiveObject, putObjects } from "../../support/e2e/put-objects.ts";
import { run } from "../../support/golden/case.ts";
import { bothVersions } from "../../support/webhook/crds.ts";
import { GROUP, installOurCrds, ourCrds, OWN_CRD_NAMES } from "../../support/e2e/own-crds.ts";

const ADMIN: UserName = "system:admin";

// Go is needed for the CRDs in its module cache, whichever programs are used.
test.each([
  [["get", "nodepools", "pools.yaml", "--live"], "--live reads a cluster, and PATH is a file: give one of them"],
  [["explain", "pools.yaml", "--live"], "--live reads a cluster, and PATH is a file: give one of them"],
  [["check", "pools.yaml", "--live"], "--live reads a cluster, and PATH is a file: give one of them"],
  [["get", "nodepools", "--kubeconfig", "k"], "--kubeconfig and --context go with --live"],
  [["adopt", "pools.yaml", "--live"], "--live reads a cluster, and PATH is a file: give one of them"],
  [["adopt", "--kubeconfig", "k"], "--kubeconfig and --context go with --live"],
  [["explain", "--kubeconfig", "k"], "--kubeconfig and --context go with --live"],
  [["check", "pools.yaml", "--context", "guest"], "--kubeconfig and --context go with --live"],
  [["explain", "pools.yaml", "--pods"], "--pods without a file reads the pods of a cluster: add --live"],
  [["simulate", "pools.yaml", "--context", "guest"], "--kubeconfig and --context go with --live"],
  [
    ["simulate", "--live", "--node-data", "dump.json"],
    "--live and --node-data both provide the nodes: give one of them",
  ],
])("anp %j is wrong use", async (args, words) => {
  const { exit, stdout, stderr } = await run(import.meta.dirname, args);
  expect({ exit, stdout, stderr }).toStrictEqual({
    exit: 2,
    stdout: "",
    stderr: `anp: ${words}\nSee anp ${args[0]} --help.\n`,
  });
});

describe("a cluster", () => {
  let cluster: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    cluster = await startControlPlane();
    folder = mkdtempSync(join(tmpdir(), "anp-live-"));
  });

  afterAll(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  function ask(args: readonly string[], user: UserName = ADMIN, adapt = (text: string): string => text) {
    writeFileSync(join(folder, "kubeconfig"), adapt(cluster.kubeconfig(user)), { mode: 0o600 });
    return run(folder, [...args, "--live", "--kubeconfig", "kubeconfig"]);
  }

  const put = (objects: readonly LiveObject[]): Promise<void> => putObjects(cluster, objects);

  const COMMANDS = [["get", "nodepools"], ["simulate"]];

  test.each(COMMANDS)("that does not serve the kind: the missing CRD is reported: %s", async (...args) => {
    expect(await ask(args)).toStrictEqual({
      exit: 4,
      stdout: "",
      stderr: `anp: ${cluster.url} serves no NodePool of karpenter.sh: the CRD nodepools.karpenter.sh is not installed\n`,
    });
  });

  test.each(COMMANDS)("that cannot be reached, or refuses the credentials, is reported: %s", async (...args) => {
    const unreachable = await ask(args, ADMIN, (text) => text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1"));
    expect(unreachable).toStrictEqual({
      exit: 4,
      stdout: "",
      stderr: "anp: https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n",
    });
    const unknown = await ask(args, ADMIN, (text) => text.replace(/token: .*/, "token: wrong"));
    expect([unknown.exit, unknown.stdout]).toStrictEqual([4, ""]);
    expect(unknown.stderr).toMatch(
      /^anp: \S+: listing \w+: Unauthorized; the credentials of the kubeconfig are not accepted\n$/,
    );
    expect(await ask([...args, "--context", "none"])).toStrictEqual({
      exit: 4,
      stdout: "",
      stderr: "anp: the kubeconfig has no context none; it has test\n",
    });
  });

  describe("of the time before v1", () => {
    let crds: KubernetesObject[];

    beforeAll(async () => {
      crds = (await bothVersions("v1beta1")).map(olderOnly);
      await put(crds);
      await waitEstablished(cluster, KARPENTER_CRD_NAMES);
    });

    afterAll(async () => {
      for (const crd of crds) {
        await remove(cluster, ADMIN, crd);
        await waitGone(cluster, crd);
      }
    });

    test("is read in v1beta1", async () => {
      const spec = { template: { spec: { nodeClassRef: { name: "default" }, requirements: [] } }, weight: 7 };
      await put([{ apiVersion: "karpenter.sh/v1beta1", kind: "NodePool", metadata: { name: "old" }, spec }]);
      const { exit, stdout } = await ask(["get", "nodepools", "-o", "wide"]);
      expect([exit, stdout.replaceAll(/ +/g, " ").replace(/\d+s/, "0s")]).toStrictEqual([
        0,
        "NAME NODECLASS NODES READY AGE WEIGHT CPU MEMORY\nold default 0s 7 \n",
      ]);
      const simulated = await ask(["simulate", "-o", "json"]);
      expect(JSON.parse(simulated.stdout)).toMatchObject({ nodePools: [{ name: "old", nodes: 0 }] });
    });
  });

  describe("of HyperShift as it ships", () => {
    const [, OF_CLASSES = "", OF_POOLS = ""] = OWN_CRD_NAMES;
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const shipped: readonly LiveObject[] = [
      {
        apiVersion: `${GROUP}/v1`,
        kind: "OpenshiftEC2NodeClass",
        metadata: { name: "default" },
        spec: { monitoring: "Detailed" },
      },
      {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata: { name: "web" },
        spec: { template: { spec: { nodeClassRef, requirements: [] } } },
      },
    ];
    const crds: KubernetesObject[] = [];

    async function install(name: string): Promise<void> {
      const some = [...(await karpenterCrds("hypershift")), ...(await ourCrds("hypershift"))];
      const added = some.filter(({ metadata }) => metadata?.name === name);
      await put(added);
      crds.push(...added);
      await waitEstablished(cluster, [name]);
    }

    beforeAll(async () => {
      for (const name of [...KARPENTER_CRD_NAMES, OF_CLASSES]) await install(name);
      await put(shipped);
    });

    afterAll(async () => {
      for (const crd of crds) {
        await remove(cluster, ADMIN, crd);
        await waitGone(cluster, crd);
      }
    });

    test("has its NodePools adopted only if it serves the wrapper, or if --wrapped asks for it", async () => {
      const refused = await ask(["adopt"]);
      expect([refused.exit, refused.stdout]).toStrictEqual([1, ""]);
      expect(refused.stderr).toContain("[adopt-pool-kind-absent]");
      const asked = await ask(["adopt", "--wrapped"]);
      expect([asked.exit, asked.stdout]).toStrictEqual([0, expect.stringContaining("kind: OpenshiftNodePool\n")]);
      await install(OF_POOLS);
      expect(await ask(["adopt"])).toStrictEqual(asked);
    });
  });

  describe("with Karpenter and wrappers", () => {
    beforeAll(async () => {
      for (const crd of await karpenterCrds("hypershift")) await put([crd]);
      await installOurCrds(cluster, "hypershift");
      await waitEstablished(cluster, KARPENTER_CRD_NAMES);
      await put(OBJECTS);
    });

    const AT = ["--at", "2026-11-23T09:30:00Z"];

    /** As `kubectl get … -A -o json` writes it. */
    async function dump(...lists: string[]): Promise<string> {
      const answers = await Promise.all(lists.map((list) => cluster.request(ADMIN, "GET", list)));
      const items = answers.flatMap(({ body }) =>
        (body.items ?? []).map((item) => ({
          apiVersion: body.apiVersion,
          kind: body.kind?.replace(/List$/, ""),
          ...item,
        })),
      );
      return JSON.stringify({ apiVersion: "v1", kind: "List", items });
    }
    const NODE_DATA = [
      "/apis/karpenter.sh/v1/nodepools",
      "/apis/karpenter.sh/v1/nodeclaims",
      "/api/v1/nodes",
      "/api/v1/pods",
    ];
    const WRAPPERS = "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools";

    test("simulate answers as for a dump: text and JSON, with wrappers, which have the hard limit", async () => {
      writeFileSync(join(folder, "dump.json"), await dump(...NODE_DATA, WRAPPERS));
      for (const more of [
        ["-o", "json"],
        ["--set", "web.limits.nodes=1"],
        ["--from", "2026-11-23", "--to", "+2d"],
      ]) {
        const args = ["simulate", ...(more[0] === "--from" ? [] : AT), ...more];
        const live = await ask(args);
        const dumped = await run(folder, [...args, "--node-data", "dump.json"]);
        expect(withoutPlaces(live.stdout)).toBe(withoutPlaces(dumped.stdout));
        expect([live.exit, live.stderr]).toStrictEqual([0, dumped.stderr]);
      }
      const { stdout } = await ask(["simulate", ...AT, "-o", "json"]);
      expect(JSON.parse(stdout)).toMatchObject({
        nodePools: [
          { name: "raw", nodes: 1, limit: { nodes: 5, mode: "Soft" } },
          {
            name: "web",
            nodes: 2,
            limit: { nodes: 1, mode: "Hard" },
            provisioning: "blocked",
            deprovision: ["node-b"],
          },
        ],
      });
    });

    test("simulate shows objects instead of lines of files", async () => {
      const { stdout } = await ask(["simulate", ...AT, "--nodepool", "raw"]);
      expect(stdout).toContain("\nraw  1 node, Soft limit of 5  guest:nodepools/raw\n");
      expect(stdout).toContain("\n    10%  every reason  always  guest:nodepools/raw spec.disruption.budgets[0]\n");
    });

    test("simulate uses the pools of files and the nodes of the cluster", async () => {
      const wrapper = { ...WRAPPER, spec: { ...WRAPPER.spec, limits: { nodes: 7 } } };
      writeFileSync(join(folder, "pools.json"), JSON.stringify(wrapper));
      const { exit, stdout } = await ask(["simulate", "pools.json", ...AT, "-o", "json"]);
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { nodePools: [{ name: "web", nodes: 2, headroom: 5 }] }]);
    });

    test("a missing right is reported in one line, with the message of the API server", async () => {
      const forbidden = (what: string, group: string) =>
        `anp: ${cluster.url}: listing ${what}: ${what}${group === "" ? "" : `.${group}`} is forbidden: User "plain-user" cannot list resource "${what}" in API group "${group}" at the cluster scope\n`;
      expect(await ask(["get", "ec2nc"], "plain-user")).toStrictEqual({
        exit: 4,
        stdout: "",
        stderr: forbidden("ec2nodeclasses", "karpenter.k8s.aws"),
      });
      const { exit, stdout, stderr } = await ask(["simulate"], "plain-user");
      expect([exit, stdout]).toStrictEqual([4, ""]);
      expect(stderr).toBe(forbidden("openshiftnodepools", "karpenter.hypershift.openshift.io"));
    });

    test("get omits user data and managedFields", async () => {
      const { stdout, stderr } = await ask(["get", "ec2nc", "-o", "yaml"]);
      expect(stdout).not.toContain("secret");
      expect(stdout).not.toContain("managedFields");
      expect(stderr).toContain("the user data is left out of the EC2NodeClass default, because it may hold a token");
      expect((await ask(["get", "ec2nc", "-o", "yaml", "--include-user-data"])).stdout).toContain("userData: secret\n");
    });
  });
});

const REFERENCE = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };

const WRAPPER = {
  apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
  kind: "OpenshiftNodePool",
  metadata: { name: "web" },
  spec: { template: { spec: { requirements: [] } }, limits: { nodes: 1 } },
};

const poolOf = (name: string, limit: number) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name },
  spec: {
    template: { spec: { nodeClassRef: REFERENCE, requirements: [] } },
    limits: { nodes: String(limit) },
    disruption: { consolidateAfter: "1m" },
  },
});

const claimOf = (pool: string, name: string) => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: { name: `${pool}-${name}`, labels: { "karpenter.sh/nodepool": pool } },
  spec: { nodeClassRef: REFERENCE, requirements: [] },
  status: { nodeName: `node-${name}`, providerID: `aws:///${name}` },
});

const nodeOf = (pool: string, name: string) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: `node-${name}`, labels: { "karpenter.sh/nodepool": pool, "karpenter.sh/initialized": "true" } },
  spec: { providerID: `aws:///${name}` },
  status: { conditions: [{ type: "Ready", status: "True" }] },
});

/** Node a has a pod and node b has none. */
const OBJECTS = [
  NODE_CLASS,
  WRAPPER,
  poolOf("web", 1),
  poolOf("raw", 5),
  ...[["web", "a"] as const, ["web", "b"] as const, ["raw", "c"] as const].flatMap(([pool, name]) => [
    claimOf(pool, name),
    nodeOf(pool, name),
  ]),
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "cart", namespace: "default" },
    spec: { nodeName: "node-a", containers: [{ name: "cart", image: "cart" }] },
  },
];

function olderOnly(crd: KubernetesObject): KubernetesObject {
  const { conversion: _none, versions, ...spec } = crd.spec as { conversion: unknown; versions: { name: string }[] };
  return { ...crd, spec: { ...spec, versions: versions.filter(({ name }) => name === "v1beta1") } };
}

/** Origins are lines of files, or objects of the cluster. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/ {2,}(dump\.json:\d+|guest:\S+( \S+)?)(?=\n)/g, "");
}
