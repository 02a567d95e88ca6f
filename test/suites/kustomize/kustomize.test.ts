/** Tests anp as transformer, generator and validator in kustomize: the build result, and error messages. */
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { anp, buildOnce, type Ended } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { BYPASSING, PACKAGE, RAW_PACKAGE } from "../../support/process/packages.ts";
import { programsIn } from "../../support/process/programs.ts";
import { goProgram } from "../../support/go/programs.ts";
import { kustomizeBuild } from "../../support/kustomize/kustomize.ts";

let program = "";

beforeAll(async () => {
  await buildOnce();
  program = await goProgram("kustomize");
});

const EXEC = (args: string): string => `    config.kubernetes.io/function: "exec: {path: ./anp${args}}"\n`;
const CONFIG_MAP = (data: string, args = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: anp\n  annotations:\n${EXEC(args)}data: {${data}}\n`;
const RENDER_CONFIG = (args = ""): string =>
  `apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata:\n  name: anp\n  annotations:\n${EXEC(args)}spec: {hostedCluster: {namespace: clusters-shop}}\n`;

function build(files: Readonly<Record<string, string>>, kustomization: string): Ended {
  const resources = Object.keys(files).filter((path) => path.includes("/"));
  const folder = programsIn(folderWith(files));
  addFiles(folder, { "kustomization.yaml": `resources: [${resources.join(", ")}]\n${kustomization}` });
  return kustomizeBuild(program, folder);
}

/** The objects as `Kind/name`. */
function objectsIn(text: string): string[] {
  return parseAllDocuments(text)
    .map((document) => document.toJSON() as { kind: string; metadata: { name: string } })
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`);
}

const byText = (texts: Iterable<string>): string[] => [...texts].toSorted();

/** The same objects in either format. */
function manifests(text: string): unknown[] {
  const objects = parseAllDocuments(text).map((document) => document.toJSON() as unknown);
  return byText(objects.map((object) => JSON.stringify(object))).map((object) => JSON.parse(object) as unknown);
}

const WRAPPERS = ["AutoNodePolicy/default", "OpenshiftNodePool/batch", "OpenshiftNodePool/web"];
const OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\ndata:\n  key: value\n";
const TRANSFORMER = "transformers: [anp.yaml]\n";

describe("kustomize", () => {
  it("runs anp as transformer: the manifests are added to the wrappers", () => {
    const { exit, stdout } = build({ ...PACKAGE, "x/other.yaml": OTHER, "anp.yaml": CONFIG_MAP("") }, TRANSFORMER);
    expect(exit).toBe(0);
    const objects = objectsIn(stdout);
    expect(objects.filter((name) => !name.startsWith("Validating"))).toStrictEqual([
      "ConfigMap/other",
      "AutoNodePolicy/default",
      "OpenshiftNodePool/batch",
      "OpenshiftNodePool/web",
      "NodePool/batch",
      "NodePool/web",
    ]);
    expect(objects).toHaveLength(14);
    // No annotations of the host and of anp's paths remain.
    expect(stdout).not.toMatch(/config\.kubernetes\.io|config\.k8s\.io/);
  });

  it("builds what anp render prints when wrappers and rules are marked", () => {
    const { exit, stdout } = build({ ...PACKAGE, "anp.yaml": CONFIG_MAP('localConfig: "true"') }, TRANSFORMER);
    expect(exit).toBe(0);
    const alone = anp(["render", "."], { cwd: folderWith(PACKAGE) });
    expect(manifests(stdout)).toStrictEqual(manifests(alone.stdout));
  });

  it("is idempotent on its own output", () => {
    const first = build({ ...PACKAGE, "anp.yaml": CONFIG_MAP("") }, TRANSFORMER);
    const again = build({ "built/all.yaml": first.stdout, "anp.yaml": CONFIG_MAP("") }, TRANSFORMER);
    expect(again.stderr).toBe(first.stderr);
    expect(manifests(again.stdout)).toStrictEqual(manifests(first.stdout));
  });

  it("may start anp twice", () => {
    const once = build({ ...PACKAGE, "anp.yaml": CONFIG_MAP("") }, TRANSFORMER);
    const second = CONFIG_MAP("").replace("name: anp", "name: again");
    const twice = build(
      { ...PACKAGE, "anp.yaml": CONFIG_MAP(""), "again.yaml": second },
      "transformers: [anp.yaml, again.yaml]\n",
    );
    expect(twice).toMatchObject({ exit: 0, stdout: once.stdout });
  });

  it("writes the policy into NodePools that users write, in their place, and once", () => {
    const raw = { "anp.yaml": CONFIG_MAP("nodePools: Raw") };
    const { exit, stdout } = build({ ...RAW_PACKAGE, "x/other.yaml": OTHER, ...raw }, TRANSFORMER);
    expect(exit).toBe(0);
    expect(objectsIn(stdout).filter((name) => !name.startsWith("Validating"))).toStrictEqual([
      "ConfigMap/other",
      "AutoNodePolicy/default",
      "NodePool/batch",
      "NodePool/web",
    ]);
    const alone = anp(["render", ".", "--node-pools", "Raw"], { cwd: folderWith(RAW_PACKAGE) });
    const ofAnp = (text: string): unknown[] =>
      manifests(text).filter((one) => !["AutoNodePolicy", "ConfigMap"].includes((one as { kind: string }).kind));
    expect(ofAnp(stdout)).toStrictEqual(manifests(alone.stdout));
    const again = build({ "built/all.yaml": stdout, ...raw }, TRANSFORMER);
    expect(again.stderr).toBe("");
    expect(manifests(again.stdout)).toStrictEqual(manifests(stdout));
  });

  it("passes a RenderConfig and flags", () => {
    const files = { ...PACKAGE, "anp.yaml": RENDER_CONFIG(", args: [fn, --local-config]") };
    const { exit, stdout } = build(files, TRANSFORMER);
    expect(exit).toBe(0);
    expect(objectsIn(stdout).filter((name) => name.startsWith("NodePool"))).toStrictEqual([
      "NodePool/batch",
      "NodePool/web",
    ]);
  });

  it("runs anp as generator: a RenderConfig is read once and not part of the output", () => {
    const generator = { "anp.yaml": RENDER_CONFIG(", args: [fn, --allow-empty]") };
    const { exit, stdout, stderr } = build({ ...generator, "x/other.yaml": OTHER }, "generators: [anp.yaml]\n");
    expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: expect.not.stringContaining("error") as string });
    const names = objectsIn(stdout);
    expect(names).toContain("ConfigMap/other");
    expect(names.filter((name) => name.startsWith("Validating"))).toHaveLength(8);
    expect(names).toHaveLength(9);
  });

  it("shows the findings, the worst first, and builds nothing", () => {
    const { exit, stdout, stderr } = build({ ...BYPASSING, "anp.yaml": CONFIG_MAP("") }, TRANSFORMER);
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    const [first, ...rest] = stderr.trimEnd().split("\n");
    expect(first).toMatch(
      /^<stdin>: error: OpenshiftNodePool web: `In \[b\]` on example\.com\/team .* \[policy-bypassed\]$/,
    );
    expect(rest.slice(1)).toStrictEqual(["1 error", "Error: couldn't execute function: exit status 1"]);
  });

  it("refuses invalid settings", () => {
    const { exit, stdout, stderr } = build({ ...PACKAGE, "anp.yaml": CONFIG_MAP("dri: out") }, TRANSFORMER);
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr.split("\n").slice(0, 2)).toStrictEqual([
      "functionConfig: error: ConfigMap anp: `data.dri` is not a field here [function-config-invalid]",
      "  help: did you mean dir?",
    ]);
  });

  it("does not pass paths of items, so policyDir cannot be used", () => {
    const { exit, stderr } = build({ ...PACKAGE, "anp.yaml": CONFIG_MAP("policyDir: provider") }, TRANSFORMER);
    expect({ exit, says: stderr.includes("kustomize gives its items no paths") }).toStrictEqual({
      exit: 1,
      says: true,
    });
  });
});

describe("kustomize with anp as validator", () => {
  const VALIDATE = CONFIG_MAP('validate: "true"');

  it("fails on an error", () => {
    const bad = {
      "x/policy.yaml": policy("clusters-shop", "[a]", "example.com/team"),
      "x/web.yaml": BYPASSING["users/web.yaml"],
    };
    for (const kustomization of [TRANSFORMER, "validators: [anp.yaml]\n"]) {
      const { exit, stderr } = build({ ...bad, "anp.yaml": VALIDATE }, kustomization);
      expect({ exit, first: stderr.includes("[policy-bypassed]") }).toStrictEqual({ exit: 1, first: true });
    }
  });

  it("changes nothing as the last transformer", () => {
    const { exit, stdout } = build({ ...PACKAGE, "anp.yaml": VALIDATE }, TRANSFORMER);
    const without = build(PACKAGE, "");
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: without.stdout });
    expect(byText(objectsIn(stdout))).toStrictEqual(WRAPPERS);
  });

  // kustomize adds an annotation and treats that as a change by the validator: kubernetes-sigs/kustomize#5036.
  it("cannot use `validators:`, as with cat", () => {
    const files = { "x/web.yaml": pool() };
    const refusal = "validator shouldn't modify the resource map";
    expect(build({ ...files, "anp.yaml": VALIDATE }, "validators: [anp.yaml]\n")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining(refusal) as string,
    });
    const cat = VALIDATE.replace("./anp", "./cat");
    const folder = programsIn(folderWith({ ...files, "anp.yaml": cat }));
    addFiles(folder, { "kustomization.yaml": "resources: [x/web.yaml]\nvalidators: [anp.yaml]\n" });
    expect(kustomizeBuild(program, folder)).toMatchObject({ exit: 1 });
  });
});
