/** Unknown labels of a catalogue exclude nothing; known ones and node classes do. */
import { describe, expect, it } from "vitest";
import { CATALOGUE, clusterOf, type PoolInShort } from "../../../test/support/instance-types.ts";
import { catalogueOf } from "../../karpenter/catalogue/catalogue-of.ts";
import { priceIndex } from "../../karpenter/catalogue/price-index.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { AWS_LABELS } from "../../karpenter/requirements/label-presence.ts";
import { labelRequirements, requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { MOST_TYPES } from "../../karpenter/catalogue/price-index.ts";
import { remainingTypes } from "./remaining-types.ts";
import { UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { shippedCatalogue } from "../../library/shipped-catalogue.ts";
import { describeExplanation } from "./describe-explanation.ts";

const RESERVATION = "karpenter.k8s.aws/capacity-reservation-id";
const ZONE_ID = "topology.k8s.aws/zone-id";

/** Verdict, obstacles, `key found/wanted` of minValues, conflict. */
function ask(pool: PoolInShort): readonly unknown[] {
  const [explanation] = clusterOf(pool).explanations;
  const { verdict, minValuesMissed, conflict } = describeExplanation(explanation!, {
    places: new Map([["web", 1]]),
    of: 1,
  });
  return [
    verdict,
    ...explanation!.obstacles,
    ...minValuesMissed.map(({ key, found, wanted }) => `${key} ${found}/${wanted}`),
    ...conflict.map(({ from, requirement, file, line }) => `${from} ${requirement} ${file}:${line}`),
  ];
}

/** A class that selects no reservation. */
const WITHOUT = "{kubelet: {maxPods: 250}}";
const SHIPPED = { catalogue: shippedCatalogue() };

describe("minValues over the shipped catalogue, which knows neither zones nor capacity types", () => {
  it.each<[readonly string[], "karpenter-1.15"?]>([
    [["capacity In spot,on-demand min 2"]],
    [["capacity Exists min 3"]],
    [["zone Exists min 3"]],
    [["zone In us-east-1a,us-east-1b min 2"]],
    [[`${ZONE_ID} Exists min 3`]],
    [[`${RESERVATION} Exists min 2`]],
    [["capacity In spot", "family Exists min 5", "type Exists min 15"]],
    [["zone NotIn us-east-1a min 3"], "karpenter-1.15"],
    [["capacity In spot,on-demand min 2"], "karpenter-1.15"],
  ])("of %j can be met", (user, profile) => {
    expect(ask({ ...SHIPPED, user, ...(profile && { profile }) })).toStrictEqual(["ok"]);
  });

  it.each<readonly [string, PoolInShort, readonly string[]]>([
    [
      "more capacity types than there are",
      { user: ["capacity Exists min 4"] },
      ["karpenter.sh/capacity-type 3/4", "user Exists minValues 4 pool.yaml:2"],
    ],
    [
      "more capacity types than the class has",
      { user: ["capacity Exists min 3"], nodeClass: WITHOUT },
      [
        "karpenter.sh/capacity-type 2/3",
        "user Exists minValues 3 pool.yaml:2",
        "class In [on-demand spot] class.yaml:2",
      ],
    ],
    [
      "more values than policy and pool leave of a list",
      { policy: ["zone In us-east-1a"], user: ["zone In us-east-1a,us-east-1b min 2"] },
      [
        "topology.kubernetes.io/zone 1/2",
        "policy In [us-east-1a] policy.yaml:2",
        "user In [us-east-1a us-east-1b] minValues 2 pool.yaml:2",
      ],
    ],
    [
      "a custom label",
      { user: ["tier In gold,silver min 2"] },
      ["example.com/tier 0/2", "user In [gold silver] minValues 2 pool.yaml:2"],
    ],
    [
      "a label that all that is left lacks",
      { user: ["gpus DoesNotExist", "gpus Exists min 1"] },
      [
        "karpenter.k8s.aws/instance-gpu-count 0/1",
        "user DoesNotExist pool.yaml:2",
        "user Exists minValues 1 pool.yaml:3",
      ],
    ],
  ])("of %s cannot be met", (_what, pool, said) => {
    expect(ask({ ...SHIPPED, ...pool })).toStrictEqual(["unsatisfiable", "min-values-unreachable", ...said]);
  });
});

describe("minValues over a catalogue with offerings", () => {
  it("counts zones and capacity types that the types are offered in", () => {
    expect(ask({ user: ["zone Exists min 3"] })).toStrictEqual(["ok"]);
    expect(ask({ user: ["zone Exists min 4"] })).toStrictEqual([
      "unsatisfiable",
      "min-values-unreachable",
      "topology.kubernetes.io/zone 3/4",
      "user Exists minValues 4 pool.yaml:2",
    ]);
    expect(ask({ user: ["capacity Exists min 2"], nodeClass: WITHOUT })).toStrictEqual(["ok"]);
    expect(ask({ user: ["capacity Exists min 3"] })).toStrictEqual(["ok"]);
    expect(ask({ user: ["capacity Exists min 3"], nodeClass: WITHOUT })[2]).toBe("karpenter.sh/capacity-type 2/3");
  });

  it("counts a type with an unknown label as any number of values", () => {
    const family = CATALOGUE.labels.get("karpenter.k8s.aws/instance-family")!;
    const of = family.of.with(0, UNKNOWN);
    const labels = new Map([...CATALOGUE.labels, ["karpenter.k8s.aws/instance-family", { ...family, of }] as const]);
    const catalogue = { ...CATALOGUE, labels };
    expect(ask({ catalogue, user: ["family Exists min 50"] })).toStrictEqual(["ok"]);
    expect(ask({ catalogue, user: ["family Exists min 50", "arch In arm64"] })[2]).toBe(
      "karpenter.k8s.aws/instance-family 1/50",
    );
  });
});

describe.each([
  ["the shipped catalogue", SHIPPED],
  ["a catalogue with offerings", {}],
])("reserved capacity over %s", (_what, catalogue) => {
  const wants = [["capacity In reserved"], ["capacity NotIn spot,on-demand"], [`${RESERVATION} In cr-1`]];

  it.each(wants)("exists for %s if the class selects reservations, or is not in the input", (user) => {
    const nodeClass = "{capacityReservationSelectorTerms: [{id: cr-1}]}";
    expect([ask({ ...catalogue, user: [user] }), ask({ ...catalogue, user: [user], nodeClass })]).toStrictEqual([
      ["ok"],
      ["ok"],
    ]);
  });

  it.each(wants)("does not exist for %s if the class selects none", (user) => {
    const [verdict, ...others] = ask({ ...catalogue, user: [user], nodeClass: WITHOUT });
    expect([verdict, others[0]]).toStrictEqual(["unsatisfiable", "pool-unsatisfiable"]);
    expect(others.slice(1).map((text) => String(text).replace(/ .* /, " "))).toStrictEqual([
      "user pool.yaml:2",
      "class class.yaml:2",
    ]);
  });

  it("is not needed by a pool that also accepts other capacity", () => {
    expect(ask({ ...catalogue, user: ["capacity In reserved,spot"], nodeClass: WITHOUT })).toStrictEqual(["ok"]);
    expect(ask({ ...catalogue, user: [`${RESERVATION} DoesNotExist`], nodeClass: WITHOUT })).toStrictEqual(["ok"]);
  });

  it("exists only for offered types", () => {
    const user = ["capacity In reserved", "zone In us-east-1a", "arch In arm64"];
    expect(ask({ ...catalogue, user })[0]).toBe(catalogue === SHIPPED ? "ok" : "unsatisfiable");
  });
});

describe("minValues over more types than Karpenter launches", () => {
  const CATEGORY = "karpenter.k8s.aws/instance-category";
  const CAPACITY = "karpenter.sh/capacity-type";
  const types = Array.from({ length: MOST_TYPES + 2 }, (_none, index) => {
    const name = `t${String(index).padStart(4, "0")}`;
    const offering = { requirements: labelRequirements({ [CAPACITY]: "on-demand" }), available: true, price: index };
    const labels = labelRequirements({ [CATEGORY]: index < MOST_TYPES ? "m" : index === MOST_TYPES ? "p" : "x" });
    return { name, labels, offerings: [offering], allocatable: {} };
  });
  const catalogue = catalogueOf({ source: "a region", date: "2026-11", ...AWS_LABELS }, types);
  const prices = { source: "a region", region: undefined, date: "2026-11", currency: "USD", onDemand: new Map() };

  const missed = (capacity: string, ...values: string[]) => {
    const demands = [
      { key: CATEGORY, operator: "In", values, minValues: values.length },
      { key: CAPACITY, operator: "In", values: capacity.split(",") },
    ] as const;
    const asked = demands.map((entry) => ({
      from: "user" as const,
      requirement: [...requirementsOf([entry]).values()][0]!,
    }));
    const known = {
      filter: typeFilter(catalogue),
      profile: "karpenter-1.15" as const,
      prices: priceIndex(catalogue, prices),
    };
    return [...remainingTypes(asked, known).shortfall];
  };

  it.each([
    ["no entry needs the expensive ones", "on-demand", ["m"], []],
    ["at most so many are left", "on-demand", ["p", "x"], []],
    ["the cheapest have too few values", "on-demand", ["m", "p", "x"], [[CATEGORY, 1]]],
    ["the prices of Spot are unknown", "on-demand,spot", ["m", "p", "x"], []],
  ] as const)("%s", (_what, capacity, values, shortfall) => {
    expect(missed(capacity, ...values)).toStrictEqual(shortfall);
  });
});
