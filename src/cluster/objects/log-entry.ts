/** A line of the log as data, and as text: JSON, or logfmt for people and grep. */

export type LogFormat = "json" | "logfmt";

export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly msg: string;
  /** In the order of the line; undefined ones are left out. */
  readonly fields: Readonly<Record<string, string | number | boolean | undefined>>;
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
