/** `anp diff --live` on a real API server: changes of applying, with node counts, and without a write. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until, waitEstablished } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { anp, buildOnce } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";

const TYPES = "node.kubernetes.io/instance-type";

// Go is needed for the CRDs in its module cache, whichever programs are used.
const nodeClass = `apiVersion: karpenter.hypershift.openshift.io/v1
kind: OpenshiftEC2NodeClass
metadata: {name: default}
spec:
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  kubelet: {maxPods: 50}
`;
const config = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: config}
spec: {hostedCluster: {namespace: clusters-shop, infraID: shop-1, amis: {amd64: ami-1}}}
`;
const INPUT = {
  "in/policy.yaml": policy("clusters-shop", "[m5.large, m5.xlarge]", TYPES),
  "in/web.yaml": pool("web"),
  "in/batch.yaml": pool("batch"),
  "in/class.yaml": nodeClass,
  "in/config.yaml": config,
};

describe("anp diff --live", () => {
  let guest: ControlPlane;
  let crds: KubernetesObject[];

  beforeAll(async () => {
    await buildOnce();
    guest = await startControlPlane();
  });

  afterAll(async () => {
    await guest?.stop();
  });

  function ask(
    files: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    user: UserName = "system:hosted-cluster-config",
  ) {
    const folder = folderWith(files);
    writeFileSync(join(folder, "kubeconfig"), guest.kubeconfig(user));
    return anp(["diff", "in", "--live", "--kubeconfig", "kubeconfig", ...args], { cwd: folder });
  }

  function changesOf(files: Readonly<Record<string, string>>, ...args: string[]): unknown[] {
    const { stdout, exit, stderr } = ask(files, ["-o", "json", ...args]);
    expect([0, 1], stderr).toContain(exit);
    const { changes } = JSON.parse(stdout) as { changes: Change[] };
    return changes.map(({ resource, action, effect, fields, nodes }) => [
      `${resource.kind}/${resource.name}`,
      action,
      effect,
      action === "changed" ? fields.map(({ path }) => path) : [],
      nodes,
    ]);
  }

  /** Without what depends on the time of the answer, and on nodes. */
  function changesIn(stdout: string) {
    const { changes } = JSON.parse(stdout) as { changes: Change[] };
    return changes.map(({ resource, action, effect, fields }) => ({ resource, action, effect, fields }));
  }

  interface Change {
    resource: { kind: string; name: string };
    action: string;
    effect: string;
    fields: { path: string }[];
    nodes: unknown;
  }

  test("reports missing CRDs", () => {
    const { exit, stdout, stderr } = ask(INPUT);
    expect({ exit, stdout }).toStrictEqual({ exit: 4, stdout: "" });
    expect(stderr).toBe(
      `anp: ${guest.url} serves no EC2NodeClass of karpenter.k8s.aws/v1: install the CRD ec2nodeclasses.karpenter.k8s.aws\n`,
    );
  });

  describe("with the CRDs and earlier rendered objects", () => {
    const zero = { total: 0, affected: 0, names: [], minDuration: "0s" };

    const WEB = ["web-0", "web-1", "web-2", "web-3"];

    beforeAll(async () => {
      crds = await karpenterCrds("hypershift");
      for (const crd of crds) expect((await create(guest, "system:admin", crd)).status).toBe(201);
      await waitEstablished(guest, KARPENTER_CRD_NAMES);
    });

    test("shows everything as added in an empty cluster", () => {
      expect(changesOf(INPUT)).toStrictEqual([
        ...["ec2nodeclass", "nodeclaim", "nodepool", "status"].map((name) =>
          added(`ValidatingAdmissionPolicy/karpenter.${name}.hypershift.io`),
        ),
        ...["ec2nodeclass", "nodeclaim", "nodepool", "status"].map((name) =>
          added(`ValidatingAdmissionPolicyBinding/karpenter-binding.${name}.hypershift.io`),
        ),
        ["EC2NodeClass/default", "added", "none", [], zero],
        ["NodePool/batch", "added", "new-nodes", [], zero],
        ["NodePool/web", "added", "new-nodes", [], zero],
      ]);
    });

    const added = (name: string) => [name, "added", "behavioural", [], zero];

    test("shows no difference for applied objects, whatever Karpenter has written since", async () => {
      const objects = rendered();
      for (const object of objects)
        expect((await apply(guest, "system:hosted-cluster-config", object, { fieldManager: "anp" })).status).toBe(201);
      await karpenterWrites("NodePool", "web", "karpenter.sh/nodepool-hash");
      await karpenterWrites("EC2NodeClass", "default", "karpenter.k8s.aws/ec2nodeclass-hash");
      const before = await versions(objects);
      const { exit, stdout, stderr } = ask(INPUT);
      expect({ exit, stdout, stderr }).toStrictEqual({ exit: 0, stdout: "", stderr: "no changes\n" });
      expect(ask({ ...INPUT, "in/web.yaml": pool("web", `[{key: ${TYPES}, operator: Exists}]`) }).exit).toBe(1);
      expect(await versions(objects)).toStrictEqual(before);
    });

    test("counts the nodes that a change replaces, and the shortest time for that", async () => {
      const owner = await get(guest, "system:admin", {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata: { name: "web" },
      });
      const types = ["m5.large", "m5.large", "m5.large", "m5.xlarge"];
      for (const [index, type] of types.entries())
        expect(
          (await create(guest, "system:admin", nodeClaim(`web-${index}`, type, owner.body.metadata?.uid ?? ""))).status,
        ).toBe(201);
      const narrowed = { ...INPUT, "in/policy.yaml": policy("clusters-shop", "[m5.xlarge]", TYPES) };
      const values = ["spec.template.spec.requirements[0].values"];
      expect(changesOf(narrowed)).toStrictEqual([
        ["NodePool/batch", "changed", "replaces-some", values, zero],
        [
          "NodePool/web",
          "changed",
          "replaces-some",
          values,
          { total: 4, affected: 3, names: WEB.slice(0, 3), minDuration: "15m0s" },
        ],
      ]);
      const otherClass = { ...INPUT, "in/class.yaml": nodeClass.replace("50", "60") };
      expect(changesOf(otherClass, "--node-time", "10m")).toStrictEqual([
        [
          "EC2NodeClass/default",
          "changed",
          "replaces-all",
          ["spec.kubelet.maxPods"],
          { total: 4, affected: 4, names: WEB, minDuration: "40m0s" },
        ],
      ]);
      const { stdout } = ask(narrowed);
      expect(stdout).toContain("~ NodePool web  replaces the nodes that no longer fit: 3 of 4 nodes, at least 15m\n");
      expect(stdout).toContain("-           - m5.large  # in/policy.yaml:4\n");
    });

    test("compares fields that only wrappers have with the wrappers of the cluster", async () => {
      const versioned = (version: string) => ({ ...INPUT, "in/class.yaml": `${nodeClass}  version: ${version}\n` });
      const { exit, stderr } = ask(versioned("4.20.2"));
      expect({ exit, stderr }).toStrictEqual({
        exit: 0,
        stderr:
          "note: EC2NodeClass default: only one side has the wrapper, so it is unknown whether spec.version changes, which may replace all nodes\nno changes\n",
      });
      const definitions = parseAllDocuments(anp(["crds"]).stdout)
        .map((document) => document.toJS() as KubernetesObject)
        .filter(({ metadata }) => metadata?.name?.startsWith("openshiftec2nodeclasses."));
      for (const crd of definitions) expect((await create(guest, "system:admin", crd)).status).toBe(201);
      await waitEstablished(guest, ["openshiftec2nodeclasses.karpenter.hypershift.openshift.io"]);
      const [wrapper] = parseAllDocuments(versioned("4.20.1")["in/class.yaml"]);
      expect((await create(guest, "system:admin", wrapper!.toJS() as KubernetesObject)).status).toBe(201);
      expect(changesOf(versioned("4.20.2"))).toStrictEqual([
        [
          "EC2NodeClass/default",
          "changed",
          "replaces-all",
          ["spec.version"],
          { total: 4, affected: 4, names: WEB, minDuration: "20m0s" },
        ],
      ]);
      expect(ask(versioned("4.20.1"))).toStrictEqual({ exit: 0, stdout: "", stderr: "no changes\n" });
      expect((await remove(guest, "system:admin", wrapper!.toJS() as KubernetesObject)).status).toBe(200);
    });

    test("shows objects that are no longer rendered as removed, but no foreign ones", async () => {
      const { "in/web.yaml": _gone, ...rest } = INPUT;
      expect(changesOf(rest)).toStrictEqual([
        ["NodePool/web", "removed", "removes-nodes", [], { total: 4, affected: 4, names: WEB, minDuration: "5m0s" }],
      ]);
      const foreign = {
        ...rendered().find(({ metadata }) => metadata?.name === "batch"),
        metadata: { name: "foreign" },
      };
      expect((await create(guest, "system:hosted-cluster-config", foreign)).status).toBe(201);
      expect(ask(INPUT).exit).toBe(0);
      const taken = ask({ ...INPUT, "in/foreign.yaml": pool("foreign") });
      expect(taken.stderr).toBe(
        "note: NodePool foreign is in the cluster, and anp did not create it: applying takes it over\n",
      );
      expect(taken.stdout).toContain("+       app.kubernetes.io/managed-by: anp\n");
      expect(taken.exit).toBe(1);
    });

    test("omits the fields of --ignore", () => {
      const otherClass = { ...INPUT, "in/class.yaml": nodeClass.replace("50", "60") };
      expect(ask(otherClass, ["--ignore", "spec.kubelet"]).exit).toBe(0);
      expect(ask(otherClass, ["--ignore", "NodePool:spec.kubelet"]).exit).toBe(1);
      expect(ask(otherClass, ["--ignore", "EC2NodeClass/default:spec.kubelet.maxPods"]).exit).toBe(0);
    });

    test("shows the owner of a field that another manager has taken over", async () => {
      const { body } = await get(guest, "system:admin", {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata: { name: "batch" },
      });
      const { metadata, apiVersion, kind, spec } = body;
      const bare = {
        apiVersion,
        kind,
        metadata: { name: metadata?.name },
        spec: structuredClone(spec),
      } as KubernetesObject;
      const { template } = bare.spec as { template: { metadata: { labels: Record<string, string> } } };
      template.metadata.labels["example.com/by"] = "hand";
      expect(
        (await apply(guest, "system:hosted-cluster-config", bare, { fieldManager: "hand", force: true })).status,
      ).toBe(200);
      const { exit, stderr, stdout } = ask(INPUT);
      expect(exit).toBe(1);
      expect(stderr).toContain(
        'note: NodePool batch: applying it changes fields of other managers: Apply failed with 1 conflict: conflict with "hand"',
      );
      expect(stdout).toContain("-           example.com/by: hand");
    });

    test("reports in one line why a cluster does not answer", async () => {
      const words = (user: UserName, files = INPUT as Readonly<Record<string, string>>) => {
        const { exit, stdout, stderr } = ask(files, [], user);
        expect({ exit, stdout }).toStrictEqual({ exit: 4, stdout: "" });
        expect(stderr.split("\n")).toHaveLength(2);
        return stderr;
      };
      expect(words("plain-user")).toContain('User "plain-user" cannot list resource "');
      // The rendered admission policies allow only HyperShift's operator.
      const changed = { ...INPUT, "in/web.yaml": pool("web", "[{key: a, operator: Exists}]") };
      const asked = (user: UserName) => ask(changed, ["-o", "json"], user);
      await until("the policies are at work", async () => asked("guest-admin").stderr.includes("was not asked"));
      const denied = asked("guest-admin");
      expect(denied.stderr).toContain("NodePool resources cannot be modified directly. Use OpenshiftNodePool instead.");
      expect(changesIn(denied.stdout)).toStrictEqual(changesIn(asked("system:hosted-cluster-config").stdout));
      const folder = folderWith(INPUT);
      addFiles(folder, { kubeconfig: guest.kubeconfig("system:admin").replace(/token: .*/, "token: wrong") });
      const unknown = anp(["diff", "in", "--live", "--kubeconfig", "kubeconfig"], { cwd: folder });
      expect(unknown).toMatchObject({ exit: 4, stdout: "" });
      expect(unknown.stderr).toContain("the credentials of the kubeconfig are not accepted");
    });

    test("compares without the API server's help for a user who may only read", async () => {
      const rules = (groups: Readonly<Record<string, readonly string[]>>) =>
        Object.entries(groups).map(([group, resources]) => ({ apiGroups: [group], resources, verbs: ["list"] }));
      const pools = { "karpenter.sh": ["nodepools", "nodeclaims"], "karpenter.k8s.aws": ["ec2nodeclasses"] };
      const role = (name: string, groups: Readonly<Record<string, readonly string[]>>) => [
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name },
          rules: rules(groups),
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "plain-user" }],
        },
      ];
      for (const object of role("reader", pools))
        expect((await create(guest, "system:admin", object)).status).toBe(201);
      const changed = {
        ...INPUT,
        "in/class.yaml": nodeClass.replace("  kubelet: {maxPods: 50}\n", ""),
        "in/web.yaml": pool("web", `[{key: ${TYPES}, operator: In, values: [m5.large]}]`),
      };
      const asReader = (files: Readonly<Record<string, string>>) => ask(files, ["-o", "json"], "plain-user");
      await until("the user may read", async () => asReader(changed).exit === 1);
      const { stdout, stderr } = asReader(changed);
      const asWriter = ask(changed, ["-o", "json"]);
      const withoutPolicies = (changes: ReturnType<typeof changesIn>) =>
        changes.filter(({ resource }) => !resource.kind.startsWith("Validating"));
      expect(changesIn(stdout)).toStrictEqual(withoutPolicies(changesIn(asWriter.stdout)));
      expect(changesIn(stdout).length).toBeGreaterThan(1);
      const { notAsked } = JSON.parse(stdout) as { notAsked: string[] };
      expect(notAsked).toStrictEqual([
        expect.stringMatching(/^objects of kind ValidatingAdmissionPolicy are not compared: .*cannot list resource/),
        expect.stringMatching(/^objects of kind ValidatingAdmissionPolicyBinding are not compared: /),
        expect.stringMatching(
          /^the API server was not asked .* EC2NodeClass default, NodePool batch, NodePool web: .*cannot patch resource.*compared with the live objects/,
        ),
      ]);
      for (const sentence of notAsked) expect(stderr).toContain(`note: ${sentence}\n`);
      expect(changesIn(asReader(INPUT).stdout)).toStrictEqual(changesIn(ask(INPUT, ["-o", "json"]).stdout));
      expect(asWriter.stdout).not.toContain("notAsked");
    });

    test("reports a CRD of another version", async () => {
      const nodeClassCrd = crds.at(-1)!;
      const { body } = await get(guest, "system:admin", nodeClassCrd);
      const older = structuredClone({
        ...nodeClassCrd,
        metadata: { ...nodeClassCrd.metadata, resourceVersion: body.metadata?.resourceVersion ?? "" },
      });
      const versions = (older.spec as { versions: { schema: { openAPIV3Schema: Schema } }[] }).versions;
      delete versions[0]!.schema.openAPIV3Schema.properties["spec"]!.properties["instanceStorePolicy"];
      expect((await guest.request("system:admin", "PUT", CRD_PATH, older)).status).toBe(200);
      const newer = { ...INPUT, "in/class.yaml": `${nodeClass}  instanceStorePolicy: RAID0\n` };
      await until("the CRD is the older one", async () => ask(newer).exit === 4);
      const { exit, stderr } = ask(newer);
      expect(exit).toBe(4);
      expect(stderr).toContain(
        ".spec.instanceStorePolicy: field not declared in schema; the CRD of the cluster is of another version: see --profile",
      );
    });

    interface Schema {
      properties: Record<string, Schema>;
    }
    const CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ec2nodeclasses.karpenter.k8s.aws";

    function rendered(): KubernetesObject[] {
      const folder = folderWith(INPUT);
      const { stdout, exit } = anp(["render", "in"], { cwd: folder });
      expect(exit).toBe(0);
      return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
    }

    /** Fields that Karpenter writes and that are no difference to users. */
    async function karpenterWrites(kind: string, name: string, annotation: string): Promise<void> {
      const path =
        kind === "NodePool" ? "/apis/karpenter.sh/v1/nodepools" : "/apis/karpenter.k8s.aws/v1/ec2nodeclasses";
      const patch = {
        metadata: {
          annotations: { [annotation]: "1", [`${annotation}-version`]: "v3" },
          finalizers: ["karpenter.k8s.aws/termination"],
        },
      };
      const headers = { "content-type": "application/merge-patch+json" };
      expect((await guest.request("system:admin", "PATCH", `${path}/${name}`, patch, headers)).status).toBe(200);
      const status = { status: { conditions: [] } };
      expect((await guest.request("system:admin", "PATCH", `${path}/${name}/status`, status, headers)).status).toBe(
        200,
      );
    }

    async function versions(objects: readonly KubernetesObject[]): Promise<unknown[]> {
      const answers = await Promise.all(objects.map((object) => get(guest, "system:admin", object)));
      return answers.map(({ body }) => [body.metadata?.uid, body.metadata?.resourceVersion]);
    }

    function nodeClaim(name: string, type: string, uid: string): KubernetesObject {
      return {
        apiVersion: "karpenter.sh/v1",
        kind: "NodeClaim",
        metadata: {
          name,
          labels: { "karpenter.sh/nodepool": "web", [TYPES]: type },
          ownerReferences: [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "web", uid }],
        },
        spec: { requirements: [], nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" } },
      };
    }
  });
});
