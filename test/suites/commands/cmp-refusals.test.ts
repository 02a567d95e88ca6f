/** The Argo CD plugin: on any error, nothing is printed that Argo CD could apply or prune by. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUICKSTART } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { type Environment, generate, json, TWO } from "../../support/process/cmp.ts";
import { folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";

describe("generate refuses", () => {
  it.each<[string, Environment, string]>([
    ["text that is no JSON", { ARGOCD_APP_PARAMETERS: "{" }, "ARGOCD_APP_PARAMETERS is not a JSON list of parameters"],
    [
      "another JSON",
      { ARGOCD_APP_PARAMETERS: '{"name":"paths"}' },
      "ARGOCD_APP_PARAMETERS is not a JSON list of parameters",
    ],
    [
      "a number for a string",
      json({ name: "profile", string: 1 }),
      "ARGOCD_APP_PARAMETERS is not a JSON list of parameters",
    ],
    [
      "a name with a slip",
      json({ name: "hosted-clutser", string: "x" }),
      'parameter "hosted-clutser" of the Application is not known: did you mean hosted-cluster?',
    ],
    [
      "a name that is close to no other",
      json({ name: "region", string: "x" }),
      'parameter "region" of the Application is not known: the parameters are paths, hosted-cluster, profile, policy-dir, require-policy, allow-empty, guard',
    ],
    [
      "a variable with a slip",
      { PARAM_REQUIRE_POLICIES: "true" },
      "PARAM_REQUIRE_POLICIES is not a parameter: the parameters are paths, hosted-cluster, profile, policy-dir, require-policy, allow-empty, guard",
    ],
    [
      "a variable of the Application with a slip",
      { ARGOCD_ENV_REQUIRE_POLCY: "true" },
      "ARGOCD_ENV_REQUIRE_POLCY is not a parameter: did you mean ARGOCD_ENV_REQUIRE_POLICY?",
    ],
    [
      "items of a parameter without items",
      { PARAM_PROFILE_0: "hypershift" },
      "PARAM_PROFILE_0 is not a parameter: did you mean PARAM_PROFILE?",
    ],
    [
      "a parameter twice",
      json({ name: "profile", string: "hypershift" }, { name: "profile", string: "karpenter-1.14" }),
      'parameter "profile" of the Application is given twice',
    ],
    ["a map", json({ name: "paths", map: { a: "b" } }), 'parameter "paths" of the Application takes no map'],
    ["a parameter without a value", json({ name: "paths" }), 'parameter "paths" of the Application has no value'],
    [
      "two values",
      json({ name: "paths", string: "a", array: ["b"] }),
      'parameter "paths" of the Application is given as string and as array',
    ],
    [
      "two values in variables",
      { PARAM_PATHS: "a", PARAM_PATHS_0: "b" },
      "PARAM_PATHS is given as string and as array",
    ],
    ["a gap", { PARAM_PATHS_0: "a", PARAM_PATHS_2: "b" }, "PARAM_PATHS_1 is missing among the items"],
    [
      "an array for a string",
      json({ name: "hosted-cluster", array: ["clusters-a"] }),
      "hosted-cluster (ARGOCD_APP_PARAMETERS): it is one string, not an array",
    ],
    [
      "no namespace",
      json({ name: "hosted-cluster", string: "Clusters/A" }),
      'hosted-cluster (ARGOCD_APP_PARAMETERS): "Clusters/A" is not a namespace, such as clusters-my-cluster',
    ],
    [
      "an unknown profile",
      { PARAM_PROFILE: "hyprshift" },
      'profile (PARAM_PROFILE): "hyprshift" is not one of hypershift, karpenter-1.14, karpenter-1.15: did you mean hypershift?',
    ],
    [
      "neither true nor false",
      { ARGOCD_ENV_REQUIRE_POLICY: "yes" },
      'require-policy (ARGOCD_ENV_REQUIRE_POLICY): "yes" is neither true nor false',
    ],
    [
      "an empty rule, as of a variable that is not set",
      { ARGOCD_ENV_POLICY_DIR: "" },
      "policy-dir (ARGOCD_ENV_POLICY_DIR): it is empty: give it a value, or leave it out",
    ],
    [
      "an empty path",
      json({ name: "paths", array: ["a", ""] }),
      "paths (ARGOCD_APP_PARAMETERS): a path is empty: check whether a variable is unset",
    ],
    [
      "the standard input",
      json({ name: "paths", array: ["-"] }),
      "paths (ARGOCD_APP_PARAMETERS): the standard input (-) cannot be read: Argo CD sends none",
    ],
    [
      "a path of the sidecar",
      json({ name: "paths", array: ["/var/run/secrets"] }),
      'paths (ARGOCD_APP_PARAMETERS): "/var/run/secrets" must be relative to the application\'s folder',
    ],
    [
      "a folder above the repository",
      json({ name: "policy-dir", string: ".." }),
      'policy-dir (ARGOCD_APP_PARAMETERS): ".." leads out of the part of the repository that Argo CD sends',
    ],
  ])("%s, and prints nothing", async (_what, env, said) => {
    expect(await generate(folderWith(TWO), env)).toStrictEqual({
      exit: 2,
      stdout: "",
      stderr: `anp: ${said}\nSee anp cmp --help.\n`,
    });
  });

  it("several hosted clusters, with the list", async () => {
    expect(await generate(folderWith(TWO))).toStrictEqual({
      exit: 2,
      stdout: "",
      stderr:
        "anp: the input is for several hosted clusters, and an Application renders one: clusters-a, clusters-b\n" +
        "select one with the parameter hosted-cluster\nSee anp cmp --help.\n",
    });
  });

  it("a choice among the operator's policies that no flag allows", async () => {
    const { "a/pool.yaml": _a, "b/pool.yaml": _b, ...policies } = TWO;
    const rules = folderWith(policies);
    const folder = folderWith({ "pool.yaml": pool() });
    const choice = json({ name: "hosted-cluster", string: "clusters-b" });
    expect(await generate(folder, choice, "--policy-dir", rules, "--require-policy")).toStrictEqual({
      exit: 2,
      stdout: "",
      stderr:
        "anp: --policy-dir holds the policies of several hosted clusters (clusters-a, clusters-b), and no option says which of them an Application may choose\n" +
        "the operator of the plugin sets --hosted-cluster or --allowed-hosted-clusters\nSee anp cmp --help.\n",
    });
    expect((await generate(folder, choice, "--policy-dir", rules, "--hosted-cluster", "clusters-a")).exit).toBe(0);
    expect((await generate(folder, choice, "--policy-dir", join(rules, "b"))).exit).toBe(0);
  });

  it.each(["--policy-dir", "--config"])(
    "a relative %s of the operator, because the Application's author controls its location",
    async (flag) => {
      const folder = folderWith({ ...TWO, "a/config.yaml": "" });
      const path = flag === "--config" ? "a/config.yaml" : "a";
      expect(await generate(folder, {}, flag, path)).toStrictEqual({
        exit: 2,
        stdout: "",
        stderr: `anp: ${flag}: "${path}" is relative, so the author of an Application decides its content: give an absolute path to a folder that comes with the plugin\nSee anp cmp --help.\n`,
      });
      const doctor = await runAnp(["cmp", "doctor", flag, path], { cwd: folder });
      expect(doctor.stdout).toContain(`${flag}: "${path}" is relative`);
    },
  );

  it("an input with an error, which it reports first", async () => {
    const folder = folderWith({
      "a.yaml": `${policy("clusters-shop", "[a]", "example.com/team")}---\n${outsider}`,
      "b.yaml": pool("fine"),
    });
    const { exit, stdout, stderr } = await generate(folder);
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr.split("\n")[0]).toMatch(/^a\.yaml:\d+:\d+: error: .*\[policy-bypassed\]$/);
  });

  it("earlier output that differs from the render", async () => {
    const files = { "policy.yaml": policy(), "pool.yaml": pool("web") };
    const { stdout } = await generate(folderWith(files));
    expect(await generate(folderWith({ ...files, "rendered/all.yaml": stdout }))).toMatchObject({ exit: 0, stdout });
    const forged = stdout.replace("name: web", "name: gpus").replace(/message: NodePool .*/, "message: none");
    const result = await generate(folderWith({ ...files, "rendered/all.yaml": forged }));
    expect(result).toMatchObject({ exit: 1, stdout: "" });
    expect(result.stderr.match(/error: \w+ \S+|\[output-stale\]/g)).toEqual([
      "error: ValidatingAdmissionPolicy karpenter.nodepool.hypershift.io",
      "[output-stale]",
      "error: NodePool gpus",
      "[output-stale]",
    ]);
  });

  it("an input that is not YAML", async () => {
    expect(await generate(folderWith({ "a.yaml": "a: [\n", "b.yaml": pool() }))).toMatchObject({ exit: 3, stdout: "" });
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    ["the wrappers are gone", { "policy.yaml": policy() }, [], "no wrapper was read for clusters-shop"],
    [
      "the gate is off",
      { "policy.yaml": policy(), "pool.yaml": pool() },
      ["--feature-gates", "AutoNode=false"],
      "the feature gate AutoNode is off",
    ],
  ])("to let Argo CD prune if %s, unless allow-empty is set", async (_what, files, flags, why) => {
    const folder = folderWith(files);
    const { exit, stdout, stderr } = await generate(folder, {}, ...flags);
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(`error: nothing was rendered, because ${why} [output-kept]`);
    expect((await generate(folder, json({ name: "allow-empty", string: "true" }), ...flags)).exit).toBe(0);
    expect((await generate(folder, {}, ...flags, "--allow-empty")).exit).toBe(0);
  });

  it("to write user data", async () => {
    const { stdout, stderr } = await generate(QUICKSTART);
    const asked = (await runAnp(["render", ".", "--include-user-data"], { cwd: QUICKSTART })).stdout;
    const secret = /^ {2}userData: (\S.{20})/m.exec(asked)?.[1] ?? "";
    expect(secret).not.toBe("");
    expect(stdout + stderr).not.toContain(secret);
    expect(await generate(QUICKSTART, {}, "--include-user-data")).toMatchObject({ exit: 2, stdout: "" });
  });
});
