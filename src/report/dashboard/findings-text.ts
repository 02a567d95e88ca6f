/** All problems of a watched cluster as lines: Ready, objects, findings. */
import { placeText } from "../../krm/places/location.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { Style } from "../terminal/style.ts";
import { inOrder } from "../findings/common.ts";
import { readyMessage } from "./cluster-words.ts";
import { oneLine } from "../terminal/printable.ts";
import { cutTo } from "../terminal/text-width.ts";
import type { ClusterView, Trouble } from "./fleet-view.ts";
import { indented, paintLead, wrapWhole, wrapWords } from "../terminal/wrap.ts";

/** Every finding in full: nothing is cut or summarized. */
export function findingsText(cluster: ClusterView, width: number, style: Style): string[] {
  const { pass, broken } = cluster;
  const room = width - 2;
  const blocks: string[][] = [];
  if (broken !== undefined) blocks.push(wrapWhole(`The pass failed: ${broken}`, room).map(style.error));
  if (pass === undefined && broken === undefined) blocks.push([style.faint("No pass has ended yet.")]);
  if (pass !== undefined) {
    const { status, reason } = pass.ready;
    const paint = status === "True" ? style.good : status === "Unknown" ? style.faint : style.warning;
    const lead = cutTo(oneLine(`Ready ${status}: ${reason}`), room);
    blocks.push([paint(lead), ...wrapWhole(readyMessage({ ...cluster, broken: undefined }), room)]);
    const { troubles } = pass.opened();
    if (troubles.length > 0) {
      const heading = style.strong(`Problems (${String(troubles.length)})`);
      blocks.push([heading], ...groupsOf(troubles).map((group) => describeGroup(group, room, style)));
    }
    const count = pass.findings.length;
    blocks.push([style.strong(count === 0 ? "No findings in the input." : `Findings (${String(count)})`)]);
    blocks.push(...inOrder(pass.findings).map((finding) => describeFinding(finding, room, style)));
  }
  return blocks.flatMap((block, index) => [...(index === 0 ? [] : [""]), ...block.map((line) => ` ${line}`)]);
}

/** An unreadable policy holds every pool for the same reason, so the reason is shown once. */
function groupsOf(troubles: readonly Trouble[]): Trouble[][] {
  return [...Map.groupBy(troubles, ({ state, why, severity }) => JSON.stringify([state, why, severity])).values()];
}

function describeGroup(group: readonly Trouble[], width: number, style: Style): string[] {
  const { about, state, why, severity } = group[0]!;
  const head = oneLine(group.length === 1 ? `${about} ${state}` : `${String(group.length)} ${state}`);
  // A kind and its name stay on one line.
  const names = group.map((one, index) => `${oneLine(one.about)}${index < group.length - 1 ? "," : ""}`);
  const lines =
    group.length === 1 ? [] : wrapWords(names, width - 2, " ").flatMap((line) => wrapWhole(line, width - 2));
  return [
    ...paintLead(wrapWhole(why === "" ? head : `${head}: ${why}`, width, 2), { words: head, paint: style[severity] }),
    ...indented(lines, 2),
  ];
}

function describeFinding(finding: Finding, width: number, style: Style): string[] {
  const { severity, message, code, hint, excerpt } = finding;
  const where = placeText(finding);
  return [
    ...paintLead(wrapWhole(`${severity}: ${message} [${code}]`, width, 2), {
      words: severity,
      paint: style[severity],
    }),
    ...(where === "" ? [] : wrapWhole(`at ${where}`, width - 2).map((text) => style.faint(`  ${text}`))),
    ...(excerpt === undefined || excerpt.trim() === "" ? [] : indented(wrapWhole(excerpt.trim(), width - 4), 4)),
    ...(hint === undefined ? [] : indented(wrapWhole(`help: ${hint}`, width - 2, 6), 2)),
  ];
}
