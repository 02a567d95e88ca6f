/** Exponential backoff for each object that a guest cluster refused, while the others go on. */
import { wrapperKindOf } from "../../model/objects/applied-kinds.ts";
import type { ApiError } from "../api/api-answer.ts";
import { entryId } from "../inventory/inventory.ts";
import { appliedHashOf } from "../objects/membership.ts";
import type { Step } from "../plan/step.ts";
import type { StepResult } from "./execute.ts";

/** State of one watch over its passes. */
export interface ApplyBackoff {
  /** Steps to try now, and steps in backoff with their last refusal. */
  readonly before: (steps: readonly Step[]) => {
    readonly now: readonly Step[];
    readonly waiting: readonly StepResult[];
  };
  readonly after: (results: readonly StepResult[]) => void;
  /** Milliseconds until the next retry; undefined if no object is in backoff. */
  readonly dueMs: () => number | undefined;
}

interface Refused {
  /** A fingerprint of the desired and of the live object. */
  readonly print: string;
  readonly error: ApiError;
  readonly times: number;
  readonly until: number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 120_000;

/**
 * Users may refuse an object by their own admission policy or webhook. That must delay this object only.
 *
 * @param clock milliseconds of a monotonic clock
 */
export function applyBackoff(clock: () => number): ApplyBackoff {
  const known = new Map<string, Refused>();
  return {
    before: (steps) => {
      const now: Step[] = [];
      const waiting: StepResult[] = [];
      const asked = new Set<string>();
      for (const step of steps) {
        const id = entryId(step);
        const last = known.get(id);
        if (isWrite(step)) asked.add(id);
        if (!isWrite(step) || last === undefined || last.print !== printOf(step) || clock() >= last.until)
          now.push(step);
        else waiting.push({ step, outcome: "failed", error: last.error, waits: true });
      }
      for (const id of known.keys()) if (!asked.has(id)) known.delete(id);
      return { now, waiting };
    },
    after: (results) => {
      for (const { step, outcome, error, waits } of results) {
        if (!isWrite(step) || outcome === "skipped" || waits === true) continue;
        const id = entryId(step);
        if (error === undefined || !isRefused({ step, outcome, error })) known.delete(id);
        else {
          const print = printOf(step);
          const last = known.get(id);
          const times = last?.print === print ? last.times + 1 : 1;
          const until = clock() + Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS);
          known.set(id, { print, error, times, until });
        }
      }
    },
    dueMs: () => {
      const times = [...known.values()].map(({ until }) => until);
      return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - clock());
    },
  };
}

/**
 * Whether the cluster refused this object, by validation, by an admission policy or by a webhook, or sent a malformed
 * answer. A refused guard does not count, because then anp lacks rights.
 */
export function isRefused({ step, outcome, error }: Pick<StepResult, "step" | "outcome" | "error">): boolean {
  if (outcome !== "failed" || error === undefined || wrapperKindOf(step.kind) === undefined) return false;
  if (error.kind === "invalid" || error.kind === "malformed") return true;
  if (error.kind === "forbidden") return !OF_RIGHTS.test(error.message);
  return error.status === 500 && OF_WEBHOOK.test(error.message);
}

/** RBAC: `User "x" cannot patch resource "nodepools" in API group`. */
const OF_RIGHTS = /cannot \w+ resource /;

/** `failed calling webhook "x": …`, `failed to call webhook`. */
const OF_WEBHOOK = /fail(?:ed|ure)(?: to)? call(?:ing)? webhook/;

function isWrite({ action }: Step): boolean {
  return action === "create" || action === "update";
}

function printOf({ desired, live }: Step): string {
  return `${desired === undefined ? "" : appliedHashOf(desired)} ${live?.metadata.uid} ${live?.metadata.generation}`;
}
