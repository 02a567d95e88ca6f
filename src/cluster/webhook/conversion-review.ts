/** Parses a ConversionReview of an API server, and writes the answer. */
import { parseExactly } from "./exact-json.ts";
import { type Fields, isFields } from "../../karpenter/conversion/plain-fields.ts";

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
