/** Generates random values of bounded fields, and pools with them. */
import fc from "fast-check";
import type { BoundedFields } from "../../../src/guard/admit-bounds.ts";
import type { Bounds } from "../../../src/guard/guard-bounds.ts";
import { poolOf } from "./guarded-cluster.ts";

const TIMES = [
  "1h",
  "90m",
  "168h",
  "167h60m",
  "168h1s",
  "10080m",
  "604801s",
  "0s",
  "0168h",
  "2m1h",
  "720h",
  "9999999h",
];
const NODES = ["0", "1", "2", "007", "5", "10", "0%", "1%", "9%", "10%", "50%", "100%", "4294967297", "2147483648"];
const HUGE = ["9223372036854775807", "9223372036854775808", "00000000000000000000000001"];
const REASONS = [undefined, [], ["Drifted"], ["Empty"], ["Empty", "Drifted"], ["Drifted", "Underutilized", "Empty"]];
const SCHEDULES = [
  "@daily",
  "@dailyfoo",
  "@weekly extra",
  "0 9 * * mon-fri",
  "0 9 * * MON-Fri",
  "*/15 0-8,20 1/2 jan,dec ?",
  "0 9 * * 7",
  "60 * * * *",
  "* * 0 * *",
  "5-4 * * * *",
  "0 0 30 2 *",
  ", * * * *",
  "*-x * * * *",
  "1/2/3 * * * *",
  "*/0 * * * *",
  "+5 9 * * *",
  "-1 9 * * *",
  "1-2-3 * * * *",
  "0  9 * *  *",
  " 0 9 * * * ",
  "0 0 9 * * mon",
  "a b c d e",
  "* * mon * *",
  "1/ * * * *",
  "- * * * *",
  "50/5 * * * fri/2",
  "0 24 * * *",
  "99999999999999999999 * * * *",
];
const DURATIONS = ["8h", "30m", "1h30m", "10m0s", "99999999h"];

const time = (none: readonly (string | undefined)[]): fc.Arbitrary<string | undefined> =>
  fc.constantFrom(...none, ...TIMES);

const budget = fc
  .tuple(
    fc.constantFrom(undefined, ...NODES, ...NODES, ...HUGE),
    fc.constantFrom(...REASONS),
    fc.option(fc.tuple(fc.constantFrom(...SCHEDULES), fc.constantFrom(...DURATIONS)), { nil: undefined }),
  )
  .map(([nodes, reasons, times]) => ({
    ...(nodes === undefined ? {} : { nodes }),
    ...(reasons === undefined ? {} : { reasons }),
    ...(times === undefined ? {} : { schedule: times[0], duration: times[1] }),
  }));

export const boundedFields: fc.Arbitrary<BoundedFields> = fc
  .tuple(
    time([undefined, undefined, "Never"]),
    time([undefined, undefined]),
    fc.option(
      fc.oneof(
        { weight: 8, arbitrary: fc.array(budget, { maxLength: 4 }) },
        fc.array(budget, { minLength: 47, maxLength: 50 }),
      ),
      { nil: undefined },
    ),
  )
  .map(([expireAfter, terminationGracePeriod, budgets]) => ({ expireAfter, terminationGracePeriod, budgets }));

export const someBounds: fc.Arbitrary<Bounds> = fc.record({
  maxExpireAfter: fc.constantFrom("168h", "168h", "1000h", undefined),
  maxTerminationGracePeriod: fc.constantFrom("1h", "90m", undefined),
  minDriftedBudget: fc.constantFrom("1", "3", "10%", "100%"),
});

/** As applied: undefined fields are omitted. */
export function boundedPool(name: string, { expireAfter, terminationGracePeriod, budgets }: BoundedFields) {
  const pool = poolOf(name, []);
  const { template } = pool.spec as { template: { spec: object } };
  const spec = {
    ...template.spec,
    ...(expireAfter === undefined ? {} : { expireAfter }),
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
  };
  const disruption = budgets === undefined ? {} : { disruption: { consolidateAfter: "0s", budgets } };
  return { ...pool, spec: { template: { spec }, ...disruption } };
}
