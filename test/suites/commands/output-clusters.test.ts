/** `--output-dir` with several hosted clusters: a folder each, and the folder of one that vanishes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configOf } from "../../support/fleet/fleet.ts";
import { addFiles, folderWith, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { FILES, list, POLICIES, refuses, render, written } from "../../support/process/output.ts";

const TWO = {
  "in/a/policy.yaml": policy("ca"),
  "in/a/web.yaml": pool("web"),
  "in/b/policy.yaml": policy("cb"),
  "in/b/web.yaml": pool("web"),
};

describe("several hosted clusters", () => {
  it("get a folder each", async () => {
    const folder = await written(TWO);
    expect(list(folder)).toStrictEqual(["ca", "cb"]);
    expect(list(folder, "out/ca")).toStrictEqual(FILES("web"));
    expect(list(folder, "out/cb")).toStrictEqual(FILES("web"));
  });

  it("keep their folders if one of them is selected", async () => {
    const folder = folderWith(TWO);
    expect(await render(folder, "--hosted-cluster", "cb")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["cb"]);
    expect(await render(folder, "--hosted-cluster", "ca")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["ca", "cb"]);
    expect((await render(folder)).stderr).toBe(
      "out/ca: 0 written, 9 unchanged, 0 removed\nout/cb: 0 written, 9 unchanged, 0 removed\n",
    );
  });

  it("write nothing if one of them cannot be rendered", async () => {
    const folder = await written(TWO);
    addFiles(folder, { "in/a/more.yaml": pool("more"), "in/b/more.yaml": pool("Not a name") });
    await refuses(folder, 1, "[wrapper-invalid]");
  });

  it("keep the folder of one that has lost its wrappers, and write the others", async () => {
    const folder = await written(TWO);
    addFiles(folder, { "in/a/more.yaml": pool("more"), "in/b/web.yaml": "# gone\n" });
    const { exit, stderr } = await render(folder);
    expect([exit, list(folder, "out/ca"), list(folder, "out/cb")]).toStrictEqual([
      0,
      FILES("more", "web"),
      FILES("web"),
    ]);
    expect(stderr).toContain(
      "out/cb: warning: cb: is left as it is, because no wrapper was read for its hosted cluster [output-kept]",
    );
    expect(await render(folder, "--fail-on", "warning")).toMatchObject({ exit: 1 });
    expect(await render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder, "out/cb")).toStrictEqual([...POLICIES].toSorted());
  });

  it("get up-to-date folders even if one of them has no wrapper yet", async () => {
    const folder = folderWith({ ...TWO, "in/b/web.yaml": "# not yet\n" });
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect([list(folder, "out/ca"), list(folder, "out/cb")]).toStrictEqual([FILES("web"), [...POLICIES].toSorted()]);
    addFiles(folder, {
      "in/b/config.yaml":
        "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nspec: {admission: {allowedWriters: [me]}}\n",
    });
    expect((await render(folder)).stderr).toMatch(/out\/cb: [1-9] written, \d+ unchanged, 0 removed/);
  });

  it("write nothing if all of them have lost their wrappers", async () => {
    const folder = await written(TWO);
    addFiles(folder, { "in/a/web.yaml": "# gone\n", "in/b/web.yaml": "# gone\n" });
    await refuses(folder, 1, "[output-kept]");
  });

  const three = { ...TWO, "in/c/policy.yaml": policy("cc"), "in/c/web.yaml": pool("web") };

  it("keep the folder of a vanished one without --allow-empty", async () => {
    const folder = await written(three);
    addFiles(folder, { "in/c/policy.yaml": "# gone\n", "in/c/web.yaml": "# gone\n" });
    await refuses(folder, 1, "out/cc: error: cc: holds");
    expect(await render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(existsSync(join(folder, "out/cc/nodepool-web.yaml"))).toBe(false);
    expect(list(folder, "out/ca")).toStrictEqual(FILES("web"));
  });

  it("keep the folder of a vanished one, even if only one is left", async () => {
    const folder = await written(TWO);
    addFiles(folder, { "in/b/policy.yaml": "# gone\n", "in/b/web.yaml": "# gone\n" });
    await refuses(folder, 1, "2 times, in 2 clusters: out/ca, out/cb");
    expect(await render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(existsSync(join(folder, "out/cb/nodepool-web.yaml"))).toBe(false);
    const left = Object.keys(textsIn(folder)).filter((path) => path.endsWith("nodepool-web.yaml"));
    expect(left).toHaveLength(1);
  });

  it("take over the files of a former single one", async () => {
    const folder = await written({ "in/a/policy.yaml": policy("ca"), "in/a/web.yaml": pool("web") });
    addFiles(folder, { "in/b/policy.yaml": policy("cb"), "in/b/web.yaml": pool("web") });
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["ca", "cb"]);
  });

  it("with spec.paths have a folder each, even a single one", async () => {
    const of = (name: string) => ({
      [`in/policies/${name}/rules.yaml`]: `${policy(`clusters-${name}`)}---\n${configOf(name, `../../${name}`)}`,
      [`in/${name}/web.yaml`]: pool("web"),
    });
    const folder = await written(of("blog"));
    expect(list(folder)).toStrictEqual(["clusters-blog"]);
    addFiles(folder, of("shop"));
    expect((await render(folder)).stderr).toBe(
      "out/clusters-blog: 0 written, 9 unchanged, 0 removed\nout/clusters-shop: 9 written, 0 unchanged, 0 removed\n",
    );
    addFiles(folder, { "in/policies/shop/rules.yaml": "# gone\n", "in/shop/web.yaml": "# gone\n" });
    const { exit, stderr } = await render(folder);
    expect([exit, stderr.match(/^out.*: (?:error|warning): /gm)]).toStrictEqual([1, ["out/clusters-shop: error: "]]);
    expect((await render(folder, "--allow-empty")).stderr).toContain("out/clusters-blog: 0 written, 9 unchanged");
    expect(list(folder, "out/clusters-shop")).toStrictEqual([]);
  });

  it("are as many as the input has, whatever other folders exist", async () => {
    const folder = folderWith({ ...TWO, "out/docs/x.yaml": "mine: 1\n", "out/docs/notes/x.md": "mine" });
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["ca", "cb", "docs"]);
    expect(list(folder, "out/docs")).toStrictEqual(["notes", "x.yaml"]);
  });
});
