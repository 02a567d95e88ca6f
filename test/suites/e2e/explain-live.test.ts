/** `--live` of `anp explain` and `anp check`: the same answers as for a dump, also for users with fewer rights. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitAccess } from "../../support/controlplane/access.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES, karpenterCrds } from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { apply, get, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { AKS_CRD, CLUSTER, HELD, madeByOperator, PODS, POLICY, WRAPPERS } from "../../support/e2e/explained-objects.ts";
import { installOurCrds, ourCrds } from "../../support/e2e/own-crds.ts";
import { type LiveObject, putObjects } from "../../support/e2e/put-objects.ts";
import { run } from "../../support/golden/case.ts";

const ADMIN: UserName = "system:admin";

describe("a cluster", () => {
  let cluster: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    cluster = await startControlPlane();
    folder = mkdtempSync(join(tmpdir(), "anp-explain-live-"));
  });

  afterAll(async () => {
    await cluster?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  function ask(args: readonly string[], user: UserName = ADMIN) {
    writeFileSync(join(folder, "kubeconfig"), cluster.kubeconfig(user), { mode: 0o600 });
    return run(folder, [...args, "--live", "--kubeconfig", "kubeconfig"]);
  }

  async function explained(args: readonly string[] = [], user: UserName = ADMIN): Promise<Answer> {
    const { stdout, stderr } = await ask(["explain", "-o", "json", ...args], user);
    expect(stdout, stderr).not.toBe("");
    return JSON.parse(stdout) as Answer;
  }

  const put = (objects: readonly LiveObject[]): Promise<void> => putObjects(cluster, objects);

  async function mayList(...resources: readonly (readonly [group: string, resource: string])[]): Promise<void> {
    const rules = resources.map(([group, resource]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: ["list"],
    }));
    const rbac = "rbac.authorization.k8s.io";
    for (const object of [
      { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: "some" }, rules },
      {
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: "some" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "some" },
        subjects: [{ kind: "User", name: "plain-user", apiGroup: rbac }],
      },
    ])
      expect((await apply(cluster, ADMIN, object as KubernetesObject)).status).toBeLessThan(300);
    for (const [group, resource] of resources)
      await waitAccess(cluster, "plain-user", { verb: "list", group, resource });
  }

  async function setReady(status: string, reason: string, message: string): Promise<void> {
    const lastTransitionTime = "2026-01-05T09:00:00Z";
    const conditions = [{ type: "Ready", status, reason, message, lastTransitionTime }];
    const path = await objectPath(cluster, WRAPPERS[0]!);
    const answer = await cluster.request(ADMIN, "PATCH", `${path}/status`, { status: { conditions } });
    expect(answer.status, answer.text).toBe(200);
  }

  const forbidden = (resource: string, group: string): string =>
    `${resource}${group === "" ? "" : `.${group}`} is forbidden: User "plain-user" cannot list resource "${resource}" in API group "${group}" at the cluster scope`;

  test.each([["explain"], ["check"]])(
    "that does not serve NodePools: the missing CRD is reported: %s",
    async (command) => {
      expect(await ask([command])).toStrictEqual({
        exit: 4,
        stdout: "",
        stderr: `anp: ${cluster.url} serves no NodePool of karpenter.sh: the CRD nodepools.karpenter.sh is not installed\n`,
      });
    },
  );

  describe("with Karpenter", () => {
    beforeAll(async () => {
      await put([...(await karpenterCrds("karpenter-1.15")), AKS_CRD]);
      await waitEstablished(cluster, [...KARPENTER_CRD_NAMES, AKS_CRD.metadata!.name!]);
    });

    test("and no pool has an empty answer", async () => {
      expect(await explained()).toMatchObject({ mode: "raw", nodePools: [] });
      expect(await ask(["check"])).toStrictEqual({ exit: 0, stdout: "", stderr: "no findings\n" });
    });

    test("has a finding on the node class of a pool if there is no class at all", async () => {
      const lone = CLUSTER.find(({ metadata }) => metadata?.name === "web")!;
      await put([lone]);
      const { exit, stdout } = await ask(["check", "--fail-on", "warning"]);
      await remove(cluster, ADMIN, lone);
      expect(stdout).toContain(
        "warning: NodePool web refers to the node class default, which the cluster does not have [node-class-missing]\n" +
          "  help: add its EC2NodeClass, or check the name\n",
      );
      expect(exit).toBe(1);
    });

    describe("and pools of two providers", () => {
      beforeAll(async () => {
        await put(CLUSTER);
      });

      test("answers as its dump does: explain and check", async () => {
        const lists = [
          "karpenter.sh/v1/nodepools",
          "karpenter.k8s.aws/v1/ec2nodeclasses",
          "karpenter.azure.com/v1beta1/aksnodeclasses",
        ];
        const answers = await Promise.all(lists.map((list) => cluster.request(ADMIN, "GET", `/apis/${list}`)));
        writeFileSync(join(folder, "dump.yaml"), answers.map(({ text }) => text).join("\n---\n"));
        for (const command of ["explain", "check"]) {
          const live = await ask([command, "-o", "json"]);
          const dumped = await run(folder, [command, "dump.yaml", "-o", "json"]);
          expect(withoutPlaces(live.stdout)).toStrictEqual(withoutPlaces(dumped.stdout));
          expect([live.exit, withoutFiles(live.stderr)]).toStrictEqual([dumped.exit, withoutFiles(dumped.stderr)]);
        }
        const { mode, nodePools } = await explained();
        expect([mode, nodePools.map(({ name, verdict, provider }) => [name, verdict, provider.name])]).toStrictEqual([
          "raw",
          [
            ["web", "unsatisfiable", "aws"],
            ["azure", "unknown", "karpenter.azure.com"],
          ],
        ]);
      });

      test("shows no user data, and names objects where files have lines", async () => {
        const { stdout } = await ask(["explain", "--nodepool", "web"]);
        expect(stdout).toContain("web  unsatisfiable: gets no nodes  guest:nodepools/web\n");
        expect(stdout).not.toContain("secret");
      });

      test("is compared with a policy of a file", async () => {
        writeFileSync(join(folder, "apart.json"), JSON.stringify(POLICY));
        const { mode, nodePools } = await explained(["--policy", "apart.json", "--nodepool", "azure"]);
        expect([mode, nodePools]).toMatchObject(["raw", [{ name: "azure", underPolicy: { verdict: "narrowed" } }]]);
        const { stdout } = await ask(["check", "-o", "json", "--policy", "apart.json"]);
        expect(stdout).toContain('"outside-policy"');
      });

      test("has its NodeClaims compared with a policy: those of users, and Karpenter's by their requirements", async () => {
        const claims = [
          claimOf("by-hand", "arm64"),
          claimOf("within", "arm64", "web"),
          claimOf("beyond", "amd64", "web"),
        ];
        await put(claims);
        const { stdout } = await ask(["check", "-o", "json", "--policy", "apart.json"]);
        const { findings } = JSON.parse(stdout) as {
          findings: { code: string; resource?: { kind: string; name: string } }[];
        };
        const about = findings.filter(({ resource }) => resource?.kind === "NodeClaim");
        expect(about.map(({ code, resource }) => `${code} ${resource?.name}`).toSorted()).toStrictEqual([
          "node-claim-by-hand by-hand",
          "outside-policy beyond",
        ]);
        for (const claim of claims) await remove(cluster, ADMIN, claim);
      });

      test("has its nodes that a pod holds without an end among the findings", async () => {
        await put(HELD);
        const { findings } = JSON.parse((await ask(["check", "-o", "json"])).stdout) as {
          findings: { code: string; resource?: { name: string } }[];
        };
        const held = findings.filter(({ code }) => code === "node-never-goes");
        expect(held.map(({ resource }) => resource?.name)).toStrictEqual(["held"]);
        for (const object of HELD.toReversed()) await remove(cluster, ADMIN, object);
      });

      test("reports a missing right to read NodePools, and nothing else", async () => {
        expect(await ask(["explain"], "plain-user")).toStrictEqual({
          exit: 4,
          stdout: "",
          stderr: `anp: ${cluster.url}: listing nodepools: ${forbidden("nodepools", "karpenter.sh")}\n`,
        });
      });

      test("reports what is unknown to a user who may read NodePools only, and does not call classes missing", async () => {
        await mayList(["karpenter.sh", "nodepools"]);
        const underPolicy = await ask(["check", "-o", "json", "--policy", "apart.json"], "plain-user");
        expect(underPolicy.stdout).toContain("it is unknown whether the NodeClaims comply with the policy");
        const { exit, stdout, stderr } = await ask(["explain", "-o", "json"], "plain-user");
        const { nodePools, notKnown } = JSON.parse(stdout) as Answer;
        // Only the classes have images.
        expect(nodePools.map(({ name, verdict }) => [name, verdict])).toStrictEqual([
          ["web", "ok"],
          ["azure", "unknown"],
        ]);
        const unknown = "the requirements of node classes are unknown";
        const reasons = ["aksnodeclasses.karpenter.azure.com", "ec2nodeclasses.karpenter.k8s.aws"].map((name) =>
          forbidden(...(name.split(/\.(.*)/s) as [string, string])),
        );
        expect(notKnown.map(({ unknown: what, reason }) => [what, reason])).toEqual(
          expect.arrayContaining(reasons.map((reason) => [unknown, reason])),
        );
        expect(exit).toBe(0);
        for (const reason of reasons) expect(stderr).toContain(reason);
        const checked = await ask(["check", "-o", "json"], "plain-user");
        const { findings } = JSON.parse(checked.stdout) as { findings: { code: string }[] };
        const codes = findings.map(({ code }) => code);
        expect(checked.stdout).toContain("it is unknown which nodes are held without an end");
        expect(checked.exit).toBe(1);
        expect(codes).toContain("live-kind-unread");
        expect(codes).not.toContain("node-class-missing");
        expect((await ask(["check", "--fail-on", "error"], "plain-user")).exit).toBe(0);
      });

      test("reports pending pods, grouped if they are alike, and with the resources of DaemonSets", async () => {
        await put(PODS);
        const { pods } = await explained(["--pods"]);
        const shown = pods?.map(({ kind, name, namespace, count, takenBy }) => [kind, name, namespace, count, takenBy]);
        expect(shown).toStrictEqual([
          ["Pod", "lone", "default", 1, null],
          ["Deployment", "shop", "default", 2, null],
        ]);
        const text = await ask(["explain", "--pods"]);
        expect(text.stdout).toContain("\ndefault/shop Deployment (2 pods)  gets no node: ");
        expect(text.stdout).toContain("  guest:pods/shop-5d9f-a\n");
        expect(text.stdout).toContain("\n3 pods: 3 without a node\n");
        writeFileSync(join(folder, "pods.json"), JSON.stringify({ ...PODS.at(-1), status: {} }));
        const ofFile = await explained(["--pods", "pods.json"]);
        expect(ofFile.pods?.map(({ name, count }) => [name, count])).toStrictEqual([["lone", null]]);
      });

      test("reports that pods are unknown to a user who may not read them", async () => {
        const { notKnown, pods } = await explained(["--pods"], "plain-user");
        expect(pods).toBeUndefined();
        expect(notKnown.slice(-2)).toStrictEqual([
          { kind: "Pod", unknown: "the pending pods are unknown", reason: forbidden("pods", "") },
          {
            kind: "DaemonSet",
            unknown: "the resources that DaemonSets need on each node are unknown",
            reason: forbidden("daemonsets", "apps"),
          },
        ]);
      });

      describe("of HyperShift", () => {
        beforeAll(async () => {
          await installOurCrds(cluster, "karpenter-1.15");
        });

        afterAll(async () => {
          for (const crd of await ourCrds("karpenter-1.15")) {
            await remove(cluster, ADMIN, crd);
            await waitGone(cluster, crd);
          }
        });

        test("that has no wrapper yet is explained as it is", async () => {
          expect((await explained()).mode).toBe("raw");
        });

        test("as it ships is explained with the node classes of its wrappers", async () => {
          const nodeClass: LiveObject = {
            apiVersion: "karpenter.hypershift.openshift.io/v1",
            kind: "OpenshiftEC2NodeClass",
            metadata: { name: "batch" },
            spec: { tags: { team: "batch" } },
          };
          await put([nodeClass]);
          const { exit, stdout, stderr } = await ask(["explain", "-o", "json"]);
          const { mode, nodePools } = JSON.parse(stdout) as Answer;
          expect([mode, nodePools.map(({ name, verdict }) => `${name} ${verdict}`)]).toStrictEqual([
            "shipped",
            ["azure unsatisfiable", "web ok"],
          ]);
          // HyperShift runs Karpenter's AWS provider, and its operator is the owner of each EC2NodeClass.
          expect(exit).toBe(1);
          expect(
            [...stderr.matchAll(/error: (.+? (?:is|gets no nodes))\b.*\[(.+)\]/g)].map(([, what, code]) => [
              what,
              code,
            ]),
          ).toStrictEqual([
            ["EC2NodeClass default is", "raw-object"],
            ["NodePool azure gets no nodes", "provider-mismatch"],
          ]);
          await remove(cluster, ADMIN, nodeClass);
          await waitGone(cluster, nodeClass);
        });

        test("is explained as hosted, and an object without an owner is an error", async () => {
          await put(WRAPPERS);
          const { exit, stdout, stderr } = await ask(["explain", "-o", "json"]);
          const { mode, nodePools } = JSON.parse(stdout) as Answer;
          expect([exit, mode, nodePools.map(({ name }) => name)]).toStrictEqual([1, "hosted", ["batch"]]);
          expect(stderr).toMatch(/NodePool azure is not made from a wrapper, and no policy covers it \[raw-object\]/);
          expect(stderr).toContain("web (guest:nodepools/web)");
        });

        test("is explained as it is to a user who may not read its wrappers", async () => {
          const { mode, nodePools, notKnown } = await explained([], "plain-user");
          expect([mode, nodePools.map(({ name }) => name).toSorted()]).toStrictEqual(["raw", ["azure", "web"]]);
          expect(notKnown.map(({ kind }) => kind)).toEqual(
            expect.arrayContaining(["OpenshiftNodePool", "OpenshiftEC2NodeClass", "AutoNodePolicy"]),
          );
          // Reading half of them would make outputs of the others look ownerless.
          await mayList(
            ["karpenter.sh", "nodepools"],
            ["karpenter.hypershift.openshift.io", "openshiftec2nodeclasses"],
          );
          expect((await explained([], "plain-user")).mode).toBe("raw");
        });

        test("uses the policy of files, and then requires all rights", async () => {
          writeFileSync(join(folder, "policy.yaml"), JSON.stringify(POLICY));
          const { nodePools } = await explained(["--policy-dir", "policy.yaml"]);
          expect(nodePools.map(({ name, verdict }) => [name, verdict])).toStrictEqual([["batch", "unsatisfiable"]]);
          const { exit, stderr } = await ask(["explain", "--policy-dir", "policy.yaml"], "plain-user");
          const reason = forbidden("openshiftnodepools", "karpenter.hypershift.openshift.io");
          expect([exit, stderr]).toStrictEqual([4, `anp: ${cluster.url}: listing openshiftnodepools: ${reason}\n`]);
        });

        test("has objects of the operator explained beside their wrapper, so that pods can use them", async () => {
          const { body } = await get(cluster, ADMIN, WRAPPERS[0]!);
          await put([madeByOperator(String(body.metadata?.uid))]);
          const { outputs, nodePools, pods } = await explained(["--pods"]);
          expect(nodePools.map(({ name }) => name)).toStrictEqual(["batch"]);
          expect(outputs?.map(({ name, madeBy, verdict }) => [name, madeBy, verdict])).toStrictEqual([
            ["batch", "hypershift", "ok"],
          ]);
          expect(outputs?.flatMap(({ differences }) => differences?.map(({ field }) => field))).toEqual(
            expect.arrayContaining(["spec.weight", "spec.template.spec.requirements[0]"]),
          );
          expect(pods?.map(({ name, takenBy }) => [name, takenBy])).toStrictEqual([
            ["lone", "batch"],
            ["shop", "batch"],
          ]);
        });

        test("has what runs first, and an error if it gets no nodes", async () => {
          const { body } = await get(cluster, ADMIN, WRAPPERS[0]!);
          const made = madeByOperator(String(body.metadata?.uid));
          const arch = { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] };
          await apply(cluster, ADMIN, withRequirement(made, arch), { force: true });
          const { exit, stdout, stderr } = await ask(["explain"]);
          await apply(cluster, ADMIN, made, { force: true });
          expect(stdout).toMatch(/^NodePools as they run\n\nbatch {2}unsatisfiable: gets no nodes/);
          expect(stdout).toContain("\n1 pool, 1 unsatisfiable\n");
          expect(stderr).toContain("OpenshiftNodePool batch gets no nodes in its cluster: no instance type satisfies");
          expect(exit).toBe(1);
        });

        test("has the conditions of its wrappers as the answer for a user who may not list NodePools", async () => {
          await mayList(["karpenter.hypershift.openshift.io", "openshiftnodepools"]);
          const unknown =
            "the running NodePools are unknown, and the conditions of the OpenshiftNodePools answer for them";
          const first = await ask(["explain"], "plain-user");
          expect(first.stderr).toContain(`warning: ${unknown}, because the user may not list nodepools`);
          expect([first.exit, lastLines(first.stdout)]).toStrictEqual([0, "1 pool, 1 ok"]);
          await setReady("False", "NoInstanceTypes", "nothing is left");
          const second = await ask(["explain"], "plain-user");
          expect(second.stdout).toMatch(/^batch {2}not ready: NoInstanceTypes/);
          expect(second.stdout).toContain("  Its cluster says: NoInstanceTypes: nothing is left\n");
          expect([second.exit, lastLines(second.stdout)]).toStrictEqual([1, "1 pool, 1 not ready"]);
          await setReady("True", "Ready", "");
        });

        test("has them checked if the policy is known, without an error", async () => {
          const codesOf = async (...args: string[]) => {
            const { stdout } = await ask(["check", "-o", "json", ...args]);
            const { findings } = JSON.parse(stdout) as {
              findings: { code: string; severity: string; resource?: { name: string } }[];
            };
            return findings.flatMap(({ code, severity, resource }) =>
              ["raw-object", "operator-output-differs"].includes(code)
                ? [[severity, code, resource?.name].join(" ")]
                : [],
            );
          };
          expect((await codesOf()).filter((text) => text.includes("batch"))).toStrictEqual([]);
          const checked = await codesOf("--policy-dir", "policy.yaml");
          expect(checked).toEqual(
            expect.arrayContaining(["info operator-output-differs batch", "error raw-object web"]),
          );
          expect(checked).not.toContain("error raw-object batch");
        });
      });

      test("is upgraded with the feature gates of Karpenter's Deployment", async () => {
        const upgrade = async (user?: UserName) => {
          const { stdout, stderr } = await ask(["upgrade", "--from", "1.14", "--to", "1.15", "-o", "json"], user);
          expect(stdout, stderr).not.toBe("");
          const { headline, notLookedAt } = JSON.parse(stdout) as { headline: string; notLookedAt: string[] };
          expect(headline).toContain("Karpenter 1.14 → 1.15: ");
          return { notLookedAt, stderr };
        };
        const unknown = "Karpenter's options and feature gates";
        expect((await upgrade()).notLookedAt).toContain(unknown);
        await put([KARPENTER]);
        const known = await upgrade();
        expect(known.notLookedAt).not.toContain(unknown);
        expect(known.stderr).not.toContain("feature gates");
        await mayList(["karpenter.sh", "nodepools"]);
        const limited = await upgrade("plain-user");
        expect(limited.notLookedAt).toEqual(expect.arrayContaining([unknown, "nodeclaims"]));
        expect(limited.stderr).toContain("because the user may not list deployments");
        await remove(cluster, ADMIN, KARPENTER);
      });

      test("can be simulated by a user who may not read HyperShift's kinds", async () => {
        await mayList(
          ["karpenter.sh", "nodepools"],
          ["karpenter.sh", "nodeclaims"],
          ...["nodes", "pods"].map((resource) => ["", resource] as const),
          ["policy", "poddisruptionbudgets"],
        );
        const { exit, stdout, stderr } = await ask(["simulate", "-o", "json"], "plain-user");
        const gates = `which feature gates Karpenter has, because deployments cannot be read: ${GATES_FORBIDDEN}`;
        expect([exit, stderr]).toStrictEqual([0, `note: it is unknown ${gates}\n`]);
        expect(JSON.parse(stdout)).toMatchObject({
          nodePools: [{ name: "azure" }, { name: "batch" }, { name: "web" }],
        });
      });
    });
  });
});

const GATES_FORBIDDEN =
  'deployments.apps "karpenter" is forbidden: User "plain-user" cannot list resource "deployments" in API group "apps" at the cluster scope';

const LABELS = { "app.kubernetes.io/name": "karpenter" };

const KARPENTER: LiveObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "karpenter", namespace: "default" },
  spec: {
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        containers: [
          {
            name: "controller",
            image: "example.test/karpenter",
            env: [{ name: "FEATURE_GATES", value: "NodeRepair=true" }],
          },
        ],
      },
    },
  },
};

function withRequirement({ spec = {}, ...pool }: LiveObject, entry: object): LiveObject {
  const { template, ...rest } = spec as { template: { spec: { requirements: object[] } } };
  const requirements = [...template.spec.requirements, entry];
  return { ...pool, spec: { ...rest, template: { ...template, spec: { ...template.spec, requirements } } } };
}

/** The number of pools by verdict, without the note on instance types. */
function lastLines(text: string): string {
  return /^\d+ pools?, .*$/m.exec(text)?.[0] ?? "";
}

/** @param pool the pool for which Karpenter created it */
const claimOf = (name: string, arch: string, pool?: string): LiveObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: {
    name,
    ...(pool === undefined
      ? {}
      : {
          labels: { "karpenter.sh/nodepool": pool },
          ownerReferences: [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", name: pool, uid: "of-the-pool" }],
        }),
  },
  spec: {
    nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
    requirements: [{ key: "kubernetes.io/arch", operator: "In", values: [arch] }],
  },
});

interface Answer {
  readonly mode: string;
  readonly nodePools: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly provider: { readonly name: string };
  }[];
  readonly outputs?: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly madeBy: string;
    readonly differences: readonly { readonly field: string }[] | null;
  }[];
  readonly notKnown: readonly { readonly kind: string; readonly unknown: string; readonly reason: string }[];
  readonly pods?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespace: string;
    readonly count: number | null;
    readonly takenBy: string | null;
  }[];
}

/** Origins are lines of files, or objects of the cluster. Notes on missing rights exist only for a cluster. */
function withoutPlaces(json: string): unknown {
  const places = new Set(["file", "line", "column", "notKnown"]);
  return JSON.parse(json, (key, value: unknown) => {
    if (places.has(key)) return undefined;
    // Sorted by origin.
    if (key === "findings") return (value as object[]).map((finding) => JSON.stringify(finding)).toSorted();
    return typeof value === "string" ? withoutFiles(value) : value;
  });
}

function withoutFiles(text: string): string {
  return text.replaceAll(/dump\.yaml:\d+(:\d+)?|guest:\S+( (?=spec|status)[^\s,)]+)?/g, "PLACE");
}
