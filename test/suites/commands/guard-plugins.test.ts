/** A guard through the KRM function and the Argo CD plugin: added, kept and removed objects. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CONFIG, POLICY, RAW } from "../../support/guard/raw-package.ts";
import { type Environment, generate } from "../../support/process/cmp.ts";
import { folderWith, policy, pool } from "../../support/process/inputs.ts";
import { listOf, type ResourceListValue } from "../../support/process/resource-lists.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const PACKAGE = { "policy.yaml": POLICY, "config.yaml": CONFIG, "pools/web.yaml": RAW };
const asConfigMap = (data: string): string =>
  `functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {${data}}}\n`;

async function fn(input: string, ...args: string[]) {
  const { exit, stdout } = await runAnp(["fn", ...args], { input });
  const list = parse(stdout) as ResourceListValue;
  return { exit, stdout, names: list.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`), list };
}

const GIVEN = ["AutoNodePolicy default", "RenderConfig config", "NodePool web"];
const partOf = (name: string): string[] =>
  ["Validating", "Mutating"].flatMap((half) =>
    ["Policy", "PolicyBinding"].map((kind) => `${half}Admission${kind} ${name}.guard.anp.hypershift.openshift.io`),
  );
const VALIDATING = (name: string): string[] => partOf(name).slice(0, 2);
const MUTATING = (name: string): string[] => partOf(name).slice(2);
const GUARD = [
  ...["nodepool", "nodepool-bounds", "nodeclaim", "nodeclaim-bounds", "status"].flatMap(VALIDATING),
  ...["nodepool", "nodepool-bounds"].flatMap(MUTATING),
];

describe("as a function", () => {
  it.each<[string, string, string[]]>([
    ["a ConfigMap", asConfigMap("guard: deny"), []],
    ["a flag", "", ["--guard", "deny"]],
  ])("with %s adds the guard behind the other items, and keeps pools byte for byte", async (_what, config, args) => {
    const input = listOf(PACKAGE);
    const { exit, stdout, names, list } = await fn(input + config, ...args);
    expect({ exit, names }).toEqual({ exit: 0, names: [...GIVEN, ...GUARD] });
    expect(stdout.startsWith(input)).toBe(true);
    expect(list.items[3]?.metadata.annotations["config.kubernetes.io/path"]).toBe(
      "guard/validatingadmissionpolicy-nodepool.guard.anp.hypershift.openshift.io.yaml",
    );
    // A second run changes nothing.
    expect((await fn(stdout, ...args)).stdout).toBe(stdout);
  });

  it("matches the output of anp guard", async () => {
    const { list } = await fn(listOf(PACKAGE), "--guard", "audit");
    const printed = await runAnp(["guard", "policy.yaml", "--config", "config.yaml", "--audit", "-o", "json"], {
      cwd: folderWith(PACKAGE),
    });
    const { items } = JSON.parse(printed.stdout) as { items: { spec: unknown }[] };
    const made = list.items.slice(GIVEN.length) as unknown as { spec: unknown }[];
    expect(made.map(({ spec }) => spec)).toEqual(items.map(({ spec }) => spec));
  });

  it("removes an unwanted guard, and no other object of its kinds", async () => {
    const foreign = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: other}
spec: {}
`;
    const before = (await fn(listOf({ ...PACKAGE, "other.yaml": foreign }), "--guard", "deny")).stdout;
    const unbounded = before.replaceAll("maxExpireAfter: 168h", "onBypass: Block");
    expect((await fn(unbounded, "--guard", "deny")).names).toEqual([
      ...GIVEN,
      "ValidatingAdmissionPolicy other",
      ...GUARD.filter((name) => !name.includes("bounds")),
    ]);
    const off = await fn(before, "--guard", "off");
    expect(off.names).toEqual([...GIVEN, "ValidatingAdmissionPolicy other"]);
    const withdrawn = await fn(before, "--guard", "withdraw");
    expect(withdrawn.names.some((name) => name.includes("bounds"))).toBe(false);
    expect(withdrawn.names).toContain("MutatingAdmissionPolicy nodepool.guard.anp.hypershift.openshift.io");
  });

  it("validates: an older guard is stale, and stays unchanged", async () => {
    const { stdout } = await fn(listOf(PACKAGE), "--guard", "audit");
    const { exit, list, names } = await fn(stdout, "--guard", "deny", "--validate");
    expect({ exit, names }).toEqual({ exit: 1, names: [...GIVEN, ...GUARD] });
    expect(list.results?.[0]?.message).toContain("differs from the current guard");
    expect((await fn(stdout, "--guard", "audit", "--validate")).exit).toBe(0);
  });

  it.each<[string, Record<string, string>, string[], RegExp]>([
    ["no policy", { "config.yaml": CONFIG, "web.yaml": RAW }, [], /needs an AutoNodePolicy/],
    ["two policies", { ...PACKAGE, "b.yaml": policy("clusters-b") }, [], /a cluster has one guard/],
    ["no Karpenter user", { "policy.yaml": policy(), "web.yaml": RAW }, [], /Karpenter's users are not set/],
    [
      "an untrusted policy",
      { ...PACKAGE, "rules/x.yaml": RAW.replace(" # its author's", "") },
      ["--policy-dir", "rules"],
      /outside the policy directory/,
    ],
    [
      "a misspelt kind",
      { ...PACKAGE, "b.yaml": policy().replace("AutoNodePolicy", "AutoNodePolcy") },
      [],
      /AutoNodePolicy/,
    ],
  ])("refuses %s, and returns every item", async (_what, files, args, words) => {
    const input = listOf(files);
    const { exit, list, names } = await fn(input, "--guard", "deny", ...args);
    expect(exit).toBe(1);
    expect(list.results?.map(({ message }) => message).join("\n")).toMatch(words);
    expect(names).toHaveLength((parse(input) as ResourceListValue).items.length);
  });
});

describe("in Argo CD", () => {
  const kinds = (text: string): string[] => [...text.matchAll(/^kind: (\S+)$/gm)].map(([, kind = ""]) => kind);
  const ofGuard = GUARD.map((name) => name.replace(/ .*/, ""));

  it.each<[string, Environment, string[]]>([
    ["deny", { PARAM_GUARD: "deny" }, [...ofGuard, "NodePool"]],
    ["off", { PARAM_GUARD: "off" }, ["NodePool"]],
  ])("with %s prints pools unchanged, behind the guard", async (_what, env, expected) => {
    const { exit, stdout } = await generate(folderWith(PACKAGE), env);
    expect({ exit, kinds: kinds(stdout) }).toEqual({ exit: 0, kinds: expected });
  });

  it.each<[string, Record<string, string>, Environment, number, RegExp]>([
    ["an unknown action", PACKAGE, { PARAM_GUARD: "Deny" }, 2, /"Deny" is not one of deny, audit, withdraw, off/],
    ["wrappers", { ...PACKAGE, "a.yaml": pool() }, { PARAM_GUARD: "deny" }, 2, /for Karpenter's own NodePools/],
    ["no policy", { "web.yaml": RAW }, { PARAM_GUARD: "deny" }, 1, /needs an AutoNodePolicy/],
  ])("refuses %s, and prints nothing", async (_what, files, env, exit, words) => {
    const ended = await generate(folderWith(files), env);
    expect(ended).toMatchObject({ exit, stdout: "" });
    expect(ended.stderr).toMatch(words);
  });
});
