/** A list that could not be read: on which side, of which kind, and what the API server said. */
import type { ApiError } from "../api/api-answer.ts";

export interface ReadProblem {
  readonly side: "management" | "guest";
  readonly kind: string;
  readonly error: ApiError;
}

export function describeProblem({ side, kind, error }: ReadProblem): string {
  const words = error.kind === "notFound" ? "the cluster does not serve the kind" : error.message;
  return `${kind} of the ${side} cluster cannot be listed: ${words}`;
}
