/** Charts that mean harm, and charts under a policy, with a real helm. */
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runnerWithHelm } from "../../support/helm/with-helm.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const run = runnerWithHelm();

type Files = Record<string, string>;

const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: {{ .Values.name | default "web" }}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      terminationGracePeriod: 24h
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: {{ .Values.types | default (list "on-demand") | toJson }}}
`;
const CHART = "apiVersion: v2\nname: pools\nversion: 0.1.0\n";
const WITH_DEPENDENCY = `${CHART}dependencies: [{name: a, version: 1.0.0, repository: "https://example.com"}]\n`;
const BASE: Files = { "pools/Chart.yaml": CHART, "pools/templates/pool.yaml": POOL };
const T = "pools/templates/more.yaml";

async function answer(files: Files, more: (folder: string) => void = () => {}, seconds = 600): Promise<string> {
  const folder = folderWith({ ...BASE, ...files });
  more(folder);
  const { stdout } = await run(0, folder, ["check", "."], seconds);
  return stdout;
}

const unbuilt = (text: string): string => /^(.*)\[chart-unbuilt\]$/m.exec(text)?.[1] ?? text;

describe("hostile charts", () => {
  it.each<[string, Files, RegExp, number?]>([
    ["an action that asks the network", { [T]: '{{ getHostByName "example.com" }}' }, /names getHostByName/],
    [
      "a template of a dependency elsewhere",
      { "pools/Chart.yaml": WITH_DEPENDENCY, [T]: '{{ include "a.names" . }}' },
      /its dependency a is not in charts\/, and anp fetches nothing/,
    ],
    [
      "an endless range",
      { [T]: "{{ range until 2000000000 }}x{{ end }}" },
      /helm (?:did not end|says|was ended|wrote)/,
    ],
    ["a huge text", { [T]: '{{ repeat 1000000000 (repeat 100 "x") }}' }, /helm (?:did not end|says|was ended|wrote)/],
    [
      "templates that double a text",
      { [T]: '{{ $x := "x" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ $x }}' },
      /helm (?:did not end|says|was ended|wrote)/,
    ],
    ["more than anp reads", { [T]: `a: {{ repeat 70000000 "x" }}` }, /wrote more than anp reads/, 600],
    [
      "templates that include themselves",
      { [T]: '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}' },
      /helm/,
    ],
    ["broken templates", { [T]: "{{ if }}" }, /helm says: /],
  ])("with %s are not rendered", async (_what, files, why, seconds = 5) => {
    const text = unbuilt(await answer(files, () => {}, seconds));
    expect(text).toMatch(/^pools\/Chart\.yaml: info: is not rendered/);
    expect(text).toMatch(why);
  });

  it("with a dependency elsewhere are rendered without it, and this is said", async () => {
    const text = await answer({ "pools/Chart.yaml": WITH_DEPENDENCY });
    expect(text).toContain("is built with helm");
    expect(text).toContain("NodePool web");
    expect(unbuilt(text)).toBe(
      "pools/Chart.yaml: info: its dependency a is not in charts/, and anp fetches nothing: what it adds is not in the answer ",
    );
  });

  it("with links are not rendered", async () => {
    const text = await answer({}, (folder) => symlinkSync("/etc/hostname", join(folder, "pools/templates/a.txt")));
    expect(unbuilt(text)).toContain("it holds the link templates/a.txt, and links are not followed");
  });

  it("read no files but their own", async () => {
    const read = (path: string) =>
      `{{ .Files.Get "${path}" }}{{ range $p, $_ := .Files.Glob "${path}" }}{{ $p }}{{ end }}`;
    const label = ["../secret.txt", "../../secret.txt", "/etc/passwd"].map(read).join("");
    const text = await answer({
      "secret.txt": "s3cr3t",
      [T]: `${POOL}---\n# found ${label}\na: {{ fail (print "f" (.Files.Get "../secret.txt") "f") }}`,
    });
    expect(unbuilt(text)).toMatch(/helm says: .*ff/);
  });

  it("make no request for a schema of their values", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end("{}");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const schema = `{"$ref": "http://127.0.0.1:${(server.address() as AddressInfo).port}/a"}`;
    const text = await answer({ "pools/values.schema.json": schema, "pools/values.yaml": "a: 1\n" });
    expect([text.includes("is built with helm"), asked]).toStrictEqual([true, []]);
  });

  it("find no objects of a cluster, and have no words that become options", async () => {
    const text = await answer({
      "pools/Chart.yaml": CHART.replace("pools", '"--post-renderer=touch"'),
      [T]: `a: {{ lookup "v1" "Secret" "default" "" | toJson }}\n`,
    });
    expect(text).toMatch(/is (?:built with|not rendered.*helm says)/);
  });

  it("find neither variables nor programs of the user", async () => {
    const folder = folderWith({ ...BASE, "bin/helm": "#!/bin/sh\n/usr/bin/env >&2\nexit 1\n" });
    chmodSync(join(folder, "bin/helm"), 0o755);
    const env = {
      PATH: join(folder, "bin"),
      AWS_SECRET_ACCESS_KEY: "s3cr3t",
      HELM_PLUGINS: "/plugins",
      KUBECONFIG: "/k",
    };
    const { stdout } = await runAnp(["check", "pools"], { cwd: folder, env });
    expect(unbuilt(stdout)).toContain("helm says");
    expect(stdout).not.toMatch(/s3cr3t|HELM_|KUBECONFIG/);
  });
});

describe("charts", () => {
  it.each([0, 1])("have hooks, which are objects too, turn %i", async (turn) => {
    const hook = POOL.replace("}}}\nspec", '}}, annotations: {"helm.sh/hook": post-install}}\nspec').replace(
      "web",
      "hook",
    );
    const { stdout } = await run(turn, folderWith({ ...BASE, [T]: hook }), ["get", "nodepools", "."]);
    expect(stdout).toMatch(/hook/);
  });

  it("of type library are passed over", async () => {
    const text = await answer({ "pools/Chart.yaml": `${CHART}type: library\n` });
    expect(text).not.toMatch(/built with|not rendered/);
  });

  it("without one of our kinds are passed over unrendered", async () => {
    const { stdout } = await run(
      0,
      folderWith({ "a/Chart.yaml": CHART, "a/templates/a.yaml": "a: {{ .Values.a }}\n", "p.yaml": "a: 1\n" }),
      ["check", "."],
    );
    expect(stdout).not.toMatch(/built with|not rendered/);
  });
});

const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: clusters-shop}
spec:
  nodePoolDefaults:
    requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
`;

describe("a policy", () => {
  const judged = async (files: Files, ...more: string[]) => {
    const folder = folderWith({ ...BASE, ...files, "policy.yml.txt": POLICY });
    const { exit, stdout } = await run(1, folder, ["check", ".", "--policy", "policy.yml.txt", ...more]);
    return [
      exit,
      ...new Set([...stdout.matchAll(/\[(outside-policy|chart-unbuilt|file-skipped)\]$/gm)].map(([, code]) => code)),
    ];
  };

  it("is compared with what a chart makes", async () => {
    expect((await judged({})).slice(0, 2)).toStrictEqual([0, "file-skipped"]);
    expect(await judged({ "pools/values.yaml": "types: [spot]\n" })).toContain("outside-policy");
    expect(await judged({ "prod.yaml": "types: [spot]\n" }, "--values", "prod.yaml")).toContain("outside-policy");
  });

  it("is compared with a chart that hides its kinds", async () => {
    const hidden = POOL.replace("NodePool", '{{ printf "Node%s" "Pool" }}')
      .replace("karpenter.sh/v1", '{{ printf "kar%s" "penter.sh/v1" }}')
      .replaceAll("karpenter", '{{ "kar" }}{{ "penter" }}')
      .replace('"on-demand"', '"spot"');
    expect(await judged({ [T]: hidden })).toContain("outside-policy");
  });

  it("is not met by a chart that cannot be rendered", async () => {
    const other = { "other/Chart.yaml": CHART, "other/templates/a.yaml": 'a: {{ required "b" .Values.b }}\n' };
    const [exit, ...codes] = await judged(other);
    expect([exit === 0, codes.includes("chart-unbuilt")]).toStrictEqual([false, true]);
  });
});

describe("where nothing is run", () => {
  it.each([
    ["render", ["render", "."]],
    ["cmp", ["cmp", "generate"]],
    ["--no-render", ["check", ".", "--no-render"]],
  ])("%s starts no program", async (_what, args) => {
    const folder = folderWith({ ...BASE, "bin/helm": "#!/bin/sh\n/usr/bin/touch ran-it\n" });
    chmodSync(join(folder, "bin/helm"), 0o755);
    await runAnp(args, { cwd: folder, env: { PATH: join(folder, "bin") } });
    expect(existsSync(join(folder, "ran-it"))).toBe(false);
  });
});
