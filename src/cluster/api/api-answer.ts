/** An API server's answer: a value, or an error as data that says whether trying again can help. */

/**
 * - `notFound`: no such object, or the server does not serve the kind (`reason` is empty then)
 * - `forbidden`: known and not allowed; `unauthorized`: not known at all
 * - `conflict`: somebody else was first, or a precondition does not hold
 * - `invalid`: the object itself is refused; the same will be refused again
 * - `expired`: a list or watch must start anew
 * - `unavailable`: no answer, a late one, or one that says "not now": try again
 * - `tooLarge`, `tooSlow`: more than is read of one cluster, in bytes, objects or time
 */
type ApiErrorKind =
  | "notFound"
  | "forbidden"
  | "unauthorized"
  | "conflict"
  | "invalid"
  | "expired"
  | "unavailable"
  | "tooLarge"
  | "tooSlow";

export interface ApiError {
  readonly kind: ApiErrorKind;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** The API server's word for it, such as `Forbidden`; empty where it has none. */
  readonly reason: string;
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

export function unreachable(message: string): ApiError {
  return { kind: "unavailable", status: undefined, reason: "", message };
}

/** The error that a status code and the body of a Status come to. */
export function apiErrorOf(status: number, body: Readonly<Record<string, unknown>> | undefined): ApiError {
  const text = (field: string): string => {
    const value = body?.[field];
    return typeof value === "string" ? inOneLine(value) : "";
  };
  const reason = text("reason");
  const message = shortened(withoutUserData(text("message")) || `the API server answers ${status}`);
  return { kind: kindOf(status, message), status, reason, message };
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

/** Words that may quote all of what they refuse. */
export function shortened(message: string): string {
  return message.length > 1000 ? `${message.slice(0, 999)}…` : message;
}
