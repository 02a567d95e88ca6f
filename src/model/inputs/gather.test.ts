/** Which hosted cluster an object counts for: by its fields, by folder, by the user's selection. */
import { describe, expect, it } from "vitest";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { gatherBundles, type GatherOptions } from "./gather.ts";

const GROUP = "karpenter.hypershift.openshift.io";

/** `policy a` → an AutoNodePolicy for namespace a; the folder comes before the colon: `x/y: pool web`. */
function textOf(words: string, path: string | undefined): string {
  const [kind, name = "", extra] = words.split(" ");
  const annotations = path === undefined ? "" : `, annotations: {internal.config.kubernetes.io/path: "${path}"}`;
  const object = (apiVersion: string, kindName: string, metadata: string, spec = "{}") =>
    `apiVersion: ${apiVersion}\nkind: ${kindName}\nmetadata: {${metadata}${annotations}}\nspec: ${spec}\n`;
  switch (kind) {
    case "policy":
      return object(`${GROUP}/v1beta1`, "AutoNodePolicy", `name: ${extra ?? "default"}, namespace: ${name}`);
    case "pool":
      return object(`${GROUP}/v1beta1`, "OpenshiftNodePool", `name: ${name}`);
    case "class":
      return object(`${GROUP}/v1`, "OpenshiftEC2NodeClass", `name: ${name}`);
    case "hcp":
      return object("hypershift.openshift.io/v1beta1", "HostedControlPlane", `name: x, namespace: ${name}`);
    case "hc":
      return object("hypershift.openshift.io/v1beta1", "HostedCluster", `name: ${extra}, namespace: ${name}`);
    case "config": {
      const spec = extra === undefined ? "{}" : `{hostedCluster: {namespace: ${extra}}}`;
      return object("anp.hypershift.openshift.io/v1alpha1", "RenderConfig", `name: ${name}`, spec);
    }
    case "raw":
      return object("karpenter.sh/v1", "NodePool", `name: ${name}`);
    case "secret": {
      const marks = `labels: {hypershift.openshift.io/managed-by-karpenter: "true"}, annotations: {hypershift.openshift.io/nodePool: ${name}-karpenter}`;
      return `apiVersion: v1\nkind: Secret\nmetadata: {name: s, ${marks}}\n`;
    }
    default:
      throw new Error(words);
  }
}

/** The bundles with all findings in one list. */
function gathered(resources: readonly Resource[], options: GatherOptions) {
  const { value, findings } = gatherBundles(resources, options);
  return { bundles: value.bundles, findings: [...findings, ...value.bundles.flatMap((bundle) => bundle.findings)] };
}

interface Given {
  readonly files: readonly string[];
  readonly select?: string;
  readonly config?: string;
}

/** Each bundle as `cluster: what it holds`, or the codes of the errors. */
function gather({ files, select, config }: Given, stream = false): string[] {
  const read = (line: string, isConfig: boolean) => {
    const [, folder = "", words = ""] = /^([^:]*): (.*)$/.exec(line) ?? [];
    const path = stream && folder !== "" ? `${folder}/object.yaml` : undefined;
    return {
      file: line,
      folder: stream ? "" : folder,
      text: textOf(words, path),
      explicit: true,
      trusted: true,
      config: isConfig,
    };
  };
  const parsed = parseSources(files.map((line) => read(line, false)));
  const given = config === undefined ? undefined : parseSources([read(config, true)]).value[0];
  expect(parsed.findings).toStrictEqual([]);
  const { value, findings: found } = gatherBundles(parsed.value, { hostedCluster: select, config: given });
  const findings = [...found, ...value.bundles.flatMap((bundle) => bundle.findings)];
  const errors = findings.filter((finding) => finding.severity === "error");
  if (errors.length > 0)
    return errors.map(({ code, resource }) => `${code} ${resource?.kind ?? ""} ${resource?.name ?? ""}`.trim());
  return value.bundles.map((bundle) => {
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    const parts = [
      bundle.policy === undefined ? [] : ["policy"],
      bundle.renderConfig === undefined ? [] : [`config ${bundle.renderConfig.name}`],
      bundle.hostedControlPlane === undefined ? [] : ["hcp"],
      bundle.hostedClusterObject === undefined ? [] : ["hc"],
      [...bundle.userDataSecrets.keys()].map((name) => `secret ${name}`),
      names(bundle.nodePools),
      names(bundle.nodeClasses).map((name) => `class ${name}`),
    ];
    return `${bundle.hostedCluster ?? "-"}: ${parts.flat().join(", ")}`;
  });
}

const TWO = ["a: policy ca", "b: policy cb"];

const CASES: readonly (readonly [what: string, given: Given, expected: readonly string[]])[] = [
  ["no cluster named", { files: ["a: pool web"] }, ["-: web"]],
  ["no cluster named, one selected", { files: ["a: pool web"], select: "ca" }, ["ca: web"]],
  ["a policy names it", { files: ["a: policy ca", "b: pool web"] }, ["ca: policy, web"]],
  ["a control plane names it", { files: ["a: hcp ca", "b: pool web"] }, ["ca: hcp, web"]],
  ["a HostedCluster names it", { files: ["a: hc clusters my.shop", "b: pool web"] }, ["clusters-my-shop: hc, web"]],
  ["a RenderConfig names it", { files: ["a: config x ca", "b: pool web"] }, ["ca: config x, web"]],
  [
    "all of them name one",
    { files: ["a: policy c-x", "b: hcp c-x", "d: hc c x", "e: config x c-x"] },
    ["c-x: policy, config x, hcp, hc"],
  ],
  ["another one is selected", { files: ["a: policy ca"], select: "cb" }, ["hosted-cluster-unknown"]],
  ["the same one is selected", { files: ["a: policy ca", "b: pool web"], select: "ca" }, ["ca: policy, web"]],
  ["two in two folders", { files: [...TWO, "a: pool web", "b/x/y: pool web"] }, ["ca: policy, web", "cb: policy, web"]],
  ["two, and a wrapper beside", { files: [...TWO, "c: pool web"] }, ["ambiguous-cluster OpenshiftNodePool web"]],
  ["two, and a wrapper above", { files: [...TWO, ": pool web"] }, ["ambiguous-cluster OpenshiftNodePool web"]],
  ["a folder whose name goes on", { files: [...TWO, "ab: pool web"] }, ["ambiguous-cluster OpenshiftNodePool web"]],
  ["two, a wrapper beside, one selected", { files: [...TWO, "c: pool web"], select: "cb" }, ["cb: policy, web"]],
  ["two, a wrapper of the other", { files: [...TWO, "a: pool web", "b: pool db"], select: "cb" }, ["cb: policy, db"]],
  ["two in one folder", { files: ["a: policy ca", "a: policy cb"] }, ["ambiguous-cluster AutoNodePolicy default"]],
  [
    "two in one folder, one selected",
    { files: ["a: policy ca", "a: policy cb", "a: pool web"], select: "ca" },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "two on a stream, one selected",
    { files: [": policy ca", ": policy cb", ": pool web"], select: "cb" },
    ["cb: policy, web"],
  ],
  [
    "two on a stream",
    { files: [": policy ca", ": policy cb", ": pool web"] },
    ["ambiguous-cluster AutoNodePolicy default"],
  ],
  [
    "two on a stream, a third selected",
    { files: [": policy ca", ": policy cb", "c: policy cc", ": pool web"], select: "cc" },
    ["cc: policy"],
  ],
  [
    "two on a stream, one selected, a wrapper in a folder",
    { files: [": policy ca", ": policy cb", "c: pool web"], select: "ca" },
    ["ca: policy, web"],
  ],
  [
    "two on a stream, one selected, a wrapper in another's folder",
    { files: [": policy ca", ": policy cb", "b: hcp cb", "b: pool web"], select: "ca" },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "two on a stream, one selected, a RenderConfig for all",
    { files: [": policy ca", ": policy cb", ": config x", ": pool web"], select: "ca" },
    ["ca: policy, config x, web"],
  ],
  [
    "a folder inside another's",
    { files: ["a: policy ca", "a/b: policy cb"] },
    ["ambiguous-cluster AutoNodePolicy default"],
  ],
  [
    "a folder inside another's, one selected, a wrapper of both",
    { files: ["a: policy ca", "a/b: policy cb", "a/b: pool web"], select: "ca" },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "a folder inside another's, one selected, a wrapper of it",
    { files: ["a: policy ca", "a/b: policy cb", "a: pool web"], select: "ca" },
    ["ca: policy, web"],
  ],
  [
    "a policy for another cluster than the control plane's",
    { files: ["a: hcp ca", "a: policy cb", "a: pool web"] },
    ["ambiguous-cluster AutoNodePolicy default"],
  ],
  [
    "policies together, wrappers apart",
    { files: ["p: policy ca", "p: policy cb", "a: pool web", "b: pool web"] },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "policies together, wrappers apart, and one with the policies",
    { files: ["p: policy ca", "p: policy cb", "a: pool web", "p: pool web"] },
    ["ambiguous-cluster AutoNodePolicy default", "ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "policies in folders of that name",
    { files: ["x/a/policy: policy ca", "x/b/policy: policy cb", "x/a/pools: pool web", "x/b: pool db"] },
    ["ca: policy, web", "cb: policy, db"],
  ],
  [
    "a policy folder beside the folder of another cluster",
    { files: ["x/policy: policy ca", "x/b: policy cb", "x/a: pool web"] },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  [
    "a folder of policies named so",
    { files: ["x/policy: policy ca", "x/policy: policy cb", "x/a: pool web"] },
    ["ambiguous-cluster OpenshiftNodePool web"],
  ],
  ["one cluster in two folders", { files: ["a: policy ca", "b: hcp ca", "b: pool web"] }, ["ca: policy, hcp, web"]],
  ["a policy of another name", { files: ["a: policy ca other", "a: pool web"] }, ["ca: web"]],
  ["two policies", { files: ["a: policy ca", "b: policy ca"] }, ["policy-duplicate AutoNodePolicy default"]],
  ["two pools of one name", { files: ["a: pool web", "b: pool web"] }, ["duplicate-resource OpenshiftNodePool web"]],
  ["a pool and a class of one name", { files: ["a: pool web", "b: class web"] }, ["-: web, class web"]],
  ["a namespace that is none", { files: ["a: policy ../x"] }, ["policy-invalid AutoNodePolicy default"]],
  ["a raw object", { files: ["a: policy ca", "b: raw web"] }, ["raw-object NodePool web"]],
  [
    "a raw object of the other cluster",
    { files: [...TWO, "a: raw web", "b: pool db"], select: "cb" },
    ["cb: policy, db"],
  ],
  ["a Secret of the cluster", { files: ["a: policy ca", "b: secret ca/web"] }, ["ca: policy, secret web"]],
  ["a Secret of another cluster", { files: ["a: policy ca", "b: secret cb/web"] }, ["ca: policy"]],
  [
    "two Secrets for one class",
    { files: ["a: policy ca", "b: secret ca/w", "c: secret ca/w"] },
    ["duplicate-resource Secret s"],
  ],
  ["a RenderConfig without a cluster", { files: ["a: policy ca", "b: config x"] }, ["ca: policy, config x"]],
  [
    "a RenderConfig in a cluster's folder",
    { files: [...TWO, "a/sub: config x"] },
    ["ca: policy, config x", "cb: policy"],
  ],
  [
    "a RenderConfig above both",
    { files: ["x/a: policy ca", "x/b: policy cb", "x: config x"] },
    ["ca: policy, config x", "cb: policy, config x"],
  ],
  [
    "a RenderConfig above one",
    { files: ["x/a: policy ca", "b: policy cb", "x: config x"] },
    ["ca: policy, config x", "cb: policy"],
  ],
  ["a RenderConfig in no cluster's folder", { files: [...TWO, "c: config x"] }, ["ambiguous-cluster RenderConfig x"]],
  [
    "a RenderConfig in no cluster's folder, one selected",
    { files: [...TWO, "c: config x"], select: "ca" },
    ["ca: policy, config x"],
  ],
  [
    "a RenderConfig of the other cluster, one selected",
    { files: [...TWO, "b: config x"], select: "ca" },
    ["ca: policy"],
  ],
  [
    "a RenderConfig on the command line",
    { files: TWO, config: "/etc: config x" },
    ["ca: policy, config x", "cb: policy, config x"],
  ],
  [
    "a RenderConfig on the command line for one",
    { files: TWO, config: "/etc: config x cb" },
    ["ca: policy", "cb: policy, config x"],
  ],
  [
    "two RenderConfigs",
    { files: ["a: policy ca", "b: config x", "c: config y"] },
    ["render-config-duplicate RenderConfig y"],
  ],
  [
    "a RenderConfig on the command line and one in the input",
    { files: ["a: policy ca", "a: config y"], config: "e: config x" },
    ["render-config-duplicate RenderConfig y"],
  ],
];

describe("gatherBundles", () => {
  it.each(CASES)("%s", (_what, given, expected) => {
    expect(gather(given)).toStrictEqual(expected);
  });

  it.each(CASES.filter(([, given]) => given.config === undefined))(
    "%s, in a stream with path annotations",
    (_what, given, expected) => {
      expect(gather(given, true)).toStrictEqual(expected);
    },
  );

  it("takes a stream's own folder for the one above all", () => {
    const stream = parseSources([
      {
        file: "<stdin>",
        folder: "",
        text: textOf("policy ca", undefined),
        explicit: true,
        trusted: true,
        config: false,
      },
      {
        file: "/x/b.yaml",
        folder: "/x",
        text: textOf("pool web", undefined),
        explicit: true,
        trusted: true,
        config: false,
      },
    ]).value;
    expect(
      gatherBundles(stream, {}).value.bundles.map((bundle) => [bundle.hostedCluster, bundle.nodePools.length]),
    ).toStrictEqual([["ca", 1]]);
  });

  it("does not let a path annotation move a file to another cluster", () => {
    const sources = [
      { file: "a", folder: "/x/a", text: textOf("policy ca", undefined) },
      { file: "b", folder: "/x/b", text: textOf("policy cb", undefined) },
      { file: "pool", folder: "/x/b", text: textOf("pool web", "/x/a/pool.yaml") },
    ].map((source) => ({ ...source, explicit: true, trusted: true, config: false }));
    const { value } = gatherBundles(parseSources(sources).value, {});
    expect(value.bundles.map((bundle) => bundle.nodePools.length)).toStrictEqual([0, 1]);
  });

  it("does not mix absolute and relative folders up", () => {
    const sources = [
      { file: "a", folder: "/x/a", text: textOf("policy ca", undefined) },
      { file: "b", folder: "/x/b", text: textOf("policy cb", undefined) },
      { file: "<stdin>", folder: "", text: textOf("pool web", "x/a/pool.yaml") },
    ].map((source) => ({ ...source, explicit: true, trusted: true, config: false }));
    expect(gathered(parseSources(sources).value, {}).findings.map(({ code }) => code)).toStrictEqual([
      "ambiguous-cluster",
    ]);
  });
});

describe("gatherBundles of a fleet with one hosted cluster so far", () => {
  const sourceOf = (folder: string, text: string, ofFleet?: string) => ({
    file: folder,
    folder,
    text,
    explicit: true,
    trusted: true,
    config: false,
    ...(ofFleet === undefined ? {} : { ofFleet }),
  });
  const pools = [sourceOf("/a", textOf("pool web", undefined)), sourceOf("/b", textOf("pool db", undefined))];
  const config = textOf("config x ca", undefined).replace("}}", '}, paths: ["../a"]}');

  it.each([
    ["by its paths", sourceOf("/p", config)],
    ["by a pattern", sourceOf("/a/policy", textOf("policy ca", undefined), "/")],
  ])("gives it no wrappers of others, %s", (_what, rules) => {
    const { value, findings } = gatherBundles(parseSources([rules, ...pools]).value, {});
    expect(value.bundles.map(({ nodePools }) => nodePools.map(({ name }) => name))).toStrictEqual([["web"]]);
    expect(findings.map(({ code, resource }) => [code, resource?.name])).toStrictEqual([["ambiguous-cluster", "db"]]);
  });
});

describe("gatherBundles of a fleet with one hosted cluster selected", () => {
  const config = textOf("config x ca", undefined).replace("}}", '}, paths: ["../../a"]}');

  it.each([
    ["in the place of its rules", "/repository/p/x", "/repository/b", "ambiguous-cluster"],
    ["in another place", "/mounted/p/x", "/application/b", "ca"],
    // The common folder is then only the root of the disk.
    ["in another place than a mount at the root", "/p/x", "/application/b", "ca"],
    ["on a stream", "/p/x", "b", "ca"],
    ["all of a stream", "p/x", "b", "ambiguous-cluster"],
  ])("has a wrapper without a cluster %s", (_where, rules, folder, expected) => {
    const sources = [
      { folder: rules, text: config },
      { folder, text: textOf("pool web", undefined) },
    ].map((one) => ({ ...one, file: one.folder, explicit: true, trusted: true, config: false }));
    const { value, findings } = gatherBundles(parseSources(sources).value, { hostedCluster: "ca" });
    const owners = value.bundles.flatMap(({ hostedCluster, nodePools }) => nodePools.map(() => hostedCluster));
    expect([...owners, ...findings.map(({ code }) => code)]).toStrictEqual([expected]);
  });
});

describe("gatherBundles with --policy-dir", () => {
  it.each([
    ["policy ca", "untrusted-policy"],
    ["config x", "untrusted-policy"],
    ["hcp ca", "untrusted-policy"],
    ["hc c a", "untrusted-policy"],
    ["secret ca/web", "untrusted-policy"],
    ["pool web", undefined],
    ["class web", undefined],
  ])("%s outside it: %s", (words, code) => {
    const source = {
      file: "f",
      folder: "/x",
      text: textOf(words, undefined),
      explicit: true,
      trusted: false,
      config: false,
    };
    const { findings } = gathered(parseSources([source]).value, {});
    expect(findings.find(({ severity }) => severity === "error")?.code).toBe(code);
  });
});
