/** `anp diff --against` with git repositories in the input: anp neither obeys nor trusts them. */
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import type { Ended } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { commitAll, git, repository } from "../../support/process/repositories.ts";

const TYPES = "node.kubernetes.io/instance-type";
const wide = policy("clusters-shop", "[m5.large, m5.xlarge]", TYPES);
const narrow = policy("clusters-shop", "[m5.xlarge]", TYPES);
const OLD = { "in/policy.yaml": wide, "in/web.yaml": pool("web") };
const NARROWED = { exit: 1, said: "1 pool changes · +0 −1 types" };

/** A git that is older than `safe.bareRepository` and GIT_NO_LAZY_FETCH: the real one, without these settings. */
const OLDER = `#!/bin/bash
args=()
while (($#)); do
  if [[ $1 == -c && $2 == safe.* ]]; then shift 2; else args+=("$1"); shift; fi
done
unset GIT_NO_LAZY_FETCH
PATH=\${PATH#*:} exec git "\${args[@]}"
`;

const GITS = ["the git that is here", "a git that knows neither safe.bareRepository nor GIT_NO_LAZY_FETCH"] as const;

function environment(which: (typeof GITS)[number]): Record<string, string> {
  if (which === GITS[0]) return {};
  const bin = folderWith({ git: OLDER });
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}${delimiter}${process.env["PATH"]}` };
}

async function diff(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return await runAnp(["diff", ...args], { cwd, env });
}

function told({ exit, stdout, stderr }: Ended): { exit: number | null; said: string } {
  return { exit, said: `${stdout}${stderr}`.trimEnd().split("\n").at(-1) ?? "" };
}

/** The files of a bare repository that lacks all objects; its origin is a command. */
function obedient(marker: string, worktree: string): Record<string, string> {
  return {
    HEAD: `${"1".repeat(40)}\n`,
    config: `[core]
\trepositoryformatversion = 1
\tbare = false
\tworktree = ${worktree}
\tfsmonitor = "touch ${marker}; false"
\tpager = "touch ${marker}"
[extensions]
\tpartialClone = origin
[protocol]
\tallow = always
[protocol "file"]
\tallow = always
[remote "origin"]
\turl = .
\tpromisor = true
\tuploadpack = "touch ${marker}; git-upload-pack"
`,
    "objects/.keep": "",
    "refs/.keep": "",
    "refs/heads/main": `${"1".repeat(40)}\n`,
    "refs/tags/v1": `${"1".repeat(40)}\n`,
  };
}

const inFolder = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [posix.join(folder, path), text]));

/** Git itself refuses to add files of a folder that is a repository; a pull request may hold them all the same. */
function commitForeign(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    const id = git(folder, "hash-object", "-w", path).trim();
    git(folder, "update-index", "--add", "--cacheinfo", `100644,${id},${path}`);
  }
  git(folder, "commit", "--quiet", "--message=as a pull request brings it");
}

describe.each(GITS)("a bare repository among the manifests, with %s", (which) => {
  it.each([
    ["in PATH", "in", "in"],
    ["above PATH", "a", "a/in"],
    ["at the top of the repository", ".", "in"],
  ])("runs no command: %s", async (_where, place, path) => {
    const before = path === "in" ? OLD : inFolder("a", OLD);
    const folder = repository(before, { [`${path}/policy.yaml`]: narrow });
    const marker = join(folder, "..", `${folder.split("/").at(-1)}-marker`);
    const hostile = inFolder(place, obedient(marker, "."));
    addFiles(folder, hostile);
    commitForeign(folder, Object.keys(hostile));
    for (const ref of ["main~1", "ref:main~1", git(folder, "rev-parse", "main~1").trim()])
      expect([ref, told(await diff(folder, [path, "--against", ref], environment(which)))]).toStrictEqual([
        ref,
        NARROWED,
      ]);
    expect(told(await diff(join(folder, path), [".", "--against", "main~1"], environment(which)))).toStrictEqual(
      NARROWED,
    );
    // Only it has v1.
    expect(told(await diff(folder, [path, "--against", "v1"], environment(which))).exit).toBe(2);
    expect(existsSync(marker)).toBe(false);
  });

  it("cannot hide a change", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    // Its main has the content of PATH.
    const liar = repository({ "policy.yaml": narrow, "web.yaml": pool("web") });
    cpSync(join(liar, ".git"), join(folder, "in"), { recursive: true });
    git(folder, "config", "--file", "in/config", "core.worktree", ".");
    git(folder, "config", "--file", "in/config", "core.bare", "false");
    expect(told(await diff(folder, ["in", "--against", "main"], environment(which)))).toStrictEqual(NARROWED);
  });

  it("does not stand in for a submodule", async () => {
    const pools = repository({ "web.yaml": pool("web") });
    const folder = repository({ "in/policy.yaml": wide });
    git(folder, "submodule", "--quiet", "add", pools, "in/pools");
    commitAll(folder);
    rmSync(join(folder, "in/pools"), { recursive: true });
    const marker = join(folder, "marker");
    addFiles(folder, inFolder("in/pools", obedient(marker, ".")));
    const { exit, stderr } = await diff(folder, ["in", "--against", "main"], environment(which));
    expect(exit).toBe(3);
    expect(stderr).toMatch(/main:in\/pools: error: is a submodule whose commit [0-9a-f]{12} is not here/);
    expect(existsSync(marker)).toBe(false);
  });

  it("is not used if no repository is around it", async () => {
    const marker = join(folderWith({}), "marker");
    const folder = folderWith({ ...OLD, ...inFolder("in", obedient(marker, ".")) });
    const { exit, stderr } = await diff(folder, ["in", "--against", "v1"], environment(which));
    expect(exit).toBe(2);
    expect(stderr).toContain("in is in no git repository (there is no .git in it or above it)");
    expect(existsSync(marker)).toBe(false);
  });
});

describe("a .git that an archive brings", () => {
  it.each([
    [
      "a file that leads to the folder beside it",
      (folder: string) => writeFileSync(join(folder, ".git"), "gitdir: evil\n"),
    ],
    ["a link that leads to the folder beside it", (folder: string) => symlinkSync("evil", join(folder, ".git"))],
  ])("is not obeyed as %s", async (_what, make) => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    renameSync(join(folder, ".git"), join(folder, "evil"));
    make(folder);
    const { exit, stderr } = await diff(folder, ["in", "--against", "main"]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`.git leads to ${join(folder, "evil")}, which is among the files of another repository)`);
  });

  it("is not obeyed deeper in a repository either", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    cpSync(join(folder, ".git"), join(folder, "evil"), { recursive: true });
    addFiles(folder, { "in/.git": "gitdir: ../evil\n" });
    const { exit, stderr } = await diff(folder, ["in", "--against", "main"]);
    expect(exit).toBe(2);
    expect(stderr).toContain("among the files of another repository");
  });

  it("runs nothing that its configuration names", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const marker = join(folder, "marker");
    for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "filter.x.smudge"])
      git(folder, "config", key, `touch ${marker}; false`);
    addFiles(folder, {
      ".git/hooks/reference-transaction": `#!/bin/sh\ntouch ${marker}\n`,
      ".git/info/attributes": "* filter=x",
    });
    chmodSync(join(folder, ".git/hooks/reference-transaction"), 0o755);
    expect(told(await diff(folder, ["in", "--against", "main"]))).toStrictEqual(NARROWED);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("ways to show other files than the commit's", () => {
  it("is not a folder with the name of the commit", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const sha = git(folder, "rev-parse", "main").trim();
    // With it there would be no change.
    cpSync(join(folder, "in"), join(folder, sha), { recursive: true });
    for (const against of [sha, sha.toUpperCase(), `ref:${sha}`])
      expect([against, told(await diff(folder, ["in", "--against", against]))]).toStrictEqual([against, NARROWED]);
    expect(told(await diff(folder, ["in", "--against", `./${sha}`]))).toStrictEqual({ exit: 0, said: "no changes" });
    const unknown = "1".repeat(40);
    cpSync(join(folder, "in"), join(folder, unknown), { recursive: true });
    const { exit, stderr } = await diff(folder, ["in", "--against", unknown]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`no branch, tag or commit of that name`);
  });

  it("is not a replacement in refs/replace", async () => {
    const folder = repository(OLD);
    const first = git(folder, "rev-parse", "main").trim();
    addFiles(folder, { "in/policy.yaml": narrow });
    const second = commitAll(folder);
    git(folder, "replace", first, second);
    expect(told(await diff(folder, ["in", "--against", first]))).toStrictEqual(NARROWED);
  });

  it("is not another repository that the environment names", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const other = repository({ "in/policy.yaml": narrow, "in/web.yaml": pool("web") });
    const env = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_OBJECT_DIRECTORY: join(other, ".git/objects"),
      GIT_NAMESPACE: "x",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.bare",
      GIT_CONFIG_VALUE_0: "true",
    };
    expect(told(await diff(folder, ["in", "--against", "main"], env))).toStrictEqual(NARROWED);
  });

  it("is not a program named git among the files", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const marker = join(folder, "marker");
    for (const place of [".", "in"]) {
      addFiles(folder, { [`${place}/git`]: `#!/bin/sh\ntouch ${marker}\n` });
      chmodSync(join(folder, place, "git"), 0o755);
    }
    // An entry of the PATH that is the folder in which git is started.
    const env = { PATH: `.${delimiter}${process.env["PATH"]}` };
    expect(told(await diff(join(folder, "in"), [".", "--against", "main"], env))).toStrictEqual(NARROWED);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("repositories of ordinary users", () => {
  it("are linked work trees, also in a repository's own folder", async () => {
    const folder = repository(OLD);
    for (const place of [join(folderWith({}), "tree"), join(folder, "inner")]) {
      git(folder, "worktree", "add", "--quiet", "--detach", place);
      addFiles(place, { "in/policy.yaml": narrow });
      expect([place, told(await diff(place, ["in", "--against", "main"]))]).toStrictEqual([place, NARROWED]);
    }
  });

  it("keep their .git elsewhere", async () => {
    const folder = folderWith(OLD);
    git(folder, "init", "--quiet", "--initial-branch=main", "--separate-git-dir", join(folderWith({}), "kept"));
    commitAll(folder);
    addFiles(folder, { "in/policy.yaml": narrow });
    expect(told(await diff(folder, ["in", "--against", "main"]))).toStrictEqual(NARROWED);
  });

  it("are reached through links", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const outside = folderWith({});
    symlinkSync(folder, join(outside, "whole"));
    symlinkSync(join(folder, "in"), join(outside, "part"));
    for (const path of ["whole", "whole/in", "part"])
      expect([path, told(await diff(outside, [path, "--against", "main"]))]).toStrictEqual([path, NARROWED]);
  });

  it("have submodules in work trees, in submodules, and as PATH", async () => {
    const deep = repository({ "web.yaml": pool("web") });
    const pools = repository({ "a.yaml": pool("a") });
    git(pools, "submodule", "--quiet", "add", deep, "deep");
    commitAll(pools);
    const folder = repository({ "in/policy.yaml": wide });
    git(folder, "submodule", "--quiet", "add", pools, "in/pools");
    git(folder, "submodule", "--quiet", "update", "--init", "--recursive");
    commitAll(folder);
    const tree = join(folderWith({}), "tree");
    git(folder, "worktree", "add", "--quiet", "--detach", tree);
    git(tree, "submodule", "--quiet", "update", "--init", "--recursive");
    for (const place of [folder, tree]) {
      expect(told(await diff(place, ["in", "--against", "main"]))).toStrictEqual({ exit: 0, said: "no changes" });
      addFiles(place, { "in/pools/deep/web.yaml": pool("web", "[{key: example.com/a, operator: Exists}]") });
      expect(told(await diff(place, ["in", "--against", "main"]))).toStrictEqual({
        exit: 1,
        said: "1 pool changes · +0 −0 types",
      });
      expect(told(await diff(place, ["in/pools/deep", "--against", "HEAD"])).exit).toBe(1);
    }
  });

  it("hold a repository that is not a submodule: only git's modules/ are used", async () => {
    const folder = repository({ "in/policy.yaml": wide });
    mkdirSync(join(folder, "in/pools"));
    git(join(folder, "in/pools"), "init", "--quiet", "--initial-branch=main");
    addFiles(folder, { "in/pools/web.yaml": pool("web") });
    commitAll(join(folder, "in/pools"));
    git(folder, "-c", "advice.addEmbeddedRepo=false", "add", "in/pools");
    git(folder, "commit", "--quiet", "--message=embedded");
    const { exit, stderr } = await diff(folder, ["in", "--against", "main"]);
    expect(exit).toBe(3);
    expect(stderr).toMatch(
      /main:in\/pools: error: is a submodule whose commit [0-9a-f]{12} is in a repository inside its own folder, which anp does not read \[file-unreadable\]\n {2}help: git submodule absorbgitdirs\n/,
    );
  });
});

describe("a clone that has only some of the files", () => {
  const FETCH = "git fetch --refetch --no-filter origin";

  function partialClone(filter: string): { folder: string; marker: string } {
    const origin = repository({ ...OLD, "in/.krmignore": "drafts\n" });
    git(origin, "config", "uploadpack.allowFilter", "true");
    addFiles(origin, { "in/policy.yaml": narrow, "in/.krmignore": "draft\n" });
    commitAll(origin);
    const folder = join(folderWith({}), "clone");
    git(origin, "clone", "--quiet", `--filter=${filter}`, `file://${origin}`, folder);
    const marker = join(folder, "marker");
    git(folder, "config", "remote.origin.uploadpack", `touch ${marker}; git-upload-pack`);
    return { folder, marker };
  }

  it.each(GITS.flatMap((which) => ["blob:none", "tree:0"].map((filter) => [filter, which] as const)))(
    "by %s fetches nothing, and says what to fetch, with %s",
    async (filter, which) => {
      const { folder, marker } = partialClone(filter);
      const env = environment(which);
      const { exit, stdout, stderr } = await diff(folder, ["in", "--against", "HEAD~1"], env);
      expect({ exit, stdout, ran: existsSync(marker) }).toStrictEqual({ exit: 3, stdout: "", ran: false });
      expect(stderr).toContain(FETCH);
      // Not web.yaml, which is the same in both commits, so that the clone has it.
      if (filter === "blob:none")
        expect(stderr).toBe(
          `HEAD~1:in/.krmignore: error: is not in this clone, which has only some of the files [file-unreadable]\n` +
            `  2 times: HEAD~1:in/.krmignore, HEAD~1:in/policy.yaml\n` +
            `  help: a partial clone lacks it: ${FETCH}\n2 errors\n`,
        );
      git(folder, "config", "--unset", "remote.origin.uploadpack");
      git(folder, ...FETCH.split(" ").slice(1));
      expect(told(await diff(folder, ["in", "--against", "HEAD~1"], env))).toStrictEqual(NARROWED);
    },
  );
});
