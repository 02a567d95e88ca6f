/** With several hosted clusters, each finding names its own, in every command and after any early exit. */
import { describe, expect, it } from "vitest";
import { configOf } from "../../support/fleet/fleet.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const FLEET = Object.fromEntries(
  ["blog", "shop"].flatMap((name) => [
    [`clusters/policies/${name}/policy.yaml`, policy(`clusters-${name}`)],
    [`clusters/policies/${name}/config.yaml`, configOf(name, `../../${name}`)],
    [`clusters/${name}/pools/web.yaml`, pool()],
  ]),
);
const GIVEN = ["clusters", "--policy-dir", "clusters/policies"];

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly hostedCluster?: string;
  readonly message: string;
}

/** Code, hosted cluster and message of findings above info. */
function told(text: string): (string | undefined)[][] {
  const { findings } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as { findings: Told[] };
  return findings
    .filter(({ severity }) => severity !== "info")
    .map(({ code, hostedCluster, message }) => [code, hostedCluster, message]);
}

const reported = async (cwd: string, ...args: readonly string[]) =>
  told((await runAnp([...args, ...GIVEN, "--report", "json"], { cwd })).stderr);

const NOT_YAML = ["yaml-syntax", "clusters-blog", expect.stringContaining("is not valid YAML")];

describe("anp diff with an unreadable side", () => {
  it.each([
    ["the new one", { "clusters/blog/bad.yaml": "a: [\n" }, []],
    ["the old one", {}, ["bad.yaml"]],
  ])("%s", async (_which, now, before) => {
    const cwd = folderWith(FLEET);
    addFiles(
      cwd,
      Object.fromEntries(
        [...Object.entries(FLEET), ...before.map((name) => [`clusters/blog/${name}`, "a: [\n"] as const)].map(
          ([path, text]) => [`old/${path}`, text],
        ),
      ),
    );
    addFiles(cwd, now);
    expect(await reported(cwd, "diff", "--against", "old/clusters")).toStrictEqual([NOT_YAML]);
  });
});

describe("anp doctor", () => {
  it("reports an ignored policy by the rules of its own RenderConfig", async () => {
    const cwd = folderWith({
      ...FLEET,
      "clusters/policies/blog/other.yaml": policy("clusters-blog").replace("name: default", "name: other"),
      "clusters/policies/shop/other.yaml": policy("clusters-shop").replace("name: default", "name: other"),
      "clusters/policies/shop/config.yaml": `${configOf("shop", "../../shop")}  rules: {policy-ignored: "off"}\n`,
    });
    expect(await reported(cwd, "doctor")).toStrictEqual([
      ["policy-ignored", "clusters-blog", expect.stringContaining("AutoNodePolicy other is ignored")],
    ]);
  });
});

describe("anp render --output-dir", () => {
  it("reports foreign files", async () => {
    const cwd = folderWith({ ...FLEET, "out/clusters-shop/mine.yaml": "a: 1\n" });
    expect(await reported(cwd, "render", "--output-dir", "out")).toStrictEqual([
      ["output-foreign", "clusters-shop", expect.any(String)],
    ]);
  });

  it("reports that there is nothing to write", async () => {
    const cwd = folderWith({
      ...FLEET,
      "clusters/blog/pools/web.yaml": "# gone\n",
      "clusters/shop/pools/web.yaml": "# gone\n",
    });
    expect(await reported(cwd, "render", "--output-dir", "out")).toStrictEqual(
      ["blog", "shop"].map((name) => [
        "output-kept",
        `clusters-${name}`,
        expect.stringContaining("nothing was written"),
      ]),
    );
  });
});

describe("an unreadable spec.paths is reported beside the wrappers that it leaves without a cluster", () => {
  it.each([
    ["../../blog", "must be a list"],
    ["[/clusters/blog]", "starts at the folder of the RenderConfig"],
    ["['../../*']", "* is allowed in --policy-dir only"],
    ["[1]", "must be a string"],
  ])("%s", async (paths, words) => {
    const config = configOf("blog", "PATHS").replace("[PATHS]", paths);
    const cwd = folderWith({ ...FLEET, "clusters/policies/blog/config.yaml": config });
    for (const command of ["check", "render", "explain", "doctor"]) {
      const found = await reported(cwd, command, ...(command === "render" ? ["--output-dir", "out"] : []));
      expect(found, command).toContainEqual(["render-config-invalid", "clusters-blog", expect.stringContaining(words)]);
    }
  });
});

describe("a hosted cluster's folder with a kustomization", () => {
  const OVERLAY = {
    "overlays/blog/kustomization.yaml": "resources: [../../base]\n",
    "overlays/blog/more.yaml": pool(),
  };
  const RULES = {
    "rules/policy.yaml": policy("clusters-blog"),
    "rules/config.yaml": configOf("blog", "../overlays/blog"),
  };
  const check = (files: Readonly<Record<string, string>>) =>
    runAnp(["check", "overlays", "--policy-dir", "rules", "--min-severity", "warning"], { cwd: folderWith(files) });

  it("is reported, and fails the check", async () => {
    const { exit, stdout } = await check({ ...RULES, ...OVERLAY });
    expect([exit, stdout]).toStrictEqual([
      1,
      expect.stringMatching(
        /^overlays\/blog\/kustomization\.yaml: warning: is built by kustomize, but anp reads the files beside it for clusters-blog unbuilt \[file-skipped\]\n {2}help: anp does not run kustomize: /,
      ),
    ]);
  });

  it("is not reported if the file is ignored, or is among the rules", async () => {
    expect(await check({ ...RULES, ...OVERLAY, "overlays/blog/.krmignore": "kustomization.yaml\n" })).toMatchObject({
      exit: 0,
    });
    const rules = { ...RULES, "rules/kustomization.yaml": "resources: [policy.yaml]\n" };
    expect(await check({ ...rules, "overlays/blog/more.yaml": pool() })).toMatchObject({ exit: 0 });
  });
});

it.each([
  ["--policy-dir", "clusters/*/policy"],
  ["--config", "only one can apply"],
])("%s given twice is refused", async (option, words) => {
  const cwd = folderWith(FLEET);
  const { exit, stderr } = await runAnp(["check", "clusters", option, "a.yaml", option, "b.yaml"], { cwd });
  expect([exit, stderr]).toStrictEqual([2, expect.stringContaining(words)]);
});
