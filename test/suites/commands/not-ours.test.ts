/** An input without any object for anp: no command treats it as success. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Ended } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith, policy, pool, rawPool } from "../../support/process/inputs.ts";

const DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {}\n";
const CONFIG = "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: c}\nspec: {}\n";

const run = (files: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> =>
  runAnp(args, { cwd: folderWith(files) });
const codes = (text: string): string[] => [...text.matchAll(/\[([a-z-]+)\]$/gm)].map(([, code]) => code!);

describe("a directory of something else", () => {
  it.each([
    ["of Deployments", { "web.yaml": DEPLOYMENT }],
    ["of a RenderConfig without a hosted cluster", { "web.yaml": DEPLOYMENT, "config.yaml": CONFIG }],
  ])("%s renders nothing in every command", async (_what, files) => {
    for (const more of [[], ["-o", "json"], ["-o", "resourcelist"], ["--hosted-cluster", "clusters-a"]]) {
      const { exit, stdout, stderr } = await run(files, "render", ".", ...more);
      expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
      expect(codes(stderr)).toContain("output-kept");
      expect(codes(stderr)).toContain("input-not-ours");
      expect(codes(stderr)).not.toContain("no-wrappers");
    }
    expect(await run(files, "render", ".", "--output-dir", "out")).toMatchObject({ exit: 1, stdout: "" });
    expect(await run(files, "cmp", "generate")).toMatchObject({ exit: 1, stdout: "" });
    const checked = await run(files, "check", ".");
    expect([checked.exit, codes(checked.stdout)]).toStrictEqual([1, ["input-not-ours"]]);
    const explained = await run(files, "explain", ".");
    expect([explained.exit, codes(explained.stderr)]).toStrictEqual([0, ["input-not-ours"]]);
    expect(explained.stdout).toContain("0 pools");
  });

  it("fails in fn, which returns every item", async () => {
    const item = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };
    const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: [item] };
    const { exit, stdout, stderr } = await runAnp(["fn"], { input: JSON.stringify(list) });
    expect(exit).toBe(1);
    expect((parse(stdout) as { items: unknown }).items).toStrictEqual([item]);
    expect(codes(stderr)).toStrictEqual(["output-kept", "input-not-ours"]);
    const validated = await runAnp(["fn", "--validate", "--fail-on", "warning"], { input: JSON.stringify(list) });
    expect([validated.exit, codes(validated.stderr)]).toStrictEqual([1, ["input-not-ours"]]);
  });

  it("is neither unreadable input nor a policy or wrapper alone", async () => {
    const broken = await run({ "web.yaml": DEPLOYMENT, "pool.yaml": "a: [" }, "check", ".");
    expect([broken.exit, codes(broken.stdout)]).toStrictEqual([3, ["yaml-syntax"]]);
    expect((await run({ "policy.yaml": policy() }, "render", ".")).exit).toBe(0);
    expect((await run({ "pool.yaml": pool() }, "render", ".")).exit).toBe(0);
    expect(codes((await run({ "policy.yaml": policy() }, "check", ".")).stdout)).toContain("no-wrappers");
  });
});

describe("anp explain without a policy", () => {
  it("reports it for each pool, with the reason", async () => {
    const none = await run({ "pool.yaml": pool() }, "explain", ".");
    expect([none.exit, codes(none.stderr)]).toStrictEqual([0, ["hosted-cluster-absent"]]);
    expect(none.stdout).toMatch(/^ {2}policy {9}no policy was read$/m);
    const folder = {
      "pool.yaml": pool(),
      "config.yaml": CONFIG.replace("{}\n", "{hostedCluster: {namespace: clusters-a}}\n"),
    };
    const absent = await run(folder, "explain", ".");
    expect(codes(absent.stderr)).toStrictEqual(["policy-absent"]);
    expect(absent.stdout).toMatch(/^ {2}policy {9}no policy was read$/m);
  });

  it("is distinguishable for programs", async () => {
    const policyOf = async (files: Readonly<Record<string, string>>): Promise<unknown> =>
      (JSON.parse((await run(files, "explain", ".", "-o", "json")).stdout) as { nodePools: { policy: unknown }[] })
        .nodePools[0]!.policy;
    expect(await policyOf({ "pool.yaml": pool() })).toBeNull();
    expect(await policyOf({ "pool.yaml": pool(), "policy.yaml": policy() })).toStrictEqual({
      file: "policy.yaml",
      line: 1,
    });
    expect((await run({ "pool.yaml": pool(), "policy.yaml": policy() }, "explain", ".")).stdout).not.toContain(
      "no policy was read",
    );
  });
});

describe("a file that cannot be parsed, beside NodePools", () => {
  const BROKEN = "replicas: {{ .Values.replicas }}\n";
  const checked = async (files: Readonly<Record<string, string>>, ...more: string[]) => {
    const { exit, stdout } = await run({ "pools.yaml": rawPool(), ...files }, "check", ".", ...more);
    return { exit, broken: codes(stdout).filter((code) => ["file-passed-over", "yaml-syntax"].includes(code)) };
  };

  it("is passed over if it names nothing of Karpenter", async () => {
    expect((await checked({ "chart.yaml": BROKEN })).broken).toStrictEqual(["file-passed-over"]);
  });

  it("is passed over with lines of a script that end in a backslash", async () => {
    const script = "script: |\n  redis-cli \\\n    --tls\n";
    expect((await checked({ "chart.yaml": `${script}${BROKEN}` })).broken).toStrictEqual(["file-passed-over"]);
  });

  it.each([
    ["the group", "apiVersion: karpenter.sh/v1"],
    ["the group in capitals", "apiVersion: KARPENTER.SH/v1"],
    ["the kind alone", "kind: NodePool"],
    ["an escaped letter", String.raw`apiVersion: "\x6barpenter.sh/v1"`],
    ["a long escaped letter", String.raw`apiVersion: "\u006barpenter.sh/v1"`],
    ["a longer escaped letter", String.raw`apiVersion: "\U0000006barpenter.sh/v1"`],
    ["an escaped end of line", 'apiVersion: "karpen\\\nter.sh/v1"'],
    ["an escaped end of line before an indent", 'apiVersion: "karpen\\\n  \t ter.sh/v1"'],
    ["an escaped end of line in the name of a policy", 'kind: "AutoNode\\\n  Policy"'],
    ["an escaped end of line of Windows", 'apiVersion: "karpen\\\r\nter.sh/v1"'],
    ["a tag", "apiVersion: !!binary a2FycGVudGVyLnNoL3Yx"],
    ["a whole tag", "apiVersion: !<tag:yaml.org,2002:binary> a2FycGVudGVyLnNoL3Yx"],
    ["the name of a tag", "%TAG !y! tag:yaml.org,2002:\n---\napiVersion: !y!binary a2FycGVudGVyLnNoL3Yx"],
    ["a byte order mark", "name: a\u{FEFF}b"],
  ])("stops the answer with %s in it", async (_what, text) => {
    const { exit, broken } = await checked({ "chart.yaml": `${text}\n${BROKEN}` });
    expect(exit).toBe(3);
    expect(broken).not.toContain("file-passed-over");
  });

  it.each<[string, Readonly<Record<string, string>>, ...string[]]>([
    ["a policy beside it", { "policy.yaml": policy() }],
    ["a pool of a hosted cluster beside it", { "more.yaml": pool() }],
    ["a RenderConfig beside it", { "config.yaml": CONFIG }],
    ["a policy in a file that cannot be parsed", { "more.yaml": `${policy()}${BROKEN}` }],
    ["--config", { "c/config.yaml": CONFIG }, "--config", "c/config.yaml"],
    ["--policy-dir", { "rules/policy.yaml": policy() }, "--policy-dir", "rules"],
    ["--policy", { "rules/policy.yaml": policy() }, "--policy", "rules/policy.yaml"],
    ["--hosted-cluster", {}, "--hosted-cluster", "clusters-shop"],
    ["--require-policy", {}, "--require-policy"],
    ["--node-pools", {}, "--node-pools", "Raw"],
  ])("stops the answer with %s", async (_what, files, ...more) => {
    const { exit, broken } = await checked({ "chart.yaml": BROKEN, ...files }, ...more);
    expect(exit).toBe(3);
    expect(broken).not.toContain("file-passed-over");
  });

  it("stops the answer if it was named, and in commands that write", async () => {
    const files = { "pools.yaml": rawPool(), "chart.yaml": BROKEN };
    expect(codes((await run(files, "check", "chart.yaml", "pools.yaml")).stdout)).toStrictEqual(["yaml-syntax"]);
    for (const command of ["adopt", "migrate", "render"])
      expect(codes((await run(files, command, ".")).stderr)).toContain("yaml-syntax");
  });

  const BIG = `{"values": [${"1,".repeat(50_000)} 1]}`;

  it("is not even parsed if it is large and has no apiVersion", async () => {
    const broken = `${BROKEN}# ${BIG}\n`;
    expect((await checked({ "data.json": broken })).broken).toStrictEqual([]);
    const { stdout } = await run({ "pools.yaml": rawPool(), "data.json": broken }, "check", ".");
    expect(codes(stdout)).toContain("file-skipped");
    expect((await checked({ "data.json": broken, "policy.yaml": policy() })).exit).toBe(3);
    expect((await checked({ "data.json": broken, "rules/p.yaml": policy() }, "--policy-dir", "rules")).exit).toBe(3);
  });

  it.each([
    ["as it is", policy()],
    ["with an escaped letter in its apiVersion", policy().replace("apiVersion", String.raw`"\x61piVersion"`)],
  ])("is read, however large it is, with a policy in it %s", async (_what, text) => {
    const { stdout } = await run({ "pools.yaml": rawPool(), "more.yaml": `# ${BIG}\n${text}` }, "check", ".");
    expect(codes(stdout)).toContain("raw-object");
  });

  const compared = async (old: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>) => {
    const both = [
      ...Object.entries(old).map(([name, text]) => [`old/${name}`, text]),
      ...Object.entries(now).map(([name, text]) => [`new/${name}`, text]),
    ];
    return run(Object.fromEntries(both), "diff", "new", "--against", "old", "-o", "json");
  };
  const POOLS = { "pools.yaml": rawPool() };
  const TEMPLATE = { ...POOLS, "chart.yaml": BROKEN };

  it("is passed over by diff, and what changes in it makes the answer incomplete", async () => {
    const incomplete = ({ stdout }: Ended) => (JSON.parse(stdout) as { incomplete?: string[] }).incomplete;
    const same = await compared(TEMPLATE, TEMPLATE);
    expect([same.exit, incomplete(same)]).toStrictEqual([0, undefined]);
    const changed = await compared(TEMPLATE, { ...TEMPLATE, "chart.yaml": `${BROKEN}more: 1\n` });
    expect([changed.exit, incomplete(changed)]).toStrictEqual([1, ["new/chart.yaml", "old/chart.yaml"]]);
    const added = await compared(POOLS, TEMPLATE);
    expect([added.exit, incomplete(added)]).toStrictEqual([1, ["new/chart.yaml"]]);
    const mended = await compared(TEMPLATE, { ...TEMPLATE, "chart.yaml": DEPLOYMENT });
    expect([mended.exit, incomplete(mended)]).toStrictEqual([1, ["old/chart.yaml"]]);
  });

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ["a policy on the old side", { ...POOLS, "policy.yaml": policy() }, TEMPLATE],
    ["a policy on the new side", POOLS, { ...TEMPLATE, "policy.yaml": policy() }],
    ["a policy on the old side that cannot be parsed", { ...POOLS, "policy.yaml": `${policy()}${BROKEN}` }, TEMPLATE],
    ["a pool of a hosted cluster on the old side", { "more.yaml": pool() }, TEMPLATE],
    ["a RenderConfig on the new side", POOLS, { ...TEMPLATE, "config.yaml": CONFIG }],
    ["the name of Karpenter in it", POOLS, { ...TEMPLATE, "chart.yaml": `karpenter: {{ x }}\n` }],
    ["an escape in it", POOLS, { ...TEMPLATE, "chart.yaml": `${BROKEN}a: "\\x6b"\n` }],
  ])("stops diff with %s", async (_what, old, now) => {
    const { exit, stdout } = await compared(old, now);
    expect([exit, stdout]).toStrictEqual([3, ""]);
  });

  it("is passed over by get", async () => {
    const { exit, stdout, stderr } = await run(TEMPLATE, "get", "nodepools", ".");
    expect([exit, stdout.split("\n").length]).toStrictEqual([0, 3]);
    expect(stderr).toContain("1 info; 1 file passed over: chart.yaml\n");
  });

  it("stops diff, if only the old side cannot be parsed, where a policy is", async () => {
    const broken = { "more.yaml": `kind: NodePool\n${BROKEN}` };
    const refused = ({ stdout }: Ended) => (JSON.parse(stdout) as { refused: string[] }).refused;
    const mended = await compared({ ...POOLS, ...broken }, POOLS);
    expect([mended.exit, refused(mended).length]).toStrictEqual([1, 1]);
    expect((await compared(POOLS, { ...POOLS, ...broken })).exit).toBe(3);
    const governed = { "pools.yaml": pool(), "policy.yaml": policy() };
    expect((await compared({ ...governed, ...broken }, governed)).exit).toBe(3);
    expect((await compared({ ...POOLS, ...broken }, governed)).exit).toBe(3);
    expect((await compared({ ...governed, ...broken }, POOLS)).exit).toBe(3);
  });
});
