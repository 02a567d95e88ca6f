/** The log lines of a pass: changes, problems, and a summary. */
import type { JudgedPool } from "../../analyze/explain/judge-pool.ts";
import { describeResource } from "../../krm/resource.ts";
import type { Finding } from "../../krm/finding.ts";
import { deletionOf, type StepResult } from "../apply/execute.ts";
import { boundedLines, MOST_CHANGES, MOST_LINES } from "./bounded-lines.ts";
import { crdLines } from "./crd-lines.ts";
import { limitLines } from "./limit-lines.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { describeProblems, type ReadProblem } from "../objects/read-problem.ts";
import type { ReconcileResult } from "./pass-result.ts";
import { DELETION_WORDS, DONE_WORDS, WRITER_CONFLICT, STATE_WORDS } from "./step-state.ts";

/** `done` reports changes of this pass; `state` reports the current state, which each pass would repeat. */
export interface PassLines {
  readonly done: readonly LogEntry[];
  readonly state: readonly LogEntry[];
  readonly summary: LogEntry;
}

/** @param isWhole without a limit on lines, for a run of a single pass */
export function logLines(result: ReconcileResult, milliseconds: number, isWhole = false): PassLines {
  const { cluster, dryRun } = result;
  const base = { cluster };
  const limits = limitLines(result.nodeLimits, base, dryRun);
  const crds = crdLines(result.crds, base, dryRun);
  const bounded = (of: string, most: number, lines: readonly LogEntry[]): LogEntry[] =>
    isWhole ? [...lines] : boundedLines(lines, { of, most, cluster });
  const some = (of: string, lines: readonly LogEntry[]): LogEntry[] => bounded(of, MOST_LINES, lines);
  const changes = [...crds.done, ...result.results.flatMap((one) => linesOfStep(one, base, dryRun)), ...limits.done];
  const state: LogEntry[] = [
    ...crds.state,
    ...some(
      "findings",
      result.findings.map((finding) => lineOfFinding(finding, base)),
    ),
    ...some("lists", linesOfProblems(result.problems, base)),
    ...some(
      "objects",
      result.unusable.map((reason) => warn("not usable", { ...base, reason })),
    ),
    ...(result.repaired === undefined ? [] : [warn("inventory repaired", { ...base, reason: result.repaired })]),
    ...some(
      "notes",
      result.notes.map((reason) => warn("not written", { ...base, reason })),
    ),
    ...some(
      "objects",
      result.results.flatMap((one) => stateOfStep(one, base)),
    ),
    ...some("limits", limits.state),
    ...some(
      "pools",
      result.verdicts.flatMap((judged) => lineOfVerdict(judged, base)),
    ),
    ...(result.refused === undefined ? [] : [error("refused", { ...base, reason: result.refused })]),
    ...(result.ready.status === "True"
      ? []
      : [warn("policy not ready", { ...base, reason: result.ready.reason, message: result.ready.message })]),
  ];
  const { counts, mode, ready } = result;
  const level = result.result === "failed" ? "error" : result.result === "held" ? "warn" : "info";
  const summary: LogEntry = {
    level,
    msg: dryRun ? "dry run" : "reconciled",
    fields: {
      ...base,
      result: result.result,
      policy: mode,
      ready: ready.status,
      reason: ready.reason,
      ...counts,
      ...limits.counts,
      ms: Math.round(milliseconds),
    },
  };
  return { done: bounded("changes", MOST_CHANGES, changes), state, summary };
}

function lineOfVerdict({ pool, verdict, why }: JudgedPool, base: Base): LogEntry[] {
  if (verdict !== "unsatisfiable") return [];
  return [warn("gets no nodes", { ...base, object: `NodePool ${pool}`, reason: why })];
}

function linesOfProblems(problems: readonly ReadProblem[], base: Base): LogEntry[] {
  const { awaited = [], others = [] } = Object.groupBy(problems, (problem) =>
    problem.isAwaited === true ? "awaited" : "others",
  );
  return [
    ...describeProblems(awaited).map((reason) => warn("not judged", { ...base, reason })),
    ...describeProblems(others).map((reason) => error("cannot be listed", { ...base, reason })),
  ];
}

function linesOfStep(result: StepResult, base: Base, dryRun: boolean): LogEntry[] {
  const { step, outcome, error: failure, nodes, waits } = result;
  const object = describeResource(step);
  // The pass that tried it has logged it.
  if (waits === true) return [];
  if (outcome === "failed") return [error(`${step.action} failed`, { ...base, object, reason: failure?.message })];
  const words = DONE_WORDS[step.action];
  if (words === undefined || outcome !== "done") return [];
  // stateOfStep logs that it is being deleted.
  if (step.action === "prune" && deletionOf(result) !== undefined) return [];
  const fields = step.differences.map(({ field }) => field).join(",");
  const main: LogEntry = {
    level: "info",
    msg: dryRun ? words[1] : words[0],
    fields: {
      ...base,
      object,
      ...(fields === "" ? {} : { fields }),
      ...(step.reason === "" ? {} : { reason: step.reason }),
      nodes,
    },
  };
  const drift = step.drift.map(({ field, owner }) =>
    warn(dryRun ? "foreign change would be overwritten" : "foreign change overwritten", {
      ...base,
      object,
      field,
      owner: owner ?? "unknown",
    }),
  );
  return [main, ...drift];
}

function stateOfStep(result: StepResult, base: Base): LogEntry[] {
  const { step } = result;
  const deletion = deletionOf(result);
  const object = describeResource(step);
  const going = deletion === undefined ? [] : [info(DELETION_WORDS, { ...base, object, reason: deletion })];
  return [...going, ...otherStateOf(result, object, base)];
}

function otherStateOf({ step, outcome }: StepResult, object: string, base: Base): LogEntry[] {
  if (outcome === "skipped") return [warn("not reached", { ...base, object, action: step.action })];
  if (step.writerConflict !== "") return [warn(WRITER_CONFLICT, { ...base, object, reason: step.writerConflict })];
  if (step.action === "managed-by-operator") {
    if (step.differences.length === 0) return [];
    const fields = step.differences.map(({ field }) => field).join(",");
    return [warn("managed by operator", { ...base, object, fields, reason: step.reason })];
  }
  const msg = STATE_WORDS[step.action];
  return msg === undefined ? [] : [warn(msg, { ...base, object, reason: step.reason })];
}

type Base = Readonly<Record<string, string>>;

function lineOfFinding({ code, severity, message, hint, file, line }: Finding, base: Base): LogEntry {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  const level = severity === "warning" ? "warn" : severity;
  return { level, msg: message, fields: { ...base, code, place, help: hint } };
}

function info(msg: string, fields: LogEntry["fields"]): LogEntry {
  return { level: "info", msg, fields };
}

function warn(msg: string, fields: LogEntry["fields"]): LogEntry {
  return { level: "warn", msg, fields };
}

function error(msg: string, fields: LogEntry["fields"]): LogEntry {
  return { level: "error", msg, fields };
}
