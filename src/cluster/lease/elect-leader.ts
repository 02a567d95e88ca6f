/** Whether we lead, by a Lease: from winning it until it is lost or given back. */
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";
import { pause } from "../waiting/pause.ts";
import { type LeaseName, newLease, recordOf, withRecord } from "./lease-record.ts";
import { leaseTurn, type Observed, observe, recordAfter, releasedRecord } from "./lease-turn.ts";
import type { LeaseNote } from "./pass-note.ts";

/** Those of all Kubernetes programs: others wait longer than a leader goes on without having renewed. */
export interface LeaseTiming {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

export const LEASE_TIMING: LeaseTiming = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000 };

/** Passes that begin within this time share a write. */
const NOTE_EVERY_MS = 100;

interface ElectionOptions extends LeaseName {
  readonly identity: string;
  readonly timing: LeaseTiming;
  /** Milliseconds of a clock that only goes on: setting the machine's clock makes no leader and unmakes none. */
  readonly now: () => number;
  readonly time: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
  readonly told: (news: ElectionNews) => void;
  /** What is written beside the record. */
  readonly note?: LeaseNote | undefined;
}

export type ElectionNews =
  | { readonly kind: "leading" }
  | { readonly kind: "standby"; readonly holder: string }
  /** Said once as long as the words are the same. */
  | { readonly kind: "trouble"; readonly message: string };

export interface Leadership {
  /** Ends when the lease is won, or given back before that. */
  readonly won: Promise<void>;
  /** False from the moment when another one may think of taking the lease, whether or not a timer has told so by then. */
  readonly isLeader: () => boolean;
  /** Until when, by `now`: -Infinity for one that does not lead. */
  readonly leadsUntil: () => number;
  /** Whether the holder of the Lease is known, this replica or another one. */
  readonly isInformed: () => boolean;
  /** Aborted when leadership is lost: with why, in one line, as the reason. */
  readonly lost: AbortSignal;
  /** Gives the lease back where it is ours, and ends. To be called when all work has ended. */
  readonly release: () => Promise<void>;
  /** Ends without giving it back: work may still be under way. */
  readonly abandon: () => void;
}

export function electLeader(api: ClusterApi, options: ElectionOptions): Leadership {
  const { namespace, identity, timing, now, time, random, told, note } = options;
  const leases = { ...LEASES, namespace };
  const lost = new AbortController();
  const over = new AbortController();
  let lease: LiveObject | undefined;
  let observed: Observed | undefined;
  let leadsUntil = -Infinity;
  let watchdog: NodeJS.Timeout | undefined;
  let said = "";
  let isInformed = false;

  const tell = (news: ElectionNews): void => {
    isInformed ||= news.kind !== "trouble";
    const words = JSON.stringify(news);
    if (words !== said) told(news);
    said = words;
  };
  const lose = (why: string): void => {
    if (lost.signal.aborted || over.signal.aborted) return;
    clearTimeout(watchdog);
    leadsUntil = -Infinity;
    lost.abort(why);
  };
  const leads = (): boolean => leadsUntil !== -Infinity;
  const tooLate = `it could not be renewed for ${timing.renewDeadlineMs / 1000} seconds`;
  /** A process that was stopped for so long has lost the Lease, even if no other replica has taken it yet. */
  const isTooLate = (): boolean => leads() && now() >= leadsUntil;

  /** Counted from the moment when it was sent: no replica can have seen it earlier. */
  const renewed = (written: LiveObject, sent: number): void => {
    lease = written;
    observed = { record: recordOf(written), version: written.metadata.resourceVersion, at: sent };
    if (isTooLate()) lose(tooLate);
    if (lost.signal.aborted || over.signal.aborted) return;
    leadsUntil = sent + timing.renewDeadlineMs;
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(tooLate), leadsUntil - now());
    tell({ kind: "leading" });
  };

  const read = async (): Promise<ApiError | undefined> => {
    const answer = await api.get(leases, options.name);
    if (!answer.ok) return answer.error;
    lease = answer.value;
    // The object may be deleted. The replica that held it continues for a while.
    if (lease !== undefined) observed = observe(observed, recordOf(lease), lease.metadata.resourceVersion, now());
    return undefined;
  };

  const write = async (): Promise<ApiError | undefined> => {
    const sent = now();
    const record = recordAfter(observed?.record, identity, timing.durationMs / 1000, microTime(time()));
    const annotations = note?.annotations(lease, identity);
    const answer =
      lease === undefined
        ? await api.create(leases, newLease(options, record, annotations))
        : await api.replace(leases, withRecord(lease, record, annotations));
    if (answer.ok) {
      note?.written();
      renewed(answer.value, sent);
      return undefined;
    }
    // Whatever came in between: the next turn reads anew.
    lease = undefined;
    return answer.error.kind === "conflict" ? undefined : answer.error;
  };

  const turn = async (): Promise<void> => {
    if (isTooLate()) return lose(tooLate);
    const isOurs = leads() && lease !== undefined;
    const error = isOurs ? undefined : await read();
    if (error !== undefined) return tell({ kind: "trouble", message: error.message });
    if (over.signal.aborted || lost.signal.aborted) return;
    const next = observed === undefined ? "take" : leaseTurn(observed, identity, now());
    if (next === "wait") {
      const holder = observed?.record.holder ?? "";
      if (leads()) lose(`${holder} holds it`);
      return tell({ kind: "standby", holder });
    }
    const failure = await write();
    if (failure !== undefined) tell({ kind: "trouble", message: failure.message });
  };

  const { promise: won, resolve: win } = Promise.withResolvers<void>();
  over.signal.addEventListener("abort", () => win());
  const either = AbortSignal.any([lost.signal, over.signal]);
  const rest = async (): Promise<void> => {
    const waitMs = timing.retryMs * (1 + random() / 10);
    if (note === undefined) return pause(waitMs, either);
    const begun = now();
    const over = new AbortController();
    const both = AbortSignal.any([either, over.signal]);
    await Promise.race([pause(waitMs, both), note.wanted.wait(both)]);
    over.abort();
    return pause(Math.max(0, NOTE_EVERY_MS - (now() - begun)), either);
  };
  const campaign = async (): Promise<void> => {
    while (!either.aborted) {
      note?.wanted.clear();
      await turn();
      if (leads()) win();
      await rest();
    }
  };
  const running = campaign();

  return {
    won,
    lost: lost.signal,
    isLeader: () => leads() && now() < leadsUntil,
    leadsUntil: () => leadsUntil,
    isInformed: () => isInformed,
    abandon: () => {
      clearTimeout(watchdog);
      over.abort();
    },
    release: async () => {
      const isOurs = leads();
      clearTimeout(watchdog);
      leadsUntil = -Infinity;
      over.abort();
      await running;
      if (!isOurs || lost.signal.aborted) return;
      if (lease === undefined && (await read()) !== undefined) return;
      if (lease === undefined || recordOf(lease).holder !== identity) return;
      const record = releasedRecord(recordOf(lease), microTime(time()));
      await api.replace(leases, withRecord(lease, record, note?.annotations(lease, identity)));
    },
  };
}

function microTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
