/** `--output-dir` among files that anp did not write: they stay unchanged. */
import { describe, expect, it } from "vitest";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { FILES, list, OK, read, refuses, render, written } from "../../support/process/output.ts";

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
    ["text that is not YAML", "mine.yaml", () => "a: [b"],
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
  ])("are kept, and keep anp from writing: %s", async (_what, name, text) => {
    const folder = await written(OK);
    addFiles(folder, { [`out/${name}`]: text(folder) });
    addFiles(folder, {
      "in/web.yaml": pool("web", "[{key: kubernetes.io/os, operator: In, values: [linux]}]"),
      "in/batch.yaml": "# gone\n",
    });
    await refuses(folder, 1, `out/${name}: error: is in the output directory and was not made by anp [output-foreign]`);
    const foreign = read(folder, name);
    expect(await render(folder, "--force")).toMatchObject({ exit: 0 });
    expect(read(folder, name)).toBe(foreign);
    expect(list(folder)).toStrictEqual([...FILES("web"), name].toSorted());
  });

  it("are not replaced under the name of a rendered object, not even with --force", async () => {
    const folder = folderWith({ ...OK, "out/nodepool-web.yaml": "mine: true\n" });
    await refuses(folder, 1, "[output-foreign]");
    await refuses(folder, 1, "out/nodepool-web.yaml: error: ", "--force");
  });

  it("may be hidden, such as .gitkeep", async () => {
    const folder = folderWith({ ...OK, "out/.gitkeep": "" });
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([".gitkeep", ...FILES("batch", "web")]);
  });

  it("are not reached through a namespace that is a path", async () => {
    for (const namespace of ['"../evil"', '"/tmp/evil"', '".."', '"a/b"', '"a\\0b"']) {
      const folder = folderWith({ ...OK, "in/policy.yaml": policy(namespace) });
      expect(await render(folder)).toMatchObject({ exit: 1, stdout: "" });
      expect(list(folder, ".")).toStrictEqual(["in"]);
    }
  });

  it.each(['"../evil"', '"/tmp/evil"', '".."', "a/b", '"a\\u0000b"'])(
    "are not reached through a pool named %s",
    async (name) => {
      const folder = folderWith({ ...OK, "in/evil.yaml": pool(name) });
      expect(await render(folder)).toMatchObject({ exit: 1, stdout: "" });
      expect(list(folder, ".")).toStrictEqual(["in"]);
    },
  );
});
