/** What keeps anything from being as it should be, beside the findings in the input. */
import { describeResource } from "../../krm/resource.ts";
import { describeProblems } from "../objects/read-problem.ts";
import type { InspectedPass } from "./inspected-pass.ts";
import { stepState } from "./step-words.ts";

export interface TroubleFacts {
  readonly about: string;
  readonly state: string;
  readonly why: string;
  readonly severity: "error" | "warning";
}

export function troublesOf({
  executed,
  verdicts,
  problems,
  notes,
  crds,
  nodeLimits,
  dryRun,
}: InspectedPass): TroubleFacts[] {
  const refused = executed.refused === undefined ? [] : [error("Everything", "refused", executed.refused)];
  const unread = describeProblems([...problems, ...nodeLimits.problems]).map((words) =>
    error("Reading", "failed", words),
  );
  const unwritten = notes.map((note) => error("Status or event", "not written", note));
  const definitions = crds.flatMap(({ name, outcome, doing, words }): TroubleFacts[] => {
    if (words === "") return [];
    const about = `CustomResourceDefinition ${name}`;
    if (outcome === "failed") return [error(about, `${doing} failed`, words)];
    return [{ about, state: "foreign object", why: words, severity: "warning" }];
  });
  const objects = executed.results.flatMap((result): TroubleFacts[] => {
    const { words, why, tone } = stepState(result, dryRun);
    if (tone !== "warning" && tone !== "error") return [];
    return [{ about: describeResource(result.step), state: words, why, severity: tone }];
  });
  const limits = nodeLimits.pools.flatMap(({ pool, limit, kept }): TroubleFacts[] =>
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
  const starved = verdicts.flatMap(({ pool, verdict, why }): TroubleFacts[] =>
    verdict === "unsatisfiable"
      ? [{ about: `NodePool ${pool}`, state: "gets no nodes", why, severity: "warning" }]
      : [],
  );
  const surplus = nodeLimits.failures.map(({ name, error: { message } }) =>
    error(`NodeClaim ${name}`, "not deleted", message),
  );
  return [...refused, ...definitions, ...unread, ...objects, ...starved, ...limits, ...surplus, ...unwritten];
}

function error(about: string, state: string, why: string): TroubleFacts {
  return { about, state, why, severity: "error" };
}
