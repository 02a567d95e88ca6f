/** The Argo CD plugin: its announced parameters, its discovery, and `anp cmp doctor`. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, QUICKSTART } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { type Environment, json, TWO } from "../../support/process/cmp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";

describe("parameters", () => {
  const announced = async (cwd: string, env: Environment = {}) => {
    const { exit, stdout, stderr } = await runAnp(["cmp", "parameters"], { cwd, env });
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
    return JSON.parse(stdout) as { name: string; required: boolean; tooltip: string; string?: string }[];
  };
  const cluster = async (cwd: string, env?: Environment) =>
    (await announced(cwd, env)).find(({ name }) => name === "hosted-cluster");

  it("are announced with everything that the form of Argo CD shows", async () => {
    expect(await announced(QUICKSTART)).toStrictEqual(
      [
        { name: "paths", title: "Paths", collectionType: "array", array: ["."] },
        { name: "hosted-cluster", title: "Hosted cluster", string: "clusters-shop" },
        { name: "profile", title: "Karpenter profile" },
        { name: "policy-dir", title: "Policy directory" },
        { name: "require-policy", title: "Require a policy", itemType: "boolean", string: "false" },
        { name: "allow-empty", title: "Allow no wrappers", itemType: "boolean", string: "false" },
        { name: "guard", title: "Guard", itemType: "string" },
      ].map((one) => ({
        tooltip: expect.stringMatching(/\.$/),
        required: false,
        itemType: "string",
        collectionType: "string",
        ...one,
      })),
    );
  });

  it("ask for one of several hosted clusters", async () => {
    expect(await cluster(folderWith(TWO))).toMatchObject({
      required: true,
      tooltip: expect.stringContaining("The input names clusters-a, clusters-b."),
    });
    expect(await cluster(folderWith(TWO))).not.toHaveProperty("string");
  });

  it("name every hosted cluster, also with a selection, and only those below the paths", async () => {
    const env = json({ name: "hosted-cluster", string: "clusters-a" });
    expect((await cluster(folderWith(TWO), env))?.tooltip).toContain("clusters-a, clusters-b");
    expect((await cluster(folderWith(TWO), json({ name: "paths", array: ["b"] })))?.string).toBe("clusters-b");
  });

  it.each<[string, Readonly<Record<string, string>>, Environment]>([
    ["the folder is empty", {}, {}],
    ["a file is not YAML", { "a.yaml": "a: [\n" }, {}],
    ["a parameter is wrong", { "pool.yaml": pool() }, json({ name: "hosted-clutser", string: "x" })],
  ])("are announced even if %s", async (_what, files, env) => {
    expect((await cluster(folderWith(files), env))?.tooltip).toContain("The input names none.");
  });
});

describe("discover", () => {
  it("lists the files with wrappers, and none in folders of other tools", async () => {
    const discover = (files: Readonly<Record<string, string>>): Promise<Ended> =>
      runAnp(["cmp", "discover"], { cwd: folderWith(files) });
    const nothing = { exit: 0, stdout: "", stderr: "" };
    expect(await discover(TWO)).toStrictEqual({ ...nothing, stdout: "a/pool.yaml\nb/pool.yaml\n" });
    expect(await discover({ ...TWO, "kustomization.yaml": "{}\n" })).toStrictEqual(nothing);
    expect((await discover({ ...TWO, "a/kustomization.yaml": "{}\n" })).stdout).toBe("a/pool.yaml\nb/pool.yaml\n");
    expect(await discover({ "a.yaml": "a: [\n", "b.yaml": policy() })).toStrictEqual(nothing);
  });
});

describe("doctor", () => {
  const doctor = (cwd: string, env: Environment = {}, ...flags: string[]): Promise<Ended> =>
    runAnp(["cmp", "doctor", ...flags], { cwd, env: { HOME: "/", ...env } });

  it("shows what the plugin sees", async () => {
    const folder = folderWith({ "apps/shop/pool.yaml": pool(), "apps/shop/rules/policy.yaml": policy() });
    const cwd = join(folder, "apps/shop");
    const env = { ...json({ name: "profile", string: "karpenter-1.14" }), ARGOCD_APP_SOURCE_PATH: "apps/shop" };
    const { exit, stdout, stderr } = await doctor(cwd, env, "--require-policy");
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
    const lines = stdout
      .split("\n")
      .filter((line) => !/^(anp|folder|user|HOME|temporary files|look at|time) /.test(line));
    expect(lines).toStrictEqual([
      "in the repository   apps/shop",
      "paths               . (default)",
      "hosted-cluster      not given",
      "profile             karpenter-1.14 (ARGOCD_APP_PARAMETERS)",
      "policy-dir          not given",
      "require-policy      true (--require-policy)",
      "allow-empty         not given",
      "guard               not given",
      "discovery           yes: pool.yaml",
      "hosted clusters     clusters-shop",
      "policy              rules/policy.yaml for clusters-shop",
      "wrappers            1 OpenshiftNodePool, 0 OpenshiftEC2NodeClass for clusters-shop",
      "rendered            7 objects",
      "generate ends with  exit code 0",
      "",
    ]);
    expect(stdout).toMatch(/^time +\d+ ms since the start of the process$/m);
    expect(stdout).toContain(`\nfolder              ${cwd}\n`);
  });

  it.each<[string, number, RegExp, Readonly<Record<string, string>>, Environment]>([
    ["no wrapper", 1, /no wrapper is read: check the Application's path/, { "apps/shop/policy.yaml": policy() }, {}],
    [
      "the policy outside of the application's folder",
      0,
      /no policy was read, and \.\.\/\.\.\/rules\/policy\.yaml holds one: give the parameter policy-dir \.\.\/\.\.\/rules$/m,
      { "apps/shop/pool.yaml": pool(), "rules/policy.yaml": policy() },
      {},
    ],
    ["no policy at all", 0, /no policy was read: users may ask for anything/, { "apps/shop/pool.yaml": pool() }, {}],
    [
      "a policy directory outside",
      0,
      /policy-dir \.\.\/\.\.\/rules is outside the Application's path: if .*manifest-generate-paths/,
      { "apps/shop/pool.yaml": pool(), "rules/policy.yaml": policy() },
      { PARAM_POLICY_DIR: "../../rules" },
    ],
    [
      "another tool's folder",
      0,
      /discovery skips this folder, because Chart\.yaml/,
      { "apps/shop/pool.yaml": pool(), "apps/shop/Chart.yaml": "name: x\n" },
      {},
    ],
    [
      "a home that cannot be written",
      0,
      /HOME \/nowhere is not writable/,
      { "apps/shop/pool.yaml": pool() },
      { HOME: "/nowhere" },
    ],
    [
      "temporary files that cannot be written",
      0,
      /\/nowhere is not writable: argocd-cmp-server unpacks the repository there/,
      { "apps/shop/pool.yaml": pool() },
      { TMPDIR: "/nowhere" },
    ],
    [
      "a wrong parameter",
      2,
      /exit code 2\n +parameter "profil" of the Application is not known: did you mean profile\?$/m,
      { "apps/shop/pool.yaml": pool() },
      json({ name: "profil", string: "x" }),
    ],
    [
      "parameters that disagree",
      0,
      /^note +paths is \. \(PARAM_PATHS_0\), and not pool\.yaml \(ARGOCD_ENV_PATHS\)$/m,
      { "apps/shop/pool.yaml": pool() },
      { PARAM_PATHS_0: ".", ARGOCD_ENV_PATHS: "pool.yaml" },
    ],
    ["several hosted clusters", 2, /renders one: clusters-a, clusters-b$/m, TWO, { ARGOCD_APP_SOURCE_PATH: "." }],
    ["an unreadable file", 3, /^generate ends with +exit code 3$/m, { "apps/shop/a.yaml": "a: [\n" }, {}],
  ])("reports %s", async (_what, exit, said, files, env) => {
    const folder = folderWith(files);
    const cwd = env["ARGOCD_APP_SOURCE_PATH"] === "." ? folder : join(folder, "apps/shop");
    const ended = await doctor(cwd, { ARGOCD_APP_SOURCE_PATH: "apps/shop", ...env });
    expect(ended.stdout).toMatch(said);
    expect(ended.exit).toBe(exit);
  });

  it("reports another user than Argo CD's", async () => {
    const uid = process.getuid?.();
    const { stdout } = await doctor(folderWith({ "pool.yaml": pool() }));
    const advice = `the user is ${uid}: a sidecar of argocd-repo-server needs runAsUser: 999`;
    expect(stdout.includes(advice)).toBe(uid !== 999 && uid !== undefined);
  });
});
