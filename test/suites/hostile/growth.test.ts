/** Twice the input takes each function twice the work: a count, which does not depend on the machine. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FilesOf, WorkCounter } from "../../support/growth/growing.ts";
import { CHANGES, CLUSTERS, EXTENDING, OLDER, WRAPPERS } from "../../support/growth/inputs.ts";
import { CATALOGUES, DUMPS, LISTS, PLANNED, PODS, POLICIES, RAW } from "../../support/growth/karpenter-inputs.ts";

const COUNT = 100;

let counter: WorkCounter;
beforeAll(() => {
  counter = new WorkCounter();
});
afterAll(() => counter.end());

async function expectLinear(filesOf: FilesOf, commands: readonly (readonly string[])[]): Promise<void> {
  const growing: string[] = [];
  for (const args of commands) growing.push(...(await counter.growing(filesOf, args, COUNT)));
  expect(growing).toStrictEqual([]);
}

const AT = ["--at", "2026-11-23T09:00:00Z"];
const COMMANDS = [
  ["render", "{}"],
  ["check", "{}"],
  ["explain", "{}"],
  ["simulate", "{}", ...AT],
  ["doctor", "{}"],
];

test.each(Object.entries(WRAPPERS))("%s", async (_name, filesOf) => {
  await expectLinear(filesOf, COMMANDS);
});

test.each(["json", "sarif", "junit", "github", "markdown", "text"])("findings as %s", async (format) => {
  await expectLinear(WRAPPERS["unknown fields"]!, [["check", "{}", "--report", format]]);
});

test.each(Object.entries(CLUSTERS))("%s", async (_name, filesOf) => {
  await expectLinear(filesOf, [...COMMANDS.slice(1), ["doctor", "{}", "--policy-dir", "{}/*/policy"]]);
});

test.each(Object.entries(EXTENDING))("%s", async (_name, filesOf) => {
  const ofRules = ["check", "explain", "doctor"].map((command) => [command, "{}", "--policy-dir", "{}/rules/policy"]);
  await expectLinear(filesOf, ofRules);
});

test.each(Object.entries(CHANGES))("changed %s", async (_name, filesOf) => {
  await expectLinear(
    filesOf,
    ["text", "json", "markdown"].map((format) => ["diff", "{}/new", "--against", "{}/old", "-o", format]),
  );
});

test.each(Object.entries(OLDER))("older %s", async (_name, filesOf) => {
  await expectLinear(filesOf, [
    ["migrate", "{}"],
    ["migrate", "{}", "--dry-run"],
  ]);
});

test.each(["explain", "check", "simulate"])("pools as a page of %s", async (command) => {
  await expectLinear(WRAPPERS["pools"]!, [[command, "{}", "-o", "html", ...(command === "simulate" ? AT : [])]]);
});

test.each(["pools", "classes"])("changed %s as a page", async (changed) => {
  await expectLinear(CHANGES[changed]!, [["diff", "{}/new", "--against", "{}/old", "-o", "html"]]);
});

test.each(["pools", "files"])("%s of a plugin of Argo CD", async (many) => {
  await expectLinear(WRAPPERS[many]!, [
    ["cmp", "generate"],
    ["cmp", "doctor"],
    ["cmp", "discover"],
  ]);
});

test.each(Object.entries(RAW))("raw %s", async (name, filesOf) => {
  await expectLinear(filesOf, [
    ...COMMANDS.slice(1, 4),
    ["get", "nodepools,ec2nodeclasses", "{}", "-o", "wide"],
    ["get", "nodepools", "{}", "-o", "yaml"],
    // It converts manifests alone.
    ...(/template|Terraform/.test(name) ? [] : [["adopt", "{}", "-o", "json"]]),
  ]);
});

test.each(Object.entries(PODS))("waiting %s", async (_name, filesOf) => {
  await expectLinear(filesOf, [["explain", "{}/pools.yaml", "--pods", "{}/pods.json"]]);
});

test.each(Object.entries(PLANNED))("a plan of %s", async (_name, filesOf) => {
  await expectLinear(filesOf, [["plan", "{}/pools.yaml", "--pods", "{}/pods.json"]]);
});

test.each(Object.entries(DUMPS))("a dump of %s", async (_name, filesOf) => {
  const data = ["--node-data", "{}/dump.json", ...AT];
  await expectLinear(filesOf, [
    ["diff", "{}/new", "--against", "{}/old", ...data],
    ["diff", "{}/new", "--against", "{}/old", ...data, "-o", "html"],
    ["simulate", "{}/new", ...data],
    ["simulate", "{}/new", ...data, "-o", "html"],
    ["why", "nodepool/p0", "{}/new", ...data],
    ["check", "{}/new", "--node-data", "{}/dump.json"],
    ["get", "nodeclaims", "{}/dump.json", "-o", "wide"],
  ]);
});

test.each(Object.entries(CATALOGUES))("%s of a catalogue", async (_name, filesOf) => {
  await expectLinear(filesOf, [
    ["catalogue", "--catalogue", "{}/types.json"],
    ["catalogue", "--catalogue", "{}/types.json", "-o", "json", "--where", "karpenter.k8s.aws/instance-cpu>=4"],
    ["explain", "{}/pools.yaml", "--catalogue", "{}/types.json", "--types"],
  ]);
});

test.each(Object.entries(LISTS))("%s in a ResourceList", async (_name, filesOf) => {
  await expectLinear(filesOf, [["fn"], ["fn", "--validate"]]);
});

const KARPENTER = ["--karpenter-user", "system:serviceaccount:kube-system:karpenter"];

test.each(Object.entries(POLICIES))("%s of a policy that is a guard", async (_name, filesOf) => {
  await expectLinear(filesOf, [
    ["guard", "{}/policy.yaml", ...KARPENTER],
    ["guard", "{}/policy.yaml", ...KARPENTER, "--withdraw"],
    ["guard", "{}/policy.yaml", ...KARPENTER, "-o", "json"],
  ]);
});
