/** `anp diff`: directories, anp's output and real git repositories; its output and exit codes. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, outsider, policy, pool } from "../../support/process/inputs.ts";
import { commitAll, git, repository } from "../../support/process/repositories.ts";

const TYPES = "node.kubernetes.io/instance-type";
const wide = policy("clusters-shop", "[m5.large, m5.xlarge]", TYPES);
const narrow = policy("clusters-shop", "[m5.xlarge]", TYPES);
const OLD = { "in/policy.yaml": wide, "in/web.yaml": pool("web") };

const diff = (cwd: string, ...args: string[]): Promise<Ended> => runAnp(["diff", ...args], { cwd });

/** `action kind/name effect` of each change. */
function changes(ended: Ended): string[] {
  expect([0, 1], ended.stderr).toContain(ended.exit);
  const { changes: all } = JSON.parse(ended.stdout) as { changes: Change[] };
  return all.map(({ action, resource, effect }) => `${action} ${resource.kind}/${resource.name} ${effect}`);
}

interface Change {
  action: string;
  effect: string;
  resource: { kind: string; name: string; hostedCluster?: string };
}

const againstMain = (folder: string, ...args: string[]): Promise<Ended> =>
  diff(folder, "in", "--against", "main", "-o", "json", ...args);

const NARROWED = ["changed NodePool/web replaces-some"];

describe("anp diff against a git ref", () => {
  it("shows what the work tree changes, with file and line, and changes no file", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const status = git(folder, "status", "--porcelain");
    const { exit, stdout, stderr } = await diff(folder, "in", "--against", "main");
    expect({ exit, stderr }).toStrictEqual({ exit: 1, stderr: "" });
    expect(stdout).toBe(`~ AutoNodePolicy default  in/policy.yaml:4
    tighter: it admits less
    keeps out m5.large (${TYPES} m5.large), which this wrapper gets no more:
      apiVersion: karpenter.hypershift.openshift.io/v1beta1
      kind: OpenshiftNodePool
      metadata:
        name: witness
      spec:
        template:
          spec:
            requirements:
            - key: ${TYPES}
              operator: In
              values:
              - m5.large
    touches web (+0 −1 types)

~ NodePool web  replaces the nodes that no longer fit
    over the catalogue of 2026-08: +0, −1 type (m5.large)
    keeps out m5.large: the policy's ${TYPES} In [m5.xlarge]
    (in/policy.yaml:4)
    no latest time: drifted nodes are replaced as its budgets allow; each node expires 720h after
    its creation; without terminationGracePeriod, a pod that cannot be evicted keeps its node
    without a time limit
    price an hour: cheapest $0.096 (m5.large) → $0.192 (m5.xlarge), median $0.096 (m5.large) →
    $0.192 (m5.xlarge), dearest $0.192 (m5.xlarge) (us-east-1, 2026-07)
    spec:
      template:
        spec:
          requirements:
          - key: ${TYPES}
            operator: In
            values:
-           - m5.large  # in/policy.yaml:4
            - m5.xlarge

to keep the nodes of web: give the pool a budget {nodes: "0", reasons: [Drifted]} or give such a
budget a schedule and a duration; see docs/change-without-replacing.md
1 changed (replaces-some 1); no latest time (terminationGracePeriod is not set)
1 pool changes · +0 −1 types
`);
    expect(git(folder, "status", "--porcelain")).toBe(status);
  });

  it("exits with 0 and says so if nothing changes", async () => {
    const folder = repository(OLD);
    expect(await diff(folder, "in", "--against", "HEAD")).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: "no changes\n",
    });
    expect((await diff(folder, "in", "--against", "main", "-o", "markdown")).stdout).toBe("**anp diff: no changes**\n");
    expect(await diff(folder, "in", "--against", "main", "-o", "github")).toMatchObject({ exit: 0, stdout: "" });
    expect((await againstMain(folder)).stdout).toBe(
      '{\n  "schemaVersion": 1,\n  "mode": "hosted",\n  "summary": {\n    "pools": 0,\n    "others": 0,\n    "types": null,\n    "settles": null,\n    "nodes": null,\n    "cost": null,\n    "keeping": []\n  },\n  "policies": [],\n  "changes": []\n}\n',
    );
  });

  it("takes branches, tags, commits and what leads to them", async () => {
    const folder = repository(OLD);
    addFiles(folder, { "in/policy.yaml": narrow });
    git(folder, "commit", "--quiet", "--all", "--message=second");
    git(folder, "tag", "v1", "HEAD~1");
    git(folder, "branch", "release/1", "HEAD~1");
    const first = git(folder, "rev-parse", "HEAD~1").trim();
    for (const ref of ["HEAD~1", "HEAD^", "v1", "release/1", first, first.slice(0, 8), "main@{1}", "ref:v1"])
      expect([ref, changes(await diff(folder, "in", "--against", ref, "-o", "json"))]).toStrictEqual([ref, NARROWED]);
    for (const ref of ["HEAD", "main"])
      expect(changes(await diff(folder, "in", "--against", ref, "-o", "json"))).toStrictEqual([]);
  });

  it("prefers a directory to a branch of its name, and takes the branch on request", async () => {
    const folder = repository(OLD, {
      "in/policy.yaml": narrow,
      "main/policy.yaml": narrow,
      "main/web.yaml": pool("web"),
    });
    const ended = await againstMain(folder);
    expect(changes(ended)).toStrictEqual([]);
    expect(ended.stderr).toBe(
      "note: main is a directory here and also a git ref: --against ref:main selects the ref\n",
    );
    const forced = await diff(folder, "in", "--against", "ref:main", "-o", "json");
    expect([changes(forced), forced.stderr]).toStrictEqual([NARROWED, ""]);
  });

  it("finds the same files from any folder, by any path", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    addFiles(folder, { "elsewhere/x": "" });
    const args = ["--against", "main", "-o", "json"];
    expect(changes(await diff(join(folder, "in"), ".", ...args))).toStrictEqual(NARROWED);
    expect(changes(await diff(join(folder, "elsewhere"), "../in", ...args))).toStrictEqual(NARROWED);
    expect(changes(await diff(folder, join(folder, "in"), ...args))).toStrictEqual(NARROWED);
    expect(changes(await diff(folder, "in/policy.yaml", "in/web.yaml", ...args))).toStrictEqual(NARROWED);
    expect(changes(await diff(folder, ".", ...args))).toStrictEqual(NARROWED);
    expect(changes(await runAnp(["diff", join(folder, "in"), ...args], { cwd: ROOT }))).toStrictEqual(NARROWED);
  });

  it("works in a hook, in which git's variables point to its own repository", async () => {
    const folder = repository(OLD, { "in/policy.yaml": narrow });
    const env = { GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index", GIT_PREFIX: "" };
    expect(
      changes(await runAnp(["diff", "in", "--against", "main", "-o", "json"], { cwd: folder, env })),
    ).toStrictEqual(NARROWED);
  });

  it("shows everything as added for paths and hosted clusters that are new", async () => {
    const folder = repository({ "README.md": "" }, OLD);
    const added = changes(await againstMain(folder));
    expect(added.filter((one) => one.includes("NodePool/"))).toStrictEqual(["added NodePool/web new-nodes"]);
    expect(added).toHaveLength(9);
    expect(changes(await againstMain(folder, "--hosted-cluster", "clusters-shop"))).toHaveLength(9);
    const other = repository({ "in/policy.yaml": policy("clusters-other") }, OLD);
    expect(changes(await againstMain(other, "--hosted-cluster", "clusters-shop"))[0]).toContain("added");
  });

  it("leaves out files as .krmignore of that time, hidden names and other tools require", async () => {
    const broken = "a: [";
    const committed = {
      ...OLD,
      "in/.krmignore": "drafts/\n",
      "in/drafts/web.yaml": pool("web"),
      "in/.hidden/x.yaml": broken,
      "in/kustomization.yaml": broken,
      "in/notes.txt": broken,
    };
    expect(changes(await againstMain(repository(committed)))).toStrictEqual([]);
    const nowRead = repository(
      { ...OLD, "in/.krmignore": "drafts/\n", "in/drafts/b.yaml": pool("b") },
      { "in/.krmignore": "" },
    );
    expect(changes(await againstMain(nowRead))).toStrictEqual(["added NodePool/b new-nodes"]);
  });

  it("reports the bytes of a commit as those on disk", async () => {
    const folder = repository(OLD);
    writeFileSync(join(folder, "in/web.yaml"), Buffer.from(`\ufeff${pool("web")}`, "utf16le"));
    writeFileSync(join(folder, "in/.krmignore"), Buffer.from("\ufeffdrafts/\n", "utf16le"));
    commitAll(folder);
    const said = (side: string) =>
      `${side}in/.krmignore: error: is UTF-16, and must be UTF-8 [not-utf8]
  2 times: ${side}in/.krmignore, ${side}in/web.yaml
  help: save the file as UTF-8
2 errors
`;
    expect(await runAnp(["render", "in"], { cwd: folder })).toStrictEqual({ exit: 3, stdout: "", stderr: said("") });
    addFiles(folder, { "in/.krmignore": "", "in/web.yaml": pool("web") });
    expect(await diff(folder, "in", "--against", "main")).toStrictEqual({ exit: 3, stdout: "", stderr: said("main:") });
  });

  it("requires the same of a policy directory in a commit as of one on disk", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 312\n";
    const folder = repository({ "rules/policy.yaml": pointer, "in/web.yaml": pool("web") });
    const said = (
      side: string,
    ) => `${side}rules/policy.yaml:1:1: error: is a pointer of Git LFS in place of the file [not-krm]
  1 | version https://git-lfs.github.com/spec/v1
    | ^
  help: git lfs pull fetches the file
1 error
`;
    const rendered = await runAnp(["render", "in", "--policy-dir", "rules"], { cwd: folder });
    expect(rendered).toStrictEqual({ exit: 3, stdout: "", stderr: said("") });
    addFiles(folder, { "rules/policy.yaml": wide });
    const compared = await diff(folder, "in", "--policy-dir", "rules", "--against", "main");
    expect(compared).toStrictEqual({ exit: 3, stdout: "", stderr: said("main:") });
  });

  it("follows links within the repository, and refuses those that lead out of it", async () => {
    const folder = folderWith({
      "shared/policy.yaml": wide,
      "shared/deep/a.yaml": pool("a"),
      "in/web.yaml": pool("web"),
    });
    symlinkSync("../shared/policy.yaml", join(folder, "in/policy.yaml"));
    symlinkSync("../shared/deep", join(folder, "in/linked"));
    symlinkSync("..", join(folder, "in/up"));
    rmSync(join(folder, "in/up"));
    git(folder, "init", "--quiet", "--initial-branch=main");
    git(folder, "add", ".");
    git(folder, "commit", "--quiet", "--message=first");
    expect(changes(await againstMain(folder))).toStrictEqual([]);
    addFiles(folder, { "shared/policy.yaml": narrow });
    expect(changes(await againstMain(folder))).toStrictEqual(["changed NodePool/a replaces-some", ...NARROWED]);
    symlinkSync("/nowhere/policy.yaml", join(folder, "in/out.yaml"));
    git(folder, "add", ".");
    git(folder, "commit", "--quiet", "--message=second");
    rmSync(join(folder, "in/out.yaml"));
    const { exit, stdout, stderr } = await againstMain(folder);
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("main:in/out.yaml: error: is a link that leads out of the repository");
  });

  it("reads submodules as that commit had them", async () => {
    const pools = repository({ "web.yaml": pool("web") });
    const folder = repository({ "in/policy.yaml": wide });
    git(folder, "submodule", "--quiet", "add", pools, "in/pools");
    git(folder, "commit", "--quiet", "--message=second");
    expect(changes(await againstMain(folder))).toStrictEqual([]);
    addFiles(folder, { "in/pools/web.yaml": pool("web", "[{key: example.com/a, operator: Exists}]") });
    // No node has the label.
    expect(changes(await againstMain(folder))).toStrictEqual(["changed NodePool/web replaces-all"]);
    const clone = folderWith({});
    git(clone, "clone", "--quiet", folder, "c");
    const { exit, stderr } = await againstMain(join(clone, "c"));
    expect(exit).toBe(3);
    expect(stderr).toMatch(/main:in\/pools: error: is a submodule whose commit [0-9a-f]{12} is not here/);
    expect(stderr).toContain("git submodule update --init --recursive");
  });

  it("reads the rules of that time with --policy-dir and --config, and those outside git as they are", async () => {
    const config =
      "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: c}\nspec: {nodeLabels: {a: LABEL}}\n";
    const files = {
      "rules/policy.yaml": wide,
      "config.yaml": config.replace("LABEL", "one"),
      "in/web.yaml": pool("web"),
    };
    const folder = repository(files, { "rules/policy.yaml": narrow, "config.yaml": config.replace("LABEL", "two") });
    const flags = ["--policy-dir", "rules", "--config", "config.yaml"];
    expect(changes(await againstMain(folder, ...flags))).toStrictEqual(["changed NodePool/web replaces-all"]);
    const outside = folderWith({ "policy.yaml": narrow, "config.yaml": config.replace("LABEL", "two") });
    const elsewhere = ["--policy-dir", outside, "--config", join(outside, "config.yaml")];
    rmSync(join(folder, "rules"), { recursive: true });
    expect(changes(await againstMain(folder, ...elsewhere))).toStrictEqual([]);
  });

  it("compares objects that have moved into a policy directory, and uses a newer --config for both sides", async () => {
    const folder = repository({ "in/policy.yaml": wide, "in/web.yaml": pool("web") });
    rmSync(join(folder, "in/policy.yaml"));
    const config =
      "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: c}\nspec: {nodeLabels: {a: one}}\n";
    addFiles(folder, { "in/rules/policy.yaml": wide, "in/rules/config/config.yaml": config });
    const newer = ["--config", "in/rules/config/config.yaml"];
    expect(changes(await againstMain(folder, "--policy-dir", "in/rules", ...newer))).toStrictEqual([]);
    commitAll(folder);
    addFiles(folder, { "in/more.yaml": wide });
    const { exit, stderr } = await againstMain(folder, "--policy-dir", "in/rules", ...newer);
    expect([exit, stderr]).toStrictEqual([3, expect.stringContaining("in/more.yaml:1:1: error: AutoNodePolicy")]);
  });

  it.each([
    [
      "a name that nothing has",
      ["in", "--against", "nope"],
      "there is no directory nope here, and no branch, tag or commit of that name in the repository of in",
      "git fetch origin nope",
    ],
    [
      "a commit before the first",
      ["in", "--against", "HEAD~5"],
      "no branch, tag or commit of that name in the repository of in",
      "git fetch --unshallow",
    ],
    ["a name that looks like an option", ["in", "--against", "ref:--all"], "there is no directory --all here", ""],
    ["the standard input", ["-", "--against", "main"], "the standard input has no earlier version in git", ""],
    ["nothing to compare with", ["in"], "say what to compare with: --against DIR, --against GIT-REF or --live", ""],
    ["two old sides", ["in", "--live", "--against", "main"], "--against and --live are two old sides", ""],
    [
      "a kubeconfig for no cluster",
      ["in", "--against", "main", "--kubeconfig", "x"],
      "--kubeconfig and --context go with --live",
      "",
    ],
    ["a time of nothing", ["in", "--against", "main", "--node-time", "0s"], "Write a duration", ""],
    ["an ignored field that is none", ["in", "--against", "main", "--ignore", "a["], "Write [KIND[/NAME]:]FIELD", ""],
  ])("refuses %s", async (_what, args, says, hint) => {
    const { exit, stdout, stderr } = await runAnp(["diff", ...args], { cwd: repository(OLD), input: "" });
    expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).toContain(hint);
  });

  it("refuses a path that is in no repository", async () => {
    const { exit, stderr } = await diff(folderWith(OLD), "in", "--against", "main");
    expect(exit).toBe(2);
    expect(stderr).toContain("there is no directory main here, and in is in no git repository");
  });
});

describe("anp diff against a directory", () => {
  it("renders both, or takes earlier output as it is", async () => {
    const folder = folderWith({
      ...OLD,
      "old/policy.yaml": wide,
      "old/web.yaml": pool("web"),
      "old/batch.yaml": pool("batch"),
    });
    const args = ["-o", "json"];
    expect(changes(await diff(folder, "in", "--against", "old", ...args))).toStrictEqual([
      "removed NodePool/batch removes-nodes",
    ]);
    expect((await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder })).exit).toBe(0);
    expect(changes(await diff(folder, "in", "--against", "out", ...args))).toStrictEqual([]);
    expect(changes(await diff(folder, "out", "--against", "in", ...args))).toStrictEqual([]);
    expect(changes(await diff(folder, "out", "--against", "out", ...args))).toStrictEqual([]);
    expect(changes(await diff(folder, "out", "--against", "old", ...args))).toStrictEqual([
      "removed NodePool/batch removes-nodes",
    ]);
    mkdirSync(join(folder, "empty"));
    expect(changes(await diff(folder, "in", "--against", "empty", ...args))).toHaveLength(9);
  });

  it("points annotations at the file that is committed, rendered or not", async () => {
    const folder = folderWith({
      ...OLD,
      "in/policy.yaml": narrow,
      "old/policy.yaml": wide,
      "old/web.yaml": pool("web"),
    });
    const { stdout, exit } = await diff(folder, "in", "--against", "old", "-o", "github");
    expect(exit).toBe(1);
    expect(stdout).toBe(
      [
        "::notice file=in/policy.yaml,line=4,title=AutoNodePolicy default%3A tighter::AutoNodePolicy default",
        "%0Atighter: it admits less",
        `%0Akeeps out m5.large (${TYPES} m5.large), which this wrapper gets no more:`,
        "%0A  apiVersion: karpenter.hypershift.openshift.io/v1beta1%0A  kind: OpenshiftNodePool",
        "%0A  metadata:%0A    name: witness%0A  spec:%0A    template:%0A      spec:%0A        requirements:",
        `%0A        - key: ${TYPES}%0A          operator: In%0A          values:%0A          - m5.large`,
        "%0Atouches web (+0 −1 types)\n",
        "::warning file=in/policy.yaml,line=4,title=NodePool web%3A replaces-some::NodePool web: replaces the nodes that no longer fit",
        "%0Aover the catalogue of 2026-08: +0, −1 type (m5.large)",
        `%0Akeeps out m5.large: the policy's ${TYPES} In [m5.xlarge] (in/policy.yaml:4)`,
        "%0Ano latest time: drifted nodes are replaced as its budgets allow; each node expires 720h after its creation; without terminationGracePeriod, a pod that cannot be evicted keeps its node without a time limit",
        "%0Aprice an hour: cheapest $0.096 (m5.large) → $0.192 (m5.xlarge), median $0.096 (m5.large) → $0.192 (m5.xlarge), dearest $0.192 (m5.xlarge) (us-east-1, 2026-07)",
        '%0Aspec.template.spec.requirements[0].values: ["m5.large","m5.xlarge"] → ["m5.xlarge"]\n',
        'to keep the nodes of web: give the pool a budget {nodes: "0", reasons: [Drifted]} or give such a budget a schedule and a duration; see docs/change-without-replacing.md\n',
        "1 changed (replaces-some 1); no latest time (terminationGracePeriod is not set)\n",
        "1 pool changes · +0 −1 types\n",
      ].join(""),
    );
    await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder });
    expect((await diff(folder, "out", "--against", "old", "-o", "github")).stdout).toContain(
      "::warning file=out/nodepool-web.yaml,line=",
    );
  });

  it("compares hosted clusters one by one, also in earlier output", async () => {
    const files = (shop: string) => ({
      "shop/policy.yaml": shop,
      "shop/web.yaml": pool("web"),
      "other/policy.yaml": policy("clusters-other"),
      "other/web.yaml": pool("web"),
    });
    const old = folderWith(files(wide));
    const folder = folderWith(files(narrow));
    expect((await runAnp(["render", ".", "--output-dir", "out"], { cwd: old })).exit).toBe(0);
    cpSync(join(old, "out"), join(folder, ".out"), { recursive: true });
    for (const side of [old, ".out"]) {
      const ended = await diff(folder, ".", "--against", side, "-o", "json");
      const { changes: all } = JSON.parse(ended.stdout) as { changes: Change[] };
      expect(all.map(({ resource }) => resource)).toStrictEqual([
        { apiVersion: "karpenter.sh/v1", kind: "NodePool", name: "web", hostedCluster: "clusters-shop" },
      ]);
    }
    expect(
      changes(await diff(folder, ".", "--against", old, "-o", "json", "--hosted-cluster", "clusters-other")),
    ).toStrictEqual([]);
    expect((await runAnp(["render", ".", "--hosted-cluster", "clusters-other"], { cwd: old })).exit).toBe(0);
    addFiles(folder, { ".flat/x.yaml": (await runAnp(["render", "."], { cwd: folderWith(OLD), input: "" })).stdout });
    const unclear = await diff(folder, ".", "--against", ".flat");
    expect(unclear.exit).toBe(2);
    expect(unclear.stderr).toContain("select one with --hosted-cluster");
  });

  it("exits with 3 if a side does not render, and compares the rest of it", async () => {
    const custom = policy("clusters-shop", "[a]", "example.com/team");
    const bad = {
      "in/policy.yaml": custom,
      "in/web.yaml": pool("web", "[{key: a, operator: Exists}]"),
      "in/bad.yaml": outsider,
    };
    const old = { "old/policy.yaml": custom, "old/web.yaml": pool("web"), "old/bad.yaml": pool("outsider") };
    const folder = folderWith({ ...bad, ...old });
    const ended = await diff(folder, "in", "--against", "old", "-o", "json");
    expect(ended.exit).toBe(3);
    expect(ended.stderr).toContain("[policy-bypassed]");
    const { changes: all } = JSON.parse(ended.stdout) as { changes: Change[] };
    // The pool that does not render is neither removed nor added.
    expect(all.map(({ resource }) => resource.name)).toStrictEqual(["web"]);
    const back = await diff(folder, "old", "--against", "in", "-o", "json");
    expect([back.exit, (JSON.parse(back.stdout) as { changes: Change[] }).changes.length]).toStrictEqual([3, 1]);
    addFiles(folder, { "in/broken.yaml": "a: [" });
    expect(await diff(folder, "in", "--against", "old")).toMatchObject({ exit: 3, stdout: "" });
    expect(await diff(folder, "old", "--against", "in")).toMatchObject({ exit: 3, stdout: "" });
  });

  it("says if replacing never ends", async () => {
    const labelled = (requirements: string) =>
      pool("web", requirements).replace(
        "  template:\n",
        "  template:\n    metadata: {labels: {example.com/team: a}}\n",
      );
    const files = { "in/policy.yaml": wide, "in/web.yaml": labelled("[]") };
    const folder = repository(files, {
      "in/web.yaml": labelled("[{key: example.com/team, operator: NotIn, values: [a]}]"),
    });
    expect((await diff(folder, "in", "--against", "main")).stdout).toContain(
      "~ NodePool web  replaces all nodes, for ever\n",
    );
    const [change] = (JSON.parse((await againstMain(folder)).stdout) as { changes: unknown[] }).changes;
    expect(change).toMatchObject({ effect: "replaces-all", forever: true });
  });

  it("removes nothing with the gate off", async () => {
    const folder = folderWith({ ...OLD, "old/policy.yaml": wide, "old/web.yaml": pool("web") });
    const ended = await diff(folder, "in", "--against", "old", "-o", "json", "--feature-gates", "AutoNode=false");
    expect(changes(ended)).toStrictEqual([]);
  });
});

describe("anp diff of fields that only wrappers have", () => {
  const nodeClass = (spec: string) =>
    `apiVersion: karpenter.hypershift.openshift.io/v1\nkind: OpenshiftEC2NodeClass\nmetadata: {name: default}\nspec:\n  tags: {a: b}\n${spec}`;
  const OLD_CLASS = { ...OLD, "in/class.yaml": nodeClass("  version: 4.20.1\n  kubelet: {maxPods: 50}\n") };
  const NEW_CLASS = nodeClass("  version: 4.20.2\n  kubelet: {maxPods: 60, podPidsLimit: 4096}\n");

  it("shows it with the lines of the wrapper, each field once", async () => {
    const folder = repository(OLD_CLASS, { "in/class.yaml": NEW_CLASS });
    const { exit, stdout } = await diff(folder, "in", "--against", "main");
    expect({ exit, stdout }).toStrictEqual({
      exit: 1,
      stdout: `~ EC2NodeClass default  replaces all nodes
    no latest time: NodePool web: drifted nodes are replaced as its budgets allow; each node expires
    720h after its creation; without terminationGracePeriod, a pod that cannot be evicted keeps its
    node without a time limit
    spec:
      kubelet:
-       maxPods: 50  # in/class.yaml:7
+       maxPods: 60
+       podPidsLimit: 4096  # of the wrapper, in/class.yaml:7
-     version: 4.20.1  # of the wrapper, in/class.yaml:6
+     version: 4.20.2

to keep the nodes of web: make the change in a second pool with a higher weight, give the pool a
budget {nodes: "0", reasons: [Drifted]} or give such a budget a schedule and a duration; see
docs/change-without-replacing.md
1 changed (replaces-all 1); no latest time (terminationGracePeriod is not set)
`,
    });
    const [change] = (JSON.parse((await againstMain(folder)).stdout) as { changes: { fields: unknown }[] }).changes;
    expect(change?.fields).toStrictEqual([
      { path: "spec.kubelet.maxPods", from: 50, to: 60 },
      { path: "spec.kubelet.podPidsLimit", from: null, to: 4096, ofWrapper: true },
      { path: "spec.version", from: "4.20.1", to: "4.20.2", ofWrapper: true },
    ]);
    expect((await diff(folder, "in", "--against", "main", "-o", "markdown")).stdout).toContain(
      "\n+     podPidsLimit: 4096  # of the wrapper, in/class.yaml:7\n",
    );
  });

  it("says which fields rendered manifests cannot show", async () => {
    const folder = folderWith(OLD_CLASS);
    expect((await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder })).exit).toBe(0);
    const ended = await diff(folder, "in", "--against", "out");
    expect(ended).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr:
        "note: EC2NodeClass default: only one side has the wrapper, so it is unknown whether spec.version changes, which may replace all nodes\nno changes\n",
    });
  });
});

describe("anp diff of sides that hold nothing", () => {
  const deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}\n";
  const files = {
    ...OLD,
    "apps/a.yaml": deployment,
    "more/b.yaml": deployment,
    "text/README": "x",
    "bad/x.yaml": "a: [",
  };
  const NOTHING = "note: neither side holds an AutoNodePolicy, a wrapper or a NodePool\n";

  it.each([
    ["apps", "apps", `note: --against apps is the new side itself\n${NOTHING}no changes\n`],
    ["apps", "more", `${NOTHING}no changes\n`],
    ["apps/a.yaml", "apps/../more", `${NOTHING}no changes\n`],
    ["in", "./in/", "note: --against ./in/ is the new side itself\nno changes\n"],
    ["in", "apps/../in", "note: --against apps/../in is the new side itself\nno changes\n"],
  ])("compares %s with %s, and says how little that means", async (path, against, stderr) => {
    expect(await diff(folderWith(files), path, "--against", against)).toStrictEqual({ exit: 0, stdout: "", stderr });
  });

  it.each([
    [
      "apps",
      ["--against", "in"],
      "anp: apps holds no AutoNodePolicy and no wrapper, so there is nothing to compare\n  help: give the paths of the manifests that anp render takes\n",
    ],
    [
      "apps",
      ["--live"],
      "anp: apps holds no AutoNodePolicy and no wrapper, so there is nothing to compare\n  help: give the paths of the manifests that anp render takes\n",
    ],
    ["text", ["--against", "text"], /^note: .*\nerror: text holds no Kubernetes object \[input-empty\]/],
    ["bad", ["--against", "bad"], /is not valid YAML/],
  ])("exits with 3 for %s %j", async (path, args, says) => {
    const { exit, stdout, stderr } = await diff(folderWith(files), path, ...args);
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: "" });
    if (typeof says === "string") expect(stderr).toBe(says);
    else expect(stderr).toMatch(says);
  });

  it("shows everything as new if the old side had nothing of anp's", async () => {
    expect(changes(await diff(folderWith(files), "in", "--against", "apps", "-o", "json"))).toHaveLength(9);
  });

  it.each([
    ["text", "", ""],
    ["markdown", "**anp diff: the rendered objects are the same; 1 error keeps the rest from being compared**\n", ""],
  ])("says no changes in %s only if everything was compared", async (format, stdout, _stderr) => {
    const custom = policy("clusters-shop", "[a]", "example.com/team");
    const folder = folderWith({ "in/policy.yaml": custom, "in/bad.yaml": outsider, "in/web.yaml": pool("web") });
    cpSync(join(folder, "in"), join(folder, "old"), { recursive: true });
    rmSync(join(folder, "old/bad.yaml"));
    const ended = await diff(folder, "in", "--against", "old", "-o", format);
    expect({ exit: ended.exit, stdout: ended.stdout }).toStrictEqual({ exit: 3, stdout });
    expect(ended.stderr).not.toContain("no changes");
  });
});

describe("anp diff with node data", () => {
  const node = (kind: string, name: string, type: string, poolName: string) => ({
    apiVersion: kind === "Node" ? "v1" : "karpenter.sh/v1",
    kind,
    metadata: { name, labels: { "karpenter.sh/nodepool": poolName, [TYPES]: type } },
    ...(kind === "Node" ? {} : { status: { nodeName: `ip-${name}` } }),
  });
  const claims = ["m5.large", "m5.large", "m5.xlarge"].map((type, index) =>
    node("NodeClaim", `c${index}`, type, "web"),
  );
  const nodes = [
    node("Node", "ip-c0", "m5.large", "web"),
    node("Node", "alone", "m5.large", "web"),
    { apiVersion: "v1", kind: "Node", metadata: { name: "master" } },
  ];
  const list = { apiVersion: "v1", kind: "List", items: [...claims, ...nodes] };

  async function counted(budgets: string, data: string, ...args: string[]): Promise<unknown> {
    const web = `${pool("web")}  disruption: {consolidateAfter: 0s, budgets: ${budgets}}\n`;
    const folder = folderWith({
      "in/policy.yaml": narrow,
      "in/web.yaml": web,
      "old/policy.yaml": wide,
      "old/web.yaml": web,
      "nodes.json": data,
    });
    const { stdout } = await diff(
      folder,
      "in",
      "--against",
      "old",
      "-o",
      "json",
      "--node-data",
      "nodes.json",
      "--at",
      "2026-11-23T08:00:00Z",
      ...args,
    );
    return (JSON.parse(stdout) as { changes: { nodes: unknown }[] }).changes[0]?.nodes;
  }

  const OF_FOUR = ["alone", "c0", "c1"];

  it("counts nodes that no longer fit, once for a NodeClaim and its Node", async () => {
    const data = JSON.stringify(list);
    expect(await counted('[{nodes: "1"}]', data)).toStrictEqual({
      total: 4,
      affected: 3,
      minDuration: "15m0s",
      names: OF_FOUR,
    });
    expect(await counted('[{nodes: "2"}]', data, "--node-time", "90s")).toStrictEqual({
      total: 4,
      affected: 3,
      minDuration: "3m0s",
      names: OF_FOUR,
    });
    expect(await counted('[{nodes: "0"}]', data)).toStrictEqual({
      total: 4,
      affected: 3,
      minDuration: null,
      names: OF_FOUR,
    });
    expect(await counted('[{nodes: "0", schedule: "0 9 * * *", duration: 8h}]', data)).toStrictEqual({
      total: 4,
      affected: 3,
      minDuration: "5m0s",
      names: OF_FOUR,
    });
  });

  it("takes the dump that simulate reads, with pools and pods in it", async () => {
    const pods = [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "shop" }, spec: { nodeName: "n1" } },
    ];
    const pools = [{ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "web" }, spec: {} }];
    const dump = { ...list, items: [...pools, ...list.items, ...pods] };
    expect(await counted('[{nodes: "1"}]', JSON.stringify(dump))).toStrictEqual({
      total: 4,
      affected: 3,
      minDuration: "15m0s",
      names: OF_FOUR,
    });
  });

  it("reads YAML too, and reports data that is not node data", async () => {
    expect(await counted("[]", nodes.map((one) => JSON.stringify(one)).join("\n---\n"))).toStrictEqual({
      total: 2,
      affected: 2,
      minDuration: "5m0s",
      names: ["alone", "ip-c0"],
    });
    const folder = folderWith({
      ...OLD,
      "old/policy.yaml": narrow,
      "pod.yaml": "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
      "bad.json": "[",
    });
    const words = (file: string) => diff(folder, "in", "--against", "old", "--node-data", file);
    expect(await words("pod.yaml")).toMatchObject({ exit: 3, stdout: "" });
    expect((await words("pod.yaml")).stderr).toContain(
      "anp: pod.yaml holds neither NodeClaims nor Nodes\n  help: write it with kubectl get nodeclaims,nodes -o json\n",
    );
    expect(await words("bad.json")).toMatchObject({ exit: 3, stdout: "" });
    expect((await words("none.json")).stderr).toBe("anp: none.json does not exist\n");
  });
});

describe("options that need a cluster", () => {
  it("says that there is no kubeconfig", async () => {
    const folder = folderWith(OLD);
    const ended = await runAnp(["diff", "in", "--live"], { cwd: folder, env: { HOME: folder, KUBECONFIG: "" } });
    expect(ended).toMatchObject({
      exit: 4,
      stdout: "",
      stderr: expect.stringMatching(/^anp: no cluster is given: .*\n$/) as string,
    });
  });

  it("says that no server answers", async () => {
    const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: x}}]
contexts: [{name: c, context: {cluster: a, user: u}}]
current-context: c
`;
    const folder = folderWith({ ...OLD, kubeconfig });
    const live = (...args: string[]) =>
      runAnp(["diff", "in", "--live", "--kubeconfig", "kubeconfig", ...args], { cwd: folder });
    expect(await live()).toMatchObject({
      exit: 4,
      stdout: "",
      stderr: expect.stringMatching(/^anp: https:\/\/127\.0\.0\.1:1 cannot be reached: .*\n$/) as string,
    });
    expect((await live("--context", "d")).stderr).toBe("anp: the kubeconfig has no context d; it has c\n");
  });
});
