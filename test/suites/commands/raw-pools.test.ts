/** NodePools that users write, with `nodePools: Raw`: rendered in place, to a directory, and for Argo CD. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Ended } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { addFiles, folderWith, policy, pool, rawPool, textsIn } from "../../support/process/inputs.ts";
import { listOf } from "../../support/process/resource-lists.ts";
import { list, POLICIES, read, render } from "../../support/process/output.ts";

const OWN = "[{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, m6i]}]";
const END = { key: "anp.hypershift.openshift.io/policy-end", operator: "DoesNotExist" };
const arch = (...values: string[]) => ({ key: "kubernetes.io/arch", operator: "In", values });
const FAMILY = { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5", "m6i"] };
const RECORD = "anp.hypershift.openshift.io/policy-entries";

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

const CONTROL_PLANE = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata: {name: shop, namespace: clusters-shop}
spec: {infraID: shop-x, platform: {type: AWS, aws: {region: us-east-1}}}
`;
