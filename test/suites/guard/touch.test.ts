/**
 * Tests the life of a guard on a real API server with concurrent writers: installed, changed, touched by `anp guard
 * --touch`, and withdrawn.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { sameValue } from "../../../src/krm/values/canonical.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until } from "../../support/controlplane/objects.ts";
import {
  END,
  enforce,
  type Entries,
  guardObjects,
  mustApply,
  outcomeOf,
  poolOf,
  requirementsOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { startWriters } from "../../support/guard/writers.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const arch = (value: string): Entries => [{ key: "kubernetes.io/arch", operator: "In", values: [value] }];
const POLICY = arch("amd64");
const NEWER: Entries = [...arch("arm64"), { key: "example.com/tier", operator: "In", values: ["gold"] }];
const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5"] }];
/** It would bypass the newer policy. */
const OTHER: Entries = [{ key: "example.com/tier", operator: "In", values: ["silver"] }];
const NAMES = ["one", "two", "three", "four", "five"];
const POOLS = NAMES.map((name, index) => ({ name, own: index === 0 ? OTHER : OWN }));

const FROZEN = "the pool is frozen";
/** An admission policy other than the guard's, which refuses every change of one pool. */
const FREEZING: readonly KubernetesObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "freezing" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["karpenter.sh"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["nodepools"] },
        ],
      },
      validations: [{ expression: "object.metadata.name != 'frozen'", message: FROZEN }],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "freezing" },
    spec: { policyName: "freezing", validationActions: ["Deny"] },
  },
];

describe("the life of a guard", () => {
  let controlPlane: ControlPlane;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-touch-"));
    controlPlane = await startCluster();
    writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig("system:admin"));
    await letAdmissionKnowPools();
    for (const { name, own } of POOLS)
      expect((await create(controlPlane, "guest-admin", poolOf(name, own))).status).toBe(201);
  });

  afterAll(async () => {
    await controlPlane?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  /** The API server does not mutate kinds of new CRDs; in real clusters they are old. */
  async function letAdmissionKnowPools(): Promise<void> {
    await enforce(controlPlane, POLICY);
    for (const object of guardObjects(POLICY)) await remove(controlPlane, "system:admin", object);
    await until("the guard is gone", async () => {
      const { status, body } = await create(controlPlane, "guest-admin", poolOf("probe", []), { dryRun: true });
      return status === 201 && requirementsOf(body).length === 0;
    });
  }

  const lists = async (): Promise<Entries[]> => {
    const bodies = await Promise.all(NAMES.map((name) => get(controlPlane, "guest-admin", poolOf(name, []))));
    return bodies.map(({ body }) => requirementsOf(body));
  };

  function touch(requirements: Entries, ...args: string[]) {
    const policy = {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "AutoNodePolicy",
      metadata: { name: "default", namespace: "platform" },
      spec: { nodePoolDefaults: { requirements } },
    };
    writeFileSync(join(folder, "policy.yaml"), stringify(policy));
    const rate = ["--rate", "6000"];
    return runAnp(["guard", "policy.yaml", "--touch", "--kubeconfig", "kubeconfig", ...rate, ...args], { cwd: folder });
  }

  test("is installed without blocking writers, and no pool ever leaves the last policy that it had", async () => {
    const writers = startWriters(controlPlane, POOLS);
    onTestFinished(async () => void (await writers.stop()));
    // First violations go to the audit log, then pools are mutated as they are written, then violations are refused.
    await enforce(controlPlane, POLICY, { action: "Audit" });
    expect(await touch(POLICY, "--dry-run")).toMatchObject({ exit: expect.any(Number) as number });
    const first = await touch(POLICY);
    expect(first).toMatchObject({ exit: 0, stdout: "" });
    expect((await lists()).every((list) => sameValue(list.slice(0, 2), [...POLICY, END]))).toBe(true);
    await enforce(controlPlane, POLICY);
    writers.allow([POLICY]);

    const notYet = await touch(NEWER);
    expect(notYet.exit).toBe(1);
    expect(notYet.stderr).toContain("the guard of this policy is not in force");
    writers.allow([POLICY, NEWER]);
    await enforce(controlPlane, POLICY, { action: "Audit" });
    await enforce(controlPlane, NEWER, { action: "Audit" });
    expect(await touch(NEWER)).toMatchObject({ exit: 0, stdout: "" });
    await enforce(controlPlane, NEWER);
    const under = await lists();
    expect(under.every((list) => sameValue(list.slice(0, 2), NEWER))).toBe(true);
    expect(under.map((list) => list.some(({ values }) => values?.[0] === "blocked-by-autonodepolicy"))).toEqual([
      true,
      ...NAMES.slice(1).map(() => false),
    ]);
    writers.allow([NEWER]);
    await sleep(500);
    const { writes, refused, outside } = await writers.stop();
    expect({ refused, outside }).toEqual({ refused: [], outside: [] });
    console.log(`writes while a guard is installed and changed: ${JSON.stringify(writes)}`);
    for (const [writer, count] of Object.entries(writes)) expect(count, writer).toBeGreaterThan(5);
  });

  test("previews replacements, and reports when nothing is left", async () => {
    const done = await touch(NEWER, "--dry-run");
    expect(done).toMatchObject({ exit: 0, stdout: "" });
    expect(done.stderr).toContain("5 objects: 5 carry the policy, 0 do not, 0 cannot");
    await enforce(controlPlane, POLICY);
    const before = await lists();
    const left = await touch(POLICY, "--dry-run");
    expect(left.exit).toBe(1);
    expect(left.stderr).toContain("5 objects: 0 carry the policy, 5 do not, 0 cannot");
    // The same difference is shown once.
    expect(left.stdout).toMatch(/^~ 4 NodePools {2}replaces all nodes.*\n {4}[a-z, ]*\btwo\b/m);
    expect(left.stdout).toContain("amd64");
    expect(await lists()).toEqual(before);
  });

  test("has JSON output, equal to that of anp diff --live for the same change", async () => {
    const none = answerOf(await touch(NEWER, "--dry-run", "-o", "json"));
    expect({ ...none, objects: none.objects.length }).toEqual({
      schemaVersion: 1,
      dryRun: true,
      inForce: false,
      objects: NAMES.length,
      notes: [],
      diff: null,
      problem: null,
    });
    const dry = await touch(POLICY, "--dry-run", "-o", "json");
    expect(dry.exit).toBe(1);
    const before = answerOf(dry);
    expect(before).toMatchObject({ dryRun: true, inForce: true, problem: null });
    expect(statesOf(before)).toEqual(NAMES.map((name) => `${name} left`).toSorted());
    expect(before.diff?.summary).toMatchObject({ pools: NAMES.length, types: expect.any(Object) as object });

    const after = await Promise.all(
      NAMES.map(async (name) => {
        const path = `${await objectPath(controlPlane, poolOf(name, []))}?dryRun=All`;
        const { body } = await controlPlane.request("system:admin", "PATCH", path, {});
        return { ...poolOf(name, []), spec: body.spec };
      }),
    );
    writeFileSync(join(folder, "after.yaml"), after.map((pool) => stringify(pool)).join("---\n"));
    const told = await runAnp(["diff", "after.yaml", "--live", "--kubeconfig", "kubeconfig", "-o", "json"], {
      cwd: folder,
    });
    expect(withoutPlaces(before.diff)).toEqual(withoutPlaces(JSON.parse(told.stdout)));

    const done = await touch(POLICY, "-o", "json");
    expect(done.exit).toBe(0);
    expect(statesOf(answerOf(done))).toEqual(NAMES.map((name) => `${name} touched`).toSorted());
    expect(done.stderr).toContain("5/5 NodePool");
    const again = answerOf(await touch(POLICY, "-o", "json"));
    expect(statesOf(again)).toEqual(NAMES.map((name) => `${name} carries`).toSorted());
    expect(again.diff?.changes).toEqual([]);
  });

  test("reports pools that cannot have the policy, and continues with the others", async () => {
    const many = Array.from(
      { length: 97 },
      (_, index) => ({ key: `example.com/k${index}`, operator: "Exists" }) as const,
    );
    for (const object of guardObjects(POLICY)) await remove(controlPlane, "system:admin", object);
    await sleep(1000);
    for (const [name, own] of [
      ["full", many],
      ["frozen", OWN],
    ] as const)
      expect(outcomeOf(await create(controlPlane, "guest-admin", poolOf(name, own)))).toBe("stored");
    for (const object of FREEZING) await mustApply(controlPlane, object);
    await until("another admission policy acts", async () => {
      const frozen = { ...poolOf("frozen", OWN), metadata: { name: "frozen", labels: { a: "b" } } };
      return outcomeOf(await apply(controlPlane, "guest-admin", frozen, { dryRun: true, force: true })) === FROZEN;
    });
    const larger: Entries = [
      ...POLICY,
      { key: "example.com/a", operator: "Exists" },
      { key: "example.com/b", operator: "Exists" },
    ];
    await enforce(controlPlane, larger);
    const ended = await touch(larger);
    expect(ended.exit).toBe(1);
    expect(ended.stderr.match(/NodePool \S+ cannot: .*/g)).toEqual([
      expect.stringMatching(/^NodePool frozen cannot: .*the pool is frozen/),
    ]);
    expect((await lists()).every((list) => sameValue(list.slice(0, 3), larger))).toBe(true);
    // Its list has no room for the policy.
    const { body } = await get(controlPlane, "guest-admin", poolOf("full", []));
    expect(requirementsOf(body)).toEqual([BLOCKER, END, ...many]);
    for (const object of FREEZING) await remove(controlPlane, "system:admin", object);
    for (const name of ["full", "frozen"]) await remove(controlPlane, "guest-admin", poolOf(name, []));
  });

  test("is checked by anp check: missing or weakened objects, older pools, and who could remove it", async () => {
    const check = async (...args: string[]): Promise<{ exit: number; codes: string[]; stdout: string }> => {
      const base = ["check", "--live", "--kubeconfig", "kubeconfig", "--policy", "policy.yaml", "--fail-on", "warning"];
      const { exit, stdout } = await runAnp([...base, "-o", "json", ...args], { cwd: folder });
      const { findings } = JSON.parse(stdout) as { findings: { code: string }[] };
      const codes = findings.map(({ code }) => code).filter((code) => code.includes("guard"));
      return { exit, codes: [...new Set(codes)].toSorted((a, b) => (a < b ? -1 : 1)), stdout };
    };
    await enforce(controlPlane, POLICY);
    await touch(POLICY);
    const whole = await check();
    expect(whole.codes).toEqual(["live-guard-removable"]);
    expect(whole.stdout).toContain("Group system:masters");
    expect(whole.stdout).toContain("User guest-admin");
    await touch(NEWER);
    expect((await check()).codes).toEqual(["guard-outdated", "live-guard-removable", "live-guard-weakened"]);
    await touch(POLICY);
    const [, binding] = guardObjects(POLICY);
    await mustApply(controlPlane, { ...binding!, spec: { ...binding!.spec, validationActions: ["Audit"] } });
    expect((await check()).codes).toEqual(["live-guard-removable", "live-guard-weakened"]);
    for (const object of guardObjects(POLICY).filter(({ kind }) => kind!.startsWith("Mutating")))
      await remove(controlPlane, "system:admin", object);
    expect((await check()).codes).toEqual(["live-guard-missing", "live-guard-removable", "live-guard-weakened"]);
    for (const object of guardObjects(POLICY)) await remove(controlPlane, "system:admin", object);
    expect((await check()).codes).toEqual(["live-guard-missing"]);
    await sleep(1000);
  });

  test("is withdrawn while others write, and keeps each pool's own part", async () => {
    await enforce(controlPlane, POLICY);
    expect(await touch(POLICY)).toMatchObject({ exit: 0 });
    const writers = startWriters(controlPlane, POOLS);
    onTestFinished(async () => void (await writers.stop()));
    writers.allow([POLICY]);
    await sleep(500);
    writers.allow([]);
    await enforce(controlPlane, POLICY, { action: "Audit" });
    await enforce(controlPlane, []);
    await until("all is withdrawn", async () => (await touch(POLICY, "--withdraw")).exit === 0);
    const { refused, outside } = await writers.stop();
    expect({ refused, outside }).toEqual({ refused: [], outside: [] });
    expect(await lists()).toEqual(POOLS.map(({ own }) => own));
  });

  test("without a cluster is an error", async () => {
    writeFileSync(
      join(folder, "nowhere"),
      controlPlane.kubeconfig("system:admin").replace(controlPlane.url, "https://127.0.0.1:1"),
    );
    const { exit, stdout } = await touch(POLICY, "--kubeconfig", "nowhere", "-o", "json");
    expect(exit).toBe(4);
    const { problem, ...rest } = JSON.parse(stdout) as Touched;
    expect(problem).toContain("127.0.0.1:1");
    expect(rest).toEqual({ schemaVersion: 1, dryRun: false, inForce: null, objects: [], notes: [], diff: null });
  });
});

interface Touched {
  readonly inForce: boolean | null;
  readonly objects: readonly { readonly resource: { readonly name: string }; readonly state: string }[];
  readonly diff: { readonly summary: object; readonly changes: readonly object[] } | null;
  readonly problem: string | null;
}

function answerOf({ stdout }: { readonly stdout: string }): Touched {
  return JSON.parse(stdout) as Touched;
}

function statesOf({ objects }: Touched): string[] {
  return objects.map(({ resource, state }) => `${resource.name} ${state}`).toSorted();
}

/** One has files, the other knows what the guard added; the clock advances between the two. */
function withoutPlaces(answer: unknown): unknown {
  const left = new Set(["file", "line", "keeping", "earliest", "latest"]);
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (left.has(key) ? undefined : value)));
}
