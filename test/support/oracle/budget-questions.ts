/** Generates random budgets at random times: common and unusual schedules, and moments near their hits. */
import fc from "fast-check";
import { parseCronSchedule } from "../../../src/karpenter/disruption/cron-schedule.ts";
import { type DisruptionReason, disruptionReasons } from "../../../src/model/pools/disruption-reasons.ts";
import { parseGoDuration } from "../../../src/model/values/go-duration.ts";

export interface BudgetQuestion {
  readonly op: "budget";
  readonly budgets: readonly {
    readonly nodes: string;
    readonly reasons?: readonly string[];
    readonly schedule?: string;
    readonly duration?: string;
  }[];
  readonly reason: DisruptionReason;
  readonly nodes: number;
  readonly at: string;
}

const between = (min: number, max: number) => fc.integer({ min, max });

/** One field of a schedule: a number, a range, a step or a list, and sometimes an error. */
function field(min: number, max: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const number = between(min, max).map(String);
  const value = names.length === 0 ? number : fc.oneof(number, fc.constantFrom(...names));
  const range = fc.tuple(between(min, max), between(min, max)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const one = fc.oneof(
    { weight: 6, arbitrary: value },
    { weight: 3, arbitrary: range },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom("*", "?", String(min)), between(1, 20)).map(([a, b]) => `${a}/${b}`),
    },
    { weight: 1, arbitrary: fc.tuple(range, between(1, 7)).map(([a, b]) => `${a}/${b}`) },
    { weight: 1, arbitrary: fc.constantFrom("*", "?", "") },
  );
  const list = fc.array(one, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(",") || ",");
  const wrong = fc.oneof(
    fc.constantFrom("L", "15W", "mon#1", "-1", "1-2-3", "1/2/3", "*/0", "1/-2", "+5", "٣", "99999999999999999999"),
    between(max + 1, max + 3).map(String),
    fc.constant(`${max}-${min}`),
  );
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant("*") },
    { weight: 25, arbitrary: list },
    { weight: 1, arbitrary: wrong },
  );
}

const MONTHS = ["jan", "Feb", "MAR", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "TUE", "wed", "thu", "Fri", "sat", "mon-fri", "tue-thu"];

const blank = fc.oneof(
  { weight: 12, arbitrary: fc.constant(" ") },
  fc.constantFrom("\t", "  ", "\u00a0", "\u2003", "\f"),
);

const fields = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12, MONTHS), field(0, 6, WEEKDAYS), blank, fc.nat(99))
  .map(([minute, hour, day, month, weekday, between, odd]) =>
    [...(odd === 0 ? ["0"] : []), ...(odd === 1 ? [] : [minute]), hour, day, month, weekday].join(between),
  );

const schedule = fc.oneof(
  { weight: 8, arbitrary: fields },
  fc.constantFrom(
    "0 9 * * mon-fri",
    "0 0 29 2 *",
    "0 0 31 4 *",
    "0 9 * * 7",
    ", * * * *",
    "* * * * *",
    "*/2 * */2 * */2",
    "TZ=Europe/Berlin 0 9 * * *",
    "@daily",
    "@weekly",
    "@monthly",
    "@hourly",
    "@yearly",
    "@annually",
    "@midnight",
    "@dailyfoo",
    "@every 1h",
    " @every 90s",
    "@every 26h0m1s",
    "@every nonsense",
    "",
  ),
);

const duration = fc.oneof(
  between(1, 240).map((minutes) => `${minutes}m`),
  between(1, 48).map((hours) => `${hours}h`),
  fc.constantFrom("0m", "30s", "1h30m", "8h0m0s", "720h", "9000h", "50000h"),
);

const nodes = fc.oneof(
  between(0, 100).map((percent) => `${percent}%`),
  between(0, 30).map(String),
  fc.constantFrom("007", "2147483647", "2147483648", "4294967296", "4294967299", "99999999999999999999", "010%"),
);

const REASONS = disruptionReasons("karpenter-1.14");

const reasons = fc.subarray(REASONS);

const budget = fc
  .tuple(
    nodes,
    fc.option(reasons, { nil: undefined }),
    fc.option(fc.tuple(schedule, duration), { freq: 6, nil: undefined }),
  )
  .map(([nodes, reasons, times]) => ({
    nodes,
    ...(reasons === undefined ? {} : { reasons }),
    ...(times === undefined ? {} : { schedule: times[0], duration: times[1] }),
  }));

/** On and around the minute at which windows begin and end. */
const moment = fc
  .tuple(
    between(Date.UTC(2024, 0, 1) / 60_000, Date.UTC(2105, 0, 1) / 60_000),
    fc.constantFrom(15, 60, 1440),
    fc.constantFrom(0, 0, 1, -1, 999, 1000, -1000, 30_500),
  )
  .map(([minutes, grid, off]) => new Date(Math.floor(minutes / grid) * grid * 60_000 + off).toISOString());

const anywhere = fc.record({
  op: fc.constant("budget" as const),
  budgets: fc.array(budget, { maxLength: 3 }),
  reason: fc.constantFrom(...REASONS),
  nodes: fc.oneof(between(0, 25), between(0, 3000)),
  at: moment,
});

/** Where the next window of a budget begins or ends; unchanged without a window. */
function atAnEdge(question: BudgetQuestion, end: boolean, off: number): BudgetQuestion {
  const timed = question.budgets.find(({ schedule }) => schedule !== undefined);
  const parsed = parseCronSchedule(timed?.schedule ?? "");
  const hit = "error" in parsed ? undefined : parsed.schedule.next(Date.parse(question.at));
  if (timed === undefined || hit === undefined) return question;
  const length = end ? Number(parseGoDuration(timed.duration ?? "0s")! / 1_000_000n) : 0;
  return { ...question, at: new Date(hit + length + off).toISOString() };
}

export const budgetQuestion: fc.Arbitrary<BudgetQuestion> = fc.oneof(
  anywhere,
  fc
    .tuple(anywhere, fc.boolean(), fc.constantFrom(0, -1, 1, 999, -1000, -30_000))
    .map(([question, end, off]) => atAnEdge(question, end, off)),
);
