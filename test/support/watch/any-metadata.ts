/** Rewrites metadata of objects at random, as a third user may, runs a pass after each, and checks invariants. */
import fc from "fast-check";
import { expect } from "vitest";
import { canonical } from "../../../src/krm/values/canonical.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, get, remove } from "../controlplane/objects.ts";
import { ARCH, isIn, nodeClass, policy, pool } from "./inputs.ts";
import { ADMIN, ec2NodeClass, live, nodePool, OPERATOR, pass, put, type Rig } from "./rig.ts";
import { openWatch, rewrite } from "./third-user.ts";
import { stepsOf } from "../cluster/steps-of.ts";

const BINDING: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "karpenter-binding.nodepool.hypershift.io" },
};

/** Of anp: `web` always has its wrapper, and `batch` sometimes. Of a provider: `theirs`, and `taken` with the name of a wrapper. */
const OBJECTS = {
  web: nodePool("web"),
  batch: nodePool("batch"),
  theirs: nodePool("theirs"),
  taken: nodePool("taken"),
  class: ec2NodeClass("default"),
  guard: BINDING,
} as const;

type Name = keyof typeof OBJECTS;

const SET = "anp.hypershift.openshift.io/set";
const FROM = "anp.hypershift.openshift.io/rendered-from";

const names = fc.constantFrom(...(Object.keys(OBJECTS) as Name[]));

const labels = fc.dictionary(
  fc.constantFrom("app.kubernetes.io/managed-by", SET, "team"),
  fc.constantFrom("anp", "velero", "f".repeat(40)),
);

const annotations = fc.dictionary(
  fc.constantFrom(FROM, "anp.hypershift.openshift.io/applied", "anp.hypershift.openshift.io/node-limit-budget", "note"),
  fc.constantFrom(
    "OpenshiftNodePool/web",
    "OpenshiftNodePool/gone",
    "OpenshiftNodePool/theirs",
    "0123456789abcdef",
    "3",
  ),
);

const specFields = fc.oneof(
  fc.constant({}),
  fc.dictionary(
    fc.constantFrom("f:limits", "f:weight", "f:template", "f:disruption", "f:validationActions", "f:policyName"),
    fc.constantFrom({}, { "f:cpu": {} }, { "f:spec": {} }, { "f:spec": { "f:requirements": {} } }),
  ),
);

const entry = fc.record({
  manager: fc.constantFrom("anp", "kubectl", "before-first-apply", "hypershift"),
  operation: fc.constantFrom("Apply", "Update"),
  subresource: fc.constantFrom("", "", "status", "scale"),
  fieldsV1: fc.record(
    {
      "f:spec": specFields,
      "f:metadata": fc.constant({ "f:labels": { [`f:${SET}`]: {} }, "f:annotations": { [`f:${FROM}`]: {} } }),
    },
    { requiredKeys: [] },
  ),
});

/** The unchanged marks of another object. */
const copied = fc.record({ of: names });

const rewriting = fc.record({
  name: names,
  field: fc.oneof(
    fc.record({ path: fc.constant("labels"), value: fc.oneof(labels, copied) }),
    fc.record({ path: fc.constant("annotations"), value: fc.oneof(annotations, copied) }),
    fc.record({
      path: fc.constant("managedFields"),
      value: fc.oneof(fc.constant("wiped"), fc.array(entry, { minLength: 1, maxLength: 3 }), copied),
    }),
    fc.record({ path: fc.constant("ownerReferences"), value: fc.constantFrom("operator", "forged", "none") }),
  ),
});

type Rewriting = typeof rewriting extends fc.Arbitrary<infer T> ? T : never;

const turn = fc.record({
  rewritings: fc.array(rewriting, { minLength: 1, maxLength: 4 }),
  isTight: fc.boolean(),
  hasLimits: fc.boolean(),
  hasBatch: fc.boolean(),
});

/** @returns how many rewrites the API server accepted */
export async function rewriteAtRandom(rig: Rig, turns: number): Promise<number> {
  const watch = openWatch(rig);
  const step = async ({
    isTight,
    hasLimits,
    hasBatch,
  }: {
    isTight: boolean;
    hasLimits: boolean;
    hasBatch: boolean;
  }) => {
    await put(rig.management, policy([isIn(ARCH, isTight ? "arm64" : "amd64")]));
    await replaceWrapper(rig, pool("web", [], hasLimits ? { limits: { cpu: "4" } } : {}));
    if (hasBatch) await put(rig.guest, pool("batch"));
    else await remove(rig.guest, ADMIN, pool("batch"));
  };
  const specOf = async (object: KubernetesObject) => canonical((await live(rig.guest, object)).spec);

  // The result in each state without a rewrite.
  const clean = new Map<string, string>();
  for (const isTight of [true, false]) {
    for (const hasLimits of [true, false]) {
      await step({ isTight, hasLimits, hasBatch: true });
      expect((await pass(watch)).result).toBe("ok");
      clean.set(`web ${isTight} ${hasLimits}`, await specOf(OBJECTS.web));
      clean.set(`batch ${isTight}`, await specOf(OBJECTS.batch));
      clean.set("class", await specOf(OBJECTS.class));
      clean.set("guard", await specOf(OBJECTS.guard));
    }
  }
  const before = new Map<string, KubernetesObject>();
  for (const name of ["theirs", "taken"] as const) before.set(name, await provided(rig, OBJECTS[name]));
  await put(rig.guest, pool("taken"));

  let taken = 0;
  await fc.assert(
    fc.asyncProperty(turn, async ({ rewritings, ...state }) => {
      await pass(watch);
      for (const one of rewritings) taken += await carryOut(rig, one);
      await step(state);
      const result = await pass(watch);
      const said = JSON.stringify(
        stepsOf(result).map(({ step: { action, kind, name }, error }) => [action, kind, name, error]),
      );
      expect(await specOf(OBJECTS.web), said).toBe(clean.get(`web ${state.isTight} ${state.hasLimits}`));
      expect(await specOf(OBJECTS.class), said).toBe(clean.get("class"));
      expect(await specOf(OBJECTS.guard), said).toBe(clean.get("guard"));
      const { status } = await get(rig.guest, ADMIN, OBJECTS.batch);
      expect(status, said).toBe(state.hasBatch ? 200 : 404);
      if (state.hasBatch) expect(await specOf(OBJECTS.batch), said).toBe(clean.get(`batch ${state.isTight}`));
      for (const [name, { metadata, spec }] of before) {
        const now = await live(rig.guest, nodePool(name));
        expect([now.metadata?.uid, now.metadata?.generation, now.spec], said).toEqual([metadata?.uid, 1, spec]);
      }
    }),
    // Leftovers of one turn stay in the next one.
    { numRuns: turns, endOnFailure: true },
  );
  return taken;
}

async function provided(rig: Rig, object: KubernetesObject): Promise<KubernetesObject> {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" };
  const spec = { template: { spec: { nodeClassRef, requirements: [] } }, weight: 3 };
  const { status, body, text } = await create(rig.guest, OPERATOR, { ...object, spec });
  if (status !== 201) throw new Error(text);
  return body;
}

/** An omitted field is removed. */
async function replaceWrapper({ guest }: Rig, wrapper: KubernetesObject): Promise<void> {
  const { limits = null } = wrapper.spec as { limits?: unknown };
  const path = `/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools/${wrapper.metadata?.name}`;
  const { status, text } = await guest.request(ADMIN, "PATCH", path, { spec: { limits } });
  if (status !== 200) throw new Error(text);
}

/** @returns 1 if the API server accepted it */
async function carryOut(rig: Rig, { name, field }: Rewriting): Promise<number> {
  const object = OBJECTS[name];
  const value = await valueOf(rig, name, field);
  const path = `/metadata/${field.path}`;
  return (await rewrite(rig.guest, object, [{ op: "add", path, value }])) === 200 ? 1 : 0;
}

async function valueOf(rig: Rig, name: Name, { path, value }: Rewriting["field"]): Promise<unknown> {
  if (value === "wiped") return [{}];
  if (path === "ownerReferences") return value === "none" ? [] : [await ownerOf(rig, name, value === "operator")];
  if (Array.isArray(value)) {
    const { apiVersion } = OBJECTS[name];
    return value.map((one) => ({ ...one, apiVersion, fieldsType: "FieldsV1", time: "2026-01-01T00:00:00Z" }));
  }
  if (!isCopy(value)) return value;
  const { body } = await get(rig.guest, ADMIN, OBJECTS[value.of]);
  return body.metadata?.[path] ?? (path === "managedFields" ? [{}] : {});
}

function isCopy(value: unknown): value is { of: Name } {
  return typeof value === "object" && value !== null && "of" in value;
}

/** An owner reference as the operator writes it: the wrapper, with the current uid or another one. */
async function ownerOf(rig: Rig, name: Name, isReal: boolean): Promise<object> {
  const { kind = "", metadata } = OBJECTS[name];
  const wrapper = kind === "EC2NodeClass" ? nodeClass("default") : pool(metadata?.name ?? "");
  const { body } = await get(rig.guest, ADMIN, wrapper);
  const uid = (isReal ? body.metadata?.uid : undefined) ?? "7f0c2a52-0000-4000-8000-000000000000";
  const { apiVersion } = wrapper;
  return { apiVersion, kind: `Openshift${kind}`, name: metadata?.name, uid, controller: true };
}
