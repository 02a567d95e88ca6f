/** The plan's laws, on random clusters: what it may never do, whatever is there and whatever is asked for. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../../src/cluster/api/live-object.ts";
import { asMember, setIdOf } from "../../src/cluster/plan/membership.ts";
import { plan, type PlanOptions } from "../../src/cluster/plan/plan.ts";
import type { PlanInput, Step } from "../../src/cluster/plan/step.ts";
import type { KubeObject } from "../../src/model/kube-object.ts";
import { marks } from "../../src/model/marks.ts";

const SET = setIdOf("clusters-c1", "watch");
const WRAPPERS: Record<string, string> = { NodePool: "OpenshiftNodePool", EC2NodeClass: "OpenshiftEC2NodeClass" };

function rendered(kind: string, name: string, weight = 1): KubeObject {
  const metadata = { name, ...marks(WRAPPERS[kind] ?? "", name) };
  return { apiVersion: "x/v1", kind, metadata, spec: { weight, list: [{ key: "a" }] } };
}

interface Given {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly spec?: Record<string, unknown>;
  readonly manager?: string;
  readonly owners?: LiveObject["metadata"]["ownerReferences"];
}

/** As the API server has it after `manager` applied it. */
function applied(object: KubeObject, given: Given = {}): LiveObject {
  const { labels = object.metadata.labels ?? {}, annotations = object.metadata.annotations ?? {} } = given;
  const spec = given.spec ?? object.spec;
  const fields = (map: object) => Object.fromEntries(Object.keys(map).map((key) => [`f:${key}`, {}]));
  const fieldsV1 = {
    "f:metadata": { "f:labels": fields(labels), "f:annotations": fields(annotations) },
    "f:spec": fields(spec),
  };
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.metadata.name,
      uid: `uid-${object.metadata.name}`,
      resourceVersion: "1",
      labels,
      annotations,
      ownerReferences: given.owners ?? [],
      managedFields: [{ manager: given.manager ?? "anp", operation: "Apply", fieldsV1 }],
    },
    spec,
  };
}

const member = (kind: string, name: string, weight?: number) => applied(asMember(rendered(kind, name, weight), SET));
const ofOtherWatch = (kind: string, name: string) =>
  applied(asMember(rendered(kind, name), setIdOf("clusters-c1", "other")));
const ofSomebody = (kind: string, name: string) =>
  applied(rendered(kind, name), { labels: {}, annotations: {}, manager: "kubectl" });
const onlyMarked = (kind: string, name: string) => applied(rendered(kind, name), { manager: "kubectl" });
const ownedByWrapper = (kind: string, name: string) => [
  { apiVersion: "karpenter.hypershift.openshift.io/v1", kind: `Openshift${kind}`, name, controller: true },
];
const operators = (kind: string, name: string) =>
  applied(asMember(rendered(kind, name), SET), { owners: ownedByWrapper(kind, name), manager: "hypershift" });
/** Anybody may write labels and owners of a guarded object. */
const labelledByHand = (kind: string, name: string) =>
  applied(asMember(rendered(kind, name), SET), { manager: "kubectl" });

const NONE: PlanOptions = { adopt: new Set(), pruneBlocked: undefined, allowEmpty: false, maxPrune: 5 };

function input(given: Partial<PlanInput>): PlanInput {
  const base = { desired: [], held: new Map(), live: [], wrappers: new Set<string>(), wrappersKnown: true, setId: SET };
  return { ...base, ...given };
}

const said = (steps: readonly Step[]) => steps.map(({ action, kind, name }) => `${action} ${kind}/${name}`);

describe("one object", () => {
  const web = rendered("NodePool", "web");
  const wrappers = new Set(["OpenshiftNodePool/web"]);

  test.each<[string, LiveObject[], string[]]>([
    ["absent", [], ["create NodePool/web"]],
    ["as applied", [member("NodePool", "web")], ["in-sync NodePool/web"]],
    ["applied otherwise", [member("NodePool", "web", 7)], ["update NodePool/web"]],
    ["somebody else's", [ofSomebody("NodePool", "web")], ["foreign-object NodePool/web"]],
    ["marked, but in no set", [onlyMarked("NodePool", "web")], ["foreign-object NodePool/web"]],
    ["another watch's", [ofOtherWatch("NodePool", "web")], ["foreign-object NodePool/web"]],
  ])("%s", (_, live, steps) => {
    expect(said(plan(input({ desired: [web], live, wrappers }), NONE))).toEqual(steps);
  });

  test("with a default that nobody owns it is in sync, with a field of another manager it is not", () => {
    const there = member("NodePool", "web");
    const spec = { ...there.spec, mode: "default", list: [{ key: "a", scope: "*" }] };
    const defaulted = { ...there, spec };
    expect(said(plan(input({ desired: [web], live: [defaulted], wrappers }), NONE))).toEqual(["in-sync NodePool/web"]);
    const other = { manager: "hand", operation: "Update", fieldsV1: { "f:spec": { "f:mode": {} } } } as const;
    const metadata = { ...there.metadata, managedFields: [...(there.metadata.managedFields ?? []), other] };
    const [step] = plan(input({ desired: [web], live: [{ ...defaulted, metadata }], wrappers }), NONE);
    expect(step).toMatchObject({
      action: "update",
      differences: [{ field: "spec.mode", owner: "hand", how: "extra" }],
      drift: [{ field: "spec.mode", owner: "hand" }],
    });
  });

  test("a list with one item more, or one changed inside, is not the same list", () => {
    for (const list of [[{ key: "a" }, { key: "b" }], [{ key: "b" }], []]) {
      const there = applied(asMember(web, SET), { spec: { ...web.spec, list } });
      expect(said(plan(input({ desired: [web], live: [there], wrappers }), NONE))).toEqual(["update NodePool/web"]);
    }
  });

  test("a class of HyperShift's operator is not written, not even when it carries our marks", () => {
    const live = [operators("EC2NodeClass", "web")];
    const desired = [rendered("EC2NodeClass", "web", 3)];
    expect(said(plan(input({ desired, live }), { ...NONE, adopt: new Set(["web"]) }))).toEqual([
      "managed-by-operator EC2NodeClass/web",
    ]);
    expect(plan(input({ live, wrappers }), NONE)).toEqual([]);
  });

  test("labels alone make nothing ours: it is neither deleted nor overwritten", () => {
    const live = [labelledByHand("NodePool", "web")];
    const others = new Set(["OpenshiftNodePool/other"]);
    expect(plan(input({ live, wrappers: others }), NONE)).toEqual([]);
    expect(said(plan(input({ desired: [web], live, wrappers }), NONE))).toEqual(["foreign-object NodePool/web"]);
  });

  test("an owner that somebody wrote into ours takes nothing away from anp", () => {
    const forged = applied(asMember(web, SET), { owners: ownedByWrapper("NodePool", "web") });
    expect(said(plan(input({ desired: [rendered("NodePool", "web", 3)], live: [forged], wrappers }), NONE))).toEqual([
      "update NodePool/web",
    ]);
  });

  test("a class that a pool still names stays", () => {
    const pool = { ...web, spec: { template: { spec: { nodeClassRef: { name: "gone" } } } } };
    const live = [applied(asMember(pool, SET)), member("EC2NodeClass", "gone")];
    const [, step] = plan(input({ desired: [pool], live, wrappers }), NONE);
    expect([step?.action, step?.reason]).toEqual(["keep", "EC2NodeClass gone stays: NodePool web still refers to it"]);
  });

  test("an annotation that names another wrapper deletes nothing", () => {
    const there = member("NodePool", "web");
    const annotations = {
      ...there.metadata.annotations,
      "anp.hypershift.openshift.io/rendered-from": "OpenshiftNodePool/gone",
    };
    const live = [{ ...there, metadata: { ...there.metadata, annotations } }];
    expect(plan(input({ live, wrappers: new Set(["OpenshiftNodePool/other"]) }), NONE)).toEqual([]);
  });
});

const KINDS = ["NodePool", "EC2NodeClass"] as const;
const MAKERS = { member, ofOtherWatch, ofSomebody, onlyMarked, labelledByHand, operators };

const object = fc.record({
  kind: fc.constantFrom(...KINDS),
  name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  maker: fc.constantFrom(...(Object.keys(MAKERS) as (keyof typeof MAKERS)[])),
});

const cluster = fc
  .record({
    objects: fc.uniqueArray(object, { selector: ({ kind, name }) => `${kind}/${name}`, maxLength: 12 }),
    wanted: fc.uniqueArray(fc.record({ kind: fc.constantFrom(...KINDS), name: fc.constantFrom("a", "b", "c") }), {
      selector: ({ kind, name }) => `${kind}/${name}`,
    }),
    isHeld: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    wrappersKnown: fc.boolean(),
    pruneBlocked: fc.option(fc.constant("an error"), { nil: undefined }),
    allowEmpty: fc.boolean(),
    maxPrune: fc.nat({ max: 6 }),
  })
  .map(({ objects, wanted, isHeld, wrappersKnown, ...options }) => {
    const live = objects.map(({ kind, name, maker }) => MAKERS[maker](kind, name));
    const held = wanted.filter((_, index) => isHeld[index]);
    const given = input({
      live,
      desired: wanted.filter((one) => !held.includes(one)).map(({ kind, name }) => rendered(kind, name, 2)),
      held: new Map(held.map(({ kind, name }) => [`${kind}/${name}`, "held"])),
      wrappers: new Set(wanted.map(({ kind, name }) => `${WRAPPERS[kind]}/${name}`)),
      wrappersKnown,
    });
    const makers = new Map(objects.map(({ kind, name, maker }) => [`${kind}/${name}`, maker]));
    return { given, makers, options: { adopt: new Set<string>(), ...options } };
  });

describe("random clusters", () => {
  const law = (
    what: string,
    holds: (steps: Step[], of: typeof cluster extends fc.Arbitrary<infer T> ? T : never) => void,
  ) =>
    test(what, () => {
      fc.assert(fc.property(cluster, (of) => holds(plan(of.given, of.options), of)));
    });

  law("only members are deleted, and none that has a wrapper", (steps, { given, makers }) => {
    for (const { action, kind, name } of steps) {
      if (action !== "prune") continue;
      expect(makers.get(`${kind}/${name}`)).toBe("member");
      expect(given.wrappers.has(`${WRAPPERS[kind]}/${name}`)).toBe(false);
    }
  });

  law(
    "nothing is deleted with an error, without a wrapper, with wrappers unknown, or above the limit",
    (steps, { given, options }) => {
      const pruned = steps.filter(({ action }) => action === "prune").length;
      const empty = given.wrappers.size === 0 && !options.allowEmpty;
      if (options.pruneBlocked !== undefined || empty || !given.wrappersKnown) expect(pruned).toBe(0);
      expect(pruned).toBeLessThanOrEqual(options.maxPrune);
    },
  );

  law("only what is absent or ours is written", (steps, { makers }) => {
    for (const { action, kind, name } of steps) {
      const maker = makers.get(`${kind}/${name}`);
      if (action === "create") expect(maker).toBeUndefined();
      if (action === "update") expect(maker).toBe("member");
    }
  });

  law("each object has one step, classes come before pools, and pools are deleted before classes", (steps) => {
    const ids = steps.map(({ kind, name }) => `${kind}/${name}`);
    expect(new Set(ids).size).toBe(ids.length);
    const pruned = steps.filter(({ action }) => action === "prune").map(({ kind }) => kind);
    expect(pruned).toEqual(pruned.toSorted().toReversed());
  });

  law("what is held is neither written nor deleted", (steps, { given }) => {
    for (const { action, kind, name } of steps) if (given.held.has(`${kind}/${name}`)) expect(action).toBe("hold");
  });
});
