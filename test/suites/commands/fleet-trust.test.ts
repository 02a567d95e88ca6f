/** Folders and links cannot move wrappers to another hosted cluster, or add rules to the platform's. */
import { symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { configOf } from "../../support/fleet/fleet.ts";
import { folderWith, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

type Files = Readonly<Record<string, string>>;

const SHOP = ["--hosted-cluster", "clusters-shop"];

/** Two hosted clusters with separate policies; the paths of their RenderConfigs are given. */
const fleet = (paths: { blog: string; shop: string } = { blog: "../../blog", shop: "../../shop" }): Files =>
  Object.fromEntries(
    (["blog", "shop"] as const).flatMap((name) => [
      [`clusters/policies/${name}/policy.yaml`, policy(`clusters-${name}`)],
      [`clusters/policies/${name}/config.yaml`, configOf(name, paths[name])],
      [`clusters/${name}/pools/web.yaml`, pool()],
    ]),
  );
const GIVEN = ["clusters", "--policy-dir", "clusters/policies"];

/** Creates a link at the first path to the second. */
function link(folder: string, at: string, to: string): void {
  symlinkSync(relative(dirname(join(folder, at)), join(folder, to)), join(folder, at));
}

const COMMANDS = [["check"], ["explain"], ["diff", "--against", "clusters"], ["render"]];

describe("a wrapper outside all hosted clusters' folders", () => {
  it.each(COMMANDS)("does not belong to the selected hosted cluster: %s", async (...command) => {
    const cwd = folderWith({
      ...fleet({ blog: "../../blog/pools", shop: "../../shop" }),
      "clusters/blog/evil.yaml": pool("evil"),
    });
    const { exit, stdout, stderr } = await runAnp([...command, ...GIVEN, ...SHOP], { cwd });
    expect(`${stdout}${stderr}`).toContain(
      "clusters/blog/evil.yaml:1:1: error: OpenshiftNodePool evil is in no hosted cluster's folder: clusters-blog, clusters-shop [ambiguous-cluster]",
    );
    expect([exit === 0, `${stdout}${stderr}`.includes("or select one")]).toStrictEqual([false, false]);
  });

  it("belongs to the selected one if no cluster has folders, and on a stream", async () => {
    const policies = { "rules/blog.yaml": policy("clusters-blog"), "rules/shop.yaml": policy() };
    const apart = folderWith({ ...policies, "users/web.yaml": pool() });
    const rendered = await runAnp(["render", "users", "--policy-dir", "rules", ...SHOP], { cwd: apart });
    expect([rendered.exit, rendered.stdout.includes("\n  name: web\n")]).toStrictEqual([0, true]);
    const cwd = folderWith(fleet());
    const streamed = await runAnp(["render", "-", "--policy-dir", "clusters/policies", ...SHOP], {
      cwd,
      input: pool("typed"),
    });
    expect([streamed.exit, streamed.stdout.includes("\n  name: typed\n")]).toStrictEqual([0, true]);
    // As for Argo CD's plugin: the rules are mounted, and their paths are those of their own repository.
    const application = folderWith({ "pools/web.yaml": pool() });
    const mounted = join(cwd, "clusters/policies");
    const generated = await runAnp(["render", ".", "--policy-dir", mounted, ...SHOP], { cwd: application });
    expect([generated.exit, generated.stdout.includes("\n  name: web\n")]).toStrictEqual([0, true]);
  });
});

it("a folder beside one that a * matches belongs to no hosted cluster either", async () => {
  const cwd = folderWith({
    "clusters/shop/policy/policy.yaml": policy(),
    "clusters/shop/pools/web.yaml": pool(),
    "clusters/blog/pools/evil.yaml": pool("evil"),
  });
  const { stdout } = await runAnp(["check", "clusters", "--policy-dir", "clusters/*/policy", ...SHOP], { cwd });
  expect(stdout).toContain("clusters/blog/pools/evil.yaml:1:1: error: OpenshiftNodePool evil is in no hosted");
});

describe("a link in the policy directory that leads out of it", () => {
  const CONTROL_PLANE = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata: {name: shop, namespace: clusters-shop}
spec: {infraID: attacker}
`;

  it.each([
    ["a folder", "clusters/blog", { "clusters/blog/evil.yaml": CONTROL_PLANE }],
    ["a file", "clusters/blog/evil.yaml", { "clusters/blog/evil.yaml": policy("clusters-wiki") }],
    ["a wrapper", "clusters/blog/pools/web.yaml", {}],
  ])("adds no rules, and moves no wrapper: %s", async (_what, to, more) => {
    const cwd = folderWith({ ...fleet(), ...more });
    link(cwd, "clusters/policies/shop/more.yaml", to);
    const { exit, stdout } = await runAnp(["check", ...GIVEN, "-o", "json"], { cwd });
    const { findings } = JSON.parse(stdout) as { findings: { code: string; file: string }[] };
    const refused = findings.filter(({ code }) => code === "untrusted-policy").map(({ file }) => file);
    expect(refused.toSorted()).toStrictEqual([
      ...("clusters/blog/evil.yaml" in more ? ["clusters/blog/evil.yaml"] : []),
      "clusters/policies/shop/more.yaml",
    ]);
    expect(exit).not.toBe(0);
  });

  it("is followed if it stays inside, like those of a ConfigMap's volume", async () => {
    const cwd = folderWith({ "rules/..data/policy.yaml": policy(), "users/web.yaml": pool() });
    link(cwd, "rules/policy.yaml", "rules/..data/policy.yaml");
    const { exit, stdout } = await runAnp(["explain", "users", "--policy-dir", "rules", "-o", "json"], { cwd });
    expect([exit, stdout.includes('"file": "rules/policy.yaml"')]).toStrictEqual([0, true]);
  });
});

describe("folders that are named", () => {
  it("are all that a hosted cluster has, even if its rules are in a folder named policy", async () => {
    const cwd = folderWith({
      "policy/policy.yaml": policy("clusters-blog"),
      "policy/config.yaml": configOf("blog", "../clusters/blog"),
      "clusters/blog/web.yaml": pool(),
      "clusters/shop/db.yaml": pool("db"),
    });
    const { exit, stdout } = await runAnp(["check", ".", "--policy-dir", "policy"], { cwd });
    expect([exit, stdout]).toStrictEqual([
      1,
      expect.stringContaining("clusters/shop/db.yaml:1:1: error: OpenshiftNodePool db is in no hosted cluster's"),
    ]);
  });

  it("that contain another cluster's are reported at the path, once", async () => {
    const cwd = folderWith(fleet({ blog: "../..", shop: "../../shop" }));
    const { stdout } = await runAnp(["check", ...GIVEN], { cwd });
    expect(stdout)
      .toBe(`clusters/policies/blog/config.yaml:6:11: error: RenderConfig blog gives clusters-blog the folder "../..", in which there is one of clusters-shop (clusters/policies/shop/config.yaml) [ambiguous-cluster]
  6 |   paths: [../..]
    |           ^
  help: take it out of one of them
1 error
`);
  });
});

it("a RenderConfig that names no hosted cluster applies to clusters at its folder and below, and not also to one above", async () => {
  const cwd = folderWith({
    "policies/shop.yaml": policy(),
    "policies/blog/policy.yaml": policy("clusters-blog"),
    "policies/blog/config.yaml":
      "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nspec: {admission: {mode: None, nodeClaims: None}}\n",
    "shop/web.yaml": pool(),
  });
  const { stdout } = await runAnp(["render", "shop", "--policy-dir", "policies", ...SHOP], { cwd });
  expect(stdout.match(/^kind: .*$/gm)).toContain("kind: ValidatingAdmissionPolicy");
  const { stdout: doctor } = await runAnp(["doctor", ".", "--policy-dir", "policies", "-o", "json"], { cwd });
  const { hostedClusters } = JSON.parse(doctor) as { hostedClusters: { renderConfig: string | null }[] };
  expect(hostedClusters.map(({ renderConfig }) => renderConfig)).toStrictEqual(["policies/blog/config.yaml", null]);
  expect(Object.keys(textsIn(cwd))).toHaveLength(4);
});
