/** A list that could not be read: the cluster, the kind, and the error of the API server. */
import type { ApiError } from "../api/api-answer.ts";

export interface ReadProblem {
  readonly side: "management" | "guest";
  readonly kind: string;
  readonly error: ApiError;
  /** The kind is not served only because of the dry run: a real pass would create its CustomResourceDefinition first. */
  readonly isAwaited?: boolean;
}

/** The cluster holds more than anp reads of one cluster. Users can cause that, and an immediate retry does not help. */
export function isTooMuch({ error }: ReadProblem): boolean {
  return error.kind === "tooLarge" || error.kind === "tooSlow";
}

export function describeProblem({ side, kind, error, isAwaited }: ReadProblem): string {
  if (isAwaited === true)
    return `${kind} of the ${side} cluster is checked only when its CustomResourceDefinition exists`;
  const words = error.kind === "notFound" ? "the cluster does not serve the kind" : error.message;
  return `${kind} of the ${side} cluster cannot be listed: ${words}`;
}

/** Why nothing of the guest cluster could be listed, such as a missing kubeconfig; undefined if a server answered. */
export function whyUnreachable(problems: readonly ReadProblem[]): string | undefined {
  const [first, ...others] = problems.filter(({ side, isAwaited }) => side === "guest" && isAwaited !== true);
  if (first === undefined || others.length === 0 || first.error.status !== undefined || isTooMuch(first))
    return undefined;
  return others.every(({ error }) => error.message === first.error.message) ? first.error.message : undefined;
}

/** One line for each cause: a server that does not answer, or a missing kubeconfig, affects every kind. */
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
