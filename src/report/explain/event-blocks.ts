/** Events of Karpenter as blocks: the meaning of each message, the deciding lines, the change. */
import type { DescribedEvent, DescribedPart, EventAnswer, FoundPlace } from "../../analyze/check/explain-answer.ts";
import { placeText } from "../../krm/places/location.ts";
import { counted } from "../../krm/values/counted.ts";
import type { Block, Fact, Verdict, Words } from "../blocks/blocks.ts";
import { printableJson, shortened } from "../terminal/printable.ts";

/** At most this many events and messages are shown, and the rest counted. */
const SHOWN = 20;

/** Characters of a message, which may list hundreds of pods. */
const LONGEST = 400;

/** @param isLive whether the objects are those of a cluster, not of manifests */
export function eventBlocks({ pools, cut, events }: EventAnswer, isLive = false): Block[] {
  const shown = events.slice(0, SHOWN);
  const unknown = events.filter(({ parts }) => parts.length === 0).length;
  const counts = [
    counted(events.length, "event"),
    ...(unknown === 0 ? [] : [`${String(unknown)} not known`]),
    ...(shown.length === events.length ? [] : [`${String(shown.length)} shown (-o json has all)`]),
    ...(cut ? ["the text was too long: its end was not read"] : []),
  ];
  const looked =
    pools === null
      ? "no manifests were read: name them for the lines that decide"
      : isLive
        ? `${counted(pools, "pool")} of the cluster`
        : `${counted(pools, "pool")} of the manifests; what runs may differ`;
  return [
    ...shown.flatMap((event) => [...describeEvent(event, pools, isLive), { kind: "gap" } as const]),
    { kind: "paragraph", words: counts.join(", "), aside: `(${looked})` },
  ];
}

function describeEvent(event: DescribedEvent, pools: number | null, isLive: boolean): Block[] {
  const { reason, object, count, text, parts, unknown } = event;
  const shown = parts.slice(0, SHOWN);
  const rest = parts.length - shown.length;
  const name = object === null ? "" : object.namespace === null ? object.name : `${object.namespace}/${object.name}`;
  const times = count === 1 ? "" : `${String(count)} times`;
  return [
    {
      kind: "heading",
      name: object === null ? (reason ?? "event") : `${object.kind} ${name}`,
      about: [object === null ? "" : (reason ?? ""), times].filter((part) => part !== "").join(", "),
      verdict: verdictOf(event, pools, isLive),
    },
    ...(parts.length === 0 ? [quoted(text)] : []),
    ...shown.flatMap((part) => describePart(part, isLive)),
    ...(rest === 0 ? [] : [{ kind: "paragraph", words: `and ${counted(rest, "more message")}`, indent: 2 } as const]),
    ...(parts.length === 0 || unknown.length === 0
      ? []
      : [{ kind: "facts", facts: [["not known", unknown.slice(0, SHOWN).map(cutText)]], indent: 2 } as const]),
  ];
}

/** The headline never claims more than was looked at. */
function verdictOf({ parts }: DescribedEvent, pools: number | null, isLive: boolean): Verdict {
  if (parts.length === 0)
    return { words: "not known", tone: "error", more: "no message of Karpenter 1.14 or 1.15 that anp knows" };
  const messages = counted(parts.length, "message");
  if (pools === null) return { words: messages, tone: "info", more: "no manifests were read" };
  const lines = new Set(parts.flatMap(({ places }) => places.map(placeText))).size;
  const missing = parts.find(({ poolRead }) => poolRead === false)?.pool ?? null;
  const [one, source] = isLive ? ["object", "the cluster"] : ["line", "these manifests"];
  const found = lines === 0 ? `it leads to no ${one} of ${source}` : `see ${counted(lines, one)} of ${source}`;
  const more = missing === null ? found : `${found}; pool ${missing} is not ${isLive ? "in it" : "among them"}`;
  return { words: messages, tone: lines === 0 || missing !== null ? "warning" : "info", more };
}

function describePart(part: DescribedPart, isLive: boolean): Block[] {
  const { text, pool, pod, count, means, change, places, notes } = part;
  const facts: Fact[] = [
    ["means", means],
    ["pool", pool ?? ""],
    ["pod", pod ?? ""],
    ["times", count === 1 ? "" : String(count)],
    [isLive ? "objects" : "manifests", places.map(placeWords)],
    ["note", notes],
    ["change", change],
  ];
  return [quoted(text), { kind: "facts", facts, nameWidth: 9, indent: 4 }];
}

function quoted(text: string): Block {
  return { kind: "paragraph", words: [{ text: cutText(text), code: true }], indent: 2 };
}

function cutText(text: string): string {
  return shortened(text, LONGEST);
}

function placeWords({ object, says, file, line }: FoundPlace): Words {
  return `${object} ${says} (${placeText({ file, line, column: undefined })})`;
}

export function eventJson(answer: EventAnswer): string {
  return printableJson(`${JSON.stringify(answer, undefined, 2)}\n`);
}
