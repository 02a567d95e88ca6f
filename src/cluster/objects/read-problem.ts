/** A list that could not be read: on which side, of which kind, and what the API server said. */
import type { ApiError } from "../api/api-answer.ts";

export interface ReadProblem {
  readonly side: "management" | "guest";
  readonly kind: string;
  readonly error: ApiError;
  /** Only a dry run does not serve the kind: the pass would create its CustomResourceDefinition first. */
  readonly isAwaited?: boolean;
}

/** More than is read of one cluster: whoever fills it can do that, so that nothing failed, and trying again at once helps nobody. */
export function isTooMuch({ error }: ReadProblem): boolean {
  return error.kind === "tooLarge" || error.kind === "tooSlow";
}

export function describeProblem({ side, kind, error, isAwaited }: ReadProblem): string {
  if (isAwaited === true)
    return `${kind} of the ${side} cluster can be judged only when its CustomResourceDefinition is there`;
  const words = error.kind === "notFound" ? "the cluster does not serve the kind" : error.message;
  return `${kind} of the ${side} cluster cannot be listed: ${words}`;
}

/** One cause is told once: a server that does not answer, or a kubeconfig that is missing, concerns every kind. */
export function describeProblems(problems: readonly ReadProblem[]): string[] {
  const causes = Map.groupBy(problems, ({ side, error, isAwaited }) => JSON.stringify([side, error, isAwaited]));
  return [...causes.values()].flatMap((alike) => {
    const [first] = alike;
    if (alike.length === 1 || first === undefined || first.isAwaited === true) return alike.map(describeProblem);
    if (first.error.status !== undefined || isTooMuch(first))
      return [describeProblem({ ...first, kind: alike.map(({ kind }) => kind).join(", ") })];
    return [`the ${first.side} cluster cannot be listed: ${first.error.message}`];
  });
}
