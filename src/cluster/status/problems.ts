/** The problems of a pass, without findings in the input. */
import { describeResource } from "../../krm/resource.ts";
import { describeProblems } from "../objects/read-problem.ts";
import type { PassRecord } from "./pass-record.ts";
import { stepState } from "./step-state.ts";

export interface ProblemFacts {
  readonly about: string;
  readonly state: string;
  readonly why: string;
  readonly severity: "error" | "warning";
}

export function problemsOf({
  executed,
  verdicts,
  problems,
  notes,
  crds,
  nodeLimits,
  dryRun,
}: PassRecord): ProblemFacts[] {
  const refused = executed.refused === undefined ? [] : [error("Everything", "refused", executed.refused)];
  const unread = describeProblems([...problems, ...nodeLimits.problems]).map((words) =>
    error("Reading", "failed", words),
  );
  const unwritten = notes.map((note) => error("Status or event", "not written", note));
  const definitions = crds.flatMap(({ name, outcome, doing, words }): ProblemFacts[] => {
    if (words === "") return [];
    const about = `CustomResourceDefinition ${name}`;
    if (outcome === "failed") return [error(about, `${doing} failed`, words)];
    return [{ about, state: "foreign object", why: words, severity: "warning" }];
  });
  const objects = executed.results.flatMap((result): ProblemFacts[] => {
    const { words, why, tone } = stepState(result, dryRun);
    if (tone !== "warning" && tone !== "error") return [];
    return [{ about: describeResource(result.step), state: words, why, severity: tone }];
  });
  const limits = nodeLimits.pools.flatMap(({ pool, limit, kept }): ProblemFacts[] =>
    kept.length === 0
      ? []
      : [
          {
            about: `NodePool ${pool}`,
            state: `limit of ${limit} nodes not kept`,
            why: kept.join("; "),
            severity: "warning",
          },
        ],
  );
  const starved = verdicts.flatMap(({ pool, verdict, why }): ProblemFacts[] =>
    verdict === "unsatisfiable"
      ? [{ about: `NodePool ${pool}`, state: "gets no nodes", why, severity: "warning" }]
      : [],
  );
  const surplus = nodeLimits.failures.map(({ name, error: { message } }) =>
    error(`NodeClaim ${name}`, "not deleted", message),
  );
  return [...refused, ...definitions, ...unread, ...objects, ...starved, ...limits, ...surplus, ...unwritten];
}

function error(about: string, state: string, why: string): ProblemFacts {
  return { about, state, why, severity: "error" };
}
