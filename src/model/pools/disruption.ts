/** `spec.disruption` of a NodePool as the CRD of each profile checks it. */
import * as z from "zod/mini";
import type { Profile } from "../crds/profile.ts";
import { patternSchema, withKeywords } from "../schema/keywords.ts";
import { memoizeByKey } from "../schema/memoize.ts";
import { withRule } from "../schema/rule.ts";
import { durationOrNever } from "../values/durations.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS, disruptionReasons } from "./disruption-reasons.ts";

function budget(profile: Profile) {
  return z.strictObject({
    nodes: z.optional(
      withKeywords(
        z.string().check(
          z.regex(/^((100|[0-9]{1,2})%|[0-9]+)$/, {
            error: 'is neither a number of nodes nor a percentage: write "5" or "10%"',
          }),
        ),
        { default: DEFAULT_BUDGET_NODES },
      ),
    ),
    reasons: z.optional(
      withRule(
        withKeywords(z.array(z.enum(disruptionReasons(profile))).check(z.maxLength(50)), {
          "x-kubernetes-list-type": "set",
        }),
        {
          // The API server itself refuses duplicates in a set; CEL has nothing to add.
          cel: "true",
          message: "names a reason twice",
          test: (list) => new Set(list).size === list.length,
        },
      ),
    ),
    schedule: z.optional(
      patternSchema({
        pattern: SCHEDULE_PATTERN,
        test: isScheduleForm,
        error: "is not a cron schedule: write five fields, or @daily and the like",
      }),
    ),
    duration: z.optional(
      z.string().check(
        z.regex(/^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$/, {
          error: "is not a budget duration: hours and minutes only, such as 8h or 1h30m",
        }),
      ),
    ),
  });
}

/** The wrapper and Karpenter's pool share it. */
export const disruptionShape = memoizeByKey((profile: Profile) => {
  const policies = ["WhenEmpty", "WhenEmptyOrUnderutilized", ...(profile === "hypershift" ? [] : ["Balanced"])];
  return {
    budgets: z.optional(
      withRule(
        withKeywords(z.array(budget(profile)).check(z.maxLength(50)), {
          "x-kubernetes-list-type": "atomic",
          default: DEFAULT_BUDGETS,
        }),
        {
          cel: "self.all(x, has(x.schedule) == has(x.duration))",
          message: "'schedule' must be set with 'duration'",
          hint: "give both, or neither",
          test: (list) => list.every((entry) => (entry.schedule === undefined) === (entry.duration === undefined)),
        },
      ),
    ),
    // Required up to 1.14 whenever `disruption` is set (docs/upstream/karpenter.md#versions); the whole stanza has a
    // default instead.
    consolidateAfter:
      profile === "karpenter-1.15" ? withKeywords(z.optional(durationOrNever), { default: "0s" }) : durationOrNever,
    consolidationPolicy: z.optional(withKeywords(z.enum(policies), { default: "WhenEmptyOrUnderutilized" })),
  };
});

export const DISRUPTION_DEFAULT = { consolidateAfter: "0s" };

/**
 * Not grouped upstream: `@dailyfoo` and six fields pass here and fail at run time (`pkg/apis/v1/nodepool.go`, Budget).
 * The blanks are those of Go's `\s`: JavaScript's also matches the no-break space of copied text.
 */
export const SCHEDULE_PATTERN = String.raw`^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|([^\n]+[\t\n\f\r ][^\n]+[\t\n\f\r ][^\n]+[\t\n\f\r ][^\n]+[\t\n\f\r ][^\n]+)$`;

const NAMES = ["annually", "yearly", "monthly", "weekly", "daily", "midnight", "hourly"].map((name) => `@${name}`);

/** The offset after the fifth field's first character. */
const LAST = 9;

/**
 * Matches what `SCHEDULE_PATTERN` matches, reading each character once: JavaScript would try every way to cut the text
 * into five fields. A bit marks a place in the pattern's second half that the text so far may end at: even ones are
 * before a field, odd ones within it.
 */
export function isScheduleForm(text: string): boolean {
  if (NAMES.some((name) => text.startsWith(name))) return true;
  let places = 1;
  for (const sign of text) {
    const within = places & 0b10_1010_1010;
    const inField = sign === "\n" ? 0 : ((places & 0b01_0101_0101) << 1) | within;
    const behindField = BLANKS.includes(sign) ? (within & ~(1 << LAST)) << 1 : 0;
    // The match may begin anywhere.
    places = 1 | inField | behindField;
  }
  return (places & (1 << LAST)) !== 0;
}

const BLANKS = "\t\n\f\r ";
