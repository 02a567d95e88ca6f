/** Log lines on Hard limits: deleted NodeClaims, and the state of each pool. */
import type { NodeLimitsResult } from "../limits/node-limits.ts";
import { describeProblem } from "../objects/read-problem.ts";
import type { LogEntry } from "../objects/log-entry.ts";

type Base = Readonly<Record<string, string>>;

export interface LimitLines {
  readonly done: readonly LogEntry[];
  readonly state: readonly LogEntry[];
  /** For the summary line; empty if no pool has a Hard limit. */
  readonly counts: LogEntry["fields"];
}

export function limitLines(
  { pools, problems, failures, counts }: NodeLimitsResult,
  base: Base,
  dryRun: boolean,
): LimitLines {
  const done = pools.flatMap(({ pool, limit, nodes, deleted }) =>
    deleted.map(({ name, why }): LogEntry => {
      const fields = { ...base, object: `NodeClaim ${name}`, pool, nodes, limit, reason: why };
      return { level: "warn", msg: dryRun ? "surplus node would be deleted" : "surplus node deleted", fields };
    }),
  );
  const state = pools.flatMap(({ pool, limit, nodes, budget, surplus, kept }): LogEntry[] => {
    const fields = { ...base, object: `NodePool ${pool}`, limit, nodes, budget, surplus: surplus || undefined };
    if (kept.length > 0)
      return [{ level: "warn", msg: "node limit not kept", fields: { ...fields, reason: kept.join("; ") } }];
    return budget === undefined ? [] : [{ level: "info", msg: "near its node limit", fields }];
  });
  const { limited, budgets, surplus, deleted } = counts;
  return {
    done: [
      ...done,
      ...failures.map(({ name, error: { message } }): LogEntry => {
        const fields = { ...base, object: `NodeClaim ${name}`, reason: message };
        return { level: "error", msg: "surplus node not deleted", fields };
      }),
    ],
    state: [
      ...problems.map((problem): LogEntry => ({
        level: "error",
        msg: "cannot be listed",
        fields: { ...base, reason: describeProblem(problem) },
      })),
      ...state,
    ],
    counts: limited === 0 ? {} : { limited, limitBudgets: budgets, surplus, surplusDeleted: deleted },
  };
}
