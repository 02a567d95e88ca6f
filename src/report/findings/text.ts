/** Findings as text for people: place, message, source line with a caret, and help. */
import { placeText } from "../../krm/places/location.ts";
import { counted, firstPlaces } from "../../krm/values/counted.ts";
import { describeResource } from "../../krm/places/resource.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { codeEntry, SEVERITIES } from "../../krm/findings/finding-codes.ts";
import { printable, shortened, withoutCommands } from "../terminal/printable.ts";
import { inOrder, summary, withCluster } from "./common.ts";
import type { Style } from "../terminal/style.ts";
import { textWidth } from "../terminal/text-width.ts";
import { NARROWEST, wrapPainted } from "../terminal/wrap.ts";

/** At most this many infos of one code are shown, equal ones as one, and the rest counted. */
const INFOS_SHOWN = 5;

export interface TextPage {
  readonly style: Style;
  /** The width of a terminal, for wrapping and for having the worst last, next to the summary; undefined otherwise. */
  readonly columns?: number | undefined;
  /** The number of findings below the reported severity. */
  readonly hidden?: number;
  /** Each finding by itself, instead of equal ones as one with its places. */
  readonly all?: boolean;
}

/** The worst come first, except on a terminal. Empty without findings. */
export function textReport(findings: readonly Finding[], page: TextPage): string {
  if (findings.length === 0) return "";
  const { style, columns, hidden = 0 } = page;
  const bySeverity = Map.groupBy(inOrder(findings), ({ severity }) => severity);
  const severities = columns === undefined ? SEVERITIES : SEVERITIES.toReversed();
  const lines = severities.flatMap((severity) => {
    const found = bySeverity.get(severity) ?? [];
    if (page.all === true) return found.flatMap((finding) => describe([finding], page));
    const groups = groupsOf(found);
    return severity === "info" ? describeInfos(groups, page) : groups.flatMap((equal) => describe(equal, page));
  });
  const rest = hidden === 0 ? "" : style.faint(`, and ${hidden} less severe`);
  lines.push(`${summary(findings, style)}${rest}${passedOver(findings)}`);
  return withoutCommands(`${lines.join("\n")}\n`);
}

/** `; 41 files passed over: charts/…`. What they hold is not in the answer. */
function passedOver(findings: readonly Finding[]): string {
  const files = findings.flatMap(({ code, file }) => (code === "file-passed-over" ? [file ?? ""] : []));
  if (files.length === 0) return "";
  const [first = "", ...others] = files;
  const parts = first.split("/");
  const shared = parts.findIndex((_part, at) => {
    const start = parts.slice(0, at + 1).join("/");
    return others.some((file) => !file.startsWith(`${start}/`));
  });
  const where = others.length === 0 ? first : `${parts.slice(0, shared).join("/")}/…`;
  return `; ${counted(files.length, "file")} passed over: ${printable(shortened(where, LONGEST_PLACE))}`;
}

/** Of many infos with one code, the rest is only counted. */
function describeInfos(groups: readonly Equal[], page: TextPage): string[] {
  const byCode = [...Map.groupBy(groups, ([{ code }]) => code)];
  const shown = new Set(byCode.flatMap(([, ofCode]) => ofCode.slice(0, INFOS_SHOWN)));
  const more = byCode.map(([code, ofCode]) => ({ code, count: ofCode.slice(INFOS_SHOWN).flat().length }));
  return [
    ...groups.flatMap((equal) => (shown.has(equal) ? describe(equal, page) : [])),
    ...more.flatMap(({ code, count }) =>
      count === 0 ? [] : page.style.faint(`… and ${count} more of ${code} (--all lists them)`),
    ),
  ];
}

/** Findings that differ only in their places, and of which object they are. */
type Equal = readonly [Finding, ...Finding[]];

function groupsOf(findings: readonly Finding[]): Equal[] {
  return [...Map.groupBy(findings, sameWords).values()] as [Finding, ...Finding[]][];
}

/** Equal for findings with the same code and the same words, apart from places and the name of their own object. */
function sameWords({ code, message, hint = "", resource, file }: Finding): string {
  const words = resource === undefined ? message : message.replace(describeResource(resource), () => resource.kind);
  const parts = [words, hint].map((text) =>
    text.split(/[\s(),;]+/).filter((word) => !word.includes(":") || !isPlace(word, file)),
  );
  return JSON.stringify([code, ...parts]);
}

function isPlace(word: string, file: string | undefined): boolean {
  return word.startsWith(`${file}:`) || /\.(?:ya?ml|json):\d+$/.test(word);
}

/** Infos of a set of rules have one line. */
function describe(equal: Equal, { style, columns }: TextPage): string[] {
  const [finding] = equal;
  const { file, line, column, severity, code } = finding;
  const isBrief = severity === "info" && codeEntry(code).set !== undefined;
  const { hint, excerpt } = isBrief ? {} : finding;
  const words =
    isBrief && finding.hint !== undefined ? `${withCluster(finding)}; ${finding.hint}` : withCluster(finding);
  const place = file === undefined ? "" : `${printable(placeText(finding))}:`;
  const lines = wrapPainted(
    [
      { text: place, paint: style.strong },
      { text: severity, paint: style[severity], end: ":" },
      { text: printable(shortened(words, LONGEST)) },
      { text: `[${code}]`, paint: style.faint },
    ],
    { columns, indent: 4 },
  );
  if (excerpt !== undefined && line !== undefined && column !== undefined && excerpt.trim() !== "") {
    lines.push(...pointAt(excerpt, { line, column, width: (columns ?? Infinity) - GUTTER }, style));
  }
  if (equal.length > 1) {
    const parts = [{ text: `  ${style.faint(`${timesOf(equal)}:`)}` }, { text: printable(placesOf(equal)) }];
    lines.push(...wrapPainted(parts, { columns, indent: 4 }));
  }
  if (hint !== undefined) {
    const parts = [{ text: `  ${style.faint("help:")}` }, { text: printable(shortened(hint, LONGEST)) }];
    lines.push(...wrapPainted(parts, { columns, indent: 4 }));
  }
  return lines;
}

function timesOf(equal: Equal): string {
  const clusters = new Set(equal.map(({ hostedCluster }) => hostedCluster)).size;
  return `${equal.length} times${clusters > 1 ? `, in ${clusters} clusters` : ""}`;
}

/** With the names of the objects, if they differ. */
function placesOf(equal: Equal): string {
  const isNamed = new Set(equal.map(({ resource }) => resource?.name)).size > 1;
  const places = equal.map(({ file, line, hostedCluster, resource }) => {
    const place = file === undefined ? (hostedCluster ?? "the input") : placeText({ file, line });
    return shortened(isNamed && (resource?.name ?? "") !== "" ? `${resource!.name} (${place})` : place, LONGEST_PLACE);
  });
  return firstPlaces(places);
}

/** Longer keys and values of the input are cut; `--report json` has them whole. */
const LONGEST = 2000;

const LONGEST_PLACE = 300;

/** A longer line is cut. */
const EXCERPT_WIDTH = 100;

/** The width before and behind an excerpt: line number, bar and ellipses. */
const GUTTER = 12;

interface Spot {
  readonly line: number;
  readonly column: number;
  /** The available columns. */
  readonly width: number;
}

function pointAt(excerpt: string, { line, column, width }: Spot, style: Style): string[] {
  const room = Math.max(NARROWEST, Math.min(EXCERPT_WIDTH, width));
  const characters = [...printable(excerpt)];
  const start = column <= room - 20 ? 0 : Math.max(0, column - 20);
  const shown = characters.slice(start, start + room).join("");
  const cut = { left: start > 0 ? "…" : "", right: start + room < characters.length ? "…" : "" };
  const before = cut.left.length + textWidth(characters.slice(start, column - 1).join(""));
  const gutter = String(line);
  return [
    style.faint(`  ${gutter} | `) + cut.left + shown + cut.right,
    `${style.faint(`  ${" ".repeat(gutter.length)} | `)}${" ".repeat(before)}${style.error("^")}`,
  ];
}
