/** Tests that the library returns what the commands print, and refuses invalid arguments. */
import { type Dirent, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { goldenCases, type GoldenCase, run } from "../../test/support/golden/case.ts";
import {
  check,
  type CheckOptions,
  explain,
  fn,
  type InputFile,
  render,
  type RenderOptions,
  toYaml,
} from "./library.ts";

type Asked = RenderOptions & CheckOptions;

const FLAGS: Readonly<Record<string, keyof Asked>> = {
  "--policy": "policy",
  "--hosted-cluster": "hostedCluster",
  "--policy-dir": "policyDir",
  "--require-policy": "requirePolicy",
  "--profile": "profile",
  "--include-user-data": "includeUserData",
};

/** The options of a case that reads only the folder `in`; undefined if it needs features that the library lacks. */
function optionsOf({ args }: GoldenCase): Asked | undefined {
  const [, folder, ...flags] = args;
  if (folder !== "in") return undefined;
  const options: Record<string, unknown> = {};
  while (flags.length > 0) {
    const name = FLAGS[flags.shift() ?? ""];
    if (name === undefined) return undefined;
    options[name] = name === "requirePolicy" || name === "includeUserData" ? true : flags.shift();
  }
  return options;
}

/** The files that a command would read; undefined if it would skip any or find binary data. */
function filesOf({ folder }: GoldenCase, { policyDir, policy }: Asked): InputFile[] | undefined {
  const folders = [...(policyDir === undefined || policyDir.startsWith("in") ? [] : [policyDir]), "in"];
  if (!folders.every((name) => existsSync(join(folder, name)))) return undefined;
  const entries = folders.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)),
  );
  const plain = entries.every((entry) => entry.isFile() && /^(?!kustomization).*\.(ya?ml|json)$/.test(entry.name));
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const named = policy === undefined || paths.includes(policy) ? [] : [policy];
  const files = [...named, ...paths].map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
  // A folder skips an empty file, but an argument is intentional; baselines and catalogues are other files.
  const fits = files.every(({ text }) => /^[^#\n-]/m.test(text) && !/\ufffd|^ {2}(?:baseline|catalogue):/m.test(text));
  return plain && fits ? files : undefined;
}

/** Folder by folder, in reading order. */
const placeOf = ({ parentPath, name }: Dirent): string => join(parentPath, name).replaceAll("/", "\0");

/** Whose files cannot be parsed as they are: only a command reads them once more. */
const READ_TWICE = "raw-input/placeholders-unquoted";

const comparable = (command: string) =>
  goldenCases().flatMap((golden): [string, GoldenCase, InputFile[], Asked][] => {
    if (golden.name === READ_TWICE) return [];
    const options = golden.args[0] === command && golden.exit !== 2 ? optionsOf(golden) : undefined;
    const files = options === undefined ? undefined : filesOf(golden, options);
    return options === undefined || files === undefined ? [] : [[golden.name, golden, files, options]];
  });

describe("render", () => {
  const cases = comparable("render");

  it("is compared on most golden cases", () => expect(cases.length).toBeGreaterThan(100));

  it.each(cases)("as the command: %s", async (_name, { folder, args, exit }, files, options) => {
    const command = await run(folder, [...args, "--report", "json"]);
    const { manifests, findings } = render(files, options);
    const { findings: wanted } = JSON.parse(command.stderr) as { findings: unknown };
    expect(findings).toStrictEqual(wanted);
    expect(toYaml(manifests)).toBe(command.stdout);
    if (exit !== 0) expect(manifests).toStrictEqual([]);
  });

  it("requires one of several hosted clusters", () => {
    const files = ["a", "b"].map((name) => ({ path: `${name}/policy.yaml`, text: policy(`clusters-${name}`) }));
    expect(() => render(files)).toThrow(
      "the files are for several hosted clusters: clusters-a, clusters-b; select one with hostedCluster",
    );
    expect(render(files, { hostedCluster: "clusters-a" }).manifests).not.toStrictEqual([]);
  });

  it("refuses a policy directory that does not exist", () => {
    const { manifests, findings } = render([POOL], { policyDir: "provider" });
    expect(manifests).toStrictEqual([]);
    expect(findings).toMatchObject([{ code: "input-empty", file: "provider", severity: "error" }]);
  });

  it.each([
    "",
    "# empty\n",
    "{apiVersion: v1, kind: List, items: []}",
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 3\n",
    "a: 1\n",
  ])("refuses a policy directory with a file without objects: %j", (text) => {
    const files = [POOL, { path: "provider/other.yaml", text: policy("clusters-a") }];
    const broken = { path: "provider/policy.yaml", text };
    const { manifests, findings } = render([...files, broken], { policyDir: "provider" });
    expect(manifests).toStrictEqual([]);
    expect(findings).toMatchObject([{ code: "not-krm", file: "provider/policy.yaml", severity: "error" }]);
  });

  it("refuses rules outside the policy directory", () => {
    const files = [POOL, { path: "provider/policy.yaml", text: policy("clusters-a") }];
    expect(render(files, { policyDir: "provider" }).manifests).not.toStrictEqual([]);
    const own = { path: "users/policy.yaml", text: policy("clusters-a") };
    expect(render([...files, own], { policyDir: "./provider/" }).findings).toMatchObject([
      { code: "untrusted-policy", file: "users/policy.yaml" },
    ]);
    const beside = { path: "provider-of-users/policy.yaml", text: policy("clusters-a") };
    expect(render([...files, beside], { policyDir: "provider" }).findings).toMatchObject([
      { code: "untrusted-policy", file: "provider-of-users/policy.yaml" },
    ]);
  });

  it("reports empty input", () => {
    expect(render([])).toMatchObject({ manifests: [], findings: [{ code: "input-empty" }] });
    expect(toYaml([])).toBe("");
  });
});

describe("check", () => {
  it.each(comparable("check"))("as the command: %s", async (_name, { folder, args }, files, options) => {
    const command = await run(folder, [...args, "-o", "json"]);
    const { findings: wanted } = JSON.parse(command.stdout) as {
      findings: { code: string; message: string; file?: string }[];
    };
    const { findings } = check(files, options);
    // The library's files are named one by one, so none is passed over.
    const unparsed = wanted.filter(({ code, message }) => code === "file-passed-over" && /cannot be/.test(message));
    const passed = new Set(unparsed.map(({ file }) => file));
    if (passed.size === 0) return expect(findings).toStrictEqual(wanted);
    for (const file of passed) expect(findings).toContainEqual(expect.objectContaining({ code: "yaml-syntax", file }));
  });

  it("has the rules of ROSA", () => {
    const large = POOL.text.replace(
      "[]",
      "[{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}]",
    );
    const found = (rules?: "rosa") => check([{ ...POOL, text: large }], { rules }).findings.map(({ code }) => code);
    expect(found("rosa").filter((code) => !found().includes(code))).toContain("rosa-instance-size");
  });
});

describe("explain", () => {
  const cases = comparable("explain");

  it("is compared on golden cases", () => expect(cases.length).toBeGreaterThan(5));

  it.each(cases)("as the command: %s", async (_name, { folder, args }, files, options) => {
    const command = await run(folder, [...args, "-o", "json"]);
    const { nodePools } = explain(files, options);
    expect(JSON.parse(JSON.stringify(nodePools))).toStrictEqual(
      (JSON.parse(command.stdout) as { nodePools: unknown }).nodePools,
    );
  });
});

describe("fn", () => {
  const cases = goldenCases().filter(({ args }) => args.length === 1 && args[0] === "fn");

  it("is compared on golden cases", () => expect(cases.length).toBeGreaterThan(3));

  it.each(cases.map((golden) => [golden.name, golden] as const))("as the command: %s", async (_name, { folder }) => {
    const text = readFileSync(join(folder, "in/list.yaml"), "utf8");
    const command = await run(folder, ["fn"], text);
    const { resourceList = "", exitCode } = fn(text);
    expect({ stdout: resourceList, exit: exitCode }).toStrictEqual({ stdout: command.stdout, exit: command.exit });
  });

  it("returns only findings for anything but a ResourceList", () => {
    expect(fn("kind: Pod")).toMatchObject({ resourceList: undefined, exitCode: 3, findings: [{ severity: "error" }] });
  });
});

describe("invalid arguments", () => {
  const misused = (files: unknown, options?: unknown) => () => render(files as InputFile[], options as RenderOptions);
  const { text } = { text: policy("clusters-a") };

  it.each<[string, () => unknown, string]>([
    ["no list", misused("policy.yaml"), "the files must be a list of { path, text }"],
    ["paths only", misused(["policy.yaml"]), "files[0] must be { path, text }, both strings"],
    ["bytes", misused([{ path: "a.yaml", text: Buffer.from("") }]), "files[0] must be { path, text }"],
    ["a file twice", misused([POOL, { ...POOL, path: "./users//pool.yaml" }]), "./users//pool.yaml is listed twice"],
    ["a path from outside", misused([{ path: "../provider/policy.yaml", text }]), "must be relative and stay within"],
    ["a path from the root", misused([{ path: "/provider/policy.yaml", text }]), "must be relative and stay within"],
    ["a folder of outside", misused([POOL], { policyDir: ".." }), "the option policyDir: .. must be relative"],
    ["no folder", misused([POOL], { policyDir: "" }), "the option policyDir must be a folder; use `.` for the root"],
    ["a misspelled option", misused([POOL], { requirePolcy: true }), "is unknown: did you mean requirePolicy?"],
    [
      "another option",
      misused([POOL], { verbose: true }),
      "the option verbose is unknown; known options are hostedCluster, ",
    ],
    ["an option of another function", misused([POOL], { rules: "rosa" }), "the option rules is unknown"],
    ["a number", misused([POOL], { requirePolicy: 1 }), "the option requirePolicy must be true or false, not 1"],
    ["a profile", misused([POOL], { profile: "karpenter-2" }), "must be one of hypershift, karpenter-1.14"],
    ["a namespace", misused([POOL], { hostedCluster: "Shop" }), "must be a namespace, such as clusters-my-cluster"],
    ["no text for fn", () => fn({} as string), "fn requires a ResourceList as a string"],
  ])("is refused: %s", (_what, act, message) => {
    expect(act).toThrow(TypeError);
    expect(act).toThrow(message);
  });

  it("do not include undefined options", () => {
    expect(misused([POOL], { policyDir: undefined, requirePolicy: undefined })).not.toThrow();
  });
});

it("writes nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "anp-library-"));
  mkdirSync(join(folder, "here"));
  const before = process.cwd();
  process.chdir(join(folder, "here"));
  try {
    render([POOL]);
    explain([POOL]);
  } finally {
    process.chdir(before);
  }
  expect(readdirSync(join(folder, "here"))).toStrictEqual([]);
});

function policy(namespace: string): string {
  return `
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: ${namespace}}
spec: {}
`;
}

const POOL: InputFile = {
  path: "users/pool.yaml",
  text: `
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
`,
};
