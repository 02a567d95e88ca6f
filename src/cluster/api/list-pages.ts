/** Reads a list page by page, within the read quota of the cluster. */
import { type Answer, type ApiError, failed, localError, succeeded, unreachable } from "./api-answer.ts";
import { checkedObject, isMalformed, malformedAnswer, type MalformedObject } from "./check-object.ts";
import type { Listed, ListOptions } from "./cluster-api.ts";
import type { HttpRequest, JsonObject } from "./http-client.ts";
import type { LiveObject } from "./live-object.ts";
import { type Collection, pathOf, queryOf } from "./served-kind.ts";

/** One page holds the pools of most clusters, and is small enough for the API server. */
const PAGE = 500;

/** Of one page, which is in memory as bytes, as text and as objects at once. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** The page size for each kind that was short enough in the last list, since a page that is cut is wasted. */
export type PageSizes = Map<string, number>;

type Get = (request: Pick<HttpRequest, "path" | "mostBytes" | "onBytes" | "withinMs">) => Promise<Answer<JsonObject>>;

/** Without a resourceVersion the API server reads each page from etcd, not from a cache that may be stale. */
export async function listPages(
  kind: Collection,
  { labelSelector, fieldSelector, budget, keep, onMalformed }: ListOptions,
  get: Get,
  sizes: PageSizes = new Map(),
): Promise<Answer<Listed>> {
  const items: LiveObject[] = [];
  const names = new Set<string>();
  let resume: string | undefined;
  let longest = 0;
  let limit = sizes.get(kind.plural) ?? PAGE;
  for (;;) {
    const parameters = { limit: String(limit), labelSelector, fieldSelector, continue: resume };
    const before = budget?.spent();
    if (before !== undefined) return failed(before);
    let bytes = 0;
    const answer = await get({
      path: `${pathOf(kind)}${queryOf(parameters)}`,
      // A single object may have the largest size that etcd takes.
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
    // A list without `items` is not empty: objects that it leaves out must not be deleted.
    if (!Array.isArray(page) || typeof metadata?.["resourceVersion"] !== "string")
      return failed(unreachable(`the list of ${kind.plural} is no list`));
    // Checked before the items are read: a server may send more items than the page size.
    if (page.length > limit) return failed(tooMany(kind, page.length, limit));
    longest = Math.max(longest, bytes);
    const kept: LiveObject[] = [];
    for (const item of page as unknown[]) {
      const object = notTwice(checkedObject(item, kind), names);
      if (!isMalformed(object)) kept.push(keep === undefined ? object : keep(object));
      else if (onMalformed === undefined) return failed(malformedAnswer(object));
      else onMalformed(object);
    }
    // The rest of each object is freed with its page.
    budget?.keep(page.length, keep === undefined ? bytes : JSON.stringify(kept).length);
    for (const object of kept) items.push(object);
    const { resourceVersion } = metadata;
    resume = typeof metadata["continue"] === "string" ? metadata["continue"] || undefined : undefined;
    const after = budget?.spent();
    if (after !== undefined) return failed(after);
    if (limit < PAGE) sizes.set(kind.plural, longest * 4 < PAGE_BYTES ? Math.min(PAGE, limit * 2) : limit);
    else sizes.delete(kind.plural);
    if (resume === undefined) return succeeded({ items, resourceVersion });
  }
}

/** Two objects of one name: it is unknown which one is current. */
function notTwice(object: LiveObject | MalformedObject, names: Set<string>): LiveObject | MalformedObject {
  if (isMalformed(object)) return object;
  const { name, namespace = "" } = object.metadata;
  const id = `${namespace}/${name}`;
  if (names.has(id)) return { kind: object.kind, name, why: "it is listed twice" };
  names.add(id);
  return object;
}

function tooMany({ plural }: Collection, count: number, limit: number): ApiError {
  const message = `a page of the list of ${plural} has ${count} items, where ${limit} at most were asked for`;
  return localError("tooLarge", message);
}
