/** The GitLab jobs: their scripts in the shells of runners, and reports that GitLab can read. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { addFiles } from "../../support/process/inputs.ts";
import { ANP, pathWith } from "../../support/process/programs.ts";
import { CLEAN, ERROR, UNREADABLE, WARNING } from "../../support/ci/manifests.ts";
import { type Checkout, checkOut } from "../../support/ci/repository.ts";

beforeAll(buildOnce);

interface Job {
  readonly script: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly reports?: Readonly<Record<string, string>> };
}

type Pipeline = Readonly<Record<"anp-check" | "anp-diff", Job>> & {
  readonly variables: Readonly<Record<string, string>>;
};

const PIPELINE = parse(readFileSync(join(ROOT, "integrations/gitlab/.gitlab-ci.yml"), "utf8")) as Pipeline;

/** As a runner calls them; an image may lack bash. */
const SHELLS = [
  ["bash", "-eo", "pipefail"],
  ["sh", "-e"],
] as const;

function run(
  job: "anp-check" | "anp-diff",
  { workspace }: Checkout,
  variables: Record<string, string> = {},
  shell = 0,
) {
  const [program, ...options] = SHELLS[shell]!;
  const path = pathWith({ anp: ANP, node: `exec "${NODE}" "$@"` });
  const { status, stdout, stderr } = spawnSync(program, [...options, "-c", PIPELINE[job].script.join("\n")], {
    encoding: "utf8",
    cwd: workspace,
    env: { ...process.env, ...PIPELINE.variables, ANP_PATHS: "clusters", ...variables, PATH: path },
  });
  return { exit: status, stdout, stderr };
}

const report = ({ workspace }: Checkout, name: string): string =>
  readFileSync(join(workspace, PIPELINE["anp-check"].artifacts.reports![name]!), "utf8");

const MESSAGE =
  "OpenshiftNodePool web: no instance type satisfies the policy's `In [amd64]` on kubernetes.io/arch (clusters/a/policy.yaml:4) and `In [m7g]` on karpenter.k8s.aws/instance-family (clusters/a/web.yaml:8); the pool gets no new nodes";
const HINT = "change one of them; `anp explain` shows what each rules out (the catalogue is of 2026-08)";

describe.each(SHELLS.map(([name], index) => [name, index] as const))("anp-check in %s", (_name, shell) => {
  it("passes without findings", () => {
    const checkout = checkOut(CLEAN);
    expect(run("anp-check", checkout, {}, shell)).toStrictEqual({ exit: 0, stdout: "", stderr: "no findings\n" });
    expect(report(checkout, "codequality")).toBe("[]\n");
    expect(report(checkout, "junit")).toContain('tests="1" failures="0"');
  });

  it.each([
    ["from a fork", "o/fork", "auto", true],
    ["from a fork, if asked", "o/fork", "true", false],
    ["of the project", "o/r", "auto", false],
    ["of the project, if asked", "o/r", "false", true],
  ])("builds charts in a merge request %s, or does not", (_what, from, kustomize, isLeft) => {
    const charted = {
      "clusters/pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
      "clusters/pools/templates/pool.yaml": "{{ with .Values.a }}kind: NodePool{{ end }}\n",
      "prod.yaml": "a: 1\n",
    };
    const variables = {
      ANP_KUSTOMIZE: kustomize,
      ANP_HELM_VALUES: "prod.yaml",
      CI_MERGE_REQUEST_PROJECT_PATH: "o/r",
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: from,
    };
    const { stderr, stdout } = run("anp-check", checkOut(charted), variables, shell);
    expect(`${stdout}${stderr}`.includes("--no-render is given")).toBe(isLeft);
  });

  it("names the hosted cluster of a finding, if there are several", () => {
    const checkout = checkOut({
      ...WARNING,
      "clusters/b/policy.yaml": CLEAN["clusters/a/policy.yaml"].replace("clusters-a", "clusters-b"),
      "clusters/b/web.yaml": CLEAN["clusters/a/web.yaml"],
    });
    expect(run("anp-check", checkout, {}, shell).exit).toBe(1);
    expect(JSON.parse(report(checkout, "codequality"))).toMatchObject([
      { description: `clusters-a: ${MESSAGE} (${HINT})` },
    ]);
    expect(report(checkout, "junit")).toContain("clusters-a: OpenshiftNodePool web");
  });

  it("reports a warning and fails", () => {
    const checkout = checkOut(WARNING);
    const { exit, stdout } = run("anp-check", checkout, {}, shell);
    expect(exit).toBe(1);
    expect(stdout).toContain("[pool-unsatisfiable]");
    expect(JSON.parse(report(checkout, "codequality"))).toStrictEqual([
      {
        description: `${MESSAGE} (${HINT})`,
        check_name: "pool-unsatisfiable",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        severity: "major",
        location: { path: "clusters/a/web.yaml", lines: { begin: 8 } },
      },
    ]);
    expect(report(checkout, "junit")).toContain('tests="1" failures="1"');
    for (const path of PIPELINE["anp-check"].artifacts.paths)
      expect(existsSync(join(checkout.workspace, path))).toBe(true);
  });
});

describe("anp-check", () => {
  it.each([
    ["an error", ERROR, 1, "critical"],
    ["input that cannot be read", UNREADABLE, 3, "critical"],
  ])("fails at %s", (_what, files, exit, severity) => {
    const checkout = checkOut(files);
    expect(run("anp-check", checkout).exit).toBe(exit);
    expect((JSON.parse(report(checkout, "codequality")) as { severity: string }[])[0]?.severity).toBe(severity);
  });

  it("takes the variables", () => {
    const checkout = checkOut(CLEAN);
    const variables = {
      ANP_FAIL_ON: "error",
      ANP_RULES: "rosa",
      ANP_POLICY_DIR: "clusters/a",
      ANP_PATHS: "clusters/a clusters",
    };
    expect(run("anp-check", checkout, variables).exit).toBe(0);
    expect(report(checkout, "codequality")).toContain('"rosa-');
  });

  it("keeps a fingerprint when lines move, and all fingerprints differ", () => {
    const fingerprints = (text: string): string[] => {
      const checkout = checkOut({ ...WARNING, "clusters/a/web.yaml": text });
      run("anp-check", checkout);
      return (JSON.parse(report(checkout, "codequality")) as { fingerprint: string }[]).map((each) => each.fingerprint);
    };
    const web = WARNING["clusters/a/web.yaml"];
    const both = `${web}---\n${web.replace("name: web", "name: api")}`;
    const before = fingerprints(both);
    expect(new Set(before).size).toBe(2);
    expect(fingerprints(`# moved\n\n${both}`)).toStrictEqual(before);
  });

  it("does not read its own reports as manifests", () => {
    const checkout = checkOut(CLEAN);
    const first = run("anp-check", checkout, { ANP_PATHS: "." });
    expect(first.exit).toBe(0);
    expect(run("anp-check", checkout, { ANP_PATHS: "." })).toStrictEqual(first);
  });

  it("reports wrong usage", () => {
    const { exit, stderr } = run("anp-check", checkOut(CLEAN), { ANP_FAIL_ON: "warnings" });
    expect(exit).toBe(2);
    expect(stderr).toContain("--fail-on");
  });
});

describe("anp-diff", () => {
  const spot = { ...CLEAN, "clusters/a/web.yaml": CLEAN["clusters/a/web.yaml"].replace("on-demand", "spot") };
  const diff = (after: Readonly<Record<string, string>>) => {
    const checkout = checkOut(after, CLEAN);
    // The job fetches the whole history.
    spawnSync("git", ["fetch", "--quiet", "--unshallow"], { cwd: checkout.workspace });
    const ended = run("anp-diff", checkout, { CI_MERGE_REQUEST_DIFF_BASE_SHA: checkout.base });
    return { ...ended, markdown: readFileSync(join(checkout.workspace, "anp-diff.md"), "utf8") };
  };

  it("is yellow when something changes", () => {
    const { exit, stdout, markdown } = diff(spot);
    expect(exit).toBe(1);
    expect(stdout).toContain("spot");
    expect(markdown).toContain("spot");
  });

  it("is not misled by a folder with the name of the base, or by a link with the name of its file", () => {
    const checkout = checkOut(spot, CLEAN);
    spawnSync("git", ["fetch", "--quiet", "--unshallow"], { cwd: checkout.workspace });
    const folders = Object.fromEntries(Object.entries(spot).map(([path, text]) => [`${checkout.base}/${path}`, text]));
    addFiles(checkout.workspace, { ...folders, "kept.txt": "kept" });
    symlinkSync("kept.txt", join(checkout.workspace, "anp-diff.md"));
    expect(run("anp-diff", checkout, { CI_MERGE_REQUEST_DIFF_BASE_SHA: checkout.base }).exit).toBe(1);
    expect(readFileSync(join(checkout.workspace, "anp-diff.md"), "utf8")).toContain("spot");
    expect(readFileSync(join(checkout.workspace, "kept.txt"), "utf8")).toBe("kept");
  });

  it("is green if nothing changes", () => {
    const { exit, stdout, stderr } = diff(CLEAN);
    expect({ exit, stdout, stderr }).toStrictEqual({ exit: 0, stdout: "", stderr: "no changes\n" });
  });

  it("is red if a side does not render", () => {
    expect(diff(UNREADABLE)).toMatchObject({ exit: 3, stdout: "", markdown: "" });
  });
});
