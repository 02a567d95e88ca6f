/** Renders CEL variables that read schedules, find budgets below the floor, and split them. */
import { parseCronSchedule } from "../karpenter/disruption/cron-schedule.ts";
import { isBelowFloor, MOST_BUDGETS } from "../karpenter/disruption/drifted-floor.ts";
import type { Profile } from "../model/crds/profile.ts";
import { DEFAULT_BUDGET_NODES, disruptionReasons } from "../model/pools/disruption-reasons.ts";
import { celString, celStrings, isInteger } from "./cel.ts";
import type { Variable } from "./guarded-key.ts";

const DRIFTED = celString("Drifted");

/** A duration that both Go and the guard's CEL parse without an error. */
export const PLAIN_DURATION = /^([0-9]{1,6}h)?([0-9]{1,8}m)?(0s)?$/;

/**
 * `withDriftedFloor` in CEL (docs/decisions/0021-a-floor-under-the-drifted-budget.md), over `budgets`, a list that
 * matches the CRD.
 */
export function budgetVariables(floor: string, profile: Profile): Variable[] {
  const variable = (name: string, expression: string): Variable => ({ name, expression });
  const others = celStrings(disruptionReasons(profile).filter((reason) => reason !== "Drifted"));
  const nodes = (of: string): string => `${of}.?nodes.orValue('${DEFAULT_BUDGET_NODES}')`;
  const when = (of: string): string => `?"schedule": ${of}.?schedule, ?"duration": ${of}.?duration`;
  const timed = `(!has(b.schedule) && !has(b.duration) || ${celIsPlainSchedule("b.?schedule.orValue('')")} && b.?duration.orValue('').matches('${PLAIN_DURATION.source}'))`;
  const counted = `(${nodes("b")}.endsWith('%') || ${isInteger(nodes("b"))})`;
  const isForIt = `(!has(b.reasons) || ${DRIFTED} in b.reasons)`;
  const keeps = `(has(b.reasons) ? b.reasons.filter(r, r != ${DRIFTED}) : ${others})`;
  const split = `{?"nodes": b.?nodes, "reasons": dyn(${keeps}), ${when("b")}}`;
  const none = (times: string): string => `{"nodes": dyn('0'), "reasons": dyn(${others})${times}}`;
  const part = `variables.timed[i] ? (${counted} ? ${split} : ${none(`, ${when("b")}`)}) : ${none("")}`;
  const ofFloor = (times: string): string =>
    `{"nodes": dyn(${celString(floor)}), "reasons": dyn([${DRIFTED}])${times}}`;
  const doubled = "variables.parts.transformList(j, n, j < i && variables.raised[j], n).exists(n, n == p)";
  return [
    variable("timed", `variables.budgets.map(b, ${timed})`),
    variable(
      "raised",
      `variables.budgets.transformList(i, b, !variables.timed[i] || !${counted} || ${isForIt} && ${belowFloor(nodes("b"), floor)})`,
    ),
    variable("parts", `variables.budgets.transformList(i, b, variables.raised[i] ? (${part}) : b)`),
    variable(
      "kept",
      `variables.parts.transformList(i, p, !variables.raised[i] || p.reasons.size() > 0 && !${doubled}, p)`,
    ),
    variable(
      "times",
      `variables.budgets.transformList(i, b, variables.raised[i], variables.timed[i] ? {${when("b")}} : {})`,
    ),
    variable(
      "eachTime",
      "variables.times.transformList(i, t, !variables.times.transformList(j, o, j < i, o).exists(o, o == t), t)",
    ),
    variable(
      "floors",
      [
        `variables.times.all(t, has(t.schedule)) && variables.eachTime.size() + variables.kept.size() <= ${MOST_BUDGETS}`,
        `? variables.eachTime.map(t, ${ofFloor(`, ${when("t")}`)})`,
        `: variables.kept.size() < ${MOST_BUDGETS} ? [${ofFloor("")}] : []`,
      ].join(" "),
    ),
    variable("budgetsWithin", "!variables.raised.exists(r, r)"),
    variable("wantedBudgets", "variables.kept + variables.floors"),
  ];
}

/** `isBelowFloor` in CEL, for a string that the CRD accepts and Go can parse. */
function belowFloor(nodes: string, floor: string): string {
  const least = Array.from({ length: 101 }, (_, share) => share).find((share) => !isBelowFloor(`${share}%`, floor));
  const share = `int(${nodes}.replace('%', '')) < ${least}`;
  if (floor.endsWith("%")) return `(!${nodes}.endsWith('%') || ${share})`;
  // Go's int32 wraps.
  const wrapped = `[int(${nodes}) % 4294967296].exists(n, (n > 2147483647 ? n - 4294967296 : n) < ${Number(floor)})`;
  return `(${nodes}.endsWith('%') ? ${share} : ${wrapped})`;
}

const MAX_LENGTH = 200;

const DESCRIPTORS = ["yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly"].map((one) => `@${one}`);

/**
 * A guard accepts only common schedules of robfig/cron: up to 200 printable characters in one line, without `@every`,
 * which Karpenter's CRD accepts only by mistake.
 */
export function isPlainSchedule(text: string): boolean {
  if (DESCRIPTORS.includes(text)) return true;
  return text.length <= MAX_LENGTH && /^[ -?A-~]*$/.test(text) && !("error" in parseCronSchedule(text));
}

/**
 * `isPlainSchedule` in CEL.
 *
 * @param text a CEL expression of type string
 */
function celIsPlainSchedule(text: string): string {
  const fields = `${text}.split(' ').filter(f, f != '')`;
  const each = FIELDS.map((field, index) => `fs[${index}].split(',').all(p, p == '' || ${isRange("p", field)})`);
  return `(${text} in ${celStrings(DESCRIPTORS)} || ${text}.size() <= ${MAX_LENGTH} && ${text}.matches('^[ -?A-~]*$') && [${fields}].all(fs, fs.size() == 5 && ${each.join(" && ")}))`;
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly Field[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

/** `*`, `5` or `mon-fri`, each with an optional step. */
function isRange(part: string, { min, max, names }: Field): string {
  const first = names === MONTHS ? 1 : 0;
  const number = (of: string): string => {
    const read = `(${of}.matches('^[+]?[0-9]{1,18}$') ? int(${of}) : -1)`;
    const listed = celStrings(names);
    return names.length === 0
      ? read
      : `(${of}.lowerAscii() in ${listed} ? ${listed}.indexOf(${of}.lowerAscii()) + ${first} : ${read})`;
  };
  // A number with a step means a range up to the maximum; anything after the hyphen of a star is ignored.
  const last = `r.size() == 2 ? ${number("r[1]")} : s.size() == 2 ? ${max} : l`;
  const ends = `[${number("r[0]")}].all(l, [${last}].all(h, l >= ${min} && l <= h && h <= ${max}))`;
  const step = "s.size() == 1 || s[1].matches('^[+]?[0-9]{1,18}$') && int(s[1]) > 0";
  return `[${part}.split('/')].all(s, s.size() <= 2 && (${step}) && [s[0].split('-')].all(r, r[0] in ['*', '?'] || r.size() <= 2 && ${ends}))`;
}
