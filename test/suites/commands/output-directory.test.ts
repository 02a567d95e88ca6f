/** `--output-dir`: what it writes and removes, and when it does neither. */
import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, outsider, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { FILES, list, OK, POLICIES, read, refuses, render, written } from "../../support/process/output.ts";

describe("one hosted cluster", () => {
  it("gets one file per object, with the content of the stream", async () => {
    const folder = folderWith(OK);
    const { exit, stdout, stderr } = await render(folder);
    expect({ exit, stdout, stderr }).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: "out: 10 written, 0 unchanged, 0 removed\n",
    });
    expect(list(folder)).toStrictEqual(FILES("batch", "web"));
    const inOrder = [
      ...POLICIES.filter((name) => name.includes("policy-")),
      ...POLICIES.filter((name) => name.includes("binding")),
      "nodepool-batch.yaml",
      "nodepool-web.yaml",
    ];
    expect(inOrder.map((name) => read(folder, name)).join("---\n")).toBe(
      (await runAnp(["render", "in"], { cwd: folder })).stdout,
    );
  });

  it("may have its directory anywhere, with folders that do not exist yet", async () => {
    const folder = folderWith(OK);
    expect((await runAnp(["render", "in", "--output-dir", "x/y/out/"], { cwd: folder })).exit).toBe(0);
    expect(list(folder, "x/y/out")).toStrictEqual(FILES("batch", "web"));
  });

  it("does not touch unchanged files", async () => {
    const folder = await written(OK);
    const past = new Date("2001-01-01T00:00:00Z");
    for (const name of list(folder)) utimesSync(join(folder, "out", name), past, past);
    addFiles(folder, { "in/batch.yaml": pool("batch", "[{key: kubernetes.io/os, operator: In, values: [linux]}]") });
    expect((await render(folder)).stderr).toBe("out: 1 written, 9 unchanged, 0 removed\n");
    const changed = list(folder).filter(
      (name) => statSync(join(folder, "out", name)).mtime.getTime() !== past.getTime(),
    );
    expect(changed).toStrictEqual(["nodepool-batch.yaml"]);
    expect((await render(folder)).stderr).toBe("out: 0 written, 10 unchanged, 0 removed\n");
  });

  it("loses the files of removed wrappers", async () => {
    const folder = await written(OK);
    addFiles(folder, { "in/batch.yaml": "# gone\n" });
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(FILES("web"));
  });

  it("renders the same if its output is among its input", async () => {
    const folder = await written(OK);
    const before = textsIn(folder);
    expect((await runAnp(["render", "in", "out", "--output-dir", "out"], { cwd: folder })).stderr).toContain(
      "10 unchanged",
    );
    expect(textsIn(folder)).toStrictEqual(before);
  });
});

describe("reasons not to write", () => {
  it("is an error in the input", async () => {
    const folder = await written(OK);
    addFiles(folder, { "in/policy.yaml": policy("clusters-shop", "[a]", "example.com/team"), "in/out.yaml": outsider });
    await refuses(folder, 1, "[policy-bypassed]");
  });

  it("is an input that cannot be read", async () => {
    const folder = await written(OK);
    addFiles(folder, { "in/policy.yaml": "a: [" });
    await refuses(folder, 3, "[yaml-syntax]");
  });

  it("is an input without wrappers, without --allow-empty", async () => {
    const folder = await written(OK);
    addFiles(folder, { "in/web.yaml": "# gone\n", "in/batch.yaml": "# gone\n" });
    await refuses(folder, 1, "[output-kept]");
    expect(await render(folder, "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([...POLICIES].toSorted());
  });

  it("is the feature gate, without --allow-empty", async () => {
    const folder = await written(OK);
    await refuses(folder, 1, "[output-kept]", "--feature-gates", "AutoNode=false");
    expect(await render(folder, "--feature-gates", "AutoNode=false", "--allow-empty")).toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual([]);
  });

  it("is a file in place of the directory", async () => {
    const folder = folderWith({ ...OK, out: "mine" });
    const stderr = expect.stringContaining("[output-unwritable]") as string;
    expect(await render(folder)).toMatchObject({ exit: 1, stdout: "", stderr });
    expect(readFileSync(join(folder, "out"), "utf8")).toBe("mine");
  });

  it("is a folder in place of a file, and no file is written beside it", async () => {
    const folder = folderWith(OK);
    mkdirSync(join(folder, "out/nodepool-web.yaml/x"), { recursive: true });
    for (const args of [[], ["--force"]]) {
      await refuses(folder, 1, "out/nodepool-web.yaml: error: ", ...args);
      expect(list(folder)).toStrictEqual(["nodepool-web.yaml"]);
    }
  });

  it("is not a link to a directory", async () => {
    const folder = folderWith(OK);
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "out"));
    expect(await render(folder)).toMatchObject({ exit: 0 });
    expect(list(folder, "real")).toStrictEqual(FILES("batch", "web"));
  });
});
