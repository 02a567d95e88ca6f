/** For the suites of this folder: text as a source in, and findings as lines that a table can hold out. */
import type { Finding } from "../../src/krm/findings/finding.ts";
import type { Source } from "../../src/krm/places/source.ts";

/** A file that the user names, unless `flags` say otherwise. */
export function testSource(text: string, flags: Partial<Source> = {}): Source {
  return { file: "f.yaml", folder: "/work", text, explicit: true, trusted: true, config: false, ...flags };
}

/** `severity code file:line:column message → hint | source line`, with what there is. */
export function printFinding(finding: Finding): string {
  const { severity, code, file, line, column, message, hint, excerpt } = finding;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const start = [severity, code, place, message].filter((part) => part !== "").join(" ");
  return `${start}${hint === undefined ? "" : ` → ${hint}`}${excerpt === undefined ? "" : ` | ${excerpt}`}`;
}
