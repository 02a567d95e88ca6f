/**
 * Tests NodePools under a guard on a real API server: all ways to write the list, policy changes, and bypass attempts.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admitPool } from "../../../src/guard/admit-pool.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Answer } from "../../support/controlplane/https-client.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, get, remove, until } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
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

const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  { key: "karpenter.k8s.aws/instance-family", operator: "In", values: ["m5", "m6i"], minValues: 1 },
  { key: "karpenter.k8s.aws/instance-gpu-count", operator: "Gt", values: ["0"] },
  { key: "example.com/tier", operator: "In", values: ["gold", "silver"] },
];
const NEWER: Entries = [{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }, ...POLICY.slice(1)];
const OWN: Entries = [
  { key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["large"] },
  { key: "example.com/tier", operator: "In", values: ["gold"] },
];
const USER = "guest-admin";

const stored = (policy: Entries, own: Entries): Entries => [...policy, END, ...own];

describe("a guarded NodePool", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startCluster();
    await enforce(controlPlane, POLICY);
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  const live = async (name: string): Promise<KubernetesObject> =>
    (await get(controlPlane, USER, poolOf(name, []))).body;
  const listOf = async (name: string): Promise<Entries> => requirementsOf(await live(name));
  const version = async (name: string): Promise<unknown> => (await live(name)).metadata?.["resourceVersion"];
  const patch = async (name: string, change: unknown, type = "merge-patch"): Promise<Answer> => {
    const path = `${await objectPath(controlPlane, poolOf(name, []))}?fieldManager=editor`;
    return controlPlane.request(USER, "PATCH", path, JSON.stringify(change), {
      "content-type": `application/${type}+json`,
    });
  };
  const setList = (name: string, list: unknown) =>
    patch(name, { spec: { template: { spec: { requirements: list } } } });
  /** The result, and that unchanged objects are not written. */
  async function unchangedBy(name: string, write: () => Promise<Answer>): Promise<void> {
    const before = await version(name);
    expect(outcomeOf(await write())).toBe("stored");
    expect(await version(name)).toBe(before);
  }

  describe("is stored with the policy before its own entries", () => {
    test.each<[string, unknown, Entries]>([
      ["none", [], []],
      ["some", OWN, OWN],
      ["null", null, []],
      ["none given", undefined, []],
    ])("%s", async (_what, own, expected) => {
      const answer = await create(controlPlane, USER, poolOf("plain", own), { dryRun: true });
      expect(outcomeOf(answer)).toBe("stored");
      expect(requirementsOf(answer.body)).toEqual(stored(POLICY, expected));
    });
  });

  describe("stays as it is", () => {
    const name = "same";
    const manifest = poolOf(name, OWN);
    beforeAll(async () => {
      expect((await create(controlPlane, USER, manifest)).status).toBe(201);
    });

    test("when it is applied again, by the same and by another manager", async () => {
      const first = await apply(controlPlane, USER, manifest, { fieldManager: "git" });
      expect(first.status, "the list is another manager's").toBe(409);
      await apply(controlPlane, USER, manifest, { fieldManager: "git", force: true });
      await unchangedBy(name, () => apply(controlPlane, USER, manifest, { fieldManager: "git" }));
      const second = await apply(controlPlane, USER, manifest, { fieldManager: "other" });
      expect(outcomeOf(second)).toContain("conflict");
      await apply(controlPlane, USER, manifest, { fieldManager: "other", force: true });
      await unchangedBy(name, () => apply(controlPlane, USER, manifest, { fieldManager: "other" }));
      const light = { ...manifest, spec: { ...manifest.spec, weight: 3 } };
      await apply(controlPlane, USER, light, { fieldManager: "other" });
      expect(await listOf(name)).toEqual(stored(POLICY, OWN));
    });

    test("when it is read and replaced, edited elsewhere, or touched", async () => {
      const body = await live(name);
      const path = await objectPath(controlPlane, body);
      await unchangedBy(name, () => controlPlane.request(USER, "PUT", path, body));
      await unchangedBy(name, () => patch(name, {}));
      // The first apply records the owner of the list.
      await setList(name, OWN);
      await unchangedBy(name, () => setList(name, OWN));
      expect(outcomeOf(await patch(name, { spec: { weight: 7 } }))).toBe("stored");
      expect(await listOf(name)).toEqual(stored(POLICY, OWN));
    });

    test("when Karpenter writes annotations, finalizers and the status", async () => {
      const { metadata } = await live(name);
      const annotations = { "karpenter.sh/nodepool-hash": "1" };
      expect(outcomeOf(await patch(name, { metadata: { annotations } }))).toBe("stored");
      const path = `${await objectPath(controlPlane, poolOf(name, []))}/status`;
      const status = await controlPlane.request("system:admin", "PATCH", path, { status: { nodes: 1 } });
      expect(outcomeOf(status)).toBe("stored");
      expect(await listOf(name)).toEqual(stored(POLICY, OWN));
      expect((await live(name)).metadata?.["generation"]).toBe(metadata?.["generation"]);
    });

    test("when it is exported and created again", async () => {
      const { apiVersion, kind, spec } = await live(name);
      const copy = { apiVersion: apiVersion!, kind: kind!, metadata: { name: "copy" }, spec: spec! };
      const answer = await create(controlPlane, USER, copy, { dryRun: true });
      expect(requirementsOf(answer.body)).toEqual(stored(POLICY, OWN));
    });

    test("when another mutation adds an entry, before the guard's and after it", async () => {
      for (const other of ["aaa.example.com", "zzz.example.com"]) {
        const added = { key: `example.com/${other[0]}`, operator: "Exists" } as const;
        for (const object of foreignMutation(other, added.key)) await mustApply(controlPlane, object);
        await until(`${other} acts`, async () => {
          const { body } = await create(controlPlane, USER, poolOf("plain", OWN), { dryRun: true });
          return requirementsOf(body).some(({ key }) => key === added.key);
        });
        const { body } = await create(controlPlane, USER, poolOf("plain", OWN), { dryRun: true });
        expect(requirementsOf(body)).toEqual(stored(POLICY, [...OWN, added]));
        for (const object of foreignMutation(other, added.key)) await remove(controlPlane, "system:admin", object);
        await until(`${other} is gone`, async () => {
          const answer = await create(controlPlane, USER, poolOf("plain", OWN), { dryRun: true });
          return requirementsOf(answer.body).length === POLICY.length + 1 + OWN.length;
        });
      }
    });
  });

  describe("can be edited below the mark, but not above it", () => {
    const name = "edited";
    beforeAll(async () => {
      expect((await create(controlPlane, USER, poolOf(name, OWN))).status).toBe(201);
    });
    const front = stored(POLICY, []);
    const more = { key: "example.com/more", operator: "Exists" } as const;
    const ABOVE = /^what stands above the entry/;
    const MARK = /marks where the AutoNodePolicy's entries end/;

    test.each<[string, Entries, RegExp | Entries]>([
      ["an own entry more", [...front, ...OWN, more], [...OWN, more]],
      ["the own part alone", [more], [more]],
      ["the own part in another order", [...front, more, ...OWN], [more, ...OWN]],
      ["nothing at all", [], []],
      ["without the mark: all of it is the author's", [...POLICY, ...OWN], [...POLICY, ...OWN]],
      ["a policy entry taken away", [...POLICY.slice(1), END, ...OWN], ABOVE],
      ["all policy entries taken away", [END, ...OWN], ABOVE],
      ["an own entry above the mark", [more, ...front, ...OWN], ABOVE],
      ["policy entries in another order", [...POLICY.toReversed(), END], ABOVE],
      ["a second mark", [...front, ...OWN, END], MARK],
      ["a mark that asks for something", [...POLICY, { ...END, operator: "Exists" }], MARK],
      ["the front alone", front, []],
    ])("%s", async (_what, list, expected) => {
      expect(outcomeOf(await setList(name, OWN))).toBe("stored");
      const before = await listOf(name);
      const outcome = outcomeOf(await setList(name, list));
      const asked = { requirements: list, labels: {} };
      const foretold = admitPool(POLICY, asked, { requirements: before, labels: {} });
      if (expected instanceof RegExp) {
        expect(outcome).toMatch(expected);
        expect(foretold).toHaveProperty("refused");
        expect(await listOf(name)).toEqual(before);
      } else {
        expect(outcome).toBe("stored");
        expect(await listOf(name)).toEqual(stored(POLICY, expected));
        expect(foretold).toMatchObject({ stored: stored(POLICY, expected) });
      }
    });

    test("also by JSON patches and server-side apply", async () => {
      await setList(name, OWN);
      const path = "/spec/template/spec/requirements";
      const last = await patch(name, [{ op: "add", path: `${path}/-`, value: more }], "json-patch");
      expect(outcomeOf(last)).toBe("stored");
      expect(await listOf(name)).toEqual(stored(POLICY, [...OWN, more]));
      const first = await patch(name, [{ op: "remove", path: `${path}/0` }], "json-patch");
      expect(outcomeOf(first)).toMatch(ABOVE);
      const applied = await apply(controlPlane, USER, poolOf(name, [more]), { force: true });
      expect(outcomeOf(applied)).toBe("stored");
      expect(await listOf(name)).toEqual(stored(POLICY, [more]));
    });
  });

  describe("after a mistake", () => {
    test.each<[string, unknown, RegExp]>([
      ["a text in place of the list", "amd64", /requirements in body must be of type array/],
      ["a text in place of an entry", ["amd64"], /requirements\[0\] in body must be of type object/],
      ["an entry without a key", [{ operator: "Exists" }], /key: Required value/],
      ["an entry without an operator", [{ key: "example.com/tier" }], /operator: Required value/],
      ["a number for a value", [{ key: "example.com/tier", operator: "In", values: [1] }], /must be of type string/],
      ["words for a bound", [{ key: "example.com/tier", operator: "Gt", values: ["x"] }], /is invalid/],
      ["two bounds", [{ key: "example.com/tier", operator: "Gt", values: ["1", "2"] }], /single positive integer/],
      [
        "a bound that is no int64",
        [{ key: "example.com/tier", operator: "Gt", values: ["9".repeat(19)] }],
        /is invalid/,
      ],
      [
        "values that are no list",
        [{ key: "example.com/tier", operator: "In", values: "gold" }],
        /must be of type array/,
      ],
    ])("%s, Karpenter's own error is returned", async (_what, requirements, words) => {
      const answer = await create(controlPlane, USER, poolOf("slip", requirements), { dryRun: true });
      expect(answer.status).toBe(422);
      expect(outcomeOf(answer)).toMatch(words);
      expect(outcomeOf(answer)).not.toMatch(/variable|expression/);
    });
  });

  describe("cannot bypass it", () => {
    const GPU = "karpenter.k8s.aws/instance-gpu-count";
    const TIER = "example.com/tier";
    test.each<[string, Entries, Record<string, string>]>([
      ["no GPU at all", [{ key: GPU, operator: "DoesNotExist" }], {}],
      ["an exclusion that a type without GPUs meets", [{ key: GPU, operator: "NotIn", values: ["8"] }], {}],
      ["bounds that cross the policy's", [{ key: GPU, operator: "Lt", values: ["1"] }], {}],
      ["a label of GPUs", [], { [GPU]: "0" }],
      ["a value that the policy does not list", [{ key: TIER, operator: "In", values: ["bronze"] }], {}],
      [
        "two own entries with nothing in common",
        [
          { key: TIER, operator: "In", values: ["gold"] },
          { key: TIER, operator: "In", values: ["silver"] },
        ],
        {},
      ],
      ["a label in place of an entry", [], { [TIER]: "bronze" }],
    ])("by %s", async (_what, own, labels) => {
      const answer = await create(controlPlane, USER, poolOf("round", own, labels), { dryRun: true });
      expect(outcomeOf(answer)).toMatch(/would admit nodes that the policy does not/);
      expect(admitPool(POLICY, { requirements: own, labels })).toMatchObject({ refused: "bypass" });
    });

    test("by a class of another provider, a deletion that it claims, or the mark as a label", async () => {
      const other = poolOf("other", [], {}, "karpenter.kwok.sh");
      expect(outcomeOf(await create(controlPlane, USER, other))).toMatch(/^the AutoNodePolicy is for Karpenter on AWS/);
      const dying = poolOf("dying", [{ key: GPU, operator: "DoesNotExist" }]);
      const deletionTimestamp = "2026-01-01T00:00:00Z";
      const claims = { ...dying, metadata: { name: "dying", deletionTimestamp, deletionGracePeriodSeconds: 0 } };
      expect(outcomeOf(await create(controlPlane, USER, claims as unknown as KubernetesObject))).not.toBe("stored");
      const labelled = poolOf("labelled", [], { [END.key]: "x" });
      expect(outcomeOf(await create(controlPlane, USER, labelled))).toMatch(/marks where/);
    });

    test("by being deleted first", async () => {
      const name = "deleted";
      const withFinalizer = { ...poolOf(name, OWN), metadata: { name, finalizers: ["example.com/wait"] } };
      expect((await create(controlPlane, USER, withFinalizer)).status).toBe(201);
      await remove(controlPlane, USER, withFinalizer);
      const before = await listOf(name);
      expect(outcomeOf(await setList(name, [{ key: GPU, operator: "DoesNotExist" }]))).toMatch(
        /would admit nodes that the policy does not/,
      );
      expect(outcomeOf(await patch(name, { metadata: { annotations: { "example.com/a": "b" } } }))).toBe("stored");
      expect(await listOf(name)).toEqual(before);
      await patch(name, { metadata: { finalizers: [] } });
    });

    test("by another mutation that removes the policy", async () => {
      const name = "zzz.example.com";
      const objects = foreignMutation(name, "example.com/z", "[]");
      for (const object of objects) await mustApply(controlPlane, object);
      await until("it acts", async () => {
        const answer = await create(controlPlane, USER, poolOf("emptied", OWN), { dryRun: true });
        return answer.status === 422 || requirementsOf(answer.body).length === POLICY.length + 1;
      });
      const answer = await create(controlPlane, USER, poolOf("emptied", OWN), { dryRun: true });
      // Refused, or corrected by the guard: never stored without the policy.
      if (answer.status === 201)
        expect(requirementsOf(answer.body).slice(0, POLICY.length + 1)).toEqual([...POLICY, END]);
      else expect(outcomeOf(answer)).toMatch(/^the requirements must begin with/);
      for (const object of objects) await remove(controlPlane, "system:admin", object);
      await until("it is gone", async () => {
        const plain = await create(controlPlane, USER, poolOf("emptied", OWN), { dryRun: true });
        return requirementsOf(plain.body).length === POLICY.length + 1 + OWN.length;
      });
    });
  });

  describe("when the policy changes", () => {
    afterAll(() => enforce(controlPlane, POLICY));

    test("keeps the earlier one until the next write, then has the new one, and never loses the author's part", async () => {
      expect((await create(controlPlane, USER, poolOf("old", OWN))).status).toBe(201);
      const manifest = await live("old");
      await enforce(controlPlane, NEWER);
      expect(await listOf("old")).toEqual(stored(POLICY, OWN));
      expect(outcomeOf(await patch("old", {}))).toBe("stored");
      expect(await listOf("old")).toEqual(stored(NEWER, OWN));
      // An earlier export is unknown, and its parts are not guessed.
      const again = { ...manifest, metadata: { name: "again" } };
      expect(outcomeOf(await create(controlPlane, USER, again))).toMatch(/^what stands above/);
      const update = { ...manifest, metadata: { name: "old" } };
      expect(outcomeOf(await apply(controlPlane, USER, update, { force: true }))).toMatch(/^what stands above/);
    });

    test("is blocked if it bypasses only the new one, and Karpenter can still write to it", async () => {
      await enforce(controlPlane, POLICY);
      const own: Entries = [{ key: "example.com/team", operator: "In", values: ["a"] }];
      expect((await create(controlPlane, USER, poolOf("blocked", own))).status).toBe(201);
      const stricter: Entries = [...POLICY, { key: "example.com/team", operator: "In", values: ["b"] }];
      await enforce(controlPlane, stricter);
      const annotations = { "karpenter.sh/nodepool-hash": "2" };
      expect(outcomeOf(await patch("blocked", { metadata: { annotations } }))).toBe("stored");
      expect(await listOf("blocked")).toEqual([...stricter, BLOCKER, END, ...own]);
      await unchangedBy("blocked", () => patch("blocked", {}));
      const worse = [...own, { key: "example.com/team", operator: "In", values: ["a"] }];
      expect(outcomeOf(await setList("blocked", worse))).toMatch(/would admit nodes/);
      const mended: Entries = [{ key: "example.com/team", operator: "In", values: ["b"] }];
      expect(outcomeOf(await setList("blocked", mended))).toBe("stored");
      expect(await listOf("blocked")).toEqual(stored(stricter, mended));
    });

    test("and is withdrawn, it keeps only the author's part", async () => {
      await enforce(controlPlane, POLICY);
      expect((await create(controlPlane, USER, poolOf("free", OWN))).status).toBe(201);
      await enforce(controlPlane, []);
      expect(outcomeOf(await patch("free", {}))).toBe("stored");
      expect(await listOf("free")).toEqual(OWN);
    });
  });

  test("stays unchanged without the mutating policy, and no pool is stored without the policy", async () => {
    await enforce(controlPlane, POLICY);
    expect((await create(controlPlane, USER, poolOf("failing", OWN))).status).toBe(201);
    const mutations = guardObjects(POLICY).filter(({ kind }) => kind!.startsWith("Mutating"));
    for (const object of mutations) await remove(controlPlane, "system:admin", object);
    await until("nothing is mutated", async () => {
      const answer = await create(controlPlane, USER, poolOf("unguarded", OWN), { dryRun: true });
      return outcomeOf(answer).startsWith("the requirements must begin with");
    });
    expect(outcomeOf(await patch("failing", { spec: { weight: 9 } }))).toBe("stored");
    expect(outcomeOf(await setList("failing", OWN))).toMatch(/^the requirements must begin with/);
    expect(await listOf("failing")).toEqual(stored(POLICY, OWN));
    for (const object of mutations) await mustApply(controlPlane, object);
  });
});

/** A foreign mutation: adds an entry at the end once, or replaces the list. */
function foreignMutation(name: string, key: string, list?: string): KubernetesObject[] {
  const path = "/spec/template/spec/requirements";
  const has = `object.spec.template.spec.requirements.exists(r, r.key == '${key}')`;
  const add = `!has(object.spec.template.spec.requirements) || ${has} ? [] : [JSONPatch{op: "add", path: "${path}/-", value: {"key": "${key}", "operator": "Exists"}}]`;
  const expression = list === undefined ? add : `[JSONPatch{op: "add", path: "${path}", value: ${list}}]`;
  const group = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name } };
  return [
    {
      ...group,
      kind: "MutatingAdmissionPolicy",
      spec: {
        failurePolicy: "Fail",
        reinvocationPolicy: "IfNeeded",
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["karpenter.sh"], apiVersions: ["*"], operations: ["CREATE"], resources: ["nodepools"] },
          ],
        },
        mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
      },
    },
    { ...group, kind: "MutatingAdmissionPolicyBinding", spec: { policyName: name } },
  ];
}
