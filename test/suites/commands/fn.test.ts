/** anp as a KRM function: exit codes, streams, settings, and the items of others. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { textOf, writtenList } from "../../support/written-list.ts";
import type { Ended } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { listOf, type Result, type ResourceListValue } from "../../support/process/resource-lists.ts";
import { BYPASSING, PACKAGE } from "../../support/process/packages.ts";

const fn = (input: string, ...args: string[]): Promise<Ended> => runAnp(["fn", ...args], { input });
const read = (text: string): ResourceListValue => parse(text, { uniqueKeys: false }) as ResourceListValue;
const withoutResults = ({ stdout }: Ended): string => stdout.replace(/^results:\n(?:[- ].*\n)*/m, "");
const severities = ({ results = [] }: ResourceListValue): string[] => results.map(({ severity }: Result) => severity);

const GOOD = listOf(PACKAGE);
const CONFIG = (data: string): string =>
  `functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {${data}}}\n`;
const WARNED = listOf({
  "policy.yaml": policy(),
  "pool.yaml": pool("web", "[{key: kubernetes.io/arch, operator: In, values: [arm64]}]"),
});

describe("a program started without arguments", () => {
  it("is a function if its input is a ResourceList", async () => {
    expect(await runAnp([], { input: GOOD })).toStrictEqual(await fn(GOOD));
    expect(await fn(GOOD)).toMatchObject({ exit: 0 });
  });
});

describe("the exit code", () => {
  it.each<[string, string, readonly string[], number]>([
    ["no finding", GOOD, [], 0],
    ["a warning", WARNED, [], 0],
    ["a warning that is too much", WARNED, ["--fail-on", "warning"], 1],
    ["a warning that is too much for a validator", WARNED, ["--fail-on", "warning", "--validate"], 1],
    ["an error", listOf(BYPASSING), [], 1],
    ["an error with --fail-on never", listOf(BYPASSING), ["--fail-on", "never"], 1],
    ["an error that a validator only reports", listOf(BYPASSING), ["--fail-on", "never", "--validate"], 0],
    ["no policy where one is required", listOf({ "web.yaml": pool() }), ["--require-policy"], 1],
    ["no wrapper", listOf({ "policy.yaml": policy() }), [], 1],
    ["no item", listOf({}), [], 1],
    ["the feature gate", GOOD, ["--feature-gates", "AutoNode=false"], 1],
    ["two hosted clusters", listOf({ "a/policy.yaml": policy("ca"), "b/policy.yaml": policy("cb") }), [], 2],
    ["a functionConfig of another kind", `${GOOD}functionConfig: {apiVersion: apps/v1, kind: Deployment}\n`, [], 1],
    ["a functionConfig without kind", `${GOOD}functionConfig: {data: {}}\n`, [], 1],
    [
      "a RenderConfig that is wrong",
      `${GOOD}functionConfig: {apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig, metadata: {name: c}, spec: {x: 1}}\n`,
      [],
      1,
    ],
    [
      "a ConfigMap with an unknown field",
      `${GOOD}functionConfig: {apiVersion: v1, kind: ConfigMap, Data: {dir: x}}\n`,
      [],
      1,
    ],
    ["a folder that leads out of the package", GOOD + CONFIG("dir: ../x"), [], 1],
    ["a folder of rules that is empty", GOOD + CONFIG("policyDir: providers"), [], 3],
    [
      "a folder of rules with an item that is no object",
      `${GOOD}- {a: 1, metadata: {annotations: {config.kubernetes.io/path: rules/x.yaml}}}\n${CONFIG("policyDir: rules")}`,
      [],
      3,
    ],
    ["a key that is given twice", GOOD.replace("  kind:", "  kind: Other\n  kind:"), [], 3],
  ])("for %s is correct, and unless it is 0 every item is unchanged", async (_what, input, args, exit) => {
    const ended = await fn(input, ...args);
    expect(ended, ended.stderr).toMatchObject({ exit });
    if (exit !== 0) expect(withoutResults(ended)).toBe(input);
    if (exit !== 0)
      expect(ended.stderr.split("\n")[0]).toMatch(exit === 1 && input === WARNED ? / warning: / : /error: /);
    const found = severities(read(ended.stdout));
    expect(found).toStrictEqual(found.toSorted(byWeight));
  });

  it.each([
    ["an input that is not a ResourceList", policy(), 3],
    ["nothing", "", 3],
    ["broken YAML", `${GOOD}- [\n`, 3],
  ])("for %s is 3, and nothing is printed", async (_what, input, exit) => {
    expect(await fn(input)).toMatchObject({ exit, stdout: "" });
  });

  it.each([[["--dir", "../x"]], [["--dir", "/x"]], [["--profile", "x"]], [["extra"]]])("for %j is 2", async (args) => {
    expect(await fn(GOOD, ...args)).toMatchObject({ exit: 2, stdout: "" });
  });
});

const WEIGHTS = ["error", "warning", "info"];
const byWeight = (a: string, b: string): number => WEIGHTS.indexOf(a) - WEIGHTS.indexOf(b);

describe("settings", () => {
  const pathsOf = (ended: Ended): string[] =>
    read(ended.stdout).items.flatMap(({ metadata }) =>
      metadata.labels === undefined ? [] : [metadata.annotations["config.kubernetes.io/path"]!],
    );

  it("of the command line take precedence over the functionConfig", async () => {
    expect(
      new Set(pathsOf(await fn(GOOD + CONFIG("dir: a"), "--dir", "b")).map((path) => path.split("/")[0])),
    ).toStrictEqual(new Set(["b"]));
  });

  it("may be a RenderConfig in a file", async () => {
    const folder = folderWith({
      "config.yaml":
        "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: c}\nspec: {nodeLabels: {shop: 'yes'}}\n",
      "wrong.yaml": policy(),
    });
    const own = `functionConfig: {apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig, metadata: {name: d}}\n`;
    const run = (file: string, input = GOOD) => runAnp(["fn", "--config", file], { input, cwd: folder });
    expect((await run("config.yaml")).stdout).toContain('shop: "yes"');
    for (const [ended, says] of [
      [await run("config.yaml", GOOD + own), "[function-config-invalid]"],
      [await run("wrong.yaml"), "[render-config-invalid]"],
    ] as const) {
      expect(ended).toMatchObject({ exit: 1, stderr: expect.stringContaining(says) as string });
      expect(withoutResults(ended)).toMatch(GOOD);
    }
    expect(await run("none.yaml")).toMatchObject({ exit: 3 });
  });
});

describe("answers", () => {
  it("are in the version that came in", async () => {
    for (const version of ["v1", "v1beta1", "v2alpha1"]) {
      const ended = await fn(GOOD.replace("config.kubernetes.io/v1", `config.kubernetes.io/${version}`));
      expect(ended.stdout).toMatch(new RegExp(`^apiVersion: config.kubernetes.io/${version}\n`));
    }
  });

  it("are the same for JSON as for YAML", async () => {
    const yaml = read((await fn(GOOD)).stdout);
    expect(read((await fn(JSON.stringify(parse(GOOD)))).stdout)).toStrictEqual(yaml);
  });

  it("leave out a byte order mark and nothing else", async () => {
    expect(await fn(`\ufeff${GOOD}`)).toStrictEqual(await fn(GOOD));
  });

  it("keep ids, and add none to new items", async () => {
    const { items } = read((await fn(GOOD)).stdout);
    const ids = items.map(({ metadata }) => [
      metadata.annotations["internal.config.kubernetes.io/id"],
      metadata.annotations["config.k8s.io/id"],
    ]);
    expect(ids.slice(0, 3)).toStrictEqual([
      ["1", "1"],
      ["2", "2"],
      ["3", "3"],
    ]);
    expect(new Set(ids.slice(3).flat())).toStrictEqual(new Set([undefined]));
  });

  it("give each item a unique path, under both names", async () => {
    const { items } = read((await fn(GOOD)).stdout);
    const places = items.map(({ metadata: { annotations: of } }) => {
      expect(of["config.kubernetes.io/path"]).toBe(of["internal.config.kubernetes.io/path"]);
      expect(of["config.kubernetes.io/index"]).toBe(of["internal.config.kubernetes.io/index"]);
      return `${of["config.kubernetes.io/path"]} ${of["config.kubernetes.io/index"]}`;
    });
    expect(new Set(places).size).toBe(items.length);
    expect(places).toContain("rendered/nodepool-web.yaml 0");
  });

  it("contain a secret only in the item that brought it", async () => {
    const TOKEN = "c2VjcmV0LXRva2Vu";
    const secret = `apiVersion: v1
kind: Secret
metadata:
  name: user-data-default-karpenter-1
  namespace: clusters-shop
  labels: {hypershift.openshift.io/managed-by-karpenter: "true", hypershift.openshift.io/ami: ami-1}
  annotations: {hypershift.openshift.io/nodePool: clusters-shop/default-karpenter}
data: {value: ${TOKEN}}
`;
    const nodeClass =
      "apiVersion: karpenter.hypershift.openshift.io/v1\nkind: OpenshiftEC2NodeClass\nmetadata: {name: default}\nspec: {monitoring: Detailed}\n";
    const input = listOf({ ...PACKAGE, "provider/secret.yaml": secret, "users/class.yaml": nodeClass });
    const ended = await fn(input);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(ended.stdout).toContain("kind: EC2NodeClass\n");
    expect((ended.stdout + ended.stderr).split(TOKEN)).toHaveLength(2);
    expect(ended.stderr).not.toContain("secret-token");
  });
});

describe("items of others", () => {
  it("keep every byte, in any style", async () => {
    await fc.assert(
      fc.asyncProperty(writtenList, async (list) => {
        const ours = listOf(PACKAGE).split("\n").slice(3, -1);
        const lines = ours.map((line) => (line === "" ? "" : list.indent + line));
        const own = { ...list, tail: [], results: [], eol: "\n", finalBreak: true, configFirst: true } as const;
        const input = textOf(own).replace("dir: out", "validate: 'true'") + lines.join("\n") + "\n";
        const checked = await fn(input);
        const all = textOf(own) + lines.join("\n") + "\n";
        const rendered = await fn(all);
        if (checked.exit === 0) {
          expect(withoutResults(checked)).toBe(input);
          expect(rendered.stdout.startsWith(all)).toBe(true);
          expect(await fn(rendered.stdout)).toMatchObject({ exit: 0, stdout: rendered.stdout });
        } else expect(withoutResults(rendered)).toBe(all);
      }),
      { numRuns: 25 },
    );
  });
});
