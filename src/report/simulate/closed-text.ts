/** The times when nothing may be disrupted, for people: their sum, and the longest of them. */
import { isClosed, type Stretch } from "../../analyze/simulate/timeline.ts";
import { hangingText } from "../terminal/wrap.ts";
import type { SimulateLook } from "./look.ts";
import { lengthText, spanText } from "./time-text.ts";

/** First the times when nothing may be disrupted at all, then those of each reason. */
export function closedLines(stretches: readonly Stretch[], look: SimulateLook): string[] {
  const { style } = look;
  const nothing = closedLine("nothing may be disrupted", stretches, isClosed, look);
  const reasons = stretches[0]!.disruption.flatMap(({ reason }, index) => {
    const closed = ({ disruption }: Stretch): boolean => disruption[index]!.allowed === 0;
    const more = stretches.some((stretch) => closed(stretch) && !isClosed(stretch));
    return more ? closedLine(`no ${reason} node may go`, stretches, closed, look) : [];
  });
  return [
    ...(nothing.length > 0 ? nothing : [`  ${style.good("something may be disrupted at any time")}`]),
    ...reasons,
  ];
}

function closedLine(
  what: string,
  stretches: readonly Stretch[],
  isClosed: (stretch: Stretch) => boolean,
  { style, zone, width }: SimulateLook,
): string[] {
  const spans = joinedSpans(stretches.filter(isClosed));
  const [first, ...more] = spans;
  if (first === undefined) return [];
  const sum = spans.reduce((total, { from, to }) => total + to - from, 0);
  const all = stretches.at(-1)!.to - stretches[0]!.from;
  if (sum === all) return [`  ${style.error(what)} at any time`];
  const longest = spans.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  const times = more.length === 0 ? "once" : `${spans.length} times`;
  const text = `${what} for ${lengthText(sum)} of ${lengthText(all)}, ${times}, ${more.length === 0 ? "" : "the longest "}${spanText(longest.from, longest.to, zone)}`;
  return hangingText(text, { label: "  ", indent: 4, width, lead: { words: what, paint: style.error } });
}

function joinedSpans(stretches: readonly Stretch[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of stretches) {
    const last = joined.at(-1);
    if (last?.to === from) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}
