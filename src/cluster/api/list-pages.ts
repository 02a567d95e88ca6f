/** A list read page by page, each small enough to be held, within what may be read of a cluster. */
import { type Answer, type ApiError, failed, succeeded, unreachable } from "./api-answer.ts";
import type { Listed, ListOptions } from "./cluster-api.ts";
import type { HttpRequest, JsonObject } from "./http-door.ts";
import type { LiveObject } from "./live-object.ts";
import { objectOf } from "./object-of.ts";
import { type Collection, pathOf } from "./served-kind.ts";

/** Large enough for a cluster's pools in one page, small enough for the API server. */
const PAGE = 500;

/** Of one page, which is held as bytes, as text and as objects at once. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** How many objects of a kind make a page that is short enough, as the last list found: what is cut is read for nothing. */
export type PageSizes = Map<string, number>;

type Get = (request: Pick<HttpRequest, "path" | "mostBytes" | "onBytes" | "withinMs">) => Promise<Answer<JsonObject>>;

/** Without a resourceVersion each page is read from the store itself, never from a cache that lags behind. */
export async function listPages(
  kind: Collection,
  { labelSelector, fieldSelector, budget, keep }: ListOptions,
  get: Get,
  sizes: PageSizes = new Map(),
): Promise<Answer<Listed>> {
  const items: LiveObject[] = [];
  let resume = "";
  let longest = 0;
  let limit = sizes.get(kind.plural) ?? PAGE;
  for (;;) {
    const parameters = new URLSearchParams({ limit: String(limit) });
    if (labelSelector !== undefined) parameters.set("labelSelector", labelSelector);
    if (fieldSelector !== undefined) parameters.set("fieldSelector", fieldSelector);
    if (resume !== "") parameters.set("continue", resume);
    const before = budget?.spent();
    if (before !== undefined) return failed(before);
    let bytes = 0;
    const answer = await get({
      path: `${pathOf(kind)}?${parameters.toString()}`,
      // One object alone may be as large as the store takes it.
      mostBytes: Math.min(PAGE_BYTES, budget?.bytesLeft() ?? PAGE_BYTES),
      withinMs: budget?.msLeft(),
      onBytes: (more) => {
        bytes += more;
        budget?.read(more);
      },
    });
    const spent = budget?.spent();
    if (spent !== undefined) return failed(spent);
    if (!answer.ok && answer.error.kind === "tooLarge" && limit > 1) {
      limit = Math.ceil(limit / 8);
      continue;
    }
    if (!answer.ok) return answer;
    const { items: page, metadata } = answer.value as { items?: unknown; metadata?: Record<string, unknown> };
    // A list without items is no empty list: deleting what it does not hold would be wrong.
    if (!Array.isArray(page) || typeof metadata?.["resourceVersion"] !== "string")
      return failed(unreachable(`the list of ${kind.plural} is no list`));
    // Told before any of it is taken: the bound of objects is one for each page, whatever a server sends.
    if (page.length > limit) return failed(tooMany(kind, page.length, limit));
    longest = Math.max(longest, bytes);
    const kept = (page as JsonObject[]).map((item) => {
      const object = objectOf(item, kind);
      return keep === undefined ? object : keep(object);
    });
    // What is dropped goes with its page.
    budget?.keep(kept.length, keep === undefined ? bytes : JSON.stringify(kept).length);
    for (const object of kept) items.push(object);
    const { resourceVersion } = metadata;
    resume = typeof metadata["continue"] === "string" ? metadata["continue"] : "";
    const after = budget?.spent();
    if (after !== undefined) return failed(after);
    if (limit < PAGE) sizes.set(kind.plural, longest * 4 < PAGE_BYTES ? Math.min(PAGE, limit * 2) : limit);
    else sizes.delete(kind.plural);
    if (resume === "") return succeeded({ items, resourceVersion });
  }
}

function tooMany({ plural }: Collection, count: number, limit: number): ApiError {
  const message = `a page of the list of ${plural} has ${count} items, where ${limit} at most were asked for`;
  return { kind: "tooLarge", status: undefined, reason: "TooLarge", message };
}
