/** `anp diff` of raw objects: against commits, in every format, and never out of a hosted cluster. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import type { Ended } from "../../support/process/built.ts";

const raw = (name: string, more = "") => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: ${name}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
${more}`;

const nodeClass = (userData: string) => `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
  annotations: {kapp.k14s.io/original: '{"spec":{"userData":"${userData}"}}'}
spec:
  amiSelectorTerms: [{alias: al2023@latest}]
  role: nodes
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  userData: ${userData}
`;

const template = (weight: number) => ({
  Resources: {
    Pool: {
      Type: "Custom::AWSCDK-EKS-KubernetesResource",
      Properties: {
        Manifest: JSON.stringify([
          {
            apiVersion: "karpenter.sh/v1",
            kind: "NodePool",
            metadata: { name: "batch" },
            spec: {
              weight,
              template: {
                spec: {
                  nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
                  requirements: [],
                },
              },
            },
          },
        ]),
      },
    },
  },
});

const diff = (cwd: string, ...args: string[]): Promise<Ended> => runAnp(["diff", ...args], { cwd });

const NOTE = "note: NodePools are compared as they are: neither side has a policy or a wrapper\n";
const HOSTED =
  "note: the other side is a hosted cluster, where no policy applies to raw objects: they are not compared\n";

describe("raw objects against a git ref", () => {
  it.each([
    ["a root is added", ["a"], ["a", "b"], ["+ b NodePool web"]],
    ["roots are the first", [], ["a", "b"], ["+ 2 NodePools"]],
    ["a root is removed", ["a", "b"], ["b"], ["- a NodePool web"]],
    ["a root is added elsewhere", ["c/a", "c/b"], ["c/a", "c/b", "d"], ["+ d NodePool web"]],
    ["the only root moves", ["a"], ["b"], []],
  ])("are compared root by root, if %s", async (_what, before, after, changes) => {
    const at = (roots: readonly string[]) => Object.fromEntries(roots.map((one) => [`in/${one}/p.yaml`, raw("web")]));
    const folder = repository({ "in/x.txt": "", ...at(before) }, at(after));
    for (const gone of before.filter((one) => !after.includes(one))) rmSync(join(folder, "in", gone, "p.yaml"));
    const { stdout } = await diff(folder, "in", "--against", "main");
    expect(
      stdout.split("\n").flatMap((line) => /^[-+~] .*(?:NodePool \w+|NodePools)/.exec(line)?.[0] ?? []),
    ).toStrictEqual(changes);
  });

  it("are compared inside other objects too", async () => {
    const inside = (weight: number) => ({
      "in/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: pools}\ndata:\n  p.yaml: |\n${raw("web", `  weight: ${weight}\n`).replaceAll(/^/gm, "    ")}\n`,
      "in/cdk.out/a.template.json": JSON.stringify(template(weight), null, 1),
    });
    const { stdout } = await diff(repository(inside(1), inside(2)), "in", "--against", "main");
    expect(stdout).toContain("batch (in/cdk.out/a.template.json:6), web (in/map.yaml:14)");
  });

  const ofBoth = () =>
    repository(
      { "in/web.yaml": raw("web", "  weight: 1\n"), "in/class.yaml": nodeClass("hunter2") },
      { "in/web.yaml": raw("web", "  weight: 2\n"), "in/class.yaml": nodeClass("hunter3") },
    );

  it("are compared as they are, with file and line, and changes of user data are reported", async () => {
    expect(await diff(ofBoth(), "in", "--against", "main")).toStrictEqual({
      exit: 1,
      stderr: NOTE,
      stdout: `~ EC2NodeClass default  replaces all nodes
    no latest time: NodePool web: drifted nodes are replaced as its budgets allow; each node expires
    720h after its creation; without terminationGracePeriod, a pod that cannot be evicted keeps its
    node without a time limit
    spec:
-     userData: (not shown)  # in/class.yaml:11
+     userData: (not shown, and another)

~ NodePool web  Karpenter acts differently, nodes stay
    spec:
-     weight: 1  # in/web.yaml:9
+     weight: 2

to keep the nodes of web: make the change in a second pool with a higher weight, give the pool a
budget {nodes: "0", reasons: [Drifted]} or give such a budget a schedule and a duration; see
docs/change-without-replacing.md
2 changed (replaces-all 1, behavioural 1); no latest time (terminationGracePeriod is not set)
1 pool and 1 other object change · +0 −0 types
`,
    });
  });

  it.each(["text", "json", "markdown", "github"])("show no byte of user data as %s", async (format) => {
    const { stdout, stderr, exit } = await diff(ofBoth(), "in", "--against", "main", "-o", format, "--fail-on", "info");
    expect([exit, /hunter/.test(stdout + stderr), stdout.includes("userData")]).toStrictEqual([1, false, true]);
    expect(stderr).toBe(format === "json" ? "" : NOTE);
  });

  it("are marked as raw in JSON", async () => {
    const { stdout } = await diff(ofBoth(), "in", "--against", "main", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, mode: "raw" });
  });

  it("are all new if there were none, and a wrong path does not make them look removed", async () => {
    const files = { "in/web.yaml": raw("web"), "none/x.yaml": "{apiVersion: v1, kind: Service, metadata: {name: a}}" };
    const cwd = folderWith(files);
    const added = await diff(cwd, "in", "--against", "none", "-o", "json");
    expect(JSON.parse(added.stdout)).toMatchObject({ mode: "raw", changes: [{ action: "added" }] });
    expect(await diff(cwd, "none", "--against", "in")).toStrictEqual({
      exit: 3,
      stdout: "",
      stderr:
        "anp: none holds no NodePool and no node class, so there is nothing to compare\n  help: give the paths of the manifests that the other side has\n",
    });
  });
});

describe("raw objects on one side, and a hosted cluster on the other", () => {
  const hosted = { "hosted/policy.yaml": policy("clusters-shop"), "hosted/web.yaml": pool("web") };
  const rendered = raw("web").replace(
    "{name: web}",
    "{name: web, labels: {app.kubernetes.io/managed-by: anp}, annotations: {anp.hypershift.openshift.io/rendered-from: OpenshiftNodePool/web}}",
  );
  const files = {
    ...hosted,
    "raw/web.yaml": raw("web"),
    "rendered/web.yaml": rendered,
    "wrapper/web.yaml": pool("web"),
    "config/config.yaml":
      "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: a}\nspec: {hostedCluster: {namespace: clusters-shop}}\n",
  };

  it.each([
    ["raw", "hosted"],
    ["hosted", "raw"],
    ["raw", "rendered"],
    ["rendered", "raw"],
    ["raw", "wrapper"],
    ["raw", "config"],
  ])("%s against %s are errors", async (now, old) => {
    const { exit, stdout, stderr } = await diff(folderWith(files), now, "--against", old);
    expect([exit, stdout]).toStrictEqual([3, ""]);
    expect(stderr).toContain("NodePool web is not made from a wrapper, and no policy covers it [raw-object]");
    expect(stderr.endsWith(HOSTED)).toBe(true);
  });

  it.each([
    ["--hosted-cluster", "clusters-shop"],
    ["--policy-dir", "hosted"],
    ["--config", "config/config.yaml"],
    ["--require-policy"],
  ])("are errors if %s names a hosted cluster", async (...option) => {
    const { exit, stdout, stderr } = await diff(folderWith(files), "raw", "--against", "raw", ...option);
    expect([exit, stdout]).toStrictEqual([3, ""]);
    expect(stderr).toContain("[raw-object]");
  });
});
