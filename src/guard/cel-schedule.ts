/** Checks in CEL and in TypeScript whether Karpenter can parse a budget's schedule. */
import { parseCronSchedule } from "../karpenter/disruption/cron-schedule.ts";
import { celStrings } from "./cel.ts";

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
export function celIsPlainSchedule(text: string): string {
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
