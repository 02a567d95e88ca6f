/** NodePools that users write, with `nodePools: Raw`: rendered in place, to a directory, and for Argo CD. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Ended } from "../../support/process/built.ts";
import { type Environment, generate, json } from "../../support/process/cmp.ts";
import { recordOf } from "../../../src/resolve/guarded-list.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, policy, pool, rawPool, textsIn } from "../../support/process/inputs.ts";
import { listOf } from "../../support/process/resource-lists.ts";
import { list, POLICIES, read, render } from "../../support/process/output.ts";

const OWN = "[{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, m6i]}]";
const END = { key: "anp.hypershift.openshift.io/policy-end", operator: "DoesNotExist" };
const arch = (...values: string[]) => ({ key: "kubernetes.io/arch", operator: "In" as const, values });
const FAMILY = { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5", "m6i"] };
const RECORD = "anp.hypershift.openshift.io/policy-entries";

const BLOCK = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: c}
spec: {onBypass: Block, nodePools: Raw}
`;

const CONTROL_PLANE = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata: {name: shop, namespace: clusters-shop}
spec: {infraID: shop-x, platform: {type: AWS, aws: {region: us-east-1}}}
`;

interface NodePool {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly template: { readonly spec: { readonly requirements: unknown } } };
}

const requirementsOf = ({ spec }: NodePool): unknown => spec.template.spec.requirements;

describe("a KRM function", () => {
  const fn = async (input: string): Promise<string> => {
    const { exit, stdout, stderr } = await runAnp(["fn", "--node-pools", "Raw"], { input });
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
    return stdout;
  };
  const PACKAGE = { "provider/policy.yaml": policy(), "users/web.yaml": rawPool("web", OWN, "{team: web}") };
  const poolsIn = (text: string): NodePool[] =>
    (parse(text) as { items: NodePool[] }).items.filter(({ kind }) => kind === "NodePool");
  const listIn = (text: string): unknown => poolsIn(text).map(requirementsOf);

  it("writes the policy into the item, which keeps its file and its annotations", async () => {
    const once = await fn(listOf(PACKAGE));
    const [web, ...others] = poolsIn(once);
    expect(others).toStrictEqual([]);
    expect(requirementsOf(web!)).toStrictEqual([arch("amd64"), END, FAMILY]);
    const before = poolsIn(listOf(PACKAGE))[0]!;
    const { [RECORD]: record, ...annotations } = web!.metadata.annotations;
    expect(annotations).toStrictEqual(before.metadata.annotations);
    expect(record).toMatch(/^[0-9a-f]{16}$/);
    // The order of the author's fields.
    expect(Object.keys(web!.spec.template.spec)).toStrictEqual(["nodeClassRef", "requirements"]);
    expect(await fn(once)).toBe(once);
  });

  it.each<[string, string, unknown]>([
    ["is tightened", policy("clusters-shop", "[arm64]"), [[arch("arm64"), END, FAMILY]]],
    ["is loosened", policy("clusters-shop", "[amd64, arm64]"), [[arch("amd64", "arm64"), END, FAMILY]]],
    [
      "has another entry instead",
      policy("clusters-shop", "[spot]", "karpenter.sh/capacity-type"),
      [[{ key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] }, END, FAMILY]],
    ],
    ["has no entry any more", policy().replace(/requirements: \[.*\]/, "requirements: []"), [[FAMILY]]],
  ])("replaces the entries of a policy that %s", async (_what, now, expected) => {
    const once = await fn(listOf(PACKAGE));
    const changed = once.replace(/^- apiVersion: .*\n {2}kind: AutoNodePolicy\n(?: {2}.*\n)*/m, "");
    expect(changed).not.toBe(once);
    const item = listOf({ "provider/policy.yaml": now }).replace(/^[^]*?items:\n/, "");
    const again = changed.replace("items:\n", () => `items:\n${item}`);
    const twice = await fn(again);
    expect(listIn(twice)).toStrictEqual(expected);
    expect(await fn(twice)).toBe(twice);
  });

  it("does not make a NodePool again that its author has removed", async () => {
    const once = await fn(listOf({ ...PACKAGE, "users/batch.yaml": rawPool("batch") }));
    expect(poolsIn(once).map(({ metadata }) => metadata.name)).toStrictEqual(["web", "batch"]);
    const parts = once.split(/^(?=- apiVersion:)/m);
    const removed = parts.filter((part) => !part.includes("name: batch")).join("");
    expect(poolsIn(removed)).toHaveLength(1);
    expect(await fn(removed)).toBe(removed);
  });

  it("removes the rendered NodePool of a wrapper that became a NodePool", async () => {
    const wrapped = await runAnp(["fn"], { input: listOf({ "policy.yaml": policy(), "web.yaml": pool() }) });
    const wrapper = /^- apiVersion: .*\n {2}kind: OpenshiftNodePool\n(?: {2}.*\n)*/m;
    const own = listOf({ "web.yaml": rawPool("web", OWN) }).replace(/^[^]*?items:\n/, "");
    const once = await fn(wrapped.stdout.replace(wrapper, () => own));
    expect(listIn(once)).toStrictEqual([[arch("amd64"), END, FAMILY]]);
    expect(poolsIn(once)[0]!.metadata.annotations).toMatchObject({ "config.kubernetes.io/path": "web.yaml" });
  });

  it("edits NodePools in a List", async () => {
    const items = [rawPool("a"), rawPool("b", OWN)].map((text) => JSON.stringify(parse(text))).join(",");
    const listed = `apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems: [${items}]\n`;
    const once = await fn(listOf({ "policy.yaml": policy(), "list.yaml": listed }));
    const { items: found } = parse(once) as { items: { kind: string; items?: NodePool[] }[] };
    expect(found.find(({ kind }) => kind === "List")!.items!.map(requirementsOf)).toStrictEqual([
      [arch("amd64"), END],
      [arch("amd64"), END, FAMILY],
    ]);
    expect(await fn(once)).toBe(once);
  });

  it("leaves every NodePool as it is without the setting", async () => {
    const { exit, stdout } = await runAnp(["fn"], { input: listOf(PACKAGE) });
    expect(exit).toBe(1);
    expect(stdout).toContain("raw-object");
    expect(listIn(stdout)).toStrictEqual([[FAMILY]]);
  });
});

describe("--output-dir", () => {
  const INPUT = { "in/policy.yaml": policy(), "in/web.yaml": rawPool("web", OWN), "in/batch.yaml": rawPool("batch") };
  const raw = (cwd: string, ...args: string[]): Promise<Ended> => render(cwd, "--node-pools", "Raw", ...args);
  const POOLS = ["nodepool-batch.yaml", "nodepool-web.yaml"];
  const filesFor = (...pools: string[]): string[] =>
    [
      ...pools,
      ...POLICIES.filter((name) => !name.includes("karpenter.nodepool") && !name.includes("binding.nodepool")),
    ].toSorted();
  const writtenRaw = async (files: Readonly<Record<string, string>> = INPUT): Promise<string> => {
    const folder = folderWith(files);
    expect(await raw(folder)).toMatchObject({ exit: 0, stdout: "" });
    return folder;
  };

  it("gets a file for each NodePool, and keeps what has not changed", async () => {
    const folder = await writtenRaw();
    expect(list(folder)).toStrictEqual(filesFor(...POOLS));
    const before = textsIn(folder);
    expect((await raw(folder)).stderr).toContain("0 written, 8 unchanged, 0 removed");
    expect(textsIn(folder)).toStrictEqual(before);
  });

  it("writes changed NodePools again, and removes those that left the input", async () => {
    const folder = await writtenRaw();
    addFiles(folder, { "in/web.yaml": rawPool("web") });
    expect((await raw(folder)).stderr).toContain("1 written, 7 unchanged, 0 removed");
    expect(requirementsOf(parse(read(folder, "nodepool-web.yaml")) as NodePool)).toStrictEqual([arch("amd64"), END]);
    rmSync(join(folder, "in/batch.yaml"));
    expect((await raw(folder)).stderr).toContain("0 written, 7 unchanged, 1 removed");
    expect(list(folder)).toStrictEqual(filesFor("nodepool-web.yaml"));
  });

  it("has the NodePools alone with --policy and without HyperShift, and prunes those that left", async () => {
    const folder = folderWith({ "policy.yaml": policy(), "in/web.yaml": rawPool("web", OWN) });
    addFiles(folder, { "in/batch.yaml": rawPool("batch") });
    const under = (): Promise<Ended> => render(folder, "--policy", "policy.yaml");
    expect((await under()).stderr).toContain("2 written, 0 unchanged, 0 removed");
    expect(list(folder)).toStrictEqual(POOLS);
    expect(requirementsOf(parse(read(folder, "nodepool-web.yaml")) as NodePool)).toStrictEqual([
      arch("amd64"),
      END,
      FAMILY,
    ]);
    rmSync(join(folder, "in/batch.yaml"));
    expect((await under()).stderr).toContain("0 written, 1 unchanged, 1 removed");
    rmSync(join(folder, "in/web.yaml"));
    expect(await under()).not.toMatchObject({ exit: 0 });
    expect(list(folder)).toStrictEqual(["nodepool-web.yaml"]);
  });

  it("recognises its files without a policy, too", async () => {
    const folder = await writtenRaw({ "in/control-plane.yaml": CONTROL_PLANE, "in/web.yaml": rawPool("web", OWN) });
    addFiles(folder, { "in/web.yaml": rawPool("web") });
    expect((await raw(folder)).stderr).toContain("1 written");
    rmSync(join(folder, "in/web.yaml"));
    expect(await raw(folder)).toMatchObject({ exit: 1, stderr: expect.stringContaining("[output-kept]") as string });
    expect(list(folder)).toStrictEqual(filesFor("nodepool-web.yaml"));
    expect((await raw(folder, "--allow-empty")).stderr).toContain("1 removed");
  });

  it("leaves NodePools that it did not write", async () => {
    const folder = await writtenRaw();
    addFiles(folder, { "out/mine.yaml": rawPool("mine") });
    const before = textsIn(folder);
    expect(await raw(folder)).toMatchObject({ exit: 1, stderr: expect.stringContaining("[output-foreign]") as string });
    expect(textsIn(folder)).toStrictEqual(before);
  });

  it("has the same files if a wrapper replaces the NodePool", async () => {
    const folder = await writtenRaw();
    addFiles(folder, { "in/web.yaml": pool("web") });
    expect((await raw(folder)).stderr).toContain("1 written, 7 unchanged, 0 removed");
    expect(read(folder, "nodepool-web.yaml")).toContain("rendered-from");
    addFiles(folder, { "in/web.yaml": rawPool("web", OWN) });
    expect((await raw(folder)).stderr).toContain("1 written, 7 unchanged, 0 removed");
    expect(read(folder, "nodepool-web.yaml")).not.toContain("rendered-from");
  });

  it("is not written if users put NodePools there without the setting", async () => {
    const folder = await writtenRaw();
    const before = textsIn(folder);
    expect(await render(folder)).toMatchObject({ exit: 1, stderr: expect.stringContaining("[raw-object]") as string });
    expect(textsIn(folder)).toStrictEqual(before);
  });
});

describe("the plugin of Argo CD", () => {
  const RAW =
    "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: c}\nspec: {nodePools: Raw}\n";
  const FILES = { "policy/policy.yaml": policy(), "users/web.yaml": rawPool("web", OWN) };
  const OPENED = { ...FILES, "policy/config.yaml": RAW };
  const generated = (text: string): unknown[] =>
    text
      .split("---\n")
      .map((one) => parse(one) as NodePool)
      .filter(({ kind }) => kind === "NodePool")
      .map(requirementsOf);

  it("outputs NodePools with the policy if its command says so", async () => {
    const { exit, stdout } = await generate(folderWith(FILES), {}, "--node-pools", "Raw");
    expect(exit).toBe(0);
    expect(generated(stdout)).toStrictEqual([[arch("amd64"), END, FAMILY]]);
    expect(stdout).not.toContain("karpenter.nodepool.hypershift.io");
    expect(stdout).toContain("karpenter.nodeclaim.hypershift.io");
  });

  it("takes the setting from a folder that its command names", async () => {
    const folder = folderWith(OPENED);
    const { exit, stdout } = await generate(folder, {}, "--policy-dir", join(folder, "policy"));
    expect(exit).toBe(0);
    expect(generated(stdout)).toStrictEqual([[arch("amd64"), END, FAMILY]]);
  });

  it.each<[string, Readonly<Record<string, string>>, Environment, number, string]>([
    ["a RenderConfig of the Application", OPENED, {}, 1, "[raw-object]"],
    ["a folder that a parameter names", OPENED, { PARAM_POLICY_DIR: "policy" }, 1, "[raw-object]"],
    ["a parameter", FILES, json({ name: "node-pools", string: "Raw" }), 2, 'parameter "node-pools"'],
    ["PARAM_*", FILES, { PARAM_NODE_POOLS: "Raw" }, 2, "PARAM_NODE_POOLS is not a parameter"],
    ["ARGOCD_ENV_*", FILES, { ARGOCD_ENV_NODE_POOLS: "Raw" }, 1, "[raw-object]"],
    [
      ".argocd-source.yaml",
      { ...FILES, ".argocd-source.yaml": "plugin: {parameters: [{name: node-pools, string: Raw}]}\n" },
      {},
      1,
      "[raw-object]",
    ],
  ])("does not take the setting from %s", async (_what, files, env, exit, says) => {
    const ended = await generate(folderWith(files), env);
    expect(ended).toMatchObject({ exit, stdout: "" });
    expect(ended.stderr).toContain(says);
  });

  it.each(["off", "audit", "deny"])(
    "lets no Application choose guard: %s where a flag says what is rendered",
    async (action) => {
      const folder = folderWith(FILES);
      for (const flags of [["--node-pools", "Raw"], ["--policy-dir", join(folder, "policy")], ["--require-policy"]]) {
        const ended = await generate(folder, { PARAM_GUARD: action }, ...flags);
        expect(ended).toMatchObject({ exit: 2, stdout: "" });
        expect(ended.stderr).toContain("the parameter guard");
      }
      expect(await generate(folder, {}, "--require-policy", "--guard", "off")).toMatchObject({ exit: 0 });
    },
  );

  it("discovers NodePools only if its command says so, and counts them", async () => {
    const cwd = folderWith(FILES);
    const of = async (...args: string[]): Promise<string> => (await runAnp(["cmp", ...args], { cwd })).stdout;
    expect(await of("discover")).toBe("");
    expect(await of("discover", "--node-pools", "Raw")).toBe("users/web.yaml\n");
    const seen = await of("doctor", "--node-pools", "Raw");
    expect(seen).toContain("0 OpenshiftNodePool, 0 OpenshiftEC2NodeClass, 1 NodePool of users for clusters-shop");
    expect(seen).toContain("discovery           yes: users/web.yaml");
  });
});

/** A user deletes wrappers and adds NodePools, in files beside which the policy stays. */
describe("what users write instead of wrappers", () => {
  const CLASS =
    "apiVersion: karpenter.hypershift.openshift.io/v1\nkind: OpenshiftEC2NodeClass\nmetadata: {name: default}\nspec: {tags: {a: b}}\n";
  const WRAPPED = { "policy.yaml": policy(), "users/web.yaml": pool("web", OWN) };
  const WRITTEN: readonly [string, Readonly<Record<string, string>>][] = [
    ["a NodePool", { "users/web.yaml": rawPool("web", OWN) }],
    ["a NodePool and a class wrapper", { "users/web.yaml": rawPool("web", OWN), "users/class.yaml": CLASS }],
    ["a NodePool and a control plane", { "users/web.yaml": rawPool("web", OWN), "users/hcp.yaml": CONTROL_PLANE }],
    [
      "a NodePool and a RenderConfig that says Raw",
      { "users/web.yaml": rawPool("web", OWN), "users/config.yaml": BLOCK },
    ],
  ];
  type Objects = readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
  const documents = (text: string): Objects => text.split(/^---\n/m).map((one) => parse(one) as Objects[number]);

  /** What each command outputs; nothing if it fails. */
  const COMMANDS: Readonly<
    Record<string, (folder: string, flags: readonly string[]) => Promise<Ended & { objects: Objects }>>
  > = {
    render: async (cwd, flags) => {
      const ended = await runAnp(["render", ".", ...flags], { cwd });
      return { ...ended, objects: ended.stdout === "" ? [] : documents(ended.stdout) };
    },
    "render --output-dir": async (cwd, flags) => {
      const out = join(folderWith({}), "out");
      const ended = await runAnp(["render", ".", "--output-dir", out, ...flags], { cwd });
      return { ...ended, objects: ended.exit === 0 ? Object.values(textsIn(out)).flatMap(documents) : [] };
    },
    fn: async (cwd, flags) => {
      const ended = await runAnp(["fn", ...flags], { input: listOf(textsIn(cwd)) });
      return { ...ended, objects: ended.exit === 0 ? (parse(ended.stdout) as { items: Objects }).items : [] };
    },
    "cmp generate": async (cwd, flags) => {
      const ended = await generate(cwd, {}, ...flags);
      return { ...ended, objects: ended.stdout === "" ? [] : documents(ended.stdout) };
    },
    check: async (cwd, flags) => ({ ...(await runAnp(["check", ".", ...flags], { cwd })), objects: [] }),
    "check --prove": async (cwd, flags) => ({
      ...(await runAnp(["check", ".", "--prove", "--fail-on", "error", ...flags], { cwd })),
      objects: [],
    }),
  };
  const namesOf = (objects: Objects, kind: RegExp): string[] =>
    objects.filter((one) => kind.test(one.kind)).map(({ metadata }) => metadata.name);
  const ADMISSION = /^ValidatingAdmissionPolicy/;

  it.each(Object.keys(COMMANDS).flatMap((name) => WRITTEN.map(([what, files]) => [name, what, files] as const)))(
    "%s lets no pool pass without the setting: %s",
    async (name, _what, files) => {
      const run = COMMANDS[name]!;
      const before = await run(folderWith(WRAPPED), []);
      expect(before.exit, before.stderr).toBe(0);
      const after = await run(folderWith({ ...WRAPPED, ...files }), []);
      expect(after.exit).toBe(1);
      expect(after.objects).toStrictEqual([]);
      expect(after.stderr + after.stdout).toMatch(/\[(raw-object|untrusted-policy)\]/);
    },
  );

  it.each(["render", "render --output-dir", "fn", "cmp generate"])(
    "%s outputs the same admission policies for wrappers and NodePools with the setting",
    async (name) => {
      const run = COMMANDS[name]!;
      const after = WRITTEN.slice(0, 3).map(([, files]) => ({ ...WRAPPED, ...files }));
      const wrapped = await run(folderWith(WRAPPED), ["--node-pools", "Raw"]);
      const policies = namesOf(wrapped.objects, ADMISSION);
      expect(policies).toHaveLength(6);
      for (const files of after) {
        const { exit, objects } = await run(folderWith(files), ["--node-pools", "Raw"]);
        expect(exit).toBe(0);
        expect(namesOf(objects, ADMISSION)).toStrictEqual(policies);
        const web = objects.find(({ kind }) => kind === "NodePool");
        expect(requirementsOf(web as NodePool)).toStrictEqual([arch("amd64"), END, FAMILY]);
      }
    },
  );
});

describe("attacks on the list", () => {
  const entry = (text: string): string => `[${text}]`;
  const MARK = "{key: anp.hypershift.openshift.io/policy-end, operator: DoesNotExist}";
  const ARM = "{key: kubernetes.io/arch, operator: In, values: [arm64]}";
  const SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}";
  const rendered = async (requirements: string, annotations = "{}"): Promise<unknown[]> => {
    const files = { "policy.yaml": policy(), "web.yaml": rawPool("web", requirements, annotations) };
    const { exit, stdout } = await runAnp(["render", ".", "--node-pools", "Raw"], { cwd: folderWith(files) });
    expect(exit).toBe(0);
    return stdout
      .split("---\n")
      .map((one) => parse(one) as NodePool)
      .filter(({ kind }) => kind === "NodePool")
      .map(requirementsOf);
  };
  const spot = { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] };

  it.each<[string, string, unknown[]]>([
    ["a mark below the policy's key", entry(`${ARM}, ${MARK}, ${SPOT}`), [arch("amd64"), END, arch("arm64"), spot]],
    ["a mark alone", entry(MARK), [arch("amd64"), END]],
    ["two marks", entry(`${MARK}, ${SPOT}, ${MARK}`), [arch("amd64"), END, spot]],
    [
      "a mark that asks for something",
      entry(`${MARK.replace("DoesNotExist", "Exists")}, ${SPOT}`),
      [arch("amd64"), END, spot],
    ],
  ])("%s keeps the policy's entries first", async (_what, requirements, expected) => {
    expect(await rendered(requirements)).toStrictEqual([expected]);
  });

  it("a record of the pool's own entries drops them and not the policy's", async () => {
    const own = [arch("arm64")];
    const annotations = `{${RECORD}: "${recordOf(own)}"}`;
    expect(await rendered(entry(`${ARM}, ${MARK}, ${SPOT}`), annotations)).toStrictEqual([[arch("amd64"), END, spot]]);
    expect(await rendered(entry(`${ARM}, ${SPOT}`), annotations)).toStrictEqual([
      [arch("amd64"), END, arch("arm64"), spot],
    ]);
  });

  it("a list without room for the policy is refused, or blocked", async () => {
    const many = entry(
      Array.from({ length: 100 }, (_, index) => `{key: example.com/k${index}, operator: Exists}`).join(", "),
    );
    const cwd = folderWith({ "policy.yaml": policy(), "web.yaml": rawPool("web", many), "config.yaml": BLOCK });
    const run = (...args: string[]) =>
      runAnp(["render", "policy.yaml", "web.yaml", "--node-pools", "Raw", ...args], { cwd });
    expect(await run()).toMatchObject({
      exit: 1,
      stdout: "",
      stderr: expect.stringContaining("[requirements-limit]") as string,
    });
    const { exit, stdout } = await run("--config", "config.yaml");
    expect(exit).toBe(0);
    const text = stdout.split("---\n").find((one) => one.includes("kind: NodePool\n"))!;
    const list = requirementsOf(parse(text) as NodePool) as unknown[];
    expect(list).toHaveLength(100);
    expect(list.slice(0, 2)).toStrictEqual([
      { key: "node.kubernetes.io/instance-type", operator: "In", values: ["blocked-by-autonodepolicy"] },
      END,
    ]);
  });
});

it("renders no annotations of hosts, and nothing that a server writes", async () => {
  const annotations = "{team: web, config.kubernetes.io/path: a.yaml, internal.config.kubernetes.io/id: '1'}";
  const text = `${rawPool("web", OWN, annotations).replace("name: web,", "name: web, uid: u, resourceVersion: '1', finalizers: [a/b],")}status: {x: 1}\n`;
  const cwd = folderWith({ "policy.yaml": policy(), "web.yaml": text });
  const { stdout } = await runAnp(["render", ".", "--node-pools", "Raw"], { cwd });
  const web = stdout.split("---\n").find((one) => one.includes("kind: NodePool\n"))!;
  const { metadata, ...rest } = parse(web) as NodePool & Readonly<Record<string, unknown>>;
  expect(Object.keys(rest)).toStrictEqual(["apiVersion", "kind", "spec"]);
  expect(metadata).toStrictEqual({ name: "web", annotations: { team: "web", [RECORD]: recordOf([arch("amd64")]) } });
});
