/** Links in the input: anp reads nothing outside through them, ends, and writes to no other file. */
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { commitAll, git, repository } from "../../support/process/repositories.ts";

const FILES = { "in/policy.yaml": policy(), "in/web.yaml": pool("web") };
const SECRET = "hush-hush";

/** Links by their path. */
function link(folder: string, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
}

describe("what is read", () => {
  it("shows no credentials of the repository itself", async () => {
    const folder = repository(FILES);
    git(folder, "config", "http.extraheader", SECRET);
    link(folder, { "in/c.yaml": "../.git/config" });
    const { exit, stdout, stderr } = await runAnp(["check", "in"], { cwd: folder });
    expect(exit).toBe(3);
    expect(stdout + stderr).toContain("in/c.yaml: error: is a link that leads outside");
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it("ends where .krmignore does not, also in Argo CD's discovery", async () => {
    const folder = repository(FILES);
    link(folder, { "in/.krmignore": "/dev/zero" });
    expect((await runAnp(["check", "in"], { cwd: folder })).exit).toBe(3);
    const { exit, stdout } = await runAnp(["cmp", "discover"], { cwd: join(folder, "in") });
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: "web.yaml\n" });
  });

  it("has one limit, whatever number of links lead to a file", async () => {
    const folder = repository({ ...FILES, "large.yaml": `# ${"x".repeat(1024 * 1024)}\n${policy("clusters-other")}` });
    for (let at = 0; at < 200; at++) {
      mkdirSync(join(folder, `in/${at}`));
      link(folder, { [`in/${at}/large.yaml`]: "../../large.yaml" });
    }
    const { exit, stderr } = await runAnp(["render", "in"], { cwd: folder });
    expect(exit).toBe(3);
    expect(stderr).toMatch(/large\.yaml: error: brings the input to more than the 64 MiB that anp reads in all/);
  });

  it("in Argo CD may lead to any folder of the repository, which it knows without git", async () => {
    const folder = folderWith({
      "shared/policy.yaml": policy(),
      "apps/shop/web.yaml": pool("web"),
      "other.yaml": "a: [",
    });
    link(folder, { "apps/shop/policy.yaml": "../../shared/policy.yaml" });
    const cwd = join(folder, "apps/shop");
    expect((await runAnp(["cmp", "generate"], { cwd, env: { ARGOCD_APP_SOURCE_PATH: "apps/shop" } })).exit).toBe(0);
    const { exit, stderr } = await runAnp(["cmp", "generate"], { cwd, env: { ARGOCD_APP_SOURCE_PATH: "shop" } });
    expect([exit, stderr.split("\n")[0]]).toStrictEqual([
      3,
      "policy.yaml: error: is a link that leads outside the given paths and their git repository; nothing of it is read [link-outside]",
    ]);
  });

  it("is the same of a commit", async () => {
    const outside = folderWith({ "policy.yaml": policy() });
    const folder = repository(FILES);
    link(folder, { "in/c.yaml": join(outside, "policy.yaml"), "in/.krmignore": "/dev/zero" });
    commitAll(folder);
    git(folder, "rm", "--quiet", "in/c.yaml", "in/.krmignore");
    const { exit, stderr } = await runAnp(["diff", "in", "--against", "main"], { cwd: folder });
    expect(exit).toBe(3);
    expect(stderr).toContain(
      "main:in/.krmignore: error: is a link that leads out of the repository, so the commit does not hold its target [link-outside]\n  2 times: main:in/.krmignore, main:in/c.yaml\n",
    );
  });
});

describe("what is written", () => {
  it.each([
    ["a report", ["check", "in", "--report", "junit=out.xml"], "<testsuites"],
    ["a baseline", ["check", "in", "--write-baseline", "out.xml"], '"findings"'],
  ])("replaces a link and follows none: %s", async (_what, args, holds) => {
    const outside = folderWith({ kept: "kept" });
    const folder = repository(FILES);
    link(folder, { "out.xml": join(outside, "kept") });
    expect((await runAnp(args, { cwd: folder })).exit).toBe(0);
    expect(readFileSync(join(outside, "kept"), "utf8")).toBe("kept");
    expect(lstatSync(join(folder, "out.xml")).isFile()).toBe(true);
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain(holds);
  });

  it.each([
    ["outside", (outside: string) => outside],
    ["to git's hooks", () => ".git/hooks"],
  ])("goes through no folder that leads %s", async (_what, target) => {
    const outside = folderWith({});
    const folder = repository(FILES);
    link(folder, { reports: target(outside) });
    const { exit, stdout } = await runAnp(["check", "in", "--report", "junit=reports/post-commit"], { cwd: folder });
    expect(exit).toBe(1);
    expect(stdout).toContain(
      "reports/post-commit: error: cannot be written: a link on the way leads out of the git repository [output-unwritable]\n",
    );
    expect([join(outside, "post-commit"), join(folder, ".git/hooks/post-commit")].some(existsSync)).toBe(false);
    const rendered = await runAnp(["render", "in", "--output-dir", "reports"], { cwd: folder });
    expect(rendered.exit).toBe(1);
    expect(rendered.stderr).toContain(
      "reports: error: cannot be written: a link on the way leads out of the git repository [output-unwritable]\n",
    );
  });

  it("to a directory goes into no folder behind a link", async () => {
    const outside = folderWith({});
    const folder = repository({
      "in/a/policy.yaml": policy("clusters-a"),
      "in/a/web.yaml": pool("web"),
      "in/b/policy.yaml": policy("clusters-b"),
      "in/b/web.yaml": pool("web"),
      "out/.keep": "",
    });
    link(folder, { "out/clusters-b": outside });
    const { exit, stderr } = await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder });
    expect(exit).toBe(1);
    expect(stderr).toContain(
      "out/clusters-b: error: clusters-b: cannot be written: it is a link, and may lead anywhere [output-unwritable]\n",
    );
    expect([join(folder, "out/clusters-a"), join(outside, "nodepool-web.yaml")].some(existsSync)).toBe(false);
  });

  it("in place of a file is replaced, and then no file is written at all", async () => {
    const old = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: NAME}
spec: {template: {spec: {nodeClassRef: {name: default}, requirements: []}}}
`;
    const folder = repository({
      "shared/a.yaml": old.replace("NAME", "a"),
      "deep/b.yaml": old.replace("NAME", "b"),
      "in/own.yaml": old.replace("NAME", "own"),
    });
    link(folder, { "in/a.yaml": "../shared/a.yaml", "in/deep": "../deep" });
    const { exit, stderr } = await runAnp(["migrate", "in", "--write"], { cwd: folder });
    expect(exit).toBe(1);
    for (const [file, through] of [
      ["in/a.yaml", "in/a.yaml"],
      ["in/deep/b.yaml", "in/deep"],
    ])
      expect(stderr).toContain(
        `${file}: error: is not written, and no other file either: ${through} is a link [output-unwritable]\n  help: migrate the file itself that it leads to\n`,
      );
    expect(git(folder, "status", "--porcelain", "--untracked-files=no")).toBe("");
    expect((await runAnp(["migrate", "in/own.yaml", "shared", "deep", "--write"], { cwd: folder })).exit).toBe(0);
    expect(readFileSync(join(folder, "shared/a.yaml"), "utf8")).toContain("karpenter.sh/v1\n");
  });
});
