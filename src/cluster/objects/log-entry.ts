/** A log line as data, and its text as JSON or logfmt. */
import { shortened as shortText } from "../api/api-answer.ts";

export type LogFormat = "json" | "logfmt";

export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly msg: string;
  /** In the order of the line. Undefined fields are left out. */
  readonly fields: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Cuts long texts: names and values of users and messages of servers can be long, and a line must stay readable. */
export function shortened({ level, msg, fields }: LogEntry): LogEntry {
  const cut = Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? shortText(value) : value]);
  return { level, msg: shortText(msg), fields: Object.fromEntries(cut) as LogEntry["fields"] };
}

/** @param time RFC 3339 */
export function formatLogEntry({ level, msg, fields }: LogEntry, time: string, format: LogFormat): string {
  const all = { time, level, msg, ...fields };
  if (format === "json") return `${JSON.stringify(all)}\n`;
  const parts = Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${word(value)}`]));
  return `${parts.join(" ")}\n`;
}

function word(value: string | number | boolean): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
