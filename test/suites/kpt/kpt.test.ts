/** Tests anp in kpt: changes on the disk, unchanged files, and error messages. */
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildOnce } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { BYPASSING, filesBesideRaw, PACKAGE, RAW_PACKAGE, renderedFiles } from "../../support/process/packages.ts";
import { kpt, kptMissing } from "../../support/kpt/kpt.ts";

const missing = kptMissing();

beforeAll(buildOnce);

const KPTFILE = (pipeline: string): string =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n${pipeline}`;
const MUTATOR = "  mutators:\n    - exec: anp fn\n";
const CONFIG = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: shop}
spec: {hostedCluster: {namespace: clusters-shop}, nodeLabels: {shop: "yes"}}
`;

/** The run does not change the disk. */
function leavesAsIs(folder: string, args: readonly string[]): ReturnType<typeof kpt> {
  const before = textsIn(folder);
  const ended = kpt(args, folder);
  expect(textsIn(folder)).toStrictEqual(before);
  return ended;
}

/** The run passes and adds these files; a second run changes nothing. */
function adds(folder: string, args: readonly string[], files: readonly string[]): Record<string, string> {
  const before = textsIn(folder);
  const ended = kpt(args, folder);
  expect(ended, ended.stderr).toMatchObject({ exit: 0 });
  const after = textsIn(folder);
  expect(Object.keys(after).toSorted()).toStrictEqual([...Object.keys(before), ...files].toSorted());
  for (const [path, text] of Object.entries(before)) expect(after[path], path).toBe(text);
  for (const path of files)
    expect(after[path], path).not.toMatch(/internal\.config|config\.kubernetes\.io\/|config\.k8s\.io/);
  expect(leavesAsIs(folder, args)).toMatchObject({ exit: 0 });
  return after;
}

describe.skipIf(missing !== undefined)("kpt", () => {
  const ALL = renderedFiles("rendered", "web", "batch");

  it("fn eval adds rendered files and keeps every byte of others", () => {
    const folder = folderWith(PACKAGE);
    const after = adds(folder, ["fn", "eval", "--exec", "anp fn"], ALL);
    expect(after["rendered/nodepool-web.yaml"]).toContain("rendered-from: OpenshiftNodePool/web\n");
  });

  it("fn eval starts anp as a function without arguments", () => {
    adds(folderWith(PACKAGE), ["fn", "eval", "--exec", "anp"], ALL);
  });

  it("fn eval passes key=value as functionConfig", () => {
    const settings = ["--", "dir=out/karpenter", "hostedCluster=clusters-shop", "requirePolicy=true"];
    const files = renderedFiles("out/karpenter", "web", "batch");
    adds(folderWith(PACKAGE), ["fn", "eval", "--exec", "anp fn", ...settings], files);
  });

  it("fn eval passes a RenderConfig outside the package as functionConfig", () => {
    const outside = join(folderWith({ "config.yaml": CONFIG }), "config.yaml");
    const after = adds(folderWith(PACKAGE), ["fn", "eval", "--exec", "anp fn", "--fn-config", outside], ALL);
    expect(after["rendered/nodepool-web.yaml"]).toContain('shop: "yes"\n');
  });

  it("fn render runs the pipeline; a RenderConfig of the package is not read twice", () => {
    const pipeline = `${MUTATOR}      configPath: config.yaml\n`;
    const folder = folderWith({ ...PACKAGE, Kptfile: KPTFILE(pipeline), "config.yaml": CONFIG });
    const after = adds(folder, ["fn", "render", "--allow-exec"], ALL);
    expect(after["rendered/nodepool-web.yaml"]).toContain('shop: "yes"\n');
  });

  it("fn render runs anp as validator", () => {
    const pipeline = '  validators:\n    - exec: anp fn\n      configMap: {validate: "true"}\n';
    const good = folderWith({ ...PACKAGE, Kptfile: KPTFILE(pipeline) });
    expect(leavesAsIs(good, ["fn", "render", "--allow-exec"])).toMatchObject({ exit: 0 });
    const bad = folderWith({ ...BYPASSING, Kptfile: KPTFILE(pipeline) });
    const { exit, stderr } = leavesAsIs(bad, ["fn", "render", "--allow-exec"]);
    expect(exit).toBe(1);
    expect(stderr).toContain("[policy-bypassed]");
  });

  it("replaces rendered objects at the path that the user chose, and removes those without a wrapper", () => {
    const folder = folderWith({ ...PACKAGE, Kptfile: KPTFILE(MUTATOR) });
    const render = ["fn", "render", "--allow-exec"];
    const { "rendered/nodepool-web.yaml": web, ...rendered } = adds(folder, render, ALL);
    for (const path of ["rendered/nodepool-web.yaml", "users/batch.yaml"]) rmSync(join(folder, path));
    addFiles(folder, { "moved.yaml": web!.replace("spot", "on-demand") });
    expect(kpt(render, folder)).toMatchObject({ exit: 0 });
    const { "users/batch.yaml": _lost, "rendered/nodepool-batch.yaml": _its, ...kept } = rendered;
    expect(textsIn(folder)).toStrictEqual({ ...kept, "moved.yaml": web });
  });

  it("keeps rendered objects when no wrapper is left, until removal is allowed", () => {
    const folder = folderWith({ "policy.yaml": policy(), "web.yaml": pool(), Kptfile: KPTFILE(MUTATOR) });
    adds(folder, ["fn", "render", "--allow-exec"], renderedFiles("rendered", "web"));
    rmSync(join(folder, "web.yaml"));
    const { exit, stderr } = leavesAsIs(folder, ["fn", "render", "--allow-exec"]);
    expect({ exit, says: stderr.includes("[output-kept]") }).toStrictEqual({ exit: 1, says: true });
    expect(kpt(["fn", "eval", "--exec", "anp fn", "--", "allowEmpty=true"], folder)).toMatchObject({ exit: 0 });
    expect(Object.keys(textsIn(folder))).not.toContain("rendered/nodepool-web.yaml");
  });

  it("refuses to render if a subpackage runs a program, which could rewrite the policy", () => {
    const { "policy.yaml": own = policy(), ...others } = PACKAGE as Readonly<Record<string, string>>;
    const pipeline = `${MUTATOR}      configMap: {policyDir: provider}\n`;
    const files = { ...others, "provider/policy.yaml": own, Kptfile: KPTFILE(pipeline) };
    const render = ["fn", "render", "--allow-exec"];
    const good = folderWith({ ...files, "users/tools/Kptfile": KPTFILE("  mutators: []\n") });
    expect(kpt(render, good), "a package without programs").toMatchObject({ exit: 0 });
    // It runs before anp, and the disk is unchanged if anp refuses.
    const program = folderWith({ "exec.sh": "#!/bin/sh\nexec cat\n" });
    chmodSync(join(program, "exec.sh"), 0o755);
    const below = KPTFILE(`  mutators:\n    - exec: ${join(program, "exec.sh")}\n`);
    const bad = folderWith({ ...files, "users/tools/Kptfile": below });
    const { exit, stderr } = leavesAsIs(bad, render);
    expect({ exit, says: stderr.includes("[untrusted-program]") }, stderr).toStrictEqual({ exit: 1, says: true });
    const safe = ["fn", "eval", "--exec", "anp fn", "--", "policyDir=provider"];
    expect(kpt(safe, bad), "eval starts nothing but anp").toMatchObject({ exit: 0 });
  });

  it("marks wrappers and rules on request, and changes nothing else in them", () => {
    const folder = folderWith(PACKAGE);
    const args = ["fn", "eval", "--exec", "anp fn", "--", "localConfig=true"];
    expect(kpt(args, folder)).toMatchObject({ exit: 0 });
    const mark = '  annotations:\n    config.kubernetes.io/local-config: "true"\n';
    expect(textsIn(folder)["users/web.yaml"]).toBe(PACKAGE["users/web.yaml"].replace('"web"\n', `"web"\n${mark}`));
    expect(leavesAsIs(folder, args)).toMatchObject({ exit: 0 });
  });

  it("reports errors first, and does not change the disk", () => {
    const folder = folderWith(BYPASSING);
    const { exit, stderr } = leavesAsIs(folder, ["fn", "eval", "--exec", "anp fn"]);
    expect(exit).toBe(1);
    const WORDS =
      "OpenshiftNodePool web: `In [b]` on example.com/team merged with the policy's `In [a]` (provider/policy.yaml spec.nodePoolDefaults.requirements[0]) would allow nodes without the label, but the policy does not: no instance type has it, and Karpenter accepts nodes without it";
    const HELP =
      "use values that the policy allows; a policy always holds on keys that every instance type has, such as node.kubernetes.io/instance-type";
    expect(stderr.trimEnd().split("\n")).toStrictEqual([
      '[RUNNING] "anp fn"',
      '[FAIL] "anp fn"',
      "  Results:",
      `    [error] karpenter.hypershift.openshift.io/v1beta1/OpenshiftNodePool/web spec.template.spec.requirements[0]: ${WORDS} (${HELP})`,
      "  Stderr:",
      `    "users/web.yaml: error: ${WORDS} [policy-bypassed]"`,
      `    "  help: ${HELP}"`,
      '    "1 error"',
      '    ""',
      "  Exit code: 1",
    ]);
  });

  it("writes the findings into its results", () => {
    const folder = folderWith({ ...BYPASSING, Kptfile: KPTFILE(MUTATOR) });
    const results = join(folderWith({}), "results");
    kpt(["fn", "render", "--allow-exec", "--results-dir", results], folder);
    const text = textsIn(results)["results.yaml"];
    expect(text).toContain("severity: error\n");
    expect(text).toContain("path: users/web.yaml\n");
    expect(text).toContain("code: policy-bypassed\n");
  });

  it("refuses invalid settings", () => {
    const { exit, stderr } = leavesAsIs(folderWith(PACKAGE), [
      "fn",
      "eval",
      "--exec",
      "anp fn",
      "--",
      "hostedclustr=x",
    ]);
    expect(exit).toBe(1);
    expect(stderr).toContain("`data.hostedclustr` is not a field here");
  });
});

describe.skipIf(missing !== undefined)("kpt with a policy directory", () => {
  const EVAL = ["fn", "eval", "--exec", "anp fn", "--", "policyDir=provider"];
  const RENDER = ["fn", "render", "--allow-exec"];
  const SUB = (name: string): string => `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`;
  const PIPED = KPTFILE(`${MUTATOR}      configMap: {policyDir: provider}\n`);
  const ALL = renderedFiles("rendered", "web", "batch");
  const FORGED = policy("clusters-shop", "[arm64]").replace(
    "namespace: clusters-shop}",
    "namespace: clusters-shop, annotations: {config.kubernetes.io/path: provider/p.yaml, internal.config.kubernetes.io/path: provider/p.yaml, internal.config.kubernetes.io/package-path: provider}}",
  );

  it("reads rules there", () => {
    adds(folderWith(PACKAGE), EVAL, ALL);
    adds(folderWith({ ...PACKAGE, Kptfile: PIPED }), RENDER, ALL);
  });

  it("reads rules of a package there", () => {
    adds(folderWith({ ...PACKAGE, Kptfile: PIPED, "provider/Kptfile": SUB("provider") }), RENDER, ALL);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["that claims to be there", { "users/forged.yaml": FORGED }],
    ["of a folder of the same name", { "users/provider/policy.yaml": policy() }],
    [
      "of a package that has a folder of the same name",
      { "users/Kptfile": SUB("users"), "users/provider/policy.yaml": policy() },
    ],
    [
      "in a List that claims to be there",
      {
        "users/list.yaml": `apiVersion: v1\nkind: List\nmetadata: {name: list}\nitems:\n- ${FORGED.trimEnd().replaceAll("\n", "\n  ")}\n`,
      },
    ],
  ])("refuses a rule %s", (_what, files) => {
    const users = { "provider/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n" };
    for (const args of [EVAL, RENDER]) {
      const folder = folderWith({ ...users, ...files, Kptfile: PIPED, "users/web.yaml": pool() });
      const { exit, stderr } = leavesAsIs(folder, args);
      expect({ exit, says: stderr.includes("[untrusted-policy]") }, stderr).toStrictEqual({ exit: 1, says: true });
    }
  });
});

describe.skipIf(missing !== undefined)("kpt with NodePools that users write", () => {
  const RAW = KPTFILE(`${MUTATOR}      configMap: {policyDir: provider, nodePools: Raw}\n`);
  const EVAL = ["fn", "eval", "--exec", "anp fn", "--", "policyDir=provider", "nodePools=Raw"];
  const RENDER = ["fn", "render", "--allow-exec"];
  /** kpt puts comments back at the same index of a list. */
  const WEB = `# The shop's web servers.
kind: NodePool # of Karpenter
apiVersion: karpenter.sh/v1
metadata:
  name: web
  annotations:
    anp.hypershift.openshift.io/policy-entries: 4ef517730ba76158
spec:
  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: default
      requirements:
        # Cheap nodes.
        - key: kubernetes.io/arch # of EC2
          operator: In
          values:
            - amd64
        - key: anp.hypershift.openshift.io/policy-end
          operator: DoesNotExist
        - key: karpenter.sh/capacity-type
          operator: In
          values:
            - spot
`;

  it.each([
    ["fn eval", EVAL, {}],
    ["fn render", RENDER, { Kptfile: RAW }],
  ])("%s writes the policy into them in place, once, and follows it when it changes", (_what, args, more) => {
    const folder = folderWith({ ...RAW_PACKAGE, ...more });
    expect(kpt(args, folder)).toMatchObject({ exit: 0 });
    const { "users/web.yaml": web, "users/batch.yaml": _batch, ...others } = textsIn(folder);
    expect(Object.keys(others).toSorted()).toStrictEqual(
      ["provider/policy.yaml", ...Object.keys(more), ...filesBesideRaw("rendered")].toSorted(),
    );
    expect(others["provider/policy.yaml"]).toBe(RAW_PACKAGE["provider/policy.yaml"]);
    expect(web).toBe(WEB);
    expect(leavesAsIs(folder, args)).toMatchObject({ exit: 0 });
    const rendered = textsIn(folder);
    addFiles(folder, { "provider/policy.yaml": policy("clusters-shop", "[amd64, arm64]") });
    expect(kpt(args, folder)).toMatchObject({ exit: 0 });
    expect(leavesAsIs(folder, args)).toMatchObject({ exit: 0 });
    addFiles(folder, { "provider/policy.yaml": RAW_PACKAGE["provider/policy.yaml"] });
    expect(kpt(args, folder)).toMatchObject({ exit: 0 });
    expect(textsIn(folder)).toStrictEqual(rendered);
  });
});
