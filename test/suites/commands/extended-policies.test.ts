/** Only a policy below the policy directory can be extended; a missing one stops every command, and the watch. */
import { symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { listOf } from "../../support/process/resource-lists.ts";
import { generate } from "../../support/process/cmp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

type Files = Readonly<Record<string, string>>;

const base = (values = "[amd64]"): string => policy("x", values).replace(", namespace: x", "");
const LAX = base("[amd64, arm64]");

const configOf = (name: string, path: string, more = "{}"): string => `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: ${name}}
spec:
  extends: ${path}
  hostedCluster: {namespace: clusters-${name}}
  admission: ${more}
`;

const files = (path = "../base/policy.yaml"): Files => ({
  "in/policies/base/policy.yaml": base(),
  "in/policies/shop/config.yaml": configOf("shop", path),
  "in/shop/web.yaml": pool("web", "[{key: kubernetes.io/arch, operator: In, values: [amd64, arm64]}]"),
});
const GIVEN = ["in", "--policy-dir", "in/policies"];

function link(folder: string, at: string, to: string): void {
  symlinkSync(relative(dirname(join(folder, at)), join(folder, to)), join(folder, at));
}

/** The codes and files of the errors of `anp check`. */
async function refusals(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await runAnp(["check", ...(args.length > 0 ? args : GIVEN), "-o", "json"], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string; file?: string }[] };
  return findings
    .flatMap(({ code, severity, file = "" }) => (severity === "error" ? [`${code} ${file}`] : []))
    .toSorted();
}

const AT_CONFIG = "policy-invalid in/policies/shop/config.yaml";

describe("a path of spec.extends", () => {
  it.each<[string, string]>([
    ["other letters in upper case", "../Base/policy.yaml"],
    ["the folder of the policy", "../base"],
    ["out of the policy directory", "../../shop/policy.yaml"],
    ["out of the input", "../../../../../../../../../../etc/hostname"],
    ["backslashes", String.raw`..\base\policy.yaml`],
    ["the name of a prototype", "__proto__"],
    ["the same, as a folder", "../__proto__/constructor"],
    ["a * as in --policy-dir", "../*/policy.yaml"],
    ["an address", "https://example.com/policy.yaml"],
    ["the RenderConfig itself", "config.yaml"],
    ["a character that terminals act on", String.raw`"\e]0;x\a../base/policy.yaml"`],
  ])("is refused: %s", async (_what, path) => {
    const cwd = folderWith(files(path));
    expect(await refusals(cwd)).toStrictEqual([AT_CONFIG]);
    const { stdout, stderr } = await runAnp(["render", ...GIVEN], { cwd });
    expect([stdout, stderr.includes("\u{1b}")]).toStrictEqual(["", false]);
  });

  it("is refused without being quoted if it is too long", async () => {
    const cwd = folderWith(files(`../base/${"x/".repeat(500_000)}policy.yaml`));
    const { exit, stdout, stderr } = await runAnp(["render", ...GIVEN], { cwd });
    expect([exit, stdout, stderr.length < 1000]).toStrictEqual([1, "", true]);
    expect(stderr).toContain("[render-config-invalid]");
  });

  it("may take another way to the same place", async () => {
    const cwd = folderWith(files("./../../policies/./base//policy.yaml"));
    expect(await refusals(cwd)).toStrictEqual([]);
  });
});

describe("links", () => {
  it("in place of the base that lead out of the policy directory are refused", async () => {
    const { "in/policies/base/policy.yaml": _base, ...others } = files();
    const cwd = folderWith({ ...others, "in/shop/lax.yaml": LAX, "in/policies/base/.keep": "" });
    link(cwd, "in/policies/base/policy.yaml", "in/shop/lax.yaml");
    expect(await refusals(cwd)).toStrictEqual([
      AT_CONFIG,
      "untrusted-policy in/policies/base/policy.yaml",
      "untrusted-policy in/shop/lax.yaml",
    ]);
  });

  it("in place of its folder are refused, too", async () => {
    const { "in/policies/base/policy.yaml": _base, ...others } = files();
    const cwd = folderWith({ ...others, "in/shop/base/policy.yaml": LAX });
    link(cwd, "in/policies/base", "in/shop/base");
    expect(await refusals(cwd)).toStrictEqual([
      AT_CONFIG,
      "untrusted-policy in/policies/base",
      "untrusted-policy in/shop/base/policy.yaml",
    ]);
  });

  it("of users to the base or to a RenderConfig have no effect", async () => {
    const cwd = folderWith(files());
    link(cwd, "in/shop/policy.yaml", "in/policies/base/policy.yaml");
    link(cwd, "in/shop/config.yaml", "in/policies/shop/config.yaml");
    expect(await refusals(cwd)).toStrictEqual([]);
  });

  it("inside the policy directory are followed, like those of a ConfigMap's volume", async () => {
    const cwd = folderWith({
      "rules/..data/base.yaml": base(),
      "rules/..data/shop.yaml": configOf("shop", "base.yaml"),
      "users/web.yaml": pool(),
    });
    for (const name of ["base.yaml", "shop.yaml"]) link(cwd, `rules/${name}`, `rules/..data/${name}`);
    const { exit, stdout } = await runAnp(["explain", "users", "--policy-dir", "rules", "-o", "json"], { cwd });
    expect([exit, stdout.includes('"file": "rules/base.yaml"')]).toStrictEqual([0, true]);
  });
});

it("a RenderConfig of users does not choose the policy", async () => {
  const cwd = folderWith({
    ...files(),
    "in/policies/lax/policy.yaml": LAX,
    "in/shop/config.yaml": configOf("shop", "../policies/lax/policy.yaml"),
  });
  expect(await refusals(cwd)).toStrictEqual(["untrusted-policy in/shop/config.yaml"]);
});

it("one that --config names extends a policy of the policy directory, from its own folder", async () => {
  const { "in/policies/shop/config.yaml": _config, ...others } = files();
  const cwd = folderWith({ ...others, "settings/shop.yaml": configOf("shop", "../in/policies/base/policy.yaml") });
  const config = ["--config", "settings/shop.yaml"];
  expect(await refusals(cwd, ...GIVEN, ...config)).toStrictEqual([]);
  expect(await refusals(cwd, "in/shop", ...config)).toStrictEqual(["policy-invalid settings/shop.yaml"]);
});

describe("if the base is missing", () => {
  const AT = ["--at", "2026-11-23T09:00:00Z"];
  it.each([
    ["render", ...GIVEN],
    ["render", ...GIVEN, "--output-dir", "out"],
    ["check", ...GIVEN],
    ["check", ...GIVEN, "--prove"],
    ["explain", ...GIVEN],
    ["diff", ...GIVEN, "--against", "in"],
    ["simulate", ...GIVEN, ...AT],
    ["doctor", ...GIVEN],
    ["rollout", "plan", ...GIVEN, "--against", "in", "--waves", "rest"],
  ])("every command says so: %j", async (...args) => {
    const cwd = folderWith(files("../base/polcy.yaml"));
    const { exit, stdout, stderr } = await runAnp(args, { cwd });
    expect([exit === 0, `${stdout}${stderr}`.includes("[policy-invalid]")]).toStrictEqual([false, true]);
    expect(`${stdout}${stderr}`).not.toContain("policy-absent");
    expect(stdout).not.toContain("kind: NodePool");
  });

  it("the plugin of Argo CD prints nothing", async () => {
    const cwd = folderWith(files("../base/polcy.yaml"));
    const { exit, stdout, stderr } = await generate(cwd, { PARAM_POLICY_DIR: "in/policies" });
    expect([exit, stdout, stderr.includes("[policy-invalid]")]).toStrictEqual([1, "", true]);
  });
});

describe("a guard", () => {
  const USERS = '{karpenterUsers: ["system:admin"]}';
  const guarded = (path: string): Files => ({
    "policies/base.yaml": base(),
    "policies/config.yaml": configOf("shop", path, USERS),
  });

  it("of an application is that of the policy that its RenderConfig extends", async () => {
    const cwd = folderWith(guarded("base.yaml"));
    const env = { PARAM_POLICY_DIR: "policies", PARAM_GUARD: "deny" };
    const extended = await generate(cwd, env);
    const own = await generate(
      folderWith({
        "policies/base.yaml": policy(),
        "policies/config.yaml": configOf("shop", "base.yaml", USERS).replace(/^ {2}extends.*\n/m, ""),
      }),
      env,
    );
    expect([extended.exit, extended.stdout]).toStrictEqual([0, own.stdout]);
    expect((await generate(folderWith(guarded("bse.yaml")), env)).stdout).toBe("");
  });

  it("and a policy that an option names are not beside spec.extends", async () => {
    const cwd = folderWith({ ...guarded("base.yaml"), "policy.yaml": policy() });
    const args = ["guard", "policy.yaml", "--config", "policies/config.yaml"];
    const { exit, stdout, stderr } = await runAnp(args, { cwd });
    expect([exit, stdout, stderr.includes("[policy-invalid]")]).toStrictEqual([1, "", true]);
  });
});

it("a function refuses it, also with policyDir", async () => {
  const input = `${listOf({
    "policies/base.yaml": base(),
    "policies/config.yaml": configOf("shop", "base.yaml"),
    "web.yaml": pool(),
  })}functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {policyDir: policies}}\n`;
  const { exit, stdout, stderr } = await runAnp(["fn"], { input });
  expect([exit, stdout.includes("kind: NodePool"), stderr.includes("[policy-invalid]")]).toStrictEqual([
    1,
    false,
    true,
  ]);
});
