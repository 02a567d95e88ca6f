/** A log line as data, and its text as JSON or logfmt. */

export type LogFormat = "json" | "logfmt";

export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly msg: string;
  /** In the order of the line. Undefined fields are left out. */
  readonly fields: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Names and values of users and messages of servers can be long, and a line must stay readable. */
const LONGEST = 1000;

/** Cuts long texts. */
export function shortened(entry: LogEntry): LogEntry {
  const { level, msg, fields } = entry;
  const isLong = (value: unknown): boolean => typeof value === "string" && value.length > LONGEST;
  if (!isLong(msg) && !Object.values(fields).some(isLong)) return entry;
  const cut = <T>(value: T): T | string => (typeof value === "string" && isLong(value) ? beginning(value) : value);
  return {
    level,
    msg: cut(msg),
    fields: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, cut(value)])),
  };
}

function beginning(text: string): string {
  const cut = text.slice(0, LONGEST - 1);
  // Do not cut a surrogate pair in half.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
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
