/** The plan's laws, on random clusters: what it may never do, whatever is there and whatever is asked for. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { specHash } from "../../../src/cluster/objects/field-owners.ts";
import { type Entry, type Known, knownOf } from "../../../src/cluster/inventory/inventory.ts";
import { asMember, setIdOf } from "../../../src/cluster/objects/membership.ts";
import { plan } from "../../../src/cluster/plan/plan.ts";
import type { PlanOptions } from "../../../src/cluster/plan/plan-prune.ts";
import type { PlanInput, Step } from "../../../src/cluster/plan/step.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { marks } from "../../../src/model/objects/marks.ts";

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

/** As it is after anp has made them, and left them so. */
function inventoryOf(...objects: readonly LiveObject[]): Known {
  const entryOf = (live: LiveObject): Entry => {
    const { name, uid } = live.metadata;
    return { kind: live.kind, name, uid, left: specHash(live) };
  };
  return knownOf([objects.map(entryOf)]);
}

function input(given: Partial<PlanInput>): PlanInput {
  const base = { desired: [], held: new Map(), live: [], wrappers: new Set<string>(), wrappersKnown: true, setId: SET };
  return { ...base, inventory: inventoryOf(), ...given };
}

const said = (steps: readonly Step[]) => steps.map(({ action, kind, name }) => `${action} ${kind}/${name}`);

describe("one object", () => {
  const web = rendered("NodePool", "web");
  const wrappers = new Set(["OpenshiftNodePool/web"]);

  /** What anp has made of it, its uid or only its name, in; what is done to a pool that says of itself what it likes out. */
  const CLAIMS: readonly [what: string, inventory: Known | undefined, action: string][] = [
    ["in the inventory", inventoryOf(member("NodePool", "web")), "in-sync"],
    [
      "in the inventory by its name, and made anew",
      knownOf([[{ kind: "NodePool", name: "web", uid: "old" }]]),
      "update",
    ],
    ["in the inventory by its name, and about to be made", knownOf([[{ kind: "NodePool", name: "web" }]]), "update"],
    ["not in the inventory", inventoryOf(), "foreign-object"],
    [
      "in the inventory by its name as another kind",
      knownOf([[{ kind: "EC2NodeClass", name: "web" }]]),
      "foreign-object",
    ],
    ["there before there was an inventory", undefined, "in-sync"],
  ];

  test.each(CLAIMS)("%s, with all of our marks", (_, inventory, action) => {
    const live = [member("NodePool", "web")];
    expect(said(plan(input({ desired: [web], live, wrappers, inventory }), NONE))).toEqual([`${action} NodePool/web`]);
  });

  test.each(Object.entries({ ofOtherWatch, ofSomebody, onlyMarked, labelledByHand, operators }))(
    "whatever it says of itself (%s)",
    (_, make) => {
      const there = make("NodePool", "web");
      const done = (inventory: Known | undefined) => {
        const [step] = plan(input({ desired: [web], live: [there], wrappers, inventory }), NONE);
        return [step?.action, step?.whole, step?.takesIn];
      };
      const ours = inventoryOf(member("NodePool", "web"));
      // Another label alone leaves the record of the spec as it was.
      expect(done(ours)).toEqual(["update", make !== ofOtherWatch, false]);
      expect(done(knownOf([[{ kind: "NodePool", name: "web" }]]))).toEqual(["update", true, true]);
      const left = make === operators ? "managed-by-operator" : "foreign-object";
      expect(done(inventoryOf())).toEqual([left, false, false]);
      expect(done(undefined)).toEqual([left, false, false]);
      // Nor does it decide whether it goes.
      const others = new Set(["OpenshiftNodePool/other"]);
      const gone = (inventory: Known | undefined) =>
        said(plan(input({ live: [there], wrappers: others, inventory }), NONE)).filter((line) =>
          line.startsWith("prune"),
        );
      expect(gone(ours)).toEqual(["prune NodePool/web"]);
      for (const inventory of [inventoryOf(), undefined, knownOf([[{ kind: "NodePool", name: "web" }]])])
        expect(gone(inventory)).toEqual([]);
    },
  );

  test("absent, it is made", () => {
    expect(said(plan(input({ desired: [web], wrappers }), NONE))).toEqual(["create NodePool/web"]);
  });

  test("applied otherwise, it is updated", () => {
    const live = [member("NodePool", "web", 7)];
    const [step] = plan(input({ desired: [web], live, wrappers, inventory: inventoryOf(...live) }), NONE);
    expect([step?.action, step?.whole]).toEqual(["update", false]);
  });

  test("with a default that has no field manager it is in sync, with a field of another manager it is not", () => {
    const there = member("NodePool", "web");
    const spec = { ...there.spec, mode: "default", list: [{ key: "a", scope: "*" }] };
    const defaulted = { ...there, spec };
    const inventory = inventoryOf(defaulted);
    const given = { desired: [web], wrappers, inventory };
    expect(said(plan(input({ ...given, live: [defaulted] }), NONE))).toEqual(["in-sync NodePool/web"]);
    const other = { manager: "hand", operation: "Update", fieldsV1: { "f:spec": { "f:mode": {} } } } as const;
    const metadata = { ...there.metadata, managedFields: [...(there.metadata.managedFields ?? []), other] };
    const [step] = plan(input({ ...given, live: [{ ...defaulted, metadata }] }), NONE);
    expect(step).toMatchObject({
      action: "update",
      differences: [{ field: "spec.mode", owner: "hand", how: "extra" }],
      drift: [{ field: "spec.mode", owner: "hand" }],
    });
  });

  test("a list with one item more, or one changed inside, is not the same list", () => {
    for (const list of [[{ key: "a" }, { key: "b" }], [{ key: "b" }], []]) {
      const there = applied(asMember(web, SET), { spec: { ...web.spec, list } });
      const given = input({ desired: [web], live: [there], wrappers, inventory: inventoryOf(there) });
      expect(said(plan(given, NONE))).toEqual(["update NodePool/web"]);
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

  test("what carries our marks without a wrapper and is not in the inventory is listed, and added to it if an annotation says so", () => {
    const live = [member("NodePool", "web"), labelledByHand("NodePool", "hand"), ofSomebody("NodePool", "plain")];
    const others = new Set(["OpenshiftNodePool/other"]);
    const steps = plan(input({ live, wrappers: others }), { ...NONE, adopt: new Set(["hand", "plain"]) });
    expect(steps.map(({ action, name, takesIn }) => [action, name, takesIn])).toEqual([
      ["unclaimed", "web", false],
      ["unclaimed", "hand", true],
    ]);
    expect(plan(input({ live, wrappers: others, wrappersKnown: false }), NONE)).toEqual([]);
  });

  test("a class that the operator made in place of ours is the operator's, and not that of an owner of another time", () => {
    const made = (uid: string) =>
      applied(asMember(rendered("EC2NodeClass", "web"), SET), {
        owners: ownedByWrapper("EC2NodeClass", "web").map((owner) => ({ ...owner, uid })),
      });
    const given = {
      desired: [rendered("EC2NodeClass", "web", 3)],
      wrappers: new Set(["OpenshiftEC2NodeClass/web"]),
      wrapperUids: new Map([["OpenshiftEC2NodeClass/web", "now"]]),
      inventory: knownOf([[{ kind: "EC2NodeClass", name: "web", uid: "old" }]]),
    };
    expect(said(plan(input({ ...given, live: [made("now")] }), NONE))).toEqual([
      "managed-by-operator EC2NodeClass/web",
    ]);
    expect(said(plan(input({ ...given, live: [made("then")] }), NONE))).toEqual(["update EC2NodeClass/web"]);
  });

  test("a class that a pool still names stays", () => {
    const pool = { ...web, spec: { template: { spec: { nodeClassRef: { name: "gone" } } } } };
    const live = [applied(asMember(pool, SET)), member("EC2NodeClass", "gone")];
    const [, step] = plan(input({ desired: [pool], live, wrappers, inventory: inventoryOf(...live) }), NONE);
    expect([step?.action, step?.reason]).toEqual(["keep", "EC2NodeClass gone stays: NodePool web still refers to it"]);
  });

  test("a class that a pool of a user names stays", () => {
    const pool = { ...rendered("NodePool", "users"), spec: { template: { spec: { nodeClassRef: { name: "gone" } } } } };
    const ofUser = applied(pool, { labels: {}, annotations: {}, manager: "kubectl" });
    const gone = member("EC2NodeClass", "gone");
    const given = { live: [ofUser, gone], wrappers: new Set(["OpenshiftNodePool/web"]), inventory: inventoryOf(gone) };
    expect(plan(input(given), NONE).map(({ action, reason }) => [action, reason])).toEqual([
      ["keep", "EC2NodeClass gone stays: NodePool users still refers to it"],
    ]);
  });

  test("a pool that has lost its wrapper is released if users may write NodePools, and nothing else is", () => {
    const live = [member("NodePool", "web"), member("EC2NodeClass", "web")];
    const given = { live, wrappers: new Set(["OpenshiftNodePool/other"]), inventory: inventoryOf(...live) };
    const raw = { ...NONE, rawNodePools: true, allowEmpty: true };
    expect(said(plan(input(given), raw))).toEqual(["release NodePool/web", "prune EC2NodeClass/web"]);
    expect(said(plan(input(given), NONE))).toEqual(["prune NodePool/web", "prune EC2NodeClass/web"]);
    const blocked = plan(input(given), { ...raw, pruneBlocked: "an error" });
    expect(said(blocked)).toEqual(["keep NodePool/web", "keep EC2NodeClass/web"]);
    expect(said(plan(input({ ...given, wrappersKnown: false }), raw))).toEqual([]);
  });

  describe("a released pool", () => {
    const pool = member("NodePool", "web");
    const released = (uid: string) =>
      knownOf([[{ kind: "NodePool", name: "web", uid, left: specHash(pool), released: true }]]);
    const given = { live: [pool], inventory: released("uid-web") };
    const raw = { ...NONE, rawNodePools: true };

    test("is never deleted, and is not reported while users may write NodePools", () => {
      const others = { ...given, wrappers: new Set(["OpenshiftNodePool/other"]) };
      expect(said(plan(input(others), { ...raw, allowEmpty: true }))).toEqual([]);
      expect(said(plan(input(others), { ...NONE, allowEmpty: true }))).toEqual(["unclaimed NodePool/web"]);
    });

    test("is anp's again when its wrapper is back, but not another pool of its name", () => {
      const back = { ...given, desired: [web], wrappers };
      for (const options of [NONE, raw]) {
        expect(said(plan(input(back), options))).toEqual(["in-sync NodePool/web"]);
        const other = { ...back, inventory: released("uid-of-another") };
        expect(said(plan(input(other), options))).toEqual(["foreign-object NodePool/web"]);
      }
    });
  });

  test("an annotation that names another wrapper deletes nothing", () => {
    const there = member("NodePool", "web");
    const annotations = { "anp.hypershift.openshift.io/rendered-from": "OpenshiftNodePool/gone" };
    const live = [{ ...there, metadata: { ...there.metadata, annotations } }];
    expect(plan(input({ live, wrappers, inventory: inventoryOf(...live) }), NONE)).toEqual([]);
  });
});

const KINDS = ["NodePool", "EC2NodeClass"] as const;
const MAKERS = { member, ofOtherWatch, ofSomebody, onlyMarked, labelledByHand, operators };

const object = fc.record({
  kind: fc.constantFrom(...KINDS),
  name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  maker: fc.constantFrom(...(Object.keys(MAKERS) as (keyof typeof MAKERS)[])),
  claim: fc.constantFrom("uid", "name", "none"),
  isReleased: fc.boolean(),
});

const cluster = fc
  .record({
    objects: fc.uniqueArray(object, { selector: ({ kind, name }) => `${kind}/${name}`, maxLength: 12 }),
    wanted: fc.uniqueArray(fc.record({ kind: fc.constantFrom(...KINDS), name: fc.constantFrom("a", "b", "c") }), {
      selector: ({ kind, name }) => `${kind}/${name}`,
    }),
    isHeld: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    wrappersKnown: fc.boolean(),
    hasInventory: fc.boolean(),
    pruneBlocked: fc.option(fc.constant("an error"), { nil: undefined }),
    allowEmpty: fc.boolean(),
    maxPrune: fc.nat({ max: 6 }),
    rawNodePools: fc.boolean(),
  })
  .map(({ objects, wanted, isHeld, wrappersKnown, hasInventory, ...options }) => {
    const entries = objects.flatMap(({ kind, name, claim, isReleased }): Entry[] => {
      const released = isReleased || undefined;
      return claim === "none"
        ? []
        : [{ kind, name, uid: claim === "uid" ? `uid-${name}` : "of another one", released }];
    });
    const live = objects.map(({ kind, name, maker }) => MAKERS[maker](kind, name));
    const held = wanted.filter((_, index) => isHeld[index]);
    const given = input({
      live,
      desired: wanted.filter((one) => !held.includes(one)).map(({ kind, name }) => rendered(kind, name, 2)),
      held: new Map(held.map(({ kind, name }) => [`${kind}/${name}`, "held"])),
      wrappers: new Set(wanted.map(({ kind, name }) => `${WRAPPERS[kind]}/${name}`)),
      wrappersKnown,
      inventory: hasInventory ? knownOf([entries]) : undefined,
    });
    const facts = new Map(objects.map(({ kind, name, ...of }) => [`${kind}/${name}`, of]));
    return { given, facts, options: { adopt: new Set<string>(), ...options } };
  });

describe("random clusters", () => {
  const law = (
    what: string,
    holds: (steps: Step[], of: typeof cluster extends fc.Arbitrary<infer T> ? T : never) => void,
  ) =>
    test(what, () => {
      fc.assert(fc.property(cluster, (of) => holds(plan(of.given, of.options), of)));
    });

  law("only what the inventory has is deleted or released, and none that has a wrapper", (steps, of) => {
    for (const { action, kind, name } of steps) {
      if (action !== "prune" && action !== "release") continue;
      expect(of.given.inventory).toBeDefined();
      const { claim, isReleased } = of.facts.get(`${kind}/${name}`)!;
      expect([claim, isReleased]).toEqual(["uid", false]);
      expect(of.given.wrappers.has(`${WRAPPERS[kind]}/${name}`)).toBe(false);
      if (kind === "NodePool") expect(action).toBe(of.options.rawNodePools ? "release" : "prune");
      else expect(action).toBe("prune");
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

  law("only what is absent or ours is written, and all of that is", (steps, { given, facts }) => {
    for (const { action, kind, name, desired } of steps) {
      const fact = facts.get(`${kind}/${name}`);
      if (action === "create") expect(fact).toBeUndefined();
      if (desired === undefined || fact === undefined) continue;
      const isEntered = fact.claim === "uid" || (fact.claim === "name" && !fact.isReleased);
      const isOurs = given.inventory === undefined ? fact.maker === "member" : isEntered;
      expect(action === "update").toBe(isOurs);
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
