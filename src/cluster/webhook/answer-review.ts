/** Answers one ConversionReview, and makes the log entry for it. */
import { karpenterType } from "../../karpenter/conversion/karpenter-type.ts";
import { shortened } from "../api/api-answer.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { convertObjects, neededPools } from "./convert-objects.ts";
import { parseReview, type Review, reviewAnswer, type ReviewResult } from "./conversion-review.ts";
import { type JsonMeasure, measureJson } from "./measure-json.ts";
import type { PoolReader } from "./pool-reader.ts";

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
