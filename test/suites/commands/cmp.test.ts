/** The Argo CD plugin: every way to set a parameter, and which takes precedence. */
import { describe, expect, it } from "vitest";
import { type Ended, QUICKSTART } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { type Environment, generate, json, TWO } from "../../support/process/cmp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";

const pools = ({ exit, stdout, stderr }: Ended): unknown => {
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return [...stdout.matchAll(/^kind: NodePool\nmetadata:\n {2}name: (\S+)$/gm)].map(([, name]) => name);
};

describe("generate", () => {
  it("prints the output of anp render for the folder", async () => {
    expect(await generate(QUICKSTART)).toStrictEqual(await runAnp(["render", "."], { cwd: QUICKSTART }));
  });

  it.each<[string, Environment]>([
    ["nothing at all", {}],
    ["an empty variable", { ARGOCD_APP_PARAMETERS: "" }],
    ["null, as Argo CD writes no parameters", { ARGOCD_APP_PARAMETERS: "null" }],
    ["an empty list", json()],
    ["an empty array of paths", json({ name: "paths", array: [] })],
    ["the default", json({ name: "paths", array: ["."] })],
    ["variables of an Application for other programs", { ARGOCD_ENV_HTTP_PROXY: "http://x", ARGOCD_ENV_REGION: "" }],
    ["Argo CD's own variables", { ARGOCD_APP_NAME: "x", ARGOCD_APP_SOURCE_PATH: "apps/x", KUBE_VERSION: "1.36" }],
  ])("reads the folder with %s", async (_what, env) => {
    expect(await generate(QUICKSTART, env)).toStrictEqual(await generate(QUICKSTART));
  });

  it.each<[string, unknown, Environment]>([
    ["an array in the JSON", ["of-a"], json({ name: "paths", array: ["a/policy.yaml", "a/pool.yaml"] })],
    ["a string in the JSON", ["of-a"], json({ name: "paths", string: "a" })],
    ["items", ["of-a"], { PARAM_PATHS_0: "a/policy.yaml", PARAM_PATHS_1: "a/pool.yaml" }],
    ["one item", ["of-b"], { PARAM_PATHS_0: "b" }],
    ["a string", ["of-b"], { PARAM_PATHS: "b" }],
    ["the Application's environment", ["of-b"], { ARGOCD_ENV_PATHS: "b" }],
    ["items of the Application's environment", ["of-b"], { ARGOCD_ENV_PATHS_0: "b" }],
    ["a path with ..", ["of-b"], json({ name: "paths", array: ["./a/../b"] })],
  ])("takes paths as %s", async (_what, expected, env) => {
    expect(pools(await generate(folderWith(TWO), env))).toStrictEqual(expected);
  });

  it("takes more than ten items in their order", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `pool-${index}`);
    const folder = folderWith({
      "policy.yaml": policy(),
      ...Object.fromEntries(names.map((name) => [`${name}.yaml`, pool(name)])),
    });
    const env = Object.fromEntries(["policy", ...names].map((name, index) => [`PARAM_PATHS_${index}`, `${name}.yaml`]));
    expect(pools(await generate(folder, env))).toHaveLength(12);
  });

  it.each<[string, Environment, readonly string[]]>([
    ["the JSON", json({ name: "hosted-cluster", string: "clusters-b" }), []],
    ["PARAM_*", { PARAM_HOSTED_CLUSTER: "clusters-b" }, []],
    ["ARGOCD_ENV_*", { ARGOCD_ENV_HOSTED_CLUSTER: "clusters-b" }, []],
    ["a flag", {}, ["--hosted-cluster", "clusters-b"]],
  ])("takes the hosted cluster from %s", async (_what, env, flags) => {
    expect(pools(await generate(folderWith(TWO), env, ...flags))).toStrictEqual(["of-b"]);
  });

  it.each<[string, Environment, readonly string[], string]>([
    [
      "a flag before the JSON",
      json({ name: "hosted-cluster", string: "clusters-a" }),
      ["--hosted-cluster", "clusters-b"],
      "hosted-cluster is clusters-b (--hosted-cluster), and not clusters-a (ARGOCD_APP_PARAMETERS)",
    ],
    [
      "the JSON before PARAM_*",
      { ...json({ name: "hosted-cluster", string: "clusters-b" }), PARAM_HOSTED_CLUSTER: "clusters-a" },
      [],
      "hosted-cluster is clusters-b (ARGOCD_APP_PARAMETERS), and not clusters-a (PARAM_HOSTED_CLUSTER)",
    ],
    [
      "PARAM_* before ARGOCD_ENV_*",
      { PARAM_HOSTED_CLUSTER: "clusters-b", ARGOCD_ENV_HOSTED_CLUSTER: "clusters-a" },
      [],
      "hosted-cluster is clusters-b (PARAM_HOSTED_CLUSTER), and not clusters-a (ARGOCD_ENV_HOSTED_CLUSTER)",
    ],
  ])("takes %s, and notes that they disagree", async (_what, env, flags, note) => {
    const ended = await generate(folderWith(TWO), env, ...flags);
    expect(pools(ended)).toStrictEqual(["of-b"]);
    expect(ended.stderr).toBe(`anp: note: ${note}\n`);
  });

  it("prints no note for values that Argo CD repeats", async () => {
    const env = { ...json({ name: "hosted-cluster", string: "clusters-b" }), PARAM_HOSTED_CLUSTER: "clusters-b" };
    expect((await generate(folderWith(TWO), env)).stderr).toBe("");
  });

  it.each<[string, Environment, readonly string[], number]>([
    ["no profile, which is hypershift's", {}, [], 1],
    ["the JSON", json({ name: "profile", string: "karpenter-1.14" }), [], 0],
    ["PARAM_*", { PARAM_PROFILE: "karpenter-1.14" }, [], 0],
    ["a flag before the JSON", json({ name: "profile", string: "karpenter-1.14" }), ["--profile", "hypershift"], 1],
  ])("takes the profile from %s", async (_what, env, flags, exit) => {
    const balanced = `${pool()}  disruption: {consolidationPolicy: Balanced, consolidateAfter: 1m}\n`;
    const folder = folderWith({ "policy.yaml": policy(), "pool.yaml": balanced });
    expect((await generate(folder, env, ...flags)).exit).toBe(exit);
  });

  it("reads rules from the policy directory only", async () => {
    const folder = folderWith({ "rules/policy.yaml": policy("clusters-a"), "users/pool.yaml": pool() });
    const env = json({ name: "policy-dir", string: "rules" }, { name: "paths", array: ["users"] });
    expect(pools(await generate(folder, env))).toStrictEqual(["web"]);
    const elsewhere = await generate(folder, json({ name: "policy-dir", string: "users" }));
    expect(elsewhere).toMatchObject({ exit: 1, stdout: "" });
    expect(elsewhere.stderr).toContain("[untrusted-policy]");
  });

  it("may take the operator's own policy directory from anywhere", async () => {
    const rules = folderWith({ "policy.yaml": policy("clusters-a") });
    const folder = folderWith({ "pool.yaml": pool() });
    expect(pools(await generate(folder, {}, "--policy-dir", rules))).toStrictEqual(["web"]);
  });

  it("offers and renders the hosted clusters that the operator allows", async () => {
    const { "a/pool.yaml": _a, "b/pool.yaml": _b, ...policies } = TWO;
    const rules = folderWith(policies);
    const folder = folderWith({ "pool.yaml": pool() });
    const flags = ["--policy-dir", rules, "--allowed-hosted-clusters", "clusters-c,clusters-b"];
    const choice = (name: string) => json({ name: "hosted-cluster", string: name });
    expect(pools(await generate(folder, choice("clusters-b"), ...flags))).toStrictEqual(["web"]);
    const refused = await generate(folder, choice("clusters-a"), ...flags);
    expect(refused).toStrictEqual({
      exit: 2,
      stdout: "",
      stderr:
        "anp: the hosted cluster is clusters-a, and Applications of this plugin may choose clusters-c, clusters-b (--allowed-hosted-clusters)\nSee anp cmp --help.\n",
    });
    const form = await runAnp(["cmp", "parameters", "--allowed-hosted-clusters", "clusters-b"], {
      cwd: folderWith(TWO),
    });
    expect(form.stdout).toContain('"string": "clusters-b"');
    expect(form.stdout).not.toContain("clusters-a");
  });

  it("also applies the list to an Application without a hosted cluster", async () => {
    const alone = await generate(folderWith({ "pool.yaml": pool() }), {}, "--allowed-hosted-clusters", "clusters-a");
    expect(alone).toMatchObject({ exit: 2, stdout: "" });
    expect(alone.stderr).toContain("the input names no hosted cluster, and Applications of this plugin may choose");
    const only = { "policy.yaml": policy("clusters-b"), "pool.yaml": pool() };
    expect((await generate(folderWith(only), {}, "--allowed-hosted-clusters", "clusters-a")).exit).toBe(2);
    expect((await generate(folderWith(only), {}, "--allowed-hosted-clusters", "clusters-b")).exit).toBe(0);
    expect(await generate(folderWith(only), {}, "--allowed-hosted-clusters", "Clusters/B")).toMatchObject({ exit: 2 });
  });

  it("requires a policy when asked", async () => {
    const folder = folderWith({ "pool.yaml": pool() });
    expect((await generate(folder, json({ name: "require-policy", string: "false" }))).exit).toBe(0);
    const required = await generate(folder, json({ name: "require-policy", string: "true" }));
    expect(required).toMatchObject({ exit: 1, stdout: "" });
    expect(required.stderr).toMatch(/^error: .*\[policy-required\]$/m);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["a flag of the operator", ["--require-policy"], {}],
    [
      "a RenderConfig",
      [],
      {
        "config.yaml":
          "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nspec: {requirePolicy: true}\n",
      },
    ],
  ])("does not let an Application override that %s requires a policy", async (_what, flags, files) => {
    const folder = folderWith({ "pool.yaml": pool(), ...files });
    const ended = await generate(folder, json({ name: "require-policy", string: "false" }), ...flags);
    expect(ended).toMatchObject({ exit: 1, stdout: "" });
    expect(ended.stderr).toContain("[policy-required]");
  });
});
