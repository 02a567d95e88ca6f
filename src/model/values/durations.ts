/** Durations as Karpenter's CRDs accept them: hours, minutes and seconds; no days. */
import * as z from "zod/mini";

/** The CRD's default. */
export const DEFAULT_EXPIRY = "720h";

/** `720h`, `1h30m` or `Never`. */
export const durationOrNever = duration(/^(([0-9]+(s|m|h))+|Never)$/, ", or Never");

/** `24h` or `1h30m`. */
export const plainDuration = duration(/^([0-9]+(s|m|h))+$/, "");

function duration(pattern: RegExp, never: string): z.ZodMiniString {
  return z.string().check(
    z.regex(pattern, {
      error: (issue) => {
        const suggestion = inHours(String(issue.input));
        return `is not a duration that Karpenter reads (hours, minutes and seconds${never}; no days)${suggestion === undefined ? "" : `: write ${suggestion}`}`;
      },
    }),
  );
}

/** `1d` → `24h`; the proposal of the v1 API uses days. */
function inHours(text: string): string | undefined {
  const match = /^(?:(\d+)w)?(?:(\d+)d)?((?:\d+[hms])*)$/i.exec(text.trim());
  if (match === null || (match[1] === undefined && match[2] === undefined))
    return text.toLowerCase() === "never" ? "Never" : undefined;
  return `${Number(match[1] ?? 0) * 168 + Number(match[2] ?? 0) * 24}h${match[3]?.toLowerCase() ?? ""}`;
}
