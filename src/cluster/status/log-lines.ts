/** The log lines of a pass: changes, problems, and a summary. The number of lines has a limit. */
import type { Finding } from "../../krm/findings/finding.ts";
import { type LogEntry, shortened } from "../objects/log-entry.ts";
import { describeProblem, describeProblems, type ReadProblem } from "../objects/read-problem.ts";
import { factsOf, groupOf, type Outcome } from "./outcomes.ts";
import type { ReconcileResult } from "./pass-result.ts";

/** `done` reports changes of this pass; `state` reports the current state, which each pass would repeat. */
export interface PassLines {
  readonly done: readonly LogEntry[];
  readonly state: readonly LogEntry[];
  readonly summary: LogEntry;
}

/** Lines of one kind about the current state. The objects themselves show all of it. */
const MOST_LINES = 100;

/** Lines about changes, which are shown nowhere else: as many as the events of one pass. */
const MOST_CHANGES = 500;

type Fields = LogEntry["fields"];

/** @param isWhole without a limit on lines, for a run of a single pass */
export function logLines(result: ReconcileResult, milliseconds: number, isWhole = false): PassLines {
  const { cluster, dryRun, outcomes, nodeLimits, ready } = result;
  const lineOf = (level: LogEntry["level"], msg: string, fields: Fields): LogEntry => ({
    level,
    msg,
    fields: { cluster, ...fields },
  });
  const bounded = (of: string, most: number, lines: readonly LogEntry[]): LogEntry[] =>
    isWhole ? [...lines] : boundedLines(lines, { of, most, cluster });
  const some = (of: string, lines: readonly LogEntry[]): LogEntry[] => bounded(of, MOST_LINES, lines);
  const groups = Map.groupBy(outcomes, groupOf);
  const linesOf = (group: ReturnType<typeof groupOf>): LogEntry[] =>
    (groups.get(group) ?? []).flatMap((one) => stateLines(one, lineOf));
  const state: LogEntry[] = [
    ...linesOf("definitions"),
    ...some(
      "findings",
      result.findings.map((finding) => lineOfFinding(finding, lineOf)),
    ),
    ...some("lists", linesOfProblems(result.problems, lineOf)),
    ...some("objects", linesOf("unusable")),
    ...linesOf("repaired"),
    ...some("notes", linesOf("unwritten")),
    ...some("objects", linesOf("objects")),
    ...some("limits", [
      ...nodeLimits.problems.map((problem) =>
        lineOf("error", "cannot be listed", { reason: describeProblem(problem) }),
      ),
      ...linesOf("limits"),
    ]),
    ...some("pools", linesOf("no-nodes")),
    ...some("users' pools", linesOf("outside")),
    ...linesOf("refused"),
    ...(ready.status === "True"
      ? []
      : [lineOf("warn", "policy not ready", { reason: ready.reason, message: ready.message })]),
  ];
  const { limited, budgets, surplus, deleted } = nodeLimits.counts;
  const level = result.result === "failed" ? "error" : result.result === "held" ? "warn" : "info";
  const summary = lineOf(level, dryRun ? "dry run" : "reconciled", {
    result: result.result,
    policy: result.mode,
    ready: ready.status,
    reason: ready.reason,
    ...result.counts,
    ...(limited === 0 ? {} : { limited, limitBudgets: budgets, surplus, surplusDeleted: deleted }),
    ms: Math.round(milliseconds),
  });
  const changes = outcomes.flatMap((one) => changeLines(one, dryRun, lineOf));
  return { done: bounded("changes", MOST_CHANGES, changes), state, summary };
}

type LineOf = (level: LogEntry["level"], msg: string, fields: Fields) => LogEntry;

const LEVELS = { none: "info", info: "info", warning: "warn", error: "error" } as const;

function changeLines(one: Outcome, dryRun: boolean, lineOf: LineOf): LogEntry[] {
  const { step, state, planned, change, deletion, why } = one;
  // The pass that tried it has logged it.
  if (step?.waits === true) return [];
  const object = objectOf(one);
  if ((step !== undefined && state === "failed") || state === "surplus-left")
    return [lineOf("error", one.words, { ...object, reason: why })];
  // stateLines logs that it is being deleted.
  if (change === undefined || (planned === "prune" && deletion !== undefined)) return [];
  const fields = { ...object, ...one.fields, fields: fieldsOf(one), reason: why || undefined };
  const nodes = step === undefined ? {} : { nodes: step.nodes };
  const foreign = dryRun ? "foreign change would be overwritten" : "foreign change overwritten";
  return [
    lineOf(LEVELS[factsOf(planned).severity], change, { ...fields, ...nodes }),
    ...one.drift.map(({ field, owner = "unknown" }) => lineOf("warn", foreign, { ...object, field, owner })),
  ];
}

function stateLines(one: Outcome, lineOf: LineOf): LogEntry[] {
  const { deletion } = one;
  const going =
    deletion === undefined ? [] : [lineOf("info", factsOf("going").words, { ...objectOf(one), reason: deletion })];
  return [...going, ...otherStateOf(one, lineOf)];
}

function otherStateOf(one: Outcome, lineOf: LineOf): LogEntry[] {
  const { step, state, planned, severity, words, writerConflict } = one;
  const object = objectOf(one);
  if (state === "skipped") return [lineOf("warn", words, { ...object, action: step?.step.action })];
  if (writerConflict !== "") return [lineOf("warn", factsOf("contested").words, { ...object, reason: writerConflict })];
  const isChange = planned === "going" || factsOf(planned).would !== undefined;
  if (severity === "none" || isChange) return [];
  const fields = planned === "differs" ? { fields: fieldsOf(one) } : one.fields;
  return [lineOf(LEVELS[severity], words, { ...object, ...fields, reason: reasonOf(one) })];
}

function objectOf({ side, about }: Outcome): Fields {
  return about === "" ? {} : { side, object: about };
}

function fieldsOf({ differences }: Outcome): string | undefined {
  return differences.map(({ field }) => field).join(",") || undefined;
}

function reasonOf({ kind, state, why }: Outcome): string | undefined {
  if (kind !== "CustomResourceDefinition" || state !== "foreign-object") return why || undefined;
  const left = "anp did not create it and does not change it";
  return why === "" ? left : `${left}; ${why}`;
}

function linesOfProblems(problems: readonly ReadProblem[], lineOf: LineOf): LogEntry[] {
  const { awaited = [], others = [] } = Object.groupBy(problems, (problem) =>
    problem.isAwaited === true ? "awaited" : "others",
  );
  return [
    ...describeProblems(awaited).map((reason) => lineOf("warn", "not judged", { reason })),
    ...describeProblems(others).map((reason) => lineOf("error", "cannot be listed", { reason })),
  ];
}

function lineOfFinding({ code, severity, message, hint, file, line }: Finding, lineOf: LineOf): LogEntry {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return lineOf(LEVELS[severity], message, { code, place, help: hint });
}

const WORST_FIRST: readonly LogEntry["level"][] = ["error", "warn", "info"];

interface Bound {
  readonly most: number;
  /** What the lines are about, for the line with the count. */
  readonly of: string;
  readonly cluster: string;
}

/** Users can create any number of invalid objects, and all log lines go through one thread to one stream. */
function boundedLines(lines: readonly LogEntry[], { most, of, cluster }: Bound): LogEntry[] {
  if (lines.length <= most) return lines.map(shortened);
  const byLevel = Map.groupBy(lines, ({ level }) => level);
  const sorted = WORST_FIRST.flatMap((level) => byLevel.get(level) ?? []);
  const others = sorted.slice(most);
  const { level } = others[0]!;
  const rest: LogEntry = { level, msg: `and ${others.length} more`, fields: { cluster, of } };
  return [...sorted.slice(0, most).map(shortened), rest];
}
