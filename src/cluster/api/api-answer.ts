/** An API server's answer: a value, or an error as data that says whether trying again can help. */

/**
 * - `notFound`: no such object, or the server does not serve the kind
 * - `forbidden`: authenticated, but not allowed; `unauthorized`: not authenticated
 * - `conflict`: another write was first, or a precondition does not hold
 * - `invalid`: the object is refused, and will be refused again
 * - `expired`: the list or watch must be restarted
 * - `unavailable`: no answer, a late one, or one that asks to try again
 * - `malformed`: an answer that is no object of the kind; whether the request was executed is unknown
 * - `tooLarge`, `tooSlow`: more than the quota of one cluster, in bytes, objects or time
 */
type ApiErrorKind =
  | "notFound"
  | "forbidden"
  | "unauthorized"
  | "conflict"
  | "invalid"
  | "expired"
  | "unavailable"
  | "malformed"
  | "tooLarge"
  | "tooSlow";

export interface ApiError {
  readonly kind: ApiErrorKind;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  /** One line, never with the content of an object that was sent. */
  readonly message: string;
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ApiError };

export function succeeded<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function failed(error: ApiError): { readonly ok: false; readonly error: ApiError } {
  return { ok: false, error };
}

/** An error that anp finds without an answer that says so. */
export function localError(kind: ApiErrorKind, message: string): ApiError {
  return { kind, status: undefined, message };
}

export function unreachable(message: string): ApiError {
  return localError("unavailable", message);
}

/** The error of a status code and the body of a Status. */
export function apiErrorOf(status: number, body: Readonly<Record<string, unknown>> | undefined): ApiError {
  const said = typeof body?.["message"] === "string" ? inOneLine(body["message"]) : "";
  const message = shortened(withoutUserData(said) || `the API server answers ${status}`);
  return { kind: kindOf(status, message), status, message };
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

const KINDS: Readonly<Record<number, ApiErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  408: "unavailable",
  409: "conflict",
  410: "expired",
  429: "unavailable",
};

function kindOf(status: number, message: string): ApiErrorKind {
  // Server-side apply answers 500 for a field that the schema does not declare, and always will.
  if (status === 500 && message.includes("field not declared in schema")) return "invalid";
  return KINDS[status] ?? (status >= 400 && status < 500 ? "invalid" : "unavailable");
}

/** A refusal quotes what it refuses, and the user data of a node class is a secret. */
function withoutUserData(message: string): string {
  return message.replace(
    /(\buserData\b(?:: Invalid value)?)["'\\]*\s*[:=].*$/s,
    "$1 (not shown, because it is a secret)",
  );
}

/** Shortens a message, which may quote the whole object that it refuses, without cutting a surrogate pair in half. */
export function shortened(message: string, longest = 1000): string {
  if (message.length <= longest) return message;
  const cut = message.slice(0, longest - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

export class ClusterError extends Error {}
