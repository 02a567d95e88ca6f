/** Charts that a HelmRelease of Flux or an Application of Argo CD installs, with a real helm. */
import { describe, expect, it } from "vitest";
import { runnerWithHelm } from "../../support/helm/with-helm.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";

const run = runnerWithHelm();

type Files = Record<string, string>;

const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: "{{ .Release.Name }}-{{ .Release.Namespace }}"}
spec:
  weight: {{ .Values.weight }}
  limits: {cpu: {{ .Values.cpu | quote }}}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      terminationGracePeriod: 24h
      requirements: []
`;
const CHART: Files = {
  "charts/pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
  "charts/pools/templates/pool.yaml": POOL,
  "charts/pools/values.yaml": "weight: 1\ncpu: 10\n",
  "charts/pools/values-prod.yaml": "weight: 2\n",
};
const FLUX = (name: string, spec: string, more = ""): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: karpenter
  releaseName: ${name}
  chart:
    spec:
      chart: ./charts/pools
      sourceRef: {kind: GitRepository, name: flux-system}
${more}${spec}`;
const ARGO = (name: string, helm: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  destination: {namespace: karpenter}
  source:
    repoURL: https://example.com/repo
    path: charts/pools
    helm:
${helm}`;

const poolsIn = async (files: Files, turn = 0, path = "."): Promise<string[]> => {
  const folder = repository({ ...CHART, ...files });
  const { stdout, stderr } = await run(turn, folder, ["get", "nodepools", path, "-o", "json"]);
  const all = JSON.parse(stdout) as { pools?: unknown[] };
  expect(stderr).not.toMatch(/error/);
  return [...JSON.stringify(all).matchAll(/"name":"([\w-]+)"/g)].map(([, name]) => name!).toSorted();
};

describe("a chart of the repository", () => {
  it.each([0, 1])("is rendered once for each release, and not by itself, turn %i", async (turn) => {
    const names = await poolsIn(
      {
        "clusters/a.yaml": FLUX("blue", "  values: {weight: 3}\n"),
        "clusters/b.yaml": ARGO("green", "      values: |\n        weight: 4\n"),
      },
      turn,
    );
    expect(names.filter((name) => /karpenter/.test(name))).toStrictEqual(["blue-karpenter", "green-karpenter"]);
    expect(names.some((name) => name.startsWith("pools-"))).toBe(false);
  });

  it("is found from a folder of the repository that does not hold it", async () => {
    const names = await poolsIn(
      { "clusters/prod/karpenter/a.yaml": FLUX("blue", "  values: {weight: 3}\n") },
      0,
      "clusters/prod/karpenter",
    );
    expect(names).toContain("blue-karpenter");
  });
});

describe("values of a release", () => {
  it.each<[string, Files, string]>([
    ["a HelmRelease", { "a.yaml": FLUX("blue", "  values:\n    weight: 101\n") }, "a.yaml:13"],
    [
      "files of a HelmRelease",
      {
        "a.yaml": FLUX("blue", "", "      valuesFiles: [charts/pools/values.yaml, charts/pools/values-prod.yaml]\n"),
        "charts/pools/values-prod.yaml": "weight: 102\n",
      },
      "charts/pools/values-prod.yaml:1",
    ],
    [
      "an Application's text",
      { "a.yaml": ARGO("green", "      values: |\n        cpu: 1\n        weight: 103\n") },
      "a.yaml:12",
    ],
    ["an Application's object", { "a.yaml": ARGO("green", "      valuesObject:\n        weight: 104\n") }, "a.yaml:11"],
    [
      "files of an Application",
      {
        "a.yaml": ARGO("green", "      valueFiles: [values-prod.yaml, ../../prod.yaml]\n"),
        "prod.yaml": "cpu: 3\nweight: 105\n",
      },
      "prod.yaml:2",
    ],
    [
      "the chart",
      {
        "a.yaml": ARGO("green", "      valueFiles: [more.yaml]\n      ignoreMissingValueFiles: true\n"),
        "charts/pools/values.yaml": "cpu: 3\nweight: 106\n",
      },
      "charts/pools/values.yaml:2",
    ],
    [
      "parameters",
      { "a.yaml": ARGO("green", '      parameters: [{name: weight, value: "107"}]\n') },
      "charts/pools/templates/pool.yaml:5",
    ],
  ])("of %s are the place of a finding", async (_what, files, place) => {
    const { stdout } = await run(0, repository({ ...CHART, ...files }), ["check", "."]);
    expect(stdout).toMatch(
      new RegExp(`^${place}:\\d+: error: NodePool (?:blue|green)-karpenter: .spec.weight. must be at most 100`, "m"),
    );
  });

  it.each<[string, string, RegExp]>([
    ["of another repository", ARGO("green", "      valueFiles: [$other/a.yaml]\n"), /is in another repository/],
    ["of an address", ARGO("green", "      valueFiles: ['https://example.com/a.yaml']\n"), /is not in the repository/],
    [
      "outside of the repository",
      ARGO("green", "      valueFiles: [../../../../../../etc/passwd]\n"),
      /is not in the repository/,
    ],
    [
      "of the system",
      ARGO("green", "      valueFiles: [/etc/passwd]\n"),
      /charts\/pools\/etc\/passwd|is not in the repository/,
    ],
    ["that are missing", ARGO("green", "      valueFiles: [none.yaml]\n"), /takes values of charts\/pools\/none\.yaml/],
    [
      "with files as parameters",
      ARGO("green", "      fileParameters: [{name: a, path: /etc/passwd}]\n"),
      /has fileParameters/,
    ],
    [
      "with an option as a name",
      ARGO("--post-renderer=x", "      values: ''\n"),
      /has a name or namespace that Helm does not take/,
    ],
    ["with post-renderers", FLUX("blue", "  postRenderers: [{kustomize: {}}]\n"), /has postRenderers/],
  ])("%s are told, and nothing is rendered", async (_what, text, why) => {
    const { stdout } = await run(0, repository({ ...CHART, "a.yaml": text }), ["check", "."]);
    const [, told = stdout] = /^a\.yaml: info: is not rendered(.*)\[chart-unbuilt\]$/m.exec(stdout) ?? [];
    expect(told).toMatch(why);
  });

  it("that come from a Secret are named", async () => {
    const text = FLUX("blue", "  valuesFrom: [{kind: Secret, name: pools}]\n");
    const { stdout } = await run(0, repository({ ...CHART, "a.yaml": text }), ["check", "."]);
    expect(stdout).toMatch(
      /HelmRelease blue takes values from Secret pools, which are not in the answer \[chart-unbuilt\]/,
    );
  });

  it("are in the diff, at their line", async () => {
    const files = { ...CHART, "a.yaml": FLUX("blue", "  values:\n    weight: 5\n") };
    const folder = repository(files, { ...files, "a.yaml": FLUX("blue", "  values:\n    weight: 6\n") });
    const { exit, stdout } = await run(0, folder, ["diff", ".", "--against", "main"]);
    expect([exit, stdout.includes("a.yaml:13")]).toStrictEqual([1, true]);
  });
});

describe("a release without helm", () => {
  it("is told with the command to run", async () => {
    const folder = folderWith({ ...CHART, "a.yaml": FLUX("blue", "  values: {weight: 3}\n") });
    const { stdout } = await run(0, folder, ["check", ".", "--no-render"]);
    expect(stdout).toMatch(
      /^a\.yaml: info: is not rendered.*--no-render is given \[chart-unbuilt\]\n {2}help: helm template/m,
    );
  });
});
