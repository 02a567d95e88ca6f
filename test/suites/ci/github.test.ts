/** The GitHub action and workflow: their steps run in a shell as on a runner, in a shallow checkout. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addFiles } from "../../support/process/inputs.ts";
import { buildOnce, ROOT } from "../../support/process/built.ts";
import { ANP, pathWith } from "../../support/process/programs.ts";
import { filledIn } from "../../support/ci/expression.ts";
import { runSteps, type Step } from "../../support/ci/github-runner.ts";
import { CLEAN, ERROR, UNREADABLE, WARNING } from "../../support/ci/manifests.ts";
import { type Checkout, checkOut } from "../../support/ci/repository.ts";

beforeAll(buildOnce);

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Workflow {
  readonly jobs: { readonly anp: { readonly steps: readonly (Step & { readonly with?: Record<string, string> })[] } };
}

const read = (file: string): unknown => parse(readFileSync(join(ROOT, file), "utf8"));
const ACTION = read("action.yml") as Action;
const WORKFLOW = read("integrations/github/workflow.yml") as Workflow;
/** What the first step prints about the anp that these tests put on the PATH. */
const FOUND = "anp 0.1.0, as it is on the PATH\n";

/** A chart whose template only helm can read. */
const CHARTED = {
  "pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
  "pools/templates/pool.yaml": "{{ with .Values.a }}kind: NodePool{{ end }}\n",
  "prod.yaml": "a: 1\n",
};

const PUSH = { event_name: "push" };
const pullRequest = (base: string) => ({
  event_name: "pull_request",
  event: { pull_request: { base: { sha: base } } },
});

interface Setup {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly github?: object;
  readonly path?: string;
}

function run(checkout: Checkout, { inputs = {}, github = PUSH, path = pathWith() }: Setup = {}) {
  const defaults = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]));
  const contexts = {
    inputs: { ...defaults, ...inputs },
    github: { action_path: ROOT, ...github },
  };
  return runSteps(ACTION.runs.steps, { ...checkout, path, contexts });
}

interface Sarif {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
    }[];
  }[];
}

function sarifOf({ workspace }: Checkout, file = "anp.sarif"): string[] {
  const log = JSON.parse(readFileSync(join(workspace, file), "utf8")) as Sarif;
  return log.runs.flatMap(({ results }) =>
    results.map(
      ({ ruleId, locations }) =>
        `${ruleId} ${locations.map((each) => each.physicalLocation.artifactLocation.uri).join()}`,
    ),
  );
}

const MESSAGE =
  "OpenshiftNodePool web: no instance type satisfies the policy's `In [amd64]` on kubernetes.io/arch (clusters/a/policy.yaml:4) and `In [m7g]` on karpenter.k8s.aws/instance-family (clusters/a/web.yaml:8); the pool gets no new nodes";
const HELP = "change one of them; `anp explain` shows what each rules out (the catalogue is of 2026-08)";

describe("the action", () => {
  it("passes without findings", () => {
    const checkout = checkOut(CLEAN);
    expect(run(checkout, { inputs: { paths: "clusters" } })).toStrictEqual({
      exit: 0,
      step: "Verdict",
      stdout: FOUND,
      stderr: "",
      summary: "**anp: no findings**\n",
      outputs: { "step-0": {}, check: { "exit-code": "0", sarif: "anp.sarif" }, "step-3": {} },
    });
    expect(sarifOf(checkout)).toStrictEqual([]);
  });

  it("annotates, summarises and fails at a warning", () => {
    const checkout = checkOut(WARNING);
    expect(run(checkout, { inputs: { paths: "clusters" } })).toStrictEqual({
      exit: 1,
      step: "Verdict",
      stdout: `${FOUND}::warning file=clusters/a/web.yaml,line=8,col=92,title=pool-unsatisfiable::${MESSAGE}%0Ahelp: ${HELP}\n1 warning\n`,
      stderr: "",
      summary: `**anp: 1 warning**

#### 1 warning

| place | finding | code |
| --- | --- | --- |
| <code>clusters/a/web.yaml:8:92</code> | ${MESSAGE.replaceAll("`", "\\`").replaceAll(/[[\]]/g, String.raw`\$&`)}<br>*help:* ${HELP.replaceAll("`", "\\`")} | \`pool-unsatisfiable\` |
`,
      outputs: { "step-0": {}, check: { "exit-code": "1", sarif: "anp.sarif" }, "step-3": {} },
    });
    // GitHub finds files by paths from the root of the repository.
    expect(sarifOf(checkout)).toStrictEqual(["pool-unsatisfiable clusters/a/web.yaml"]);
  });

  it.each([
    ["error", "0"],
    ["info", "1"],
    ["never", "0"],
  ])("--fail-on %s", (failOn, code) => {
    const { exit, outputs } = run(checkOut(WARNING), { inputs: { paths: "clusters", "fail-on": failOn } });
    expect([exit, outputs["check"]]).toStrictEqual([Number(code), { "exit-code": code, sarif: "anp.sarif" }]);
  });

  it.each([
    ["an error", ERROR, "1"],
    ["input that cannot be read", UNREADABLE, "3"],
  ])("fails at %s", (_what, files, code) => {
    const { exit, outputs, stdout } = run(checkOut(files));
    expect([exit, outputs["check"]]).toStrictEqual([Number(code), { "exit-code": code, sarif: "anp.sarif" }]);
    expect(stdout).toMatch(/^::error file=clusters\/a\/web.yaml,/m);
  });

  it("passes its inputs on: several paths, another file, rules, a directory of policies, a baseline", () => {
    const checkout = checkOut({ ...WARNING, "with space/b.yaml": CLEAN["clusters/a/web.yaml"].replace("web", "b") });
    const accepted = { schemaVersion: 1, findings: [] };
    addFiles(checkout.workspace, { "accepted.json": JSON.stringify(accepted) });
    const inputs = {
      paths: "clusters/a\nwith space\n",
      sarif: "out.sarif",
      rules: "rosa",
      "policy-dir": "clusters",
      baseline: "accepted.json",
      "fail-on": "error",
    };
    const { exit, stdout } = run(checkout, { inputs });
    expect(exit).toBe(0);
    expect(stdout).toContain("file=clusters/a/web.yaml");
    expect(sarifOf(checkout, "out.sarif")).toContain("pool-unsatisfiable clusters/a/web.yaml");
  });

  it.each([
    ["a pull request from a fork", "o/fork", "auto", true],
    ["a pull request from a fork, if asked", "o/fork", "true", false],
    ["a pull request of the repository", "o/r", "auto", false],
    ["a pull request of the repository, if asked", "o/r", "false", true],
  ])("builds charts in %s, or does not", (_what, from, kustomize, isLeft) => {
    const checkout = checkOut(CHARTED);
    const pull = { base: { sha: "" }, head: { repo: { full_name: from } } };
    const github = { event_name: "pull_request", repository: "o/r", event: { pull_request: pull } };
    const { stdout } = run(checkout, { inputs: { kustomize, "helm-values": "prod.yaml", against: "none" }, github });
    expect(stdout.includes("--no-render is given")).toBe(isLeft);
  });

  it("takes no other word for whether charts are built", () => {
    const { exit, stdout } = run(checkOut(CHARTED), { inputs: { kustomize: "yes" } });
    expect([exit, stdout]).toStrictEqual([2, `${FOUND}::error title=anp::kustomize has to be true, false or auto\n`]);
  });

  it("runs no command that an input holds", () => {
    const checkout = checkOut(CLEAN);
    const { exit, outputs } = run(checkout, {
      inputs: { paths: "$(touch hacked)`touch hacked`; touch hacked\n--help" },
    });
    expect([exit, outputs["check"]?.["exit-code"]]).toStrictEqual([3, "3"]);
    expect(existsSync(join(checkout.workspace, "hacked"))).toBe(false);
  });

  it("reports wrong usage, and has no SARIF file then", () => {
    const { exit, outputs, stderr } = run(checkOut(CLEAN), { inputs: { "fail-on": "warnings" } });
    expect([exit, outputs["check"]]).toStrictEqual([2, { "exit-code": "2" }]);
    expect(stderr).toContain("--fail-on");
  });

  it("renders on request after the check has passed", () => {
    const checkout = checkOut(CLEAN);
    const { exit, step, stdout } = run(checkout, { inputs: { paths: "clusters", "render-to": "out put" } });
    expect([exit, step, stdout]).toStrictEqual([0, "Render", FOUND]);
    const rendered = readdirSync(join(checkout.workspace, "out put"));
    expect(rendered).toContain("nodepool-web.yaml");
    const refused = checkOut(WARNING);
    expect(run(refused, { inputs: { paths: "clusters", "render-to": "out" } }).step).toBe("Verdict");
    expect(existsSync(join(refused.workspace, "out"))).toBe(false);
  });

  it("only puts anp on the PATH if nothing else is requested", () => {
    const { exit, step, stdout } = run(checkOut(WARNING), { inputs: { "setup-only": "true", "render-to": "out" } });
    expect([exit, step, stdout]).toStrictEqual([0, "Provide anp", FOUND]);
  });

  it("has one output a name, whatever the names of files are", () => {
    const { exit, outputs } = run(checkOut(CLEAN), { inputs: { sarif: "a.sarif\nexit-code=0" } });
    expect([exit, outputs["check"]]).toStrictEqual([2, {}]);
  });
});

/** In a script an expression would be replaced before the shell reads any quotes. */
it.each([
  ["action.yml", ACTION.runs.steps],
  ["workflow.yml", WORKFLOW.jobs.anp.steps],
])("no script of %s holds an expression", (_file, steps) => {
  const scripts = steps.flatMap(({ run: script }) => (script === undefined ? [] : [script]));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((script) => script.includes("${{"))).toStrictEqual([]);
});

/** Lacks all objects, and fetches them with a command. */
const bareRepository = (marker: string) => {
  const files = {
    HEAD: `${"1".repeat(40)}\n`,
    config: `[core]\nrepositoryformatversion = 1\nbare = false\nworktree = .\n[extensions]\npartialClone = origin\n[remote "origin"]\nurl = .\npromisor = true\nuploadpack = "touch ${marker}; git-upload-pack"\n`,
    "objects/.keep": "",
    "refs/.keep": "",
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`clusters/${path}`, text]));
};

describe("the changes", () => {
  const changed = { ...CLEAN, "clusters/a/web.yaml": CLEAN["clusters/a/web.yaml"].replace("on-demand", "spot") };

  it("of a pull request are compared with its base, which the checkout does not have", () => {
    const checkout = checkOut(changed, CLEAN);
    const { exit, summary, outputs } = run(checkout, {
      github: pullRequest(checkout.base),
      inputs: { "fail-on": "error" },
    });
    expect(exit).toBe(0);
    const diff = readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8");
    expect(diff).toContain("NodePool");
    expect(diff).toContain("spot");
    expect(summary.endsWith(diff)).toBe(true);
  });

  it("are none if nothing has changed", () => {
    const checkout = checkOut(CLEAN);
    const { exit, outputs } = run(checkout, { github: pullRequest(checkout.base) });
    expect(exit).toBe(0);
    expect(readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8")).not.toContain("NodePool");
  });

  it("are compared with the base, even if the pull request holds files named like it", () => {
    const before = checkOut(changed, CLEAN);
    const { base } = before;
    // A folder with the name of the base and the present files, and one that git would take for a repository.
    const folders = Object.fromEntries(Object.entries(changed).map(([path, text]) => [`${base}/${path}`, text]));
    const marker = join(before.temporary, "marker");
    addFiles(before.workspace, { ...folders, ...bareRepository(marker), x: "" });
    const { exit, outputs } = run(before, { github: pullRequest(base), inputs: { paths: "clusters" } });
    expect(exit).toBe(0);
    expect(readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8")).toContain("spot");
    expect(existsSync(marker)).toBe(false);
  });

  it("are compared with a ref, and no option of git is one", () => {
    const checkout = checkOut(changed, CLEAN);
    const { exit } = run(checkout, {
      inputs: { paths: "clusters", against: "--upload-pack=touch hacked; git-upload-pack" },
    });
    expect(exit).not.toBe(0);
    expect(existsSync(join(checkout.workspace, "hacked"))).toBe(false);
  });

  it("are compared with the requested base, or not at all", () => {
    const checkout = checkOut(changed, CLEAN);
    const told = run(checkout, { inputs: { against: checkout.base } });
    expect(readFileSync(told.outputs["diff"]?.["diff"] ?? "", "utf8")).toContain("spot");
    const untold = run(checkout, { inputs: { against: "none" }, github: pullRequest(checkout.base) });
    expect(untold.outputs["diff"]).toBeUndefined();
  });

  it("have the reason in their place if a side does not render, which does not hide the findings", () => {
    const checkout = checkOut(UNREADABLE, CLEAN);
    const { exit, stdout, stderr, summary, outputs } = run(checkout, { github: pullRequest(checkout.base) });
    expect(exit).toBe(3);
    expect(stdout).toContain(`::warning title=anp diff::the changes against ${checkout.base} cannot be told\n`);
    expect(stderr).toContain("clusters/a/web.yaml:");
    const diff = readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8");
    const [title, blank, headline] = diff.split("\n");
    expect([title, blank, headline]).toStrictEqual([
      `**The changes against \`${checkout.base}\` cannot be told**`,
      "",
      "**anp: 1 error**",
    ]);
    expect(diff).toContain("| <code>clusters/a/web.yaml:");
    expect(summary.endsWith(diff)).toBe(true);
  });

  it("say which nodes are replaced and what it costs, if a dump of the nodes and a region are given", () => {
    const money = join(ROOT, "fixtures/cases/diff/money");
    const side = (folder: string) =>
      Object.fromEntries(
        ["policy.yaml", "pools.yaml"].map((name) => [name, readFileSync(join(money, folder, name), "utf8")]),
      );
    const checkout = checkOut(side("in"), side("old"));
    addFiles(checkout.workspace, { "nodes.json": readFileSync(join(money, "nodes.json"), "utf8") });
    const inputs = { "fail-on": "never", region: "us-east-1", "node-data": "nodes.json" };
    const { exit, outputs } = run(checkout, { github: pullRequest(checkout.base), inputs });
    expect(exit).toBe(0);
    const [headline] = readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8").split("\n");
    // When they are done depends on the time of the run.
    expect(headline).toMatch(/^\*\*anp diff: 2 pools change .* 3 of 6 nodes replaced.* at list price \(us-east-1, /);
  });

  it("use the given instance types, and so does the check", () => {
    const checkout = checkOut(changed, CLEAN);
    const inputs = { paths: "clusters", catalogue: "absent.json" };
    const { outputs, stderr } = run(checkout, { github: pullRequest(checkout.base), inputs });
    expect(outputs["check"]?.["exit-code"]).toBe("3");
    expect(stderr.match(/absent\.json/g)).toHaveLength(2);
    expect(readFileSync(outputs["diff"]?.["diff"] ?? "", "utf8")).toBe(
      `**The changes against \`${checkout.base}\` cannot be told**\n\nanp diff ended with 3; the log of the run says why.\n`,
    );
  });
});

describe("the workflow", () => {
  const step = (name: string) => WORKFLOW.jobs.anp.steps.find((each) => each.id === name || each.name === name)!;

  it("passes every input to the action, with the action's defaults when not called", () => {
    const given = step("anp").with!;
    const filled = Object.fromEntries(
      Object.entries(given).map(([name, text]) => [name, filledIn(text, { inputs: {} })]),
    );
    const own = new Set(["version", "base-url", "setup-only", "sarif", "render-to"]);
    const expected = Object.fromEntries(
      Object.entries(ACTION.inputs).flatMap(([name, input]) => (own.has(name) ? [] : [[name, input.default]])),
    );
    expect(filled).toStrictEqual(expected);
  });

  const comment = (existing: string) => {
    const checkout = checkOut(CLEAN);
    addFiles(checkout.workspace, { "diff.md": "the changes\n" });
    const gh = `echo "gh $*" >> gh.log; case "$*" in *--jq*) printf '${existing}' ;; esac; case "$*" in *body=@*) cat "\${*##*@}" >> gh.log ;; esac`;
    const contexts = {
      github: { event_name: "pull_request", token: "t", repository: "o/r", event: { pull_request: { number: 7 } } },
      steps: {},
    };
    const { if: _condition, ...rest } = step("Comment the changes");
    const env = { ...rest.env, DIFF: "diff.md" };
    const path = pathWith({ anp: ANP, gh });
    const { exit } = runSteps([{ ...rest, env }], { ...checkout, path, contexts });
    expect(exit).toBe(0);
    return readFileSync(join(checkout.workspace, "gh.log"), "utf8").replaceAll(checkout.temporary, "TMP");
  };
  const FILTER = `.[] | select(.user.login == "github-actions[bot]" and (.body | startswith("<!-- anp diff -->"))) | .id`;
  const LOOKED = `gh api --paginate repos/o/r/issues/7/comments --jq ${FILTER}\n`;
  const BODY = "-F body=@TMP/anp-comment.md\n<!-- anp diff -->\nthe changes\n";

  it("writes one comment", () => {
    expect(comment("")).toBe(`${LOOKED}gh api --silent --method POST repos/o/r/issues/7/comments ${BODY}`);
  });

  it("replaces it afterwards", () => {
    expect(comment(String.raw`42\n`)).toBe(
      `${LOOKED}gh api --silent --method PATCH repos/o/r/issues/comments/42 ${BODY}`,
    );
  });

  // gh has its own jq; the filter is the same to both.
  it.skipIf(spawnSync("jq", ["--version"]).error !== undefined)("leaves the comments of others alone", () => {
    const by = (login: string, id: number, body = "<!-- anp diff -->\nmine") => ({ id, body, user: { login } });
    const comments = [
      by("mallory", 1),
      by("github-actions", 2),
      by("dependabot[bot]", 3),
      by("github-actions[bot]", 4, "another workflow's"),
      by("github-actions[bot]", 5),
    ];
    const found = spawnSync("jq", [FILTER], { input: JSON.stringify(comments), encoding: "utf8" });
    expect([found.stdout, found.stderr]).toStrictEqual(["5\n", ""]);
  });
});
