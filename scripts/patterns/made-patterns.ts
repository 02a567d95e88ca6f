/** Records the patterns that files of a folder make with `RegExp` while a function runs. */
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pattern } from "./pattern.ts";

/** @param folder absolute */
export async function madePatterns(folder: string, act: () => Promise<void>): Promise<Pattern[]> {
  const made: Pattern[] = [];
  const { RegExp: Original } = globalThis;
  const record = (pattern: RegExp): RegExp => {
    const place = callerIn(folder);
    if (place !== undefined) made.push({ ...place, source: pattern.source, flags: pattern.flags });
    return pattern;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args: [string, string?]) => record(new target(...args)),
    apply: (target, _self, args: [string, string?]) => record(target(...args)),
  });
  try {
    await act();
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

/** Undefined if a package is the caller. */
function callerIn(folder: string): { file: string; line: number } | undefined {
  // The error's own line, this function, the recorder, the proxy's trap; then the caller.
  const frame = new Error("for its stack").stack?.split("\n")[4] ?? "";
  const [, url, line] = /(file:\/\/[^)]*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  const path = url === undefined ? "" : fileURLToPath(url);
  if (!path.startsWith(folder + sep)) return undefined;
  return { file: relative(folder, path), line: Number(line) };
}
