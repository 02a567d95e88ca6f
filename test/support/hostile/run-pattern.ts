/** Matches patterns against their worst texts in a worker and reports when each is done. */
import { parentPort } from "node:worker_threads";
import type { Pattern } from "../../../scripts/patterns/all-patterns.ts";
import { worstTexts } from "./worst-texts.ts";

parentPort!.on("message", ({ source, flags, size }: Pattern & { readonly size: number }) => {
  const pattern = new RegExp(source, flags);
  for (const text of worstTexts(source, size)) {
    pattern.lastIndex = 0;
    if (pattern.global) for (const _ of text.matchAll(pattern));
    else pattern.test(text);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a worker, which has no origin
  parentPort!.postMessage("done");
});
