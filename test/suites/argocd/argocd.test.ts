/** anp inside the real argocd-cmp-server: the requests of argocd-repo-server, and the errors that users see. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { anp, buildOnce, QUICKSTART, ROOT } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool, rawPool } from "../../support/process/inputs.ts";
import { type Answer, type Asked, CmpServer } from "../../support/argocd/cmp-server.ts";

const INTEGRATION = join(ROOT, "integrations/argocd");

/** The Application that the integration shows as its example, without its folder in another repository. */
const EXAMPLE = (
  parse(readFileSync(join(INTEGRATION, "application.yaml"), "utf8")) as { spec: { source: { plugin: unknown } } }
).spec.source.plugin;

const quickstart: Asked = { repository: QUICKSTART, application: "." };

/** An Application in `apps/shop` of a repository with these files. */
const repository = (files: Readonly<Record<string, string>>, plugin: unknown = {}): Asked => ({
  repository: folderWith(files),
  application: "apps/shop",
  plugin,
});

const parameters = (...list: readonly unknown[]) => ({ name: "anp", parameters: list });

describe("the plugin", { timeout: 120_000 }, () => {
  let server: CmpServer;

  // The first build takes some minutes.
  beforeAll(async () => {
    await buildOnce();
    server = await CmpServer.start(join(INTEGRATION, "plugin.yaml"));
  }, 1_200_000);

  afterAll(() => server.stop());

  const manifests = (asked: Asked): Manifest[] => manifestsOf(server, asked);

  test("is chosen by its name, without discovery", () => {
    expect(server.ask("CheckPluginConfiguration", quickstart).value).toStrictEqual({});
    expect(server.ask("MatchRepository", quickstart).value).toStrictEqual({});
  });

  test("renders the same as anp render", () => {
    expect(manifests(quickstart)).toStrictEqual(rendered([QUICKSTART]));
  });

  test("follows the parameters of the example Application", () => {
    const args = ["users", "--policy-dir", "provider", "--hosted-cluster", "clusters-shop", "--require-policy"];
    expect(manifests({ ...quickstart, plugin: EXAMPLE })).toStrictEqual(rendered(args, QUICKSTART));
  });

  test("follows the environment of an Application", () => {
    const files = { "apps/shop/a.yaml": policy("clusters-a"), "apps/shop/b/b.yaml": pool() };
    const env = [
      { name: "PATHS_0", value: "a.yaml" },
      { name: "PATHS_1", value: "b" },
    ];
    const asked = repository(files, { env });
    expect(manifests(asked)).toStrictEqual(rendered([join(asked.repository, "apps/shop")]));
  });

  test("reads a policy from elsewhere in the repository", () => {
    const files = { "policies/policy.yaml": policy("clusters-shop", "[arm64]"), "apps/shop/pool.yaml": pool() };
    const asked = repository(files, parameters({ name: "policy-dir", string: "../../policies" }));
    expect(JSON.stringify(manifests(asked))).toContain("arm64");
  });

  test("refuses NodePools that users write, whatever the Application says", () => {
    const files = { "apps/shop/policy.yaml": policy(), "apps/shop/pool.yaml": rawPool() };
    const asked = repository(files, parameters({ name: "node-pools", string: "Raw" }));
    expect(server.ask("GenerateManifest", asked).error).toContain('parameter "node-pools"');
    expect(server.ask("GenerateManifest", repository(files)).error).toContain("[raw-object]");
  });

  test("announces its parameters, with the named hosted cluster", () => {
    const { value } = server.ask("GetParametersAnnouncement", quickstart);
    const { parameterAnnouncements: list } = value as { parameterAnnouncements: Record<string, unknown>[] };
    expect(list.map(({ name, string, array, required }) => [name, string ?? array, required])).toStrictEqual([
      ["paths", ["."], undefined],
      ["hosted-cluster", "clusters-shop", undefined],
      ["profile", undefined, undefined],
      ["policy-dir", undefined, undefined],
      ["require-policy", "false", undefined],
      ["allow-empty", "false", undefined],
      ["guard", undefined, undefined],
    ]);
    for (const { title, tooltip } of list)
      expect([title, tooltip]).toStrictEqual([expect.any(String), expect.any(String)]);
  });

  const shown = (answer: Answer): string => {
    expect(answer.value).toBeUndefined();
    const [, text] =
      /^rpc error: code = Unknown desc = error generating manifests: (.*)$/s.exec(answer.error ?? "") ?? [];
    return text ?? "";
  };

  test("shows the line of an invalid wrapper first", () => {
    const wrong = pool("web", "[{key: kubernetes.io/arch, operator: Inn, values: [amd64]}]");
    const asked = repository({ "apps/shop/policy.yaml": policy(), "apps/shop/pool.yaml": wrong });
    expect(shown(server.ask("GenerateManifest", asked))).toMatchInlineSnapshot(`
      "\`anp cmp generate\` failed exit status 1: pool.yaml:8:58: error: OpenshiftNodePool web: \`spec.template.spec.requirements[0].operator\` must be one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte, not "Inn" [wrapper-invalid]
        8 |       requirements: [{key: kubernetes.io/arch, operator: Inn, values: [amd64]}]
          |                                                          ^
        help: did you mean In?
      1 error"
    `);
  });

  test("shows which parameter is wrong, once", () => {
    const asked = repository(
      { "apps/shop/pool.yaml": pool() },
      parameters({ name: "hosted-clutser", string: "clusters-a" }, { name: "profile", string: "karpenter-1.41" }),
    );
    expect(shown(server.ask("GenerateManifest", asked))).toMatchInlineSnapshot(`
      "\`anp cmp generate\` failed exit status 2: anp: parameter "hosted-clutser" of the Application is not known: did you mean hosted-cluster?
      profile (ARGOCD_APP_PARAMETERS): "karpenter-1.41" is not one of hypershift, karpenter-1.14, karpenter-1.15: did you mean karpenter-1.14?
      See anp cmp --help."
    `);
  });

  test("shows the hosted clusters to choose from", () => {
    const asked = repository({
      "apps/shop/a/a.yaml": policy("clusters-a"),
      "apps/shop/b/b.yaml": policy("clusters-b"),
    });
    expect(shown(server.ask("GenerateManifest", asked))).toMatchInlineSnapshot(`
      "\`anp cmp generate\` failed exit status 2: anp: the input is for several hosted clusters, and an Application renders one: clusters-a, clusters-b
      select one with the parameter hosted-cluster
      See anp cmp --help."
    `);
  });

  test("reads nothing outside the files that Argo CD has sent", () => {
    const asked = repository({ "apps/shop/pool.yaml": pool() }, parameters({ name: "paths", array: ["../../../.."] }));
    expect(shown(server.ask("GenerateManifest", asked))).toContain(
      "leads out of the part of the repository that Argo CD sends",
    );
  });

  test("outputs nothing to prune by if the wrappers are gone", () => {
    const asked = repository({ "apps/shop/policy.yaml": policy() });
    expect(shown(server.ask("GenerateManifest", asked))).toContain("no wrapper was read for clusters-shop");
  });
});

describe("the plugin with discovery", { timeout: 120_000 }, () => {
  let server: CmpServer;

  beforeAll(async () => {
    await buildOnce();
    server = await CmpServer.start(join(INTEGRATION, "plugin-discovery.yaml"));
  }, 1_200_000);

  afterAll(() => server.stop());

  const NO = { isDiscoveryEnabled: true };
  const YES = { isSupported: true, isDiscoveryEnabled: true };

  test.each<[string, unknown, Readonly<Record<string, string>>]>([
    ["a wrapper", YES, { "apps/shop/deep/pool.yaml": pool() }],
    ["a wrapper in another Application", NO, { "apps/other/pool.yaml": pool(), "apps/shop/x.yaml": "kind: X\n" }],
    ["a policy alone", NO, { "apps/shop/policy.yaml": policy() }],
    ["a wrapper that kustomize builds", NO, { "apps/shop/pool.yaml": pool(), "apps/shop/kustomization.yaml": "{}\n" }],
    ["a wrapper in a Helm chart", NO, { "apps/shop/Chart.yaml": "name: x\n", "apps/shop/templates/p.yaml": pool() }],
    ["invalid YAML", NO, { "apps/shop/a.yaml": "{{ if .Values.karpenter.hypershift.openshift.io }}\n" }],
    ["a wrapper beside invalid YAML", YES, { "apps/shop/a.yaml": "{{ x }}\n", "apps/shop/b.yaml": pool() }],
    ["no YAML at all", NO, { "apps/shop/README.md": "# Hello\n" }],
  ])("is asked about %s", (_what, expected, files) => {
    const { value, error } = server.ask("MatchRepository", repository(files));
    expect({ value, error }).toStrictEqual({ value: expected, error: undefined });
  });

  test("renders the files that it has found", () => {
    expect(server.ask("CheckPluginConfiguration", quickstart).value).toStrictEqual({ isDiscoveryConfigured: true });
    const { value } = server.ask("GenerateManifest", quickstart);
    expect((value as { manifests: string[] }).manifests).toHaveLength(rendered([QUICKSTART]).length);
  });
});

test("the plugin with --node-pools Raw renders NodePools that users write, and its own output again", async () => {
  await buildOnce();
  const plugin = readFileSync(join(INTEGRATION, "plugin.yaml"), "utf8");
  const raw = plugin.replace("[anp, cmp, generate]", "[anp, cmp, generate, --node-pools, Raw]");
  const server = await CmpServer.start(join(folderWith({ "plugin.yaml": raw }), "plugin.yaml"));
  onTestFinished(() => server.stop());
  const asked = repository({ "apps/shop/policy.yaml": policy(), "apps/shop/pool.yaml": rawPool("web", SPOT) });
  const once = manifestsOf(server, asked);
  expect(once).toStrictEqual(rendered([join(asked.repository, "apps/shop"), "--node-pools", "Raw"]));
  const web = once.find(({ kind }) => kind === "NodePool")!;
  expect(web.spec["template"]).toMatchObject({
    spec: {
      requirements: [
        { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
        { key: "anp.hypershift.openshift.io/policy-end", operator: "DoesNotExist" },
        { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] },
      ],
    },
  });
  expect(once.filter(({ kind }) => kind === "ValidatingAdmissionPolicy")).toHaveLength(3);
  addFiles(asked.repository, { "apps/shop/pool.yaml": JSON.stringify(web) });
  expect(manifestsOf(server, asked)).toStrictEqual(once);
}, 120_000);

const SPOT = "[{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]";

interface Manifest {
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

function manifestsOf(server: CmpServer, asked: Asked): Manifest[] {
  const { value, error } = server.ask("GenerateManifest", asked);
  expect(error).toBeUndefined();
  return (value as { manifests: string[] }).manifests.map((manifest) => JSON.parse(manifest) as Manifest);
}

function rendered(args: readonly string[], cwd = ROOT): unknown[] {
  const { stdout, exit } = anp(["render", ...args, "-o", "json"], { cwd });
  expect(exit).toBe(0);
  return (JSON.parse(stdout) as { items: unknown[] }).items;
}
