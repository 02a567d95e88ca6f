/** Pairs of requirement lists over a small catalogue: gains, losses, responsible entries. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, entry } from "../../../../test/support/instance-types.ts";
import { parseSources } from "../../../krm/parse/parse.ts";
import type { KubeObject } from "../../../model/objects/kube-object.ts";
import { testSource } from "../../../../test/support/source.ts";
import { offeredTypes } from "../../../karpenter/catalogue/reserved-capacity.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import type { SideObject } from "../sides.ts";
import { type OfferChange, offerComparer, type Shift } from "./compare-offers.ts";

const MARKET: InstanceTypes = { filter: offeredTypes(CATALOGUE), profile: "karpenter-1.14" };

/** Each entry is on a line of its own, from line 2 on. */
function poolOf(file: string, entries: readonly string[], labels: Readonly<Record<string, string>> = {}): SideObject {
  const list = entries.map((text) => `\n${JSON.stringify(entry(text))}`).join(",");
  const ref = `{"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}`;
  const text = `{"spec": {"template": {"spec": {"nodeClassRef": ${ref}, "requirements": [${list}]},
"metadata": {"labels": ${JSON.stringify(labels)}}}},
"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web"}}`;
  const [resource] = parseSources([testSource(text, { file })]).value;
  return {
    object: resource!.value as unknown as KubeObject,
    asItStands: true,
    placeOf: (path) => ({ resource: resource!, path }),
  };
}

function classOf(spec: KubeObject["spec"]): SideObject {
  const object = { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata: { name: "default" }, spec };
  return { object, asItStands: true, placeOf: () => undefined };
}

function compared(from: readonly string[], to: readonly string[], knownTypes = MARKET): OfferChange {
  const [before, after] = [poolOf("old.yaml", from), poolOf("new.yaml", to)];
  return offerComparer()({ pool: before, nodeClass: undefined }, { pool: after, nodeClass: undefined }, knownTypes)!;
}

/** `m5.xlarge by −cpu Exists >=8 old.yaml:2`. */
function told({ gained, lost }: Shift): string[] {
  const one =
    (mark: string) =>
    ({ name, by }: Shift["gained"][number]) =>
      `${mark}${name} by ${by
        .map(
          ({ gone, key, requirement, file, line }) =>
            `${gone ? "−" : "+"}${key.replace(/^.*\/(instance-)?/, "")} ${requirement} ${file}:${line}`,
        )
        .join(", ")}`;
  return [...gained.map(one("+")), ...lost.map(one("−"))];
}

describe("gains and losses of a change", () => {
  it("names the removed entry of the old side, and the added entry of the new side", () => {
    const { types } = compared(["cpu Gte 8", "family In m5"], ["family In m5", "cpu Lt 16"]);
    expect(told(types)).toStrictEqual([
      "+m5.xlarge by −cpu Exists >=8 old.yaml:2",
      "−m5.4xlarge by +cpu Exists <=15 new.yaml:3",
    ]);
  });

  it("is empty for the same entries in another order or spelling", () => {
    const { types, zones, capacityTypes } = compared(
      ["cpu Gte 4", "arch In arm64"],
      ["arch In arm64", "family In m7g"],
    );
    expect([types, zones, capacityTypes]).toStrictEqual([1, 2, 3].map(() => ({ gained: [], lost: [] })));
  });

  it("names each of several entries that are responsible on their own", () => {
    const { types } = compared(["cpu Lt 9", "family In m5"], ["cpu Lt 9", "family In c5", "arch In arm64"]);
    expect(told(types)).toStrictEqual([
      "−m5.2xlarge by +family In [c5] new.yaml:3, +arch In [arm64] new.yaml:4",
      "−m5.xlarge by +family In [c5] new.yaml:3, +arch In [arm64] new.yaml:4",
    ]);
  });

  it("has the zones and capacity types in which the remaining types are offered", () => {
    const { zones, capacityTypes } = compared(["family In m5"], ["family In g5"]);
    expect(told(zones)).toStrictEqual([
      "−us-east-1b by +family In [g5] new.yaml:2",
      "−us-east-1c by +family In [g5] new.yaml:2",
    ]);
    expect(capacityTypes.lost.map(({ name }) => name)).toStrictEqual(["spot"]);
  });

  it("finds both parts of a contradiction that admits types", () => {
    const { types } = compared(["gpus In 1"], ["gpus In 1", "gpus In 4", "family In c5,g4dn"]);
    expect(told(types)).toStrictEqual([
      "+c5.xlarge by +gpu-count In [4] new.yaml:3",
      "−g4dn.xlarge by +gpu-count In [4] new.yaml:3",
    ]);
  });

  it("is empty if a minValues cannot be met", () => {
    const { types, zones } = compared(["family In c5"], ["family In c5 min 2"]);
    expect(told(types)).toStrictEqual(["−c5.xlarge by +family In [c5] minValues 2 new.yaml:2"]);
    expect(zones.lost).toHaveLength(3);
  });

  it("is all that a pool may launch if it is added or removed", () => {
    const side = { pool: poolOf("new.yaml", ["family In m7g"]), nodeClass: undefined };
    const compare = offerComparer();
    const names = ({ gained, lost }: Shift) =>
      [gained, lost].map((some) => some.map(({ name, by }) => [name, by.length]));
    const both = [
      ["m7g.2xlarge", 0],
      ["m7g.xlarge", 0],
    ];
    expect(names(compare(undefined, side, MARKET)!.types)).toStrictEqual([both, []]);
    expect(names(compare(side, undefined, MARKET)!.types)).toStrictEqual([[], both]);
  });

  it("includes reserved capacity if the class selects some", () => {
    const pool = poolOf("new.yaml", ["family In m5"]);
    const reserving = { capacityReservationSelectorTerms: [{ id: "cr-1" }] };
    const offered = offerComparer()({ pool, nodeClass: classOf({}) }, { pool, nodeClass: classOf(reserving) }, MARKET)!;
    expect(offered.capacityTypes.gained.map(({ name }) => name)).toStrictEqual(["reserved"]);
    expect(offered.capacityTypes.gained[0]?.by.map(({ from, gone }) => [from, gone])).toContainEqual(["class", true]);
  });

  it("is unknown without known types, and has the zones of entries if the catalogue has none", () => {
    const zoneless = {
      ...CATALOGUE,
      offerings: {
        sets: [[{ requirements: new Map(), available: true }]],
        of: new Uint16Array(CATALOGUE.names.length),
      },
    };
    const knownTypes: InstanceTypes = { filter: offeredTypes(zoneless), profile: "karpenter-1.14" };
    const { zones, capacityTypes } = compared(
      ["zone In us-east-1a,us-east-1b"],
      ["zone In us-east-1b,us-east-1c", "capacity In spot"],
      knownTypes,
    );
    expect([zones.gained, zones.lost].flat().map(({ name }) => name)).toStrictEqual(["us-east-1c", "us-east-1a"]);
    expect(capacityTypes.lost.map(({ name }) => name)).toStrictEqual(["on-demand", "reserved"]);
    const pool = { pool: poolOf("new.yaml", []), nodeClass: undefined };
    expect(offerComparer()(pool, pool, { ...MARKET, typesUnknown: true })).toBeUndefined();
  });
});
