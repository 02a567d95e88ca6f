/** Generates random valid inputs of anp from a service provider and a cluster user. */
import fc from "fast-check";
import { config, hostedControlPlane, nodeClass, rootVolume, userData } from "./platform-arbitraries.ts";
import { type Entry, KEYS, optional, type Pool, record, type Scenario, value } from "./scenario.ts";

/** Few, so that policy and user collide, and mostly keys on which a bypass is possible. */
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...KEYS.always), weight: 2 },
  { arbitrary: fc.constantFrom(...KEYS.mayBeAbsent), weight: 3 },
);
const number = fc.constantFrom("0", "1", "2", "3", "4", "5", "9223372036854775806", "9223372036854775807");
const values = fc.array(value, { maxLength: 3 });

const entryOf = (operator: string): fc.Arbitrary<Entry> => {
  const minValues = optional(fc.integer({ min: 1, max: 3 }));
  if (operator === "In") {
    return fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 }), minValues).map(([name, list, least]) => ({
      key: name,
      operator,
      values: list,
      ...(least === undefined || least > list.length ? {} : { minValues: least }),
    }));
  }
  const list = ["NotIn", "Exists", "DoesNotExist"].includes(operator) ? optional(values) : number.map((one) => [one]);
  return record({
    key,
    operator: fc.constant(operator),
    values: list,
    minValues,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<Entry>;
};

const entry = fc.oneof(...["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"].map(entryOf));
const entries = fc.array(entry, { maxLength: 6, size: "max" });

const taints = (effects: readonly string[]) =>
  fc.uniqueArray(
    record({
      key: fc.constantFrom("dedicated", "example.com/gpu"),
      value: optional(fc.constant("web")),
      effect: fc.constantFrom(...effects),
    }),
    { maxLength: 2, selector: (taint) => `${String(taint["key"])}=${String(taint["effect"])}` },
  );

const pool: fc.Arbitrary<Pool> = fc.record({
  name: fc.constantFrom("web", "batch", "db.v2", "a-0"),
  requirements: fc.option(entries, { nil: undefined }),
  labels: fc.dictionary(fc.constantFrom("example.com/team", "tier", ...KEYS.always.slice(0, 2)), value, { maxKeys: 2 }),
  template: record({
    nodeClassRef: optional(
      fc.constantFrom("default", "gpu").map((name) => ({
        group: "karpenter.hypershift.openshift.io",
        kind: "OpenshiftEC2NodeClass",
        name,
      })),
    ),
    taints: optional(taints(["NoSchedule", "NoExecute"])),
    startupTaints: optional(taints(["PreferNoSchedule"])),
    expireAfter: optional(fc.constantFrom("720h", "Never", "1h30m")),
    terminationGracePeriod: optional(fc.constant("24h")),
  }),
  rest: record({
    weight: optional(fc.integer({ min: 1, max: 100 })),
    limits: optional(fc.constantFrom({ cpu: "64" }, { cpu: 200, memory: "800Gi" })),
    disruption: optional(fc.constant({ consolidateAfter: "1h", budgets: [{ nodes: "1" }] })),
  }),
});

const unique = <T extends { readonly name: string }>(one: fc.Arbitrary<T>, minLength: number) =>
  fc.uniqueArray(one, { minLength, maxLength: 3, selector: ({ name }) => name });

export const scenario = fc.record({
  policy: fc.option(
    record({ requirements: fc.option(entries, { nil: undefined }), rootVolume: optional(rootVolume) }),
    { nil: undefined, freq: 9 },
  ),
  pools: unique(pool, 1),
  nodeClasses: unique(nodeClass, 0),
  userData: fc.uniqueArray(userData, { maxLength: 2, selector: (one) => one.nodeClass }),
  hostedControlPlane: fc.option(hostedControlPlane, { nil: undefined }),
  config,
}) as fc.Arbitrary<Scenario>;
