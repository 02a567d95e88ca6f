/** A guest cluster whose API server answers falsely: what does not fit is one object's trouble, and is over when it is. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ClusterSpec } from "../../../src/cluster/run/run.ts";
import type { ReconcileResult } from "../../../src/cluster/status/pass-result.ts";
import { type FakeCluster, send } from "../../support/cluster/fake-cluster.ts";
import {
  type FakeFleet,
  fakeFleet,
  NODE_POOLS,
  policiesOf,
  WRAPPERS,
} from "../../support/cluster/fake-hosted-cluster.ts";
import { isIn, policy, pool, TYPE } from "../../support/watch/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

const CONFIG_MAPS = "/api/v1/namespaces/clusters-c1/configmaps";
const INVENTORY = "anp-inventory.clusters-c1.c1.0";

type Fields = Readonly<Record<string, unknown>>;
/** What a server makes of an honest object. */
type Lie = (honest: Fields) => unknown;

const inMetadata =
  (more: Fields): Lie =>
  (honest) => ({ ...honest, metadata: { ...(honest["metadata"] as Fields), ...more } });
const of =
  (more: Fields): Lie =>
  (honest) => ({ ...honest, ...more });
const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) });

/** With whether the name can still be used. */
const LIES: readonly [what: string, lie: Lie, isNamed: boolean][] = [
  ["uid [[]]", inMetadata({ uid: [[]] }), true],
  ["uid 5", inMetadata({ uid: 5 }), true],
  ["uid of many letters", inMetadata({ uid: "x".repeat(5000) }), true],
  ["uid with a space", inMetadata({ uid: "a b" }), true],
  ["no uid", inMetadata({ uid: null }), true],
  ["name ..", inMetadata({ name: ".." }), false],
  ["name with a slash", inMetadata({ name: "a/b" }), false],
  ["name of two lines", inMetadata({ name: "web\nweb" }), false],
  ["name of many letters", inMetadata({ name: "x".repeat(5000) }), false],
  ["name 7", inMetadata({ name: 7 }), false],
  ["resourceVersion {}", inMetadata({ resourceVersion: {} }), true],
  ["generation -1", inMetadata({ generation: -1 }), true],
  ["generation 1e300", inMetadata({ generation: 1e300 }), true],
  ["deletionTimestamp soon", inMetadata({ deletionTimestamp: "soon" }), true],
  ["creationTimestamp 5", inMetadata({ creationTimestamp: 5 }), true],
  ["namespace a/b", inMetadata({ namespace: "a/b" }), true],
  ["labels a list", inMetadata({ labels: [1] }), true],
  ["a label that is no text", inMetadata({ labels: JSON.parse('{"__proto__": {"a": 1}}') }), true],
  ["an annotation that is no text", inMetadata({ annotations: { a: {} } }), true],
  ["finalizers a text", inMetadata({ finalizers: "x" }), true],
  ["owners with null", inMetadata({ ownerReferences: [null] }), true],
  ["managedFields with null", inMetadata({ managedFields: [null] }), true],
  ["fieldsV1 a text", inMetadata({ managedFields: [{ fieldsV1: "x" }] }), true],
  ["metadata a list", of({ metadata: [] }), false],
  ["a spec that is none", of({ spec: "x" }), true],
  ["a deep spec", of({ spec: nested(5000) }), true],
  ["a deep status", of({ status: nested(5000) }), true],
  ["another kind", of({ kind: "Secret" }), true],
  ["null", () => null, false],
  ["5", () => 5, false],
];

const HARMLESS: readonly [what: string, lie: Lie][] = [
  ["conditions with null", of({ status: { conditions: [null, { type: 1 }, { type: "Ready", status: "True" }] } })],
  ["a status that is none", of({ status: 5 })],
  ["lists of its status with null", of({ status: { conditions: "x", resources: [null], nodes: {} } })],
  ["the uid of another one", inMetadata({ uid: "uid-1" })],
  ["prototypes among its annotations", inMetadata({ annotations: JSON.parse('{"__proto__": "x"}') })],
];

describe("a false guest", () => {
  let fleet: FakeFleet;
  let guest: FakeCluster;
  let lines: Record<string, unknown>[];
  beforeEach(async () => {
    fleet = await fakeFleet(["c1"]);
    guest = fleet.guest("c1");
    lines = [];
    guest.put(WRAPPERS, pool("api"));
  });
  afterEach(() => fleet.close());

  async function pass(over: Partial<ClusterSpec> = {}): Promise<ReconcileResult> {
    const write = (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>);
    const { ended, state } = runInProcess([{ ...fleet.specs[0]!, ...over }], { once: true, write });
    await ended;
    return state("c1")!.last!;
  }

  const said = (result: ReconcileResult) =>
    stepsOf(result)
      .filter(({ step }) => !step.kind.startsWith("Validating"))
      .map(({ step: { action, kind, name }, outcome }) => `${action} ${kind}/${name} ${outcome}`);

  const setPolicy = (type: string) =>
    fleet.management.put(policiesOf("c1"), {
      ...policy([isIn(TYPE, type)]),
      metadata: { name: "default", namespace: "clusters-c1" },
    });

  const typeOf = (name: string) => {
    const { spec } = guest.objects(NODE_POOLS).find(({ metadata }) => metadata.name === name)!;
    return JSON.stringify(spec).match(/m5\.2?xlarge/)?.[0];
  };

  const inventory = () => fleet.management.objects(CONFIG_MAPS).find(({ metadata }) => metadata.name === INVENTORY)!;
  const objects = () => (inventory().data as Record<string, string>)["objects"]!;
  const ids = () =>
    (JSON.parse(objects()) as { kind: string; name: string; uid?: string }[])
      .map(({ kind, name, uid }) => `${kind}/${name} ${uid}`)
      .toSorted();

  /** From now on lists tell this of `web`. */
  function lieInLists(collection: string, lie: (honest: Fields) => readonly unknown[]): void {
    guest.intercept = ({ method, path, url }, response) => {
      if (method !== "GET" || path !== collection || url.includes("watch=true")) return false;
      const items = guest
        .objects(collection)
        .flatMap((object) => (object.metadata.name === "web" ? lie(object as unknown as Fields) : [object]));
      send(response, 200, { metadata: { resourceVersion: "1" }, items });
      return true;
    };
  }

  /** The next write of `web` is answered so. */
  function lieOnce(lie: Lie): void {
    let isOver = false;
    guest.intercept = async ({ method, path, body }, response) => {
      if (isOver || method !== "PATCH" || path !== `${NODE_POOLS}/web` || Array.isArray(body)) return false;
      isOver = true;
      const { metadata, ...rest } = body as { metadata: Fields };
      const { resourceVersion: _new, ...kept } = metadata;
      guest.put(NODE_POOLS, { ...rest, metadata: kept });
      const stored = guest.objects(NODE_POOLS).find((object) => object.metadata.name === "web");
      send(response, 200, lie(stored as unknown as Fields));
      return true;
    };
  }

  const honestly = async () => {
    guest.intercept = () => false;
    await pass();
    const last = await pass();
    expect(last).toMatchObject({ result: "ok", ready: { status: "True" } });
    expect([typeOf("api"), typeOf("web")]).toEqual(["m5.2xlarge", "m5.2xlarge"]);
    return last;
  };

  test.each(LIES)(
    "that lists a NodePool with %s holds that one, and is believed again when it is honest",
    async (_, lie, isNamed) => {
      setPolicy("m5.xlarge");
      await pass();
      const before = ids();
      setPolicy("m5.2xlarge");
      lieInLists(NODE_POOLS, (honest) => [lie(honest)]);
      const held = await pass();
      expect(held.result).toBe("held");
      expect(said(held)).toContain("update NodePool/api done");
      if (isNamed) expect(said(held)).toContain("hold NodePool/web none");
      else expect(lines.map(({ msg }) => msg)).toContain("not usable");
      expect(held.ready).toMatchObject({ status: "False", reason: "PoolOutsidePolicy" });
      expect(lines.every((line) => JSON.stringify(line).length < 3000)).toBe(true);
      await honestly();
      expect(ids()).toEqual(before);
    },
  );

  test.each(LIES)("that lists a wrapper with %s keeps its NodePool", async (_, lie) => {
    setPolicy("m5.xlarge");
    await pass();
    const before = ids();
    setPolicy("m5.2xlarge");
    lieInLists(WRAPPERS, (honest) => [lie(honest)]);
    const held = await pass();
    expect(held).toMatchObject({ result: "held", counts: { pruned: 0 } });
    expect(said(held)).toContain("update NodePool/api done");
    expect(said(held).find((line) => line.includes("NodePool/web"))).toMatch(/^(hold|keep) NodePool\/web none$/);
    await honestly();
    expect(ids()).toEqual(before);
  });

  test.each([...LIES.map(([what, lie]) => [what, lie] as const), ...HARMLESS])(
    "that answers a write with %s has that object looked at again",
    async (_, lie) => {
      setPolicy("m5.xlarge");
      await pass();
      setPolicy("m5.2xlarge");
      lieOnce(lie);
      await pass();
      await honestly();
      guest.remove(NODE_POOLS, "web");
      lieOnce(lie);
      await pass();
      const last = await honestly();
      expect(said(last)).toEqual(["in-sync NodePool/api none", "in-sync NodePool/web none"]);
    },
  );

  test.each(HARMLESS)("that lists a NodePool with %s keeps nothing from it", async (_, lie) => {
    setPolicy("m5.xlarge");
    await pass();
    setPolicy("m5.2xlarge");
    lieInLists(NODE_POOLS, (honest) => [lie(honest)]);
    expect(said(await pass())).toContain("update NodePool/web done");
    lieInLists(WRAPPERS, (honest) => [lie(honest)]);
    expect(said(await pass()).join()).toMatch(/NodePool\/web (none|done)/);
    await honestly();
  });

  test("that lists an object twice has neither believed", async () => {
    setPolicy("m5.xlarge");
    await pass();
    setPolicy("m5.2xlarge");
    const twice = (honest: Fields) => [honest, inMetadata({ uid: "other" })(honest)];
    lieInLists(NODE_POOLS, twice);
    expect(said(await pass())).toContain("hold NodePool/web none");
    lieInLists(WRAPPERS, twice);
    expect(said(await pass())).toContain("hold NodePool/web none");
    await honestly();
  });

  test("that deletes what it says is deleted is not forgotten while its list cannot be used", async () => {
    setPolicy("m5.2xlarge");
    await pass();
    guest.remove(WRAPPERS, "web");
    const before = ids();
    lieInLists(NODE_POOLS, (honest) => [inMetadata({ uid: [] })(honest)]);
    const held = await pass();
    expect(said(held)).toContain("hold NodePool/web none");
    expect(ids()).toEqual(before);
    guest.intercept = () => false;
    expect(said(await pass())).toContain("prune NodePool/web done");
  });

  const damage = (data: object) =>
    fleet.management.put(CONFIG_MAPS, { ...inventory(), data: { ...(inventory().data as object), ...data } });

  describe("whose inventory is damaged", () => {
    beforeEach(async () => {
      setPolicy("m5.2xlarge");
      guest.put(WRAPPERS, pool("batch"));
      await pass();
    });

    const repaired = () =>
      (JSON.parse(objects()) as { name: string; repaired?: true }[])
        .filter((entry) => entry.repaired === true)
        .map(({ name }) => name)
        .toSorted();

    test("by one entry keeps all others, and the earlier copy has that one", async () => {
      guest.put(WRAPPERS, pool("new"));
      await pass();
      const before = ids();
      damage({ objects: objects().replace(/("name":"web","uid":)"[^"]*"/, "$1[[]]") });
      const first = await pass();
      expect(first).toMatchObject({ ready: { status: "True" }, counts: { pruned: 0, foreign: 0 } });
      expect(first.outcomes.find(({ state }) => state === "repaired")?.why).toMatch(
        /^the inventory clusters-c1\/anp-inventory\.clusters-c1\.c1\.0 of the management cluster is damaged: its object \d+ is invalid; it is repaired from its readable entries, from its earlier copy, and from the marks of objects$/,
      );
      expect([ids(), repaired()]).toEqual([before, []]);
      guest.remove(WRAPPERS, "web");
      expect(said(await pass())).toContain("prune NodePool/web done");
    });

    test("in all of its copies is repaired by marks: applied, and deleted only when a person says so", async () => {
      damage({ objects: "[", before: "[" });
      setPolicy("m5.xlarge");
      const first = await pass();
      expect(said(first)).toEqual([
        "update NodePool/api done",
        "update NodePool/batch done",
        "update NodePool/web done",
      ]);
      const names = guest.objects(NODE_POOLS).map(({ metadata }) => metadata.name);
      expect(repaired()).toEqual(expect.arrayContaining(names));
      setPolicy("m5.2xlarge");
      expect(said(await pass())).toContain("update NodePool/web done");
      expect(repaired()).toEqual(expect.arrayContaining(names));
      guest.remove(WRAPPERS, "web");
      const kept = await pass();
      expect(said(kept)).toContain("keep NodePool/web none");
      expect(stepsOf(kept).find(({ step }) => step.action === "keep")?.step).toMatchObject({
        reason:
          "NodePool web stays: its entry in the inventory was repaired, and only its own marks say that anp made it",
        advice: "--adopt NodePool/web confirms it",
      });
      expect(lines.filter(({ msg }) => msg === "inventory repaired")).toHaveLength(3);
      expect(said(await pass({ adopt: new Set(["NodePool/web"]) }))).toContain("keep NodePool/web none");
      expect(said(await pass())).toContain("prune NodePool/web done");
      // What anp makes anew is its own.
      guest.remove(NODE_POOLS, "api");
      await pass();
      expect(repaired()).not.toContain("api");
    });

    test("takes in nothing that only looks like its own: it has no marks, or no wrapper, or is of another uid", async () => {
      const made = guest.objects(NODE_POOLS).map((object) => object as unknown as Fields);
      const api = made.find((object) => (object["metadata"] as { name: string }).name === "api");
      guest.remove(NODE_POOLS, "web");
      guest.put(NODE_POOLS, { metadata: { name: "web", managedFields: [] }, spec: api!["spec"] });
      guest.put(NODE_POOLS, { ...api, metadata: { ...(api!["metadata"] as object), name: "theirs", uid: "theirs" } });
      damage({ objects: "[" });
      const first = await pass();
      expect(said(first)).toEqual([
        "in-sync NodePool/api none",
        "in-sync NodePool/batch none",
        "foreign-object NodePool/web none",
        "unclaimed NodePool/theirs none",
      ]);
    });

    test("is not repaired while something of the guest cannot be used", async () => {
      damage({ objects: "[", before: "[" });
      const before = inventory();
      lieInLists(NODE_POOLS, (honest) => [inMetadata({ uid: 5 })(honest)]);
      const held = await pass();
      expect(held.ready).toMatchObject({ status: "False", reason: "InventoryUnreadable" });
      expect(held.ready.message).toContain(
        "it cannot be repaired while NodePool web of the guest cluster cannot be used",
      );
      expect(inventory()).toEqual(before);
      guest.intercept = () => false;
      expect((await pass()).ready.status).toBe("True");
    });

    test("by a later version is left alone", async () => {
      damage({ objects: objects().replace('"name":"web"', '"name":"web","x":1') });
      const before = inventory();
      expect(await pass()).toMatchObject({ mode: "Hold", ready: { reason: "InventoryUnreadable" } });
      expect(inventory()).toEqual(before);
    });
  });
});
