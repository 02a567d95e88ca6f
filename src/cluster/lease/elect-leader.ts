/** Leader election by a Lease, from winning it until it is lost or released. */
import type { ApiError } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { LEASES } from "../api/served-kind.ts";
import { pause } from "../waiting/pause.ts";
import { type LeaseName, newLease, recordOf, withRecord } from "./lease-record.ts";
import { leaseTurn, type Observed, observe, recordAfter, releasedRecord } from "./lease-record.ts";
import type { LeaseNote } from "./pass-note.ts";

/** The times of client-go. Other candidates wait longer than a leader continues without a renewal. */
export interface LeaseTiming {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

export const LEASE_TIMING: LeaseTiming = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000 };

/** Passes that begin within this time share one write. */
const NOTE_EVERY_MS = 100;

interface ElectionOptions extends LeaseName {
  readonly identity: string;
  readonly timing: LeaseTiming;
  /** Milliseconds of a monotonic clock, so that setting the machine's clock does not change the leader. */
  readonly now: () => number;
  readonly time: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
  readonly onNews: (news: ElectionNews) => void;
  /** Annotations that are written with the record. */
  readonly note?: LeaseNote | undefined;
}

export type ElectionNews =
  | { readonly kind: "leading" }
  | { readonly kind: "standby"; readonly holder: string }
  /** Reported once while the message stays the same. */
  | { readonly kind: "trouble"; readonly message: string };

export interface Leadership {
  /** Ends when the Lease is won, or when the candidate ends before that. */
  readonly won: Promise<void>;
  /** False from the moment when another candidate may take the Lease, even if no timer has fired yet. */
  readonly isLeader: () => boolean;
  /** Until when it leads, by `now`; -Infinity if it does not lead. */
  readonly leadsUntil: () => number;
  /** Whether the holder of the Lease is known. */
  readonly isInformed: () => boolean;
  /** Aborted when leadership is lost. The signal's reason says why, in one line. */
  readonly lost: AbortSignal;
  /** Releases the Lease if this replica holds it, and ends. Call it when no request is in flight any more. */
  readonly release: () => Promise<void>;
  /** Ends without releasing it, because requests may still be in flight. */
  readonly abandon: () => void;
}

export function electLeader(api: ClusterApi, options: ElectionOptions): Leadership {
  const { namespace, identity, timing, now, time, random, onNews, note } = options;
  const leases = { ...LEASES, namespace };
  const lost = new AbortController();
  const over = new AbortController();
  let lease: LiveObject | undefined;
  let observed: Observed | undefined;
  let leadsUntil = -Infinity;
  let watchdog: NodeJS.Timeout | undefined;
  let said = "";
  let isInformed = false;

  const report = (news: ElectionNews): void => {
    isInformed ||= news.kind !== "trouble";
    const words = JSON.stringify(news);
    if (words !== said) onNews(news);
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
  /** A process that was paused for so long has lost the Lease, even if no other replica has taken it yet. */
  const isTooLate = (): boolean => leads() && now() >= leadsUntil;

  /** @param sent when the request was sent: no replica can have seen the renewal earlier */
  const renewed = (written: LiveObject, sent: number): void => {
    lease = written;
    observed = { record: recordOf(written), version: written.metadata.resourceVersion, at: sent };
    if (isTooLate()) lose(tooLate);
    if (lost.signal.aborted || over.signal.aborted) return;
    leadsUntil = sent + timing.renewDeadlineMs;
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lose(tooLate), leadsUntil - now());
    report({ kind: "leading" });
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
    // The Lease may have changed: the next turn reads it again.
    lease = undefined;
    return answer.error.kind === "conflict" ? undefined : answer.error;
  };

  const turn = async (): Promise<void> => {
    if (isTooLate()) return lose(tooLate);
    const isOurs = leads() && lease !== undefined;
    const error = isOurs ? undefined : await read();
    if (error !== undefined) return report({ kind: "trouble", message: error.message });
    if (over.signal.aborted || lost.signal.aborted) return;
    const next = observed === undefined ? "take" : leaseTurn(observed, identity, now());
    if (next === "wait") {
      const holder = observed?.record.holder ?? "";
      if (leads()) lose(`${holder} holds it`);
      return report({ kind: "standby", holder });
    }
    const failure = await write();
    if (failure !== undefined) report({ kind: "trouble", message: failure.message });
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
