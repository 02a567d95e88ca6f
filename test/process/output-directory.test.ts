/** `--output-dir` of the built program: what it writes, what it removes, and what it leaves alone. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { anp, buildOnce, type Ended } from "./built.ts";
import { addFiles, folderWith, outsider, policy, pool } from "./inputs.ts";

beforeAll(buildOnce);

const OK = { "in/policy.yaml": policy(), "in/web.yaml": pool("web"), "in/batch.yaml": pool("batch") };
const TWO = {
  "in/a/policy.yaml": policy("ca"),
  "in/a/web.yaml": pool("web"),
  "in/b/policy.yaml": policy("cb"),
  "in/b/web.yaml": pool("web"),
};
const POLICIES = ["ec2nodeclass", "nodeclaim", "nodepool"].flatMap((name) => [
  `validatingadmissionpolicy-karpenter.${name}.hypershift.io.yaml`,
  `validatingadmissionpolicybinding-karpenter-binding.${name}.hypershift.io.yaml`,
]);
const FILES = (...pools: string[]) => [...pools.map((name) => `nodepool-${name}.yaml`), ...POLICIES].toSorted();

const render = (cwd: string, ...args: string[]): Ended =>
  anp(["render", "in", "--output-dir", "out", ...args], { cwd });
const list = (folder: string, path = "out"): string[] => readdirSync(join(folder, path)).toSorted();
const read = (folder: string, path: string): string => readFileSync(join(folder, "out", path), "utf8");
/** Every file below `out` with its text. */
function everything(folder: string): Record<string, string> {
  const entries = readdirSync(join(folder, "out"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), "utf8"),
    ]),
  );
}

function written(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  expect(render(folder)).toMatchObject({ exit: 0, stdout: "" });
  return folder;
}

describe("one hosted cluster", () => {
  it("gets one file an object, the same that goes to the stream", () => {
    const folder = folderWith(OK);
    const { exit, stdout, stderr } = render(folder);
    expect({ exit, stdout, stderr }).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: "out: 8 written, 0 unchanged, 0 removed\n",
    });
    expect(list(folder)).toStrictEqual(FILES("batch", "web"));
    const inOrder = [
      ...POLICIES.filter((name) => name.includes("policy-")),
      ...POLICIES.filter((name) => name.includes("binding")),
      "nodepool-batch.yaml",
      "nodepool-web.yaml",
    ];
    expect(inOrder.map((name) => read(folder, name)).join("---\n")).toBe(anp(["render", "in"], { cwd: folder }).stdout);
  });

  it("may have its directory anywhere, with folders that are not there yet", () => {
    const folder = folderWith(OK);
    expect(anp(["render", "in", "--output-dir", "x/y/out/"], { cwd: folder }).exit).toBe(0);
    expect(list(folder, "x/y/out")).toStrictEqual(FILES("batch", "web"));
  });

  it("leaves files alone that stay the same", () => {
    const folder = written(OK);
    const past = new Date("2001-01-01T00:00:00Z");
    for (const name of list(folder)) utimesSync(join(folder, "out", name), past, past);
    addFiles(folder, { "in/batch.yaml": pool("batch", "[{key: kubernetes.io/os, operator: In, values: [linux]}]") });
    expect(render(folder).stderr).toBe("out: 1 written, 7 unchanged, 0 removed\n");
    const changed = list(folder).filter(
      (name) => statSync(join(folder, "out", name)).mtime.getTime() !== past.getTime(),
    );
    expect(changed).toStrictEqual(["nodepool-batch.yaml"]);
    expect(render(folder).stderr).toBe("out: 0 written, 8 unchanged, 0 removed\n");
  });

  it("loses the files whose wrapper is gone", () => {
    const folder = written(OK);
    addFiles(folder, { "in/batch.yaml": "# gone\n" });
    expect(render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(FILES("web"));
  });

  it("renders the same when its output stands among its input", () => {
    const folder = written(OK);
    const before = everything(folder);
    expect(anp(["render", "in", "out", "--output-dir", "out"], { cwd: folder }).stderr).toContain("8 unchanged");
    expect(everything(folder)).toStrictEqual(before);
  });
});

/** Nothing may be touched: neither what anp wrote nor what it did not. */
function refuses(folder: string, exit: number, says: string, ...args: string[]): void {
  const before = everything(folder);
  const result = render(folder, ...args);
  expect(result).toMatchObject({ exit, stdout: "" });
  expect(result.stderr).toContain(says);
  expect(everything(folder)).toStrictEqual(before);
}

describe("files that anp did not make", () => {
  const twoObjects = (folder: string) =>
    `${read(folder, "nodepool-batch.yaml")}---\n${read(folder, "nodepool-web.yaml")}`;
  const withoutLabel = (folder: string) =>
    read(folder, "nodepool-web.yaml").replace("managed-by: anp", "managed-by: me");
  const withoutAnnotation = (folder: string) =>
    read(folder, "nodepool-web.yaml").replace("rendered-from", "rendered-by");

  it.each([
    ["a note", "README.md", () => "mine"],
    ["a manifest", "mine.yaml", () => "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"],
    ["no YAML", "mine.yaml", () => "a: [b"],
    ["an empty file", "mine.yaml", () => ""],
    ["two objects", "nodepool-two.yaml", twoObjects],
    [
      "one object and a comment that is a document",
      "nodepool-two.yaml",
      (folder: string) => `${read(folder, "nodepool-web.yaml")}---\nmine: 1\n`,
    ],
    ["without the label", "nodepool-old.yaml", withoutLabel],
    ["without the annotation", "nodepool-old.yaml", withoutAnnotation],
    ["our object under another ending", "nodepool-old.yml", (folder: string) => read(folder, "nodepool-web.yaml")],
  ])("are left alone and keep anp from writing: %s", (_what, name, text) => {
    const folder = written(OK);
    addFiles(folder, { [`out/${name}`]: text(folder) });
    addFiles(folder, {
      "in/web.yaml": pool("web", "[{key: kubernetes.io/os, operator: In, values: [linux]}]"),
      "in/batch.yaml": "# gone\n",
    });
    refuses(folder, 1, `out/${name}: error: stands in the output directory and was not made by anp [output-foreign]`);
    const foreign = read(folder, name);
    expect(render(folder, "--force")).toMatchObject({ exit: 0 });
    expect(read(folder, name)).toBe(foreign);
    expect(list(folder)).toStrictEqual([...FILES("web"), name].toSorted());
  });

  it("under the name of a rendered object are replaced only with --force", () => {
    const folder = folderWith({ ...OK, "out/nodepool-web.yaml": "mine: true\n" });
    refuses(folder, 1, "[output-foreign]");
    expect(render(folder, "--force")).toMatchObject({ exit: 0 });
    expect(read(folder, "nodepool-web.yaml")).toContain("kind: NodePool");
  });

  it("may be hidden, such as .gitkeep", () => {
    const folder = folderWith({ ...OK, "out/.gitkeep": "" });
    expect(render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([".gitkeep", ...FILES("batch", "web")]);
  });

  it("are not reached through a namespace that is a path", () => {
    for (const namespace of ['"../evil"', '"/tmp/evil"', '".."', '"a/b"', '"a\\0b"']) {
      const folder = folderWith({ ...OK, "in/policy.yaml": policy(namespace) });
      expect(render(folder)).toMatchObject({ exit: 1, stdout: "" });
      expect(list(folder, ".")).toStrictEqual(["in"]);
    }
  });

  it.each(['"../evil"', '"/tmp/evil"', '".."', "a/b", '"a\\u0000b"'])(
    "are not reached through a pool named %s",
    (name) => {
      const folder = folderWith({ ...OK, "in/evil.yaml": pool(name) });
      expect(render(folder)).toMatchObject({ exit: 1, stdout: "" });
      expect(list(folder, ".")).toStrictEqual(["in"]);
    },
  );
});

describe("what keeps anp from writing", () => {
  it("is an error in the input", () => {
    const folder = written(OK);
    addFiles(folder, { "in/policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "in/out.yaml": outsider });
    refuses(folder, 1, "[policy-bypassed]");
  });

  it("is an input that cannot be read", () => {
    const folder = written(OK);
    addFiles(folder, { "in/policy.yaml": "a: [" });
    refuses(folder, 3, "[yaml-syntax]");
  });

  it("is an input without wrappers, unless that is wanted", () => {
    const folder = written(OK);
    addFiles(folder, { "in/web.yaml": "# gone\n", "in/batch.yaml": "# gone\n" });
    refuses(folder, 1, "[output-kept]");
    expect(render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([...POLICIES].toSorted());
  });

  it("is the feature gate, unless that is wanted", () => {
    const folder = written(OK);
    refuses(folder, 1, "[output-kept]", "--feature-gates", "AutoNode=false");
    expect(render(folder, "--feature-gates", "AutoNode=false", "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([]);
  });

  it("is a file in place of the directory", () => {
    const folder = folderWith({ ...OK, out: "mine" });
    expect(render(folder)).toMatchObject({ exit: 1, stdout: "" });
    expect(readFileSync(join(folder, "out"), "utf8")).toBe("mine");
  });

  it("is a folder in place of a file, and no half-written file stays", () => {
    const folder = folderWith(OK);
    mkdirSync(join(folder, "out/nodepool-web.yaml/x"), { recursive: true });
    const { exit, stderr } = render(folder);
    expect(exit).toBe(1);
    expect(stderr).toContain("[output-unwritable]");
    expect(list(folder).filter((name) => name.includes("tmp"))).toStrictEqual([]);
    expect(list(folder)).toStrictEqual(["nodepool-web.yaml"]);
  });

  it("is not a link to a directory", () => {
    const folder = folderWith(OK);
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "out"));
    expect(render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder, "real")).toStrictEqual(FILES("batch", "web"));
  });
});

describe("several hosted clusters", () => {
  it("get a folder each", () => {
    const folder = written(TWO);
    expect(list(folder)).toStrictEqual(["ca", "cb"]);
    expect(list(folder, "out/ca")).toStrictEqual(FILES("web"));
    expect(list(folder, "out/cb")).toStrictEqual(FILES("web"));
  });

  it("write nothing when one of them cannot be rendered", () => {
    const folder = written(TWO);
    addFiles(folder, { "in/a/more.yaml": pool("more"), "in/b/more.yaml": pool("Not a name") });
    refuses(folder, 1, "[wrapper-invalid]");
  });

  it("write nothing when one of them has lost its wrappers", () => {
    const folder = written(TWO);
    addFiles(folder, { "in/a/more.yaml": pool("more"), "in/b/web.yaml": "# gone\n" });
    refuses(folder, 1, "[output-kept]");
    expect(render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder, "out/cb")).toStrictEqual([...POLICIES].toSorted());
  });

  const three = { ...TWO, "in/c/policy.yaml": policy("cc"), "in/c/web.yaml": pool("web") };

  it("keep the folder of one that has vanished, until that is wanted", () => {
    const folder = written(three);
    addFiles(folder, { "in/c/policy.yaml": "# gone\n", "in/c/web.yaml": "# gone\n" });
    refuses(folder, 1, "out/cc: error: holds");
    expect(render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(existsSync(join(folder, "out/cc/nodepool-web.yaml"))).toBe(false);
    expect(list(folder, "out/ca")).toStrictEqual(FILES("web"));
  });

  it("keep the folder of one that has vanished, also when only one is left", () => {
    const folder = written(TWO);
    addFiles(folder, { "in/b/policy.yaml": "# gone\n", "in/b/web.yaml": "# gone\n" });
    refuses(folder, 1, "out/cb: error: holds");
    expect(render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(existsSync(join(folder, "out/cb/nodepool-web.yaml"))).toBe(false);
    const left = Object.keys(everything(folder)).filter((path) => path.endsWith("nodepool-web.yaml"));
    expect(left).toHaveLength(1);
  });

  it("take over what stood there for a single one", () => {
    const folder = written({ "in/a/policy.yaml": policy("ca"), "in/a/web.yaml": pool("web") });
    addFiles(folder, { "in/b/policy.yaml": policy("cb"), "in/b/web.yaml": pool("web") });
    expect(render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["ca", "cb"]);
  });

  it("are as many as the input has, whatever other folders stand there", () => {
    const folder = folderWith({ ...TWO, "out/docs/x.yaml": "mine: 1\n", "out/docs/notes/x.md": "mine" });
    expect(render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["ca", "cb", "docs"]);
    expect(list(folder, "out/docs")).toStrictEqual(["notes", "x.yaml"]);
  });
});
