/** Parses a ConversionReview, without changing long integers, and writes the answer. */
import { type Fields, isFields } from "../../krm/values/fields.ts";

export interface Review {
  /** The version of the review, which the answer has, too. */
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Fields[];
}

/** Why it cannot be answered. The uid is empty if there is none. */
interface NoReview {
  readonly problem: string;
  readonly apiVersion: string;
  readonly uid: string;
}

const GROUP = "apiextensions.k8s.io";
export const REVIEW_VERSION = `${GROUP}/v1`;
/** Both have the same fields. Karpenter's own CRDs name the older one first. */
const VERSIONS = [REVIEW_VERSION, `${GROUP}/v1beta1`];

export function parseReview(text: string, hasLongNumber: boolean): Review | NoReview {
  let value: unknown;
  try {
    value = parseExactly(text, hasLongNumber);
  } catch {
    return { problem: "the request is not JSON", apiVersion: REVIEW_VERSION, uid: "" };
  }
  if (!isFields(value))
    return { problem: "the request is not a ConversionReview", apiVersion: REVIEW_VERSION, uid: "" };
  const { apiVersion, kind, request } = value;
  const asked = isFields(request) ? request : {};
  const uid = typeof asked["uid"] === "string" ? asked["uid"] : "";
  const known = VERSIONS.find((version) => version === apiVersion);
  const no = (problem: string): NoReview => ({ problem, apiVersion: known ?? REVIEW_VERSION, uid });
  if (kind !== "ConversionReview") return no("the request is not a ConversionReview");
  if (known === undefined)
    return no(`the ConversionReview is not of ${REVIEW_VERSION}: set conversionReviewVersions: [v1] in the CRD`);
  const { desiredAPIVersion, objects } = asked;
  if (uid === "") return no("the ConversionReview has no request.uid");
  if (typeof desiredAPIVersion !== "string") return no("the ConversionReview has no request.desiredAPIVersion");
  if (!Array.isArray(objects) || !objects.every(isFields))
    return no("the ConversionReview has no list of objects in request.objects");
  return { apiVersion: known, uid, desiredAPIVersion, objects };
}

/** The converted objects as JSON. */
export type ReviewResult = { readonly converted: readonly string[] } | { readonly problem: string };

/** All objects or none. */
export function reviewAnswer({ apiVersion, uid }: Pick<Review, "apiVersion" | "uid">, result: ReviewResult): string {
  const [outcome, objects] =
    "converted" in result
      ? [{ status: "Success" }, result.converted]
      : [{ status: "Failed", message: result.problem }, []];
  const response = `{"uid":${JSON.stringify(uid)},"convertedObjects":[${objects.join(",")}],"result":${JSON.stringify(outcome)}}`;
  return `{"apiVersion":${JSON.stringify(apiVersion)},"kind":"ConversionReview","response":${response}}`;
}

/** Finds the uid of a request that was not read whole: API servers write it before the objects. */
export function uidAtStart(text: string): string {
  return /"request":\s*\{\s*"uid":\s*"([\w-]{1,64})"/.exec(text)?.[1] ?? "";
}

/**
 * @param hasLongNumber false uses plain parsing, because visiting each value is many times slower
 * @throws SyntaxError if the text is not JSON
 */
function parseExactly(text: string, hasLongNumber: boolean): unknown {
  return hasLongNumber ? parse(text, exact) : JSON.parse(text);
}

interface RawJson {
  readonly parse: (text: string, reviver: typeof exact) => unknown;
  readonly rawJSON: (text: string) => object;
}
// TypeScript's library does not have them yet.
const { parse, rawJSON } = JSON as unknown as RawJson;

function exact(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source && /\d{16}/.test(source)
    ? rawJSON(source)
    : value;
}
