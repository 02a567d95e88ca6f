/** The repository of docs/fleet.md: its pipeline on a pull request, and its owners. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { filesOfPage } from "../../support/docs/page.ts";
import { runSteps, type Step } from "../../support/ci/github-runner.ts";
import { type Checkout, checkOut } from "../../support/ci/repository.ts";
import { policy, pool } from "../../support/process/inputs.ts";
import { buildOnce, ROOT } from "../../support/process/built.ts";
import { pathWith } from "../../support/process/programs.ts";

beforeAll(buildOnce);

const { "clusters/blog/pools/policy.yaml": ATTEMPT = "", ...SKELETON } = filesOfPage("docs/fleet.md");

interface Workflow {
  readonly jobs: { readonly manifests: { readonly steps: readonly { readonly with?: Record<string, string> }[] } };
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const ACTION = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as Action;

function pullRequest(checkout: Checkout) {
  const workflow = parse(SKELETON[".github/workflows/manifests.yml"] ?? "") as Workflow;
  const defaults = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]));
  const inputs = { ...defaults, ...workflow.jobs.manifests.steps[1]?.with };
  const github = {
    action_path: ROOT,
    event_name: "pull_request",
    event: { pull_request: { base: { sha: checkout.base } } },
  };
  const ended = runSteps(ACTION.runs.steps, { ...checkout, path: pathWith(), contexts: { inputs, github } });
  const diff = ended.outputs["diff"]?.["diff"];
  return { ...ended, changes: diff === undefined ? "" : readFileSync(diff, "utf8") };
}

describe("the pipeline", () => {
  it("passes, and reports the changes of every hosted cluster at once", () => {
    const after = {
      ...SKELETON,
      "clusters/blog/pools/db.yaml": pool("db", "[{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]"),
      "clusters/shop/pools/web.yaml": SKELETON["clusters/shop/pools/web.yaml"]!.replace("on-demand", "spot"),
    };
    const { changes, summary } = pullRequest(checkOut(after, SKELETON));
    expect(summary).not.toContain("error");
    expect(changes).toContain("clusters-blog NodePool db");
    expect(changes).toContain("clusters-shop NodePool web");
  });

  it.each<[what: string, file: string, text: string, code: string]>([
    ["a policy for another", "clusters/blog/pools/policy.yaml", ATTEMPT, "untrusted-policy"],
    ["a policy of its own", "clusters/blog/policy.yaml", policy("clusters-blog"), "untrusted-policy"],
    [
      "a RenderConfig for another",
      "clusters/blog/config.yaml",
      SKELETON["clusters/policies/shop/config.yaml"]!.replace("../../shop", "../blog"),
      "untrusted-policy",
    ],
    ["a wrapper in no cluster's folder", "clusters/wiki/web.yaml", pool(), "ambiguous-cluster"],
  ])("refuses %s", (_what, file, text, code) => {
    const { exit, stdout } = pullRequest(checkOut({ ...SKELETON, [file]: text }, SKELETON));
    expect([exit, stdout.split("\n").filter((line) => line.startsWith("::error"))]).toStrictEqual([
      1,
      [expect.stringContaining(`file=${file},line=1,col=1,title=${code}::`)],
    ]);
  });
});

/** The owner of the last line that matches, as GitHub and GitLab take it. */
function ownerOf(path: string): string | undefined {
  const lines = SKELETON["CODEOWNERS"]!.trim()
    .split("\n")
    .map((line) => line.split(/ +/));
  return lines.findLast(([pattern = ""]) => pattern === "*" || `/${path}`.startsWith(pattern))?.[1];
}

it("gives rules and pipeline to the platform, and each hosted cluster its wrappers", () => {
  const owners = Object.keys(SKELETON).map((path) => `${path} ${ownerOf(path)}`);
  expect(owners.toSorted()).toStrictEqual([
    ".github/workflows/manifests.yml @example/platform",
    "CODEOWNERS @example/platform",
    "clusters/blog/pools/web.yaml @example/blog",
    "clusters/policies/blog/config.yaml @example/platform",
    "clusters/policies/blog/policy.yaml @example/platform",
    "clusters/policies/shop/config.yaml @example/platform",
    "clusters/policies/shop/policy.yaml @example/platform",
    "clusters/shop/pools/web.yaml @example/shop",
  ]);
});
