/** A new folder that matches the `*` of `--policy-dir` governs no other hosted cluster, in any command. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFIG, POLICY, RAW } from "../../support/guard/raw-package.ts";
import { json } from "../../support/process/cmp.ts";
import { addFiles, folderWith, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { commitAll, git, repository } from "../../support/process/repositories.ts";
import { listOf } from "../../support/process/resource-lists.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const FLEET = {
  "clusters/shop/policy/policy.yaml": policy(),
  "clusters/shop/pools/web.yaml": pool(),
  "clusters/blog/policy/policy.yaml": policy("clusters-blog"),
  "clusters/blog/pools/web.yaml": pool(),
};
const GIVEN = ["clusters", "--policy-dir", "clusters/*/policy"];

const configOf = (spec: string): string =>
  `apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: evil}\nspec: ${spec}\n`;

const LOOSE = "admission: {mode: None, nodeClaims: None}";
const OF_SHOP = configOf(`{hostedCluster: {namespace: clusters-shop}, ${LOOSE}}`);
const EVIL = { "clusters/evil/policy/config.yaml": OF_SHOP };

/** The same in another folder, for `anp diff`. */
const BEFORE = Object.fromEntries(
  Object.entries(FLEET).map(([path, text]) => [path.replace("clusters/", "before/"), text]),
);

const SHOP = ["--hosted-cluster", "clusters-shop"];

/** The errors, and whether a manifest was written or printed. */
async function ran(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const before = Object.keys(textsIn(cwd)).length;
  const { exit, stdout, stderr } = await runAnp(args, { cwd, env });
  const refused = new Set(`${stdout}${stderr}`.match(/^\S+?: error: .*?(?= \[untrusted-policy\])|^error: .*/gm));
  const wrote = /^kind: |"kind": /m.test(stdout) || Object.keys(textsIn(cwd)).length > before;
  return { exit, refused: refused.size, wrote };
}

const REFUSED = { exit: 1, refused: 2, wrote: false };

describe("a folder that names the hosted cluster of another one", () => {
  it.each<[string, readonly string[]]>([
    ["render", ["--output-dir", "out"]],
    ["render", SHOP],
    ["render", ["--hosted-cluster", "clusters-blog"]],
    ["check", []],
    ["check", ["--require-policy"]],
    ["check", ["--prove"]],
    ["check", SHOP],
    ["explain", []],
    ["explain", SHOP],
    ["simulate", [...SHOP, "--fail-on", "error"]],
    ["doctor", []],
  ])("stops %s %j", async (command, options) => {
    const cwd = folderWith({ ...FLEET, ...EVIL });
    expect(await ran([command, ...GIVEN, ...options], cwd)).toStrictEqual(REFUSED);
  });

  it.each(["ref:main", "before"])("stops diff on its newer side, against %s", async (against) => {
    const cwd = repository({ ...FLEET, ...BEFORE }, EVIL);
    expect(await ran(["diff", ...GIVEN, "--against", against], cwd)).toStrictEqual({ ...REFUSED, exit: 3 });
  });

  it("stops migrate, which takes the severities of RenderConfigs", async () => {
    const more = { "clusters/shop/policy/config.yaml": configOf("{hostedCluster: {namespace: clusters-shop}}") };
    const cwd = folderWith({ ...FLEET, ...EVIL, ...more });
    expect(await ran(["migrate", ...GIVEN], cwd)).toMatchObject({ exit: 1, wrote: false });
  });

  it.each(["ref:main", "before"])("stops diff on its older side: %s", async (against) => {
    const cwd = repository({ ...FLEET, ...EVIL, ...BEFORE, "before/evil/policy/config.yaml": OF_SHOP });
    git(cwd, "rm", "--quiet", "-r", "clusters/evil");
    expect(await ran(["diff", ...GIVEN, "--against", against], cwd)).toStrictEqual({ ...REFUSED, exit: 3 });
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      "the Application",
      json({ name: "paths", string: "clusters" }, { name: "policy-dir", string: "clusters/*/policy" }),
      [],
    ],
    ["a variable", { PARAM_PATHS: "clusters", PARAM_POLICY_DIR: "clusters/*/policy" }, []],
    ["a flag", { PARAM_PATHS: "clusters" }, ["--policy-dir", "CWD/clusters/*/policy"]],
  ])("stops the plugin of Argo CD if the policy directory is set by %s", async (_who, env, flags) => {
    const cwd = folderWith({ ...FLEET, ...EVIL });
    const given = [...SHOP, ...flags.map((flag) => flag.replace("CWD", cwd))];
    expect(await ran(["cmp", "generate", ...given], cwd, env)).toStrictEqual(REFUSED);
    expect(await ran(["cmp", "doctor", ...given], cwd, env)).toStrictEqual(REFUSED);
  });

  it("stops a guard with the policy of one folder and the Karpenter users of another", async () => {
    const env = { PARAM_PATHS: "clusters/shop/pools", PARAM_POLICY_DIR: "clusters/*/policy", PARAM_GUARD: "deny" };
    const withConfigIn = (folder: string): string =>
      folderWith({
        "clusters/shop/policy/policy.yaml": POLICY,
        [`clusters/${folder}/policy/config.yaml`]: CONFIG,
        "clusters/shop/pools/web.yaml": RAW,
      });
    expect(await ran(["cmp", "generate"], withConfigIn("evil"), env)).toStrictEqual({ ...REFUSED, refused: 1 });
    expect(await ran(["cmp", "generate"], withConfigIn("shop"), env)).toStrictEqual({
      exit: 0,
      refused: 0,
      wrote: true,
    });
  });
});

describe("a star", () => {
  it.each(["clusters/**/policy", "clusters/s*/policy", "clusters/*/policy*"])(
    "is a whole segment of the path: %s matches nothing",
    async (policyDir) => {
      const cwd = folderWith({ ...FLEET, ...EVIL });
      const { exit, stdout } = await runAnp(["render", "clusters", "--policy-dir", policyDir, ...SHOP], { cwd });
      expect([exit, stdout]).toStrictEqual([3, ""]);
    },
  );

  it("that the shell expands makes only the first folder trusted", async () => {
    const cwd = folderWith({ ...FLEET, ...EVIL });
    const folders = ["blog", "evil", "shop"].map((name) => `clusters/${name}/policy`);
    const { exit } = await runAnp(["render", "clusters", "--policy-dir", ...folders, ...SHOP], { cwd });
    expect(exit).toBe(1);
  });

  it("is a plain name in a kpt package", async () => {
    const input = listOf({ ...FLEET, ...EVIL });
    const { exit, stdout } = await runAnp(["fn", "--policy-dir", "clusters/*/policy", ...SHOP], { input });
    expect([exit, stdout.includes("kind: NodePool\n")]).toStrictEqual([3, false]);
  });
});

describe("a RenderConfig that names no hosted cluster", () => {
  const own = configOf("{requirePolicy: true}");

  it.each<[string, Readonly<Record<string, string>>, readonly string[], number]>([
    [
      "applies to no other folder's cluster, even if there is only one",
      { "clusters/evil/policy/config.yaml": configOf(`{${LOOSE}}`) },
      [],
      1,
    ],
    ["nor for the selected one", { "clusters/evil/policy/config.yaml": configOf(`{${LOOSE}}`) }, SHOP, 1],
    ["applies to that of its own folder", { "clusters/shop/policy/config.yaml": own }, [], 0],
    ["applies to it from a folder below", { "clusters/shop/policy/more/config.yaml": own }, [], 0],
  ])("%s", async (_what, more, options, exit) => {
    const cwd = folderWith({
      "clusters/shop/policy/policy.yaml": policy(),
      "clusters/shop/pools/web.yaml": pool(),
      ...more,
    });
    const ended = await runAnp(["render", ...GIVEN, ...options, "--output-dir", "out"], { cwd });
    expect([ended.exit, Object.keys(textsIn(cwd)).some((path) => path.startsWith("out/"))]).toStrictEqual([
      exit,
      exit === 0,
    ]);
  });
});

it("a folder named policy governs no folder above the star", async () => {
  const cwd = folderWith({ "clusters/policy/policy.yaml": policy("clusters-evil"), "clusters/shop/web.yaml": pool() });
  const { exit, stdout } = await runAnp(["check", "clusters", "--policy-dir", "clusters/*"], { cwd });
  expect([exit, stdout]).toStrictEqual([
    1,
    expect.stringContaining(
      "clusters/shop/web.yaml:1:1: error: OpenshiftNodePool web is in no hosted cluster's folder",
    ),
  ]);
});

it("a file of --config may name the hosted cluster of any folder, because the user of anp is trusted", async () => {
  const cwd = folderWith({ ...FLEET, "platform/config.yaml": OF_SHOP });
  const { exit } = await runAnp(["check", ...GIVEN, "--config", "platform/config.yaml"], { cwd });
  expect(exit).toBe(0);
});

it("a new folder may govern a new hosted cluster", async () => {
  const cwd = repository(FLEET);
  addFiles(cwd, {
    "clusters/wiki/policy/policy.yaml": policy("clusters-wiki"),
    "clusters/wiki/pools/web.yaml": pool(),
  });
  commitAll(cwd);
  const { exit } = await runAnp(["render", ...GIVEN, "--output-dir", "out"], { cwd });
  expect([exit, Object.keys(textsIn(join(cwd, "out"))).length]).toStrictEqual([0, 27]);
});
