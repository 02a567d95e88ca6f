/** All moves of Karpenter as blocks: the sum, each move with nodes and pods, and why it stops. */
import type { MovesAnswer } from "../../analyze/consolidate/moves-answer.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { HOURS_A_MONTH, monthWords, moneyWords } from "../../model/values/money.ts";
import type { Block, Fact, Span, TableColumn } from "../blocks/blocks.ts";
import { asideOf } from "./between-plans.ts";

type Move = MovesAnswer["moves"][number];
type Started = Move["started"][number];
type Prices = MovesAnswer["prices"];

/** The JSON has all. */
const MOVES_SHOWN = 50;
const NAMES_SHOWN = 3;
const TYPES_SHOWN = 3;

/** @param wide whether each move is one line */
export function movesBlocks(answer: MovesAnswer, wide = false): Block[] {
  const { underWay, removal, moves, staying, stops, prices, ties, notes, notConsidered } = answer;
  const isUnderWay = underWay.started.length + underWay.moved.length + underWay.gone.length > 0;
  const shown = moves.slice(0, MOVES_SHOWN);
  return [
    ...(stops === null ? [] : [headline(answer), ...comparison(answer)]),
    ...(isUnderWay
      ? [...(stops === null ? [] : [gap]), title("what is under way ends first"), ...changeFacts(underWay, prices)]
      : []),
    ...(removal === null ? [] : [...(stops === null && !isUnderWay ? [] : [gap]), ...removalBlocks(removal, prices)]),
    ...(wide && moves.length > 0
      ? [gap, moveTable(moves, prices)]
      : shown.flatMap((move, at): Block[] => [gap, ...moveBlocks(move, at + 1, prices)])),
    ...(!wide && moves.length > shown.length
      ? [gap, paragraph(`${counted(moves.length - shown.length, "more move")}: -o wide and -o json show all`)]
      : []),
    ...(stops === null ? [] : stopBlocks(stops, staying)),
    ...listed("may come out otherwise", ties),
    ...listed("also", notes),
    ...listed("not looked at", notConsidered),
  ];
}

const gap: Block = { kind: "gap" };

function title(words: string): Block {
  return { kind: "paragraph", words: [{ text: words, tone: "strong" }] };
}

function paragraph(words: string): Block {
  return { kind: "paragraph", words };
}

function listed(name: string, items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [gap, title(name), { kind: "list", items, indent: 2 }];
}

/** `12 moves: 40 nodes → 31, $4,000 → $3,100 a month`. */
function headline({ summary, prices, ties, notConsidered }: MovesAnswer): Block {
  const { moves, before, after } = summary;
  const isSure = notConsidered.length === 0;
  const unsure: Span[] = [
    ...(ties.length === 0 ? [] : [{ text: "depends on ties", tone: "info" as const }]),
    ...(isSure ? [] : [{ text: `${counted(notConsidered.length, "thing")} not looked at`, tone: "info" as const }]),
  ];
  const tone = isSure && ties.length === 0 ? "good" : "info";
  const text =
    moves === 0
      ? `Karpenter moves nothing: ${counted(before.nodes, "node")}${monthly(after.monthly, prices)}`
      : `${counted(moves, "move")}: ${changeWords(summary, prices)}`;
  return { kind: "paragraph", words: [{ text, tone }, ...unsure.flatMap((one) => ["; ", one])], ...asideOf(prices) };
}

/** `40 nodes → 31, $4,000 → $3,100 a month`. */
function changeWords({ before, after }: MovesAnswer["summary"], prices: Prices): string {
  const money =
    before.monthly === null || after.monthly === null || prices === null
      ? ""
      : `, ${monthWords(before.monthly, prices)} → ${monthWords(after.monthly, prices)} a month`;
  return `${counted(before.nodes, "node")} → ${String(after.nodes)}${money}`;
}

function monthly(amount: number | null, prices: Prices): string {
  return amount === null || prices === null ? "" : `, ${monthWords(amount, prices)} a month`;
}

/** `as it is: 41 moves, 40 nodes → 20, …`. */
function comparison({ asItIs, summary, prices }: MovesAnswer): Block[] {
  if (asItIs === null) return [];
  const [mine, theirs] = [savedBy(summary), savedBy(asItIs)];
  const money =
    mine === null || theirs === null || prices === null
      ? ""
      : `, and saves ${monthWords(mine, prices)} a month instead of ${monthWords(theirs, prices)}`;
  const words = `with these settings Karpenter makes ${counted(summary.moves, "move")} instead of ${String(asItIs.moves)}${money}`;
  return [paragraph(words), paragraph(`as it is: ${changeWords(asItIs, prices)}`)];
}

function savedBy({ before, after }: MovesAnswer["summary"]): number | null {
  return before.monthly === null || after.monthly === null ? null : before.monthly - after.monthly;
}

function moveBlocks(
  { reason, method, decision, removed, started, moved, saves }: Move,
  at: number,
  prices: Prices,
): Block[] {
  const name = `${String(at)}. ${someOf(
    removed.map(({ node }) => node),
    NAMES_SHOWN,
  )}`;
  const into = started.length === 0 ? "" : ` → ${startedWords(started)}`;
  const first = decision === "terminate-first" ? ", before what replaces it starts" : "";
  return [
    { kind: "heading", name: `${name}${into}`, about: `${reason}, ${method}${first}` },
    ...changeFacts({ started, moved, gone: [] }, prices, [
      ["goes", [...Map.groupBy(removed, placeWords)].map(([place, own]) => times(own.length, place))],
      [
        "saves",
        saves === null || prices === null
          ? ""
          : `${moneyWords(saves, prices)} an hour, ${monthWords(saves * HOURS_A_MONTH, prices)} a month`,
      ],
    ]),
  ];
}

function times(count: number, text: string): string {
  return count === 1 ? text : `${String(count)} × ${text}`;
}

/** `m5.large of web, on-demand, us-east-1a`. */
function placeWords({ instanceType, nodePool, capacityType, zone }: Move["removed"][number]): string {
  const of = nodePool === "" ? "" : ` of ${nodePool}`;
  return [`${instanceType ?? "a node"}${of}`, capacityType, zone].filter((part) => part !== null).join(", ");
}

/** `m5.large`, or `2 nodes`. */
function startedWords(started: readonly Started[]): string {
  const [first, ...others] = started as readonly [Started, ...Started[]];
  return others.length === 0 ? (first.instanceType ?? "a node") : counted(started.length, "node");
}

function changeFacts(
  { started, moved, gone }: MovesAnswer["underWay"],
  prices: Prices,
  more: readonly Fact[] = [],
): Block[] {
  const [goes, ...others] = more;
  const facts: Fact[] = [
    ...(goes === undefined ? [] : [goes]),
    ["gone", someOf(gone, NAMES_SHOWN)],
    ["starts", started.map((one) => startWords(one, prices))],
    ["pods", podWords(started, moved)],
    ...others,
  ];
  const some = facts.filter(([, values]) => values.length > 0);
  return some.length === 0 ? [] : [{ kind: "facts", facts: some, indent: 2 }];
}

/** `web-new-1: m5.large or m5.xlarge or 3 more of web, us-east-1a, $0.096 an hour`. */
function startWords({ node, nodePool, instanceTypes, zone, capacityType, hourly }: Started, prices: Prices): string {
  const more = instanceTypes.length - TYPES_SHOWN;
  const types = `${instanceTypes.slice(0, TYPES_SHOWN).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
  const price = hourly === null || prices === null ? null : `${moneyWords(hourly, prices)} an hour`;
  const parts = [`${types} of ${nodePool}`, capacityType, zone, price];
  return `${node}: ${parts.filter((part) => part !== null).join(", ")}`;
}

/** `12: 8 to web-new-1, 4 to ip-10-0-1-7`. */
function podWords(started: readonly Started[], moved: Move["moved"]): string {
  const to = [...started, ...moved].filter(({ pods }) => pods.length > 0);
  const count = to.reduce((sum, { pods }) => sum + pods.length, 0);
  if (count === 0) return "";
  const names = to.flatMap(({ pods }) => pods);
  if (to.length === 1) return `${someOf(names, NAMES_SHOWN)} to ${to[0]!.node}`;
  return `${String(count)}: ${someOf(
    to.map(({ node, pods }) => `${String(pods.length)} to ${node}`),
    NAMES_SHOWN,
  )}`;
}

function moveTable(moves: readonly Move[], prices: Prices): Block {
  const columns: TableColumn[] = [
    { head: "MOVE", right: true },
    { head: "METHOD", min: 10 },
    { head: "NODES", min: 12 },
    { head: "STARTS", min: 10 },
    { head: "PODS", right: true },
    { head: "SAVES AN HOUR", right: true },
  ];
  const rows = moves.map(({ method, removed, started, moved, saves }, at) => ({
    cells: [
      String(at + 1),
      method,
      someOf(
        removed.map(({ node }) => node),
        NAMES_SHOWN,
      ),
      someOf(
        started.map(({ instanceType }) => instanceType ?? "a node"),
        NAMES_SHOWN,
      ),
      String([...started, ...moved].reduce((sum, { pods }) => sum + pods.length, 0)),
      saves === null || prices === null ? "" : moneyWords(saves, prices),
    ],
  }));
  return { kind: "table", label: "Moves", columns, rows };
}

function stopBlocks({ message }: NonNullable<MovesAnswer["stops"]>, staying: MovesAnswer["staying"]): Block[] {
  const count = staying.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const facts = staying.map(({ code, nodes, message: why }): Fact => [
    code,
    nodes.length === 1 ? `${nodes[0]!}: ${why}` : `${counted(nodes.length, "node")}, such as ${nodes[0]!}: ${why}`,
  ]);
  return [
    gap,
    title(`stops because ${message}: ${counted(count, "node stays", "nodes stay")}`),
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts, indent: 2 } as const]),
  ];
}

function removalBlocks(removal: NonNullable<MovesAnswer["removal"]>, prices: Prices): Block[] {
  const { removed, started, moved, unplaced, held, lost, saves } = removal;
  const names = someOf(
    removed.map(({ node }) => node),
    NAMES_SHOWN,
  );
  const cost = saves === null || prices === null ? "" : costWords(saves, prices);
  const verdict =
    unplaced.length > 0
      ? ({ words: `${counted(unplaced.length, "pod")} without a place`, tone: "error" } as const)
      : held.length > 0
        ? ({ words: "a drain waits", tone: "warning" } as const)
        : undefined;
  return [
    { kind: "heading", name: `without ${names}`, about: cost, ...(verdict === undefined ? {} : { verdict }) },
    ...changeFacts({ started, moved, gone: [] }, prices),
    ...listed(
      "pods that fit nowhere",
      unplaced.map(({ pod, why }) => `${pod}: ${why}`),
    ),
    ...listed(
      "what a drain waits for",
      held.map(({ node, why }) => `${node}: ${why}`),
    ),
    ...listed("no controller makes these pods again", lost),
  ];
}

function costWords(saves: number, prices: NonNullable<Prices>): string {
  const amount = monthWords(Math.abs(saves) * HOURS_A_MONTH, prices);
  return saves < 0 ? `costs ${amount} a month more` : `saves ${amount} a month`;
}
