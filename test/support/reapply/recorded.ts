/** Requests that anp has sent, as they were written down. */
import { existsSync, readFileSync } from "node:fs";

/** One request, without who sent it. */
export interface Recorded {
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly server: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly content?: string | undefined;
}

export function readRecorded(file: string): Recorded[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Recorded);
}

/** Of a NodePool itself. */
export function isPoolWrite({ method, path }: Pick<Recorded, "method" | "path">): boolean {
  return method === "PATCH" && /\/nodepools\/[^/?]+\?/.test(path);
}
