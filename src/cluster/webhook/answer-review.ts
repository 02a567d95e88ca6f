/** Answers one ConversionReview, and makes the log entry for it. */
import { karpenterType } from "../../karpenter/conversion/karpenter-type.ts";
import type { Fields } from "../../krm/values/fields.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";
import { type Answer, shortened, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { parseReview, type Review, reviewAnswer, type ReviewResult } from "./conversion-review.ts";
import { convertObjects, neededPools, type Pools } from "./convert-objects.ts";
import { type JsonMeasure, measureJson } from "./measure-json.ts";

export interface Answered {
  readonly text: string;
  /** False if the request is not a review. */
  readonly isReview: boolean;
  /** Never contains content of an object. */
  readonly logEntry: LogEntry;
  readonly objects: number;
}

/** @param readPools undefined without a cluster */
export async function answerReview(
  text: string,
  readPools: PoolReader | undefined,
  { hasLongNumber }: Pick<JsonMeasure, "hasLongNumber"> = measureJson(text, Infinity),
): Promise<Answered> {
  const review = parseReview(text, hasLongNumber);
  if ("problem" in review) {
    const logEntry = notConverted(review.problem);
    return { text: reviewAnswer(review, review), isReview: review.uid !== "", logEntry, objects: 0 };
  }
  const facts = factsOf(review);
  const answered = (whole: ReviewResult): Answered => {
    // The message quotes the client, so shorten it.
    const result = "problem" in whole ? { problem: shortened(whole.problem) } : whole;
    const logEntry: LogEntry =
      "problem" in result ? notConverted(result.problem, facts) : { level: "info", msg: "converted", fields: facts };
    return { text: reviewAnswer(review, result), isReview: true, logEntry, objects: review.objects.length };
  };
  try {
    return answered(await convert(review, readPools));
  } catch (error) {
    // A hostile object, such as one with a million levels, must not end the program.
    return answered({ problem: `the objects cannot be converted: ${(error as Error).name}` });
  }
}

export function notConverted(reason: string, facts: LogEntry["fields"] = {}): LogEntry {
  return { level: "warn", msg: "not converted", fields: { ...facts, reason } };
}

async function convert(review: Review, readPools: PoolReader | undefined): Promise<ReviewResult> {
  const names = neededPools(review);
  if (readPools === undefined || names.length === 0) return convertObjects(review, new Map());
  const pools = await readPools(names);
  return pools.ok
    ? convertObjects(review, pools.value)
    : { problem: `the NodePools, which have the expireAfter of NodeClaims, cannot be read: ${pools.error.message}` };
}

function factsOf({ objects, desiredAPIVersion }: Review) {
  const types = objects.map(karpenterType);
  return {
    kind: distinct(types.map((type) => type?.kind)),
    from: distinct(types.map((type) => type?.version)),
    to: desiredAPIVersion.slice(desiredAPIVersion.indexOf("/") + 1, 40),
  };
}

function distinct(values: readonly (string | undefined)[]): string {
  return [...new Set(values.map((value) => value ?? "unknown"))].join(",");
}

/** @param names the needed pools; pools that do not exist are not in the answer */
export type PoolReader = (names: readonly string[]) => Promise<Answer<Pools>>;

/** Karpenter reads them from a cache that is also late, but mostly by less. */
const FRESH_MS = 2000;

/**
 * Requests share one list. Otherwise each single NodeClaim would need a list, and each list of pools that are stored in
 * v1beta1 would call the webhook again. A pool counts as missing only if the list began after the request: a claim that
 * is converted without its pool keeps the wrong expireAfter for good.
 *
 * @param now milliseconds of a monotonic clock
 */
export function poolReader(api: Pick<ClusterApi, "list">, now: () => number): PoolReader {
  let lists = 0;
  let last: { readonly number: number; readonly at: number; readonly answer: Promise<Answer<Pools>> } | undefined;

  /** Returns a fresh list with at least this number. */
  const ask = async (atLeast: number): Promise<Answer<Pools>> => {
    if (last === undefined || last.number < atLeast || now() - last.at > FRESH_MS)
      last = { number: (lists += 1), at: now(), answer: listPools(api) };
    const { answer } = last;
    const pools = await answer;
    // Do not cache a failure: only the requests that wait for it get it.
    if (!pools.ok && last?.answer === answer) last = undefined;
    return pools;
  };

  return async (names) => {
    const next = lists + 1;
    const pools = await ask(0);
    return pools.ok && names.some((name) => !pools.value.has(name)) ? ask(next) : pools;
  };
}

async function listPools(api: Pick<ClusterApi, "list">): Promise<Answer<Pools>> {
  const answer = await api.list(appliedKind("NodePool"));
  if (!answer.ok) return answer;
  return succeeded(new Map(answer.value.items.map((pool) => [pool.metadata.name, pool as unknown as Fields])));
}
