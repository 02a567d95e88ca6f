/** The form that Karpenter's CRD requires of a budget's schedule, which is looser than cron. */

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
